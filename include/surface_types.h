/* Kept for programs that include it by name. */
#ifndef __SURFACE_TYPES_H__
#define __SURFACE_TYPES_H__
#include "texture_types.h"
#endif
