/* The driver API's arrays, copies of rectangles and boxes, texture and surface objects, over the runtime API's.
   Source: CUDA Driver API, "Memory Management", "Texture Object Management", "Surface Object Management". */
#ifndef WARPLENS_DRIVER_ARRAYS_H
#define WARPLENS_DRIVER_ARRAYS_H

#include <warplens/driver_memory.h>

typedef struct CUarray_st *CUarray;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef enum CUarray_format_enum {
  CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
  CU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
  CU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
  CU_AD_FORMAT_SIGNED_INT8 = 0x08,
  CU_AD_FORMAT_SIGNED_INT16 = 0x09,
  CU_AD_FORMAT_SIGNED_INT32 = 0x0a,
  CU_AD_FORMAT_HALF = 0x10,
  CU_AD_FORMAT_FLOAT = 0x20
} CUarray_format;
typedef enum CUmemorytype_enum {
  CU_MEMORYTYPE_HOST = 1,
  CU_MEMORYTYPE_DEVICE = 2,
  CU_MEMORYTYPE_ARRAY = 3,
  CU_MEMORYTYPE_UNIFIED = 4
} CUmemorytype;
typedef enum CUaddress_mode_enum {
  CU_TR_ADDRESS_MODE_WRAP = 0,
  CU_TR_ADDRESS_MODE_CLAMP = 1,
  CU_TR_ADDRESS_MODE_MIRROR = 2,
  CU_TR_ADDRESS_MODE_BORDER = 3
} CUaddress_mode;
typedef enum CUfilter_mode_enum { CU_TR_FILTER_MODE_POINT = 0, CU_TR_FILTER_MODE_LINEAR = 1 } CUfilter_mode;
typedef enum CUresourcetype_enum {
  CU_RESOURCE_TYPE_ARRAY = 0,
  CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 1,
  CU_RESOURCE_TYPE_LINEAR = 2,
  CU_RESOURCE_TYPE_PITCH2D = 3
} CUresourcetype;
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_TRSF_SRGB 0x10
#define CUDA_ARRAY3D_LAYERED 0x01
#define CUDA_ARRAY3D_SURFACE_LDST 0x02
#define CUDA_ARRAY3D_CUBEMAP 0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08

typedef struct CUDA_ARRAY_DESCRIPTOR_st {
  size_t Width, Height;
  CUarray_format Format;
  unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;
typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
  size_t Width, Height, Depth;
  CUarray_format Format;
  unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;
typedef struct CUDA_MEMCPY2D_st {
  size_t srcXInBytes, srcY;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  size_t srcPitch, dstXInBytes, dstY;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  size_t dstPitch, WidthInBytes, Height;
} CUDA_MEMCPY2D;
typedef struct CUDA_MEMCPY3D_st {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void *reserved0;
  size_t srcPitch, srcHeight, dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void *reserved1;
  size_t dstPitch, dstHeight, WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;
typedef struct CUDA_RESOURCE_DESC_st {
  CUresourcetype resType;
  union {
    struct { CUarray hArray; } array;
    struct { CUdeviceptr devPtr; CUarray_format format; unsigned int numChannels; size_t sizeInBytes; } linear;
    struct { CUdeviceptr devPtr; CUarray_format format; unsigned int numChannels; size_t width, height, pitchInBytes; } pitch2D;
    struct { int reserved[32]; } reserved;
  } res;
  unsigned int flags;
} CUDA_RESOURCE_DESC;
typedef struct CUDA_TEXTURE_DESC_st {
  CUaddress_mode addressMode[3];
  CUfilter_mode filterMode;
  unsigned int flags, maxAnisotropy;
  CUfilter_mode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4];
  int reserved[12];
} CUDA_TEXTURE_DESC;
typedef struct CUDA_RESOURCE_VIEW_DESC_st {
  int format;
  size_t width, height, depth;
  unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer, reserved[16];
} CUDA_RESOURCE_VIEW_DESC;

#define __WARPLENS_DRIVER __WARPLENS_CALL__ __attribute__((unused)) CUresult

__WARPLENS_CALL__ __attribute__((unused)) struct cudaChannelFormatDesc __warplens_driver_format(CUarray_format format, unsigned int channels) {
  int isFloat = format >= CU_AD_FORMAT_HALF;
  int bits = isFloat ? (format == CU_AD_FORMAT_HALF ? 16 : 32) : 8 << ((int)(format & 7) - (format < CU_AD_FORMAT_SIGNED_INT8));
  return cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0,
                               isFloat                              ? cudaChannelFormatKindFloat
                               : format >= CU_AD_FORMAT_SIGNED_INT8 ? cudaChannelFormatKindSigned
                                                                    : cudaChannelFormatKindUnsigned);
}
__WARPLENS_CALL__ __attribute__((unused)) CUarray_format __warplens_driver_format_of(struct cudaChannelFormatDesc format) {
  int size = format.x == 8 ? 0 : format.x == 16 ? 1 : 2;
  if (format.f == cudaChannelFormatKindFloat) return size == 1 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  return (CUarray_format)((format.f == cudaChannelFormatKindSigned ? 8 : 1) + size);
}

