/* Surface reads and writes: whole texels by byte offset, with the boundary rules of the CUDA C++ Programming Guide, "Surface
   Functions". Descriptors and address space are device_texture.h's. */
#ifndef WARPLENS_DEVICE_SURFACE_H
#define WARPLENS_DEVICE_SURFACE_H

#include <warplens/device_texture.h>

/* The texel's address; 0 where the access is outside and has no effect. An access is one instruction, as a lookup is; of a warp's two
   quads are a request, which takes a cycle and a half on average (scripts/fidelity/cases/textures.cu: `again` of a surface). */
#define __WARPLENS_SURFACE_CYCLES 6
template <bool isRead>
__inline__ __attribute__((device, noinline, pure, nodebug, unused)) unsigned
__warplens_lookup_surface(cudaSurfaceObject_t object, int xBytes, int y, int z, int bytes, cudaSurfaceBoundaryMode mode) {
  __warplens_texture_t t = __warplens_texture_at(object);
  int width = (int)(t->width * t->texelBytes), height = (int)t->height, depth = (int)t->depth;
  bool inside = xBytes >= 0 && xBytes + bytes <= width && (unsigned)y < (unsigned)height && (unsigned)z < (unsigned)depth;
  if (!inside) {
    if (mode == cudaBoundaryModeTrap) __builtin_trap();
    if (mode == cudaBoundaryModeZero) return 0;
    xBytes = xBytes < 0 ? 0 : xBytes + bytes > width ? width - bytes : xBytes;
    y = y < 0 ? 0 : y >= height ? height - 1 : y;
    z = z < 0 ? 0 : z >= depth ? depth - 1 : z;
  }
  constexpr int kind = isRead ? __WARPLENS_SURFACE_LOAD : __WARPLENS_SURFACE_STORE;
  xBytes = __warplens_lookup(xBytes, kind, __WARPLENS_PAIRS, __WARPLENS_SURFACE_CYCLES);
  return t->address + z * t->sliceBytes + y * t->rowBytes + xBytes;
}
template <class T> __WARPLENS_DEVICE__ T __warplens_surface_read(unsigned texel, cudaSurfaceBoundaryMode mode) {
  typedef typename __warplens_packed<T>::type Packed;
  if (mode != cudaBoundaryModeZero) __builtin_assume(texel != 0);
  if (texel == 0) return T{};
  return __builtin_bit_cast(T, *(const volatile __WARPLENS_TEXEL Packed *)texel);
}
template <class T> __WARPLENS_DEVICE__ void __warplens_surface_write(unsigned texel, cudaSurfaceBoundaryMode mode, T value) {
  typedef typename __warplens_packed<T>::type Packed;
  if (mode != cudaBoundaryModeZero) __builtin_assume(texel != 0);
  if (texel != 0) *(__WARPLENS_TEXEL Packed *)texel = __builtin_bit_cast(Packed, value);
}

/* Every function in its three forms: value returned, value through a pointer, and on a surface reference. */
#define __WARPLENS_SURFACE(name, dimensions, parameters, x, y, z)                                                          \
  template <class T>                                                                                                       \
  __WARPLENS_DEVICE__ T name##read(cudaSurfaceObject_t s, __WARPLENS_UNWRAP parameters,                                    \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                  \
    return __warplens_surface_read<T>(__warplens_lookup_surface<true>(s, x, y, z, sizeof(T), mode), mode);                 \
  }                                                                                                                        \
  template <class T>                                                                                                       \
  __WARPLENS_DEVICE__ void name##read(T *out, cudaSurfaceObject_t s, __WARPLENS_UNWRAP parameters,                         \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                               \
    *out = __warplens_surface_read<T>(__warplens_lookup_surface<true>(s, x, y, z, sizeof(T), mode), mode);                 \
  }                                                                                                                        \
  template <class T>                                                                                                       \
  __WARPLENS_DEVICE__ void name##write(T value, cudaSurfaceObject_t s, __WARPLENS_UNWRAP parameters,                       \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                              \
    __warplens_surface_write<T>(__warplens_lookup_surface<false>(s, x, y, z, sizeof(T), mode), mode, value);               \
  }                                                                                                                        \
  template <class T, class U>                                                                                              \
  __WARPLENS_DEVICE__ T name##read(__warplens_surface_reference<U, dimensions> reference,                                  \
                                   __WARPLENS_UNWRAP parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {    \
    cudaSurfaceObject_t s = __warplens_bound_surface(reference);                                                           \
    return __warplens_surface_read<T>(__warplens_lookup_surface<true>(s, x, y, z, sizeof(T), mode), mode);                 \
  }                                                                                                                        \
  template <class T, class U>                                                                                              \
  __WARPLENS_DEVICE__ void name##read(T *out, __warplens_surface_reference<U, dimensions> reference,                       \
                                      __WARPLENS_UNWRAP parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    cudaSurfaceObject_t s = __warplens_bound_surface(reference);                                                           \
    *out = __warplens_surface_read<T>(__warplens_lookup_surface<true>(s, x, y, z, sizeof(T), mode), mode);                 \
  }                                                                                                                        \
  template <class T, class U>                                                                                              \
  __WARPLENS_DEVICE__ void name##write(T value, __warplens_surface_reference<U, dimensions> reference,                     \
                                       __WARPLENS_UNWRAP parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {\
    cudaSurfaceObject_t s = __warplens_bound_surface(reference);                                                           \
    __warplens_surface_write<T>(__warplens_lookup_surface<false>(s, x, y, z, sizeof(T), mode), mode, value);               \
  }
#define __WARPLENS_UNWRAP(...) __VA_ARGS__

template <class U, int dimensions>
__WARPLENS_DEVICE__ cudaSurfaceObject_t __warplens_bound_surface(__warplens_surface_reference<U, dimensions> reference) {
  unsigned long long variable;
  __builtin_memcpy(&variable, &reference, sizeof variable);
  return *(const __WARPLENS_DESCRIPTOR unsigned *)(unsigned)variable;
}
__WARPLENS_SURFACE(surf1D, 1, (int x), x, 0, 0)
__WARPLENS_SURFACE(surf2D, 2, (int x, int y), x, y, 0)
__WARPLENS_SURFACE(surf3D, 3, (int x, int y, int z), x, y, z)
__WARPLENS_SURFACE(surf1DLayered, 0xF1, (int x, int layer), x, 0, layer)
__WARPLENS_SURFACE(surf2DLayered, 0xF2, (int x, int y, int layer), x, y, layer)
__WARPLENS_SURFACE(surfCubemap, 0x0C, (int x, int y, int face), x, y, face)
#undef __WARPLENS_SURFACE
#undef __WARPLENS_UNWRAP

#endif
