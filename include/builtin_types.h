/* A name that programs include. What CUDA has here, warplens/runtime.h brings into every CUDA file. */
#ifndef __BUILTIN_TYPES_H__
#define __BUILTIN_TYPES_H__

#include <vector_types.h>

#endif