/* Arrays. */
__WARPLENS_DRIVER cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d) {
  struct cudaChannelFormatDesc format = __warplens_driver_format(d->Format, d->NumChannels);
  struct cudaExtent extent = {d->Width, d->Height, d->Depth};
  return (CUresult)cudaMalloc3DArray((cudaArray_t *)array, &format, extent, d->Flags);
}
__WARPLENS_DRIVER cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d) {
  CUDA_ARRAY3D_DESCRIPTOR whole = {d->Width, d->Height, 0, d->Format, d->NumChannels, 0};
  return cuArray3DCreate(array, &whole);
}
__WARPLENS_DRIVER cuArrayDestroy(CUarray array) { return (CUresult)cudaFreeArray((cudaArray_t)array); }
__WARPLENS_DRIVER cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray array) {
  struct cudaChannelFormatDesc format;
  struct cudaExtent extent;
  unsigned int flags;
  CUresult result = (CUresult)cudaArrayGetInfo(&format, &extent, &flags, (cudaArray_t)array);
  if (result != CUDA_SUCCESS) return result;
  d->Width = extent.width, d->Height = extent.height, d->Depth = extent.depth, d->Flags = flags;
  d->Format = __warplens_driver_format_of(format);
  d->NumChannels = 1 + (format.y != 0) + (format.z != 0) + (format.w != 0);
  return CUDA_SUCCESS;
}
__WARPLENS_DRIVER cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *d, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR whole;
  CUresult result = cuArray3DGetDescriptor(&whole, array);
  if (result != CUDA_SUCCESS) return result;
  d->Width = whole.Width, d->Height = whole.Height, d->Format = whole.Format, d->NumChannels = whole.NumChannels;
  return CUDA_SUCCESS;
}

