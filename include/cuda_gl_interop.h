/* What shares memory with OpenGL: programs that include it and draw nothing run; what is called is an error where it is. */
#ifndef WARPLENS_CUDA_GL_INTEROP_H
#define WARPLENS_CUDA_GL_INTEROP_H
#include <cuda_runtime.h>
#ifndef GL_VERSION
typedef unsigned int GLenum;
typedef unsigned int GLuint;
#endif
#define __WARPLENS_NO_GRAPHICS__ __attribute__((unavailable("graphics is not supported")))
#ifdef __cplusplus
#define __WARPLENS_STREAM_0__ = 0
extern "C" {
#else
#define __WARPLENS_STREAM_0__
#endif
struct cudaGraphicsResource;
enum cudaGLDeviceList { cudaGLDeviceListAll = 1, cudaGLDeviceListCurrentFrame = 2, cudaGLDeviceListNextFrame = 3 };
enum cudaGLMapFlags { cudaGLMapFlagsNone = 0, cudaGLMapFlagsReadOnly = 1, cudaGLMapFlagsWriteDiscard = 2 };
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGLGetDevices(unsigned *count, int *devices, unsigned most, enum cudaGLDeviceList list);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGLSetGLDevice(int device);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGLRegisterBufferObject(GLuint buffer);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGLUnregisterBufferObject(GLuint buffer);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGLMapBufferObject(void **pointer, GLuint buffer);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGLMapBufferObjectAsync(void **pointer, GLuint buffer, cudaStream_t stream);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGLUnmapBufferObject(GLuint buffer);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGLUnmapBufferObjectAsync(GLuint buffer, cudaStream_t stream);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGLSetBufferObjectMapFlags(GLuint buffer, unsigned flags);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **resource, GLuint buffer, unsigned flags);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **resource, GLuint image, GLenum target, unsigned flags);
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
enum cudaGraphicsRegisterFlags {
  cudaGraphicsRegisterFlagsNone = 0,
  cudaGraphicsRegisterFlagsReadOnly = 1,
  cudaGraphicsRegisterFlagsWriteDiscard = 2,
  cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
  cudaGraphicsRegisterFlagsTextureGather = 8
};
enum cudaGraphicsMapFlags { cudaGraphicsMapFlagsNone = 0, cudaGraphicsMapFlagsReadOnly = 1, cudaGraphicsMapFlagsWriteDiscard = 2 };
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned flags);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream __WARPLENS_STREAM_0__);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources, cudaStream_t stream __WARPLENS_STREAM_0__);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGraphicsResourceGetMappedPointer(void **pointer, size_t *bytes, cudaGraphicsResource_t resource);
__WARPLENS_NO_GRAPHICS__ cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array, cudaGraphicsResource_t resource, unsigned index, unsigned level);
#ifdef __cplusplus
}
#endif
#undef __WARPLENS_STREAM_0__
#endif
