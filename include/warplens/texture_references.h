/* The older texture and surface references by the names that programs give them. A program that mentions none may have a `texture` or
   a `surface` of its own, as with CUDA 12 and later (src/frontend/building/plan.ts includes this one where it does). */
#ifndef WARPLENS_TEXTURE_REFERENCES_H
#define WARPLENS_TEXTURE_REFERENCES_H
#include <texture_types.h>
#if defined(__cplusplus) && defined(__CUDA__)
template <class T, int dimensions = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
using texture = __warplens_texture_reference<T, dimensions, mode>;
template <class T, int dimensions = cudaTextureType1D> using surface = __warplens_surface_reference<T, dimensions>;
#endif
#endif