/* Copies: each side is memory of the host or the device, or an array. In the words of __warplens_copy_box. */
__WARPLENS_CALL__ __attribute__((unused)) void __warplens_driver_copy_words(unsigned int *words, const CUDA_MEMCPY3D *c) {
  const size_t toPitch = c->dstPitch ? c->dstPitch : c->dstXInBytes + c->WidthInBytes;
  const size_t fromPitch = c->srcPitch ? c->srcPitch : c->srcXInBytes + c->WidthInBytes;
  const int toArray = c->dstMemoryType == CU_MEMORYTYPE_ARRAY, fromArray = c->srcMemoryType == CU_MEMORYTYPE_ARRAY;
  const int isUnified = c->dstMemoryType == CU_MEMORYTYPE_UNIFIED || c->srcMemoryType == CU_MEMORYTYPE_UNIFIED;
  const unsigned int kind = isUnified ? (unsigned int)cudaMemcpyDefault
                                      : (c->srcMemoryType == CU_MEMORYTYPE_HOST ? 0u : 2u) + (c->dstMemoryType == CU_MEMORYTYPE_HOST ? 0u : 1u);
  const unsigned int made[19] = {
      toArray ? (unsigned int)(uintptr_t)c->dstArray : 0u, (unsigned int)c->dstXInBytes, (unsigned int)c->dstY, (unsigned int)c->dstZ,
      c->dstMemoryType == CU_MEMORYTYPE_HOST ? (unsigned int)(uintptr_t)c->dstHost : (unsigned int)c->dstDevice, (unsigned int)toPitch,
      (unsigned int)(c->dstHeight ? c->dstHeight : c->Height),
      fromArray ? (unsigned int)(uintptr_t)c->srcArray : 0u, (unsigned int)c->srcXInBytes, (unsigned int)c->srcY, (unsigned int)c->srcZ,
      c->srcMemoryType == CU_MEMORYTYPE_HOST ? (unsigned int)(uintptr_t)c->srcHost : (unsigned int)c->srcDevice, (unsigned int)fromPitch,
      (unsigned int)(c->srcHeight ? c->srcHeight : c->Height),
      (unsigned int)c->WidthInBytes, (unsigned int)c->Height, (unsigned int)c->Depth, kind, 0};
  __builtin_memcpy(words, made, sizeof made);
}
__WARPLENS_DRIVER cuMemcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream) {
  unsigned int words[19];
  __warplens_driver_copy_words(words, copy);
  return (CUresult)__warplens_copy_box(words, stream, stream != 0);
}
__WARPLENS_DRIVER cuMemcpy3D(const CUDA_MEMCPY3D *copy) { return cuMemcpy3DAsync(copy, 0); }
__WARPLENS_DRIVER cuMemcpy2DAsync(const CUDA_MEMCPY2D *c, CUstream stream) {
  CUDA_MEMCPY3D box = {c->srcXInBytes, c->srcY, 0, 0, c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, 0, c->srcPitch, c->Height,
                       c->dstXInBytes, c->dstY, 0, 0, c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, 0, c->dstPitch, c->Height,
                       c->WidthInBytes, c->Height, 1};
  return cuMemcpy3DAsync(&box, stream);
}
__WARPLENS_DRIVER cuMemcpy2D(const CUDA_MEMCPY2D *copy) { return cuMemcpy2DAsync(copy, 0); }
__WARPLENS_DRIVER cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy) { return cuMemcpy2DAsync(copy, 0); }
__WARPLENS_DRIVER cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t bytes) {
  return (CUresult)cudaMemcpyToArray((cudaArray_t)to, offset, 0, from, bytes, cudaMemcpyHostToDevice);
}
__WARPLENS_DRIVER cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t bytes) {
  return (CUresult)cudaMemcpyFromArray(to, (cudaArray_const_t)from, offset, 0, bytes, cudaMemcpyDeviceToHost);
}
__WARPLENS_DRIVER cuMemcpyHtoAAsync(CUarray to, size_t offset, const void *from, size_t bytes, CUstream stream) {
  return (CUresult)cudaMemcpyToArrayAsync((cudaArray_t)to, offset, 0, from, bytes, cudaMemcpyHostToDevice, stream);
}
__WARPLENS_DRIVER cuMemcpyAtoHAsync(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
  return (CUresult)cudaMemcpyFromArrayAsync(to, (cudaArray_const_t)from, offset, 0, bytes, cudaMemcpyDeviceToHost, stream);
}
__WARPLENS_DRIVER cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
  return (CUresult)cudaMemcpyToArray((cudaArray_t)to, offset, 0, (const void *)from, bytes, cudaMemcpyDeviceToDevice);
}
__WARPLENS_DRIVER cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
  return (CUresult)cudaMemcpyFromArray((void *)to, (cudaArray_const_t)from, offset, 0, bytes, cudaMemcpyDeviceToDevice);
}
__WARPLENS_DRIVER cuMemcpyAtoA(CUarray to, size_t toOffset, CUarray from, size_t fromOffset, size_t bytes) {
  return (CUresult)cudaMemcpyArrayToArray((cudaArray_t)to, toOffset, 0, (cudaArray_const_t)from, fromOffset, 0, bytes,
                                          cudaMemcpyDeviceToDevice);
}

