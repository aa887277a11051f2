/* What every program has of ours beside the C library, compiled once, when Warplens is built (src/frontend/building/ship.ts). Weak, but
   for operator new: what a program has under the same name is the program's; and the linker keeps only what is called. */
/* Once more: it is in front of every source, with declarations (src/frontend/building/commandFlags.ts). */
#undef WARPLENS_HOST_NEW_H
#define WARPLENS_DEFINES_NEW
#include <warplens/host_new.h>
#include <warplens/host_formats.h>
#include <warplens/host_heap.h>
#include <warplens/host_longs.h>
#include <warplens/host_nulls.h>
#include <warplens/host_paths.h>
#include <warplens/host_random.h>
#include <warplens/host_temporary.h>
#include <warplens/host_uncaught.h>
#include <warplens/host_waits.h>
