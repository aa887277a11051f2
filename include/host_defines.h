/* A name that programs include. What CUDA has here, warplens/runtime.h brings into every CUDA file. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#include <warplens/keywords.h>

#endif