/* Texture and surface objects. */
__WARPLENS_DRIVER __warplens_driver_resource(struct cudaResourceDesc *to, const CUDA_RESOURCE_DESC *from) {
  __builtin_memset(to, 0, sizeof *to);
  to->resType = (enum cudaResourceType)from->resType;
  if (from->resType == CU_RESOURCE_TYPE_ARRAY) to->res.array.array = (cudaArray_t)from->res.array.hArray;
  else if (from->resType == CU_RESOURCE_TYPE_LINEAR) {
    to->res.linear.devPtr = (void *)from->res.linear.devPtr;
    to->res.linear.desc = __warplens_driver_format(from->res.linear.format, from->res.linear.numChannels);
    to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
  } else if (from->resType == CU_RESOURCE_TYPE_PITCH2D) {
    to->res.pitch2D.devPtr = (void *)from->res.pitch2D.devPtr;
    to->res.pitch2D.desc = __warplens_driver_format(from->res.pitch2D.format, from->res.pitch2D.numChannels);
    to->res.pitch2D.width = from->res.pitch2D.width;
    to->res.pitch2D.height = from->res.pitch2D.height;
    to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
  } else return CUDA_ERROR_NOT_SUPPORTED;
  return CUDA_SUCCESS;
}
/* Whether integers are read as numbers from 0 to 1, which those of 32 bits never are. */
__WARPLENS_DRIVER __warplens_driver_read_mode(enum cudaTextureReadMode *mode, const struct cudaResourceDesc *resource, unsigned int flags) {
  struct cudaChannelFormatDesc format = resource->res.linear.desc;
  if (resource->resType == cudaResourceTypePitch2D) format = resource->res.pitch2D.desc;
  if (resource->resType == cudaResourceTypeArray) {
    CUresult result = (CUresult)cudaGetChannelDesc(&format, resource->res.array.array);
    if (result != CUDA_SUCCESS) return result;
  }
  const int isInteger = flags & CU_TRSF_READ_AS_INTEGER || format.f == cudaChannelFormatKindFloat || format.x == 32;
  *mode = isInteger ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  return CUDA_SUCCESS;
}
__WARPLENS_DRIVER cuTexObjectCreate(CUtexObject *texture, const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *d,
                                    const CUDA_RESOURCE_VIEW_DESC *view) {
  struct cudaResourceDesc from;
  struct cudaTextureDesc how;
  CUresult result = __warplens_driver_resource(&from, resource);
  if (result != CUDA_SUCCESS || view) return view ? CUDA_ERROR_NOT_SUPPORTED : result;
  __builtin_memset(&how, 0, sizeof how);
  for (int i = 0; i < 3; i++) how.addressMode[i] = (enum cudaTextureAddressMode)d->addressMode[i];
  how.filterMode = (enum cudaTextureFilterMode)d->filterMode;
  how.normalizedCoords = (d->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  how.sRGB = (d->flags & CU_TRSF_SRGB) != 0;
  how.maxAnisotropy = d->maxAnisotropy;
  __builtin_memcpy(how.borderColor, d->borderColor, sizeof how.borderColor);
  result = __warplens_driver_read_mode(&how.readMode, &from, d->flags);
  return result == CUDA_SUCCESS ? (CUresult)cudaCreateTextureObject(texture, &from, &how, 0) : result;
}
__WARPLENS_DRIVER cuTexObjectDestroy(CUtexObject texture) { return (CUresult)cudaDestroyTextureObject(texture); }
__WARPLENS_DRIVER cuSurfObjectCreate(CUsurfObject *surface, const CUDA_RESOURCE_DESC *resource) {
  struct cudaResourceDesc from;
  CUresult result = __warplens_driver_resource(&from, resource);
  return result == CUDA_SUCCESS ? (CUresult)cudaCreateSurfaceObject(surface, &from) : result;
}
__WARPLENS_DRIVER cuSurfObjectDestroy(CUsurfObject surface) { return (CUresult)cudaDestroySurfaceObject(surface); }

#undef __WARPLENS_DRIVER

#define cuArrayCreate_v2 cuArrayCreate
#define cuArray3DCreate_v2 cuArray3DCreate
#define cuArrayGetDescriptor_v2 cuArrayGetDescriptor
#define cuArray3DGetDescriptor_v2 cuArray3DGetDescriptor
#define cuMemcpy2D_v2 cuMemcpy2D
#define cuMemcpy2DAsync_v2 cuMemcpy2DAsync
#define cuMemcpy2DUnaligned_v2 cuMemcpy2DUnaligned
#define cuMemcpy3D_v2 cuMemcpy3D
#define cuMemcpy3DAsync_v2 cuMemcpy3DAsync
#define cuMemcpyHtoA_v2 cuMemcpyHtoA
#define cuMemcpyAtoH_v2 cuMemcpyAtoH
#define cuMemcpyDtoA_v2 cuMemcpyDtoA
#define cuMemcpyAtoD_v2 cuMemcpyAtoD
#define cuMemcpyAtoA_v2 cuMemcpyAtoA
#define cuMemcpyHtoAAsync_v2 cuMemcpyHtoAAsync
#define cuMemcpyAtoHAsync_v2 cuMemcpyAtoHAsync
#endif
