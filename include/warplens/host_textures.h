/* Arrays, textures and surfaces on the host. Structures become lists of 32-bit words here; src/runtime/calls/cudaArrays.ts and
   cudaTextures.ts read them by the positions below. */
#ifndef WARPLENS_HOST_TEXTURES_H
#define WARPLENS_HOST_TEXTURES_H

#if defined(__cplusplus)
extern "C" {
#endif
cudaError_t __warplens_malloc_array(cudaArray_t *array, const int *format, size_t width, size_t height, size_t depth,
                                    unsigned int flags);
/* info: format (5), width, height, depth, flags. */
cudaError_t __warplens_array_info(cudaArray_const_t array, unsigned int *info);
/* words: to array, x, y, z, pointer, pitch, slice rows; from, the same; width, height, depth; kind; 1 where the width counts
   an array's elements. An array's x counts elements then too, else bytes. */
cudaError_t __warplens_copy_box(const unsigned int *words, cudaStream_t stream, int isAsync);
/* A run of bytes of an array in row order: `toArray` tells the direction. */
cudaError_t __warplens_copy_run(cudaArray_const_t array, size_t x, size_t y, const void *other, size_t bytes,
                                enum cudaMemcpyKind kind, cudaStream_t stream, int isAsync, int toArray);
/* words: resource type, address, width, height, pitch, bytes, format (5), address modes (3), filter, read mode, normalized
   coordinates, border (4, float bits); of mipmaps: filter, bias, lowest and highest level (float bits), first and last level. */
#define __WARPLENS_TEXTURE_WORDS 27
cudaError_t __warplens_create_texture(cudaTextureObject_t *texture, const unsigned int *words);
/* The words that an object was made of. */
cudaError_t __warplens_texture_words(cudaTextureObject_t texture, unsigned int *words);
/* The descriptor that the words describe becomes the one of the texture or surface reference. Address modes, filter and normalized
   coordinates of a texture reference are its attributes, not the words', and those that it has at a launch. */
cudaError_t __warplens_bind_reference(const void *reference, const unsigned int *words, int isTexture);
cudaError_t __warplens_unbind_reference(const void *reference);
#if defined(__cplusplus)
}
#endif

__WARPLENS_CALL__ struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                                 enum cudaChannelFormatKind kind) {
  struct cudaChannelFormatDesc d = {x, y, z, w, kind};
  return d;
}
__WARPLENS_CALL__ cudaError_t __warplens_malloc_formatted(cudaArray_t *array, const struct cudaChannelFormatDesc *d,
                                                      size_t width, size_t height, size_t depth, unsigned int flags) {
  int format[5] = {d->x, d->y, d->z, d->w, (int)d->f};
  return __warplens_malloc_array(array, format, width, height, depth, flags);
}
__WARPLENS_CALL__ cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width,
                                          size_t height __WARPLENS_DEFAULT(0), unsigned int flags __WARPLENS_DEFAULT(0)) {
  return __warplens_malloc_formatted(array, format, width, height, 0, flags);
}
__WARPLENS_CALL__ cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format,
                                            struct cudaExtent extent, unsigned int flags __WARPLENS_DEFAULT(0)) {
  return __warplens_malloc_formatted(array, format, extent.width, extent.height, extent.depth, flags);
}
__WARPLENS_CALL__ struct cudaChannelFormatDesc __warplens_format_of(const unsigned int *info) {
  return cudaCreateChannelDesc((int)info[0], (int)info[1], (int)info[2], (int)info[3],
                               (enum cudaChannelFormatKind)info[4]);
}
__WARPLENS_CALL__ cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent,
                                           unsigned int *flags, cudaArray_t array) {
  unsigned int info[9] = {0};
  cudaError_t status = __warplens_array_info(array, info);
  if (status != cudaSuccess) return status;
  if (format) *format = __warplens_format_of(info);
  if (extent) extent->width = info[5], extent->height = info[6], extent->depth = info[7];
  if (flags) *flags = info[8];
  return cudaSuccess;
}
__WARPLENS_CALL__ cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array) {
  unsigned int info[9] = {0};
  cudaError_t status = __warplens_array_info(array, info);
  if (status == cudaSuccess) *format = __warplens_format_of(info);
  return status;
}

__WARPLENS_CALL__ void __warplens_copy_words(unsigned int *words, const struct cudaMemcpy3DParms *p) {
  unsigned int all[19] = {
      (unsigned int)p->dstArray,      (unsigned int)p->dstPos.x,     (unsigned int)p->dstPos.y,
      (unsigned int)p->dstPos.z,      (unsigned int)p->dstPtr.ptr,   (unsigned int)p->dstPtr.pitch,
      (unsigned int)p->dstPtr.ysize,  (unsigned int)p->srcArray,     (unsigned int)p->srcPos.x,
      (unsigned int)p->srcPos.y,      (unsigned int)p->srcPos.z,     (unsigned int)p->srcPtr.ptr,
      (unsigned int)p->srcPtr.pitch,  (unsigned int)p->srcPtr.ysize, (unsigned int)p->extent.width,
      (unsigned int)p->extent.height, (unsigned int)p->extent.depth, (unsigned int)p->kind,
      p->srcArray != 0 || p->dstArray != 0};
  __builtin_memcpy(words, all, sizeof all);
}
__WARPLENS_CALL__ cudaError_t __warplens_copy_3d(const struct cudaMemcpy3DParms *p, cudaStream_t stream, int isAsync) {
  if (!p) return cudaErrorInvalidValue;
  unsigned int words[19];
  __warplens_copy_words(words, p);
  return __warplens_copy_box(words, stream, isAsync);
}
__WARPLENS_CALL__ cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) { return __warplens_copy_3d(p, 0, 0); }
__WARPLENS_CALL__ cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
                                            cudaStream_t stream __WARPLENS_DEFAULT(0)) {
  return __warplens_copy_3d(p, stream, 1);
}
/* The addresses say which devices they are of. */
__WARPLENS_CALL__ struct cudaMemcpy3DParms __warplens_peer_copy(const struct cudaMemcpy3DPeerParms *p) {
  struct cudaMemcpy3DParms copy = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray, p->dstPos, p->dstPtr, p->extent,
                                   cudaMemcpyDefault};
  return copy;
}
__WARPLENS_CALL__ cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p) {
  struct cudaMemcpy3DParms copy = __warplens_peer_copy(p);
  return __warplens_copy_3d(&copy, 0, 0);
}
__WARPLENS_CALL__ cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p,
                                                cudaStream_t stream __WARPLENS_DEFAULT(0)) {
  struct cudaMemcpy3DParms copy = __warplens_peer_copy(p);
  return __warplens_copy_3d(&copy, stream, 1);
}
__WARPLENS_CALL__ cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                                   size_t width, size_t height, enum cudaMemcpyKind kind,
                                                   cudaStream_t stream __WARPLENS_DEFAULT(0)) {
  unsigned int words[19] = {(unsigned int)to, x, y, 0, 0, 0, 0, 0, 0, 0, 0, (unsigned int)from, pitch, height,
                            width, height, 1, (unsigned int)kind, 0};
  return __warplens_copy_box(words, stream, 1);
}
__WARPLENS_CALL__ cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                              size_t width, size_t height, enum cudaMemcpyKind kind) {
  unsigned int words[19] = {(unsigned int)to, x, y, 0, 0, 0, 0, 0, 0, 0, 0, (unsigned int)from, pitch, height,
                            width, height, 1, (unsigned int)kind, 0};
  return __warplens_copy_box(words, 0, 0);
}
__WARPLENS_CALL__ cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                                     cudaStream_t stream __WARPLENS_DEFAULT(0)) {
  unsigned int words[19] = {0, 0, 0, 0, (unsigned int)to, pitch, height, (unsigned int)from, x, y, 0, 0, 0, 0,
                            width, height, 1, (unsigned int)kind, 0};
  return __warplens_copy_box(words, stream, 1);
}
__WARPLENS_CALL__ cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                                size_t width, size_t height, enum cudaMemcpyKind kind) {
  unsigned int words[19] = {0, 0, 0, 0, (unsigned int)to, pitch, height, (unsigned int)from, x, y, 0, 0, 0, 0,
                            width, height, 1, (unsigned int)kind, 0};
  return __warplens_copy_box(words, 0, 0);
}
__WARPLENS_CALL__ cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                                   size_t fromX, size_t fromY, size_t width, size_t height,
                                                   enum cudaMemcpyKind kind __WARPLENS_DEFAULT(cudaMemcpyDeviceToDevice)) {
  unsigned int words[19] = {(unsigned int)to, toX, toY, 0, 0, 0, 0, (unsigned int)from, fromX, fromY, 0, 0, 0, 0,
                            width, height, 1, (unsigned int)kind, 0};
  return __warplens_copy_box(words, 0, 0);
}
__WARPLENS_CALL__ size_t __warplens_row_bytes(cudaArray_const_t array) {
  unsigned int info[9];
  if (__warplens_array_info(array, info) != cudaSuccess) return 0;
  return (size_t)(info[0] + info[1] + info[2] + info[3]) / 8 * info[5];
}
/* A run of bytes, in the order of rows on both sides, as pieces of rows. */
__WARPLENS_CALL__ cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from,
                                                 size_t fromX, size_t fromY, size_t bytes,
                                                 enum cudaMemcpyKind kind __WARPLENS_DEFAULT(cudaMemcpyDeviceToDevice)) {
  const size_t toRow = __warplens_row_bytes(to), fromRow = __warplens_row_bytes(from);
  if (toX >= toRow || fromX >= fromRow) return cudaErrorInvalidValue;
  while (bytes > 0) {
    size_t piece = bytes;
    if (piece > toRow - toX) piece = toRow - toX;
    if (piece > fromRow - fromX) piece = fromRow - fromX;
    cudaError_t result = cudaMemcpy2DArrayToArray(to, toX, toY, from, fromX, fromY, piece, 1, kind);
    if (result != cudaSuccess) return result;
    bytes -= piece, toX += piece, fromX += piece;
    if (toX == toRow) toX = 0, toY++;
    if (fromX == fromRow) fromX = 0, fromY++;
  }
  return cudaSuccess;
}
__WARPLENS_CALL__ cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                            enum cudaMemcpyKind kind) {
  return __warplens_copy_run(to, x, y, from, bytes, kind, 0, 0, 1);
}
__WARPLENS_CALL__ cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                                 enum cudaMemcpyKind kind, cudaStream_t stream __WARPLENS_DEFAULT(0)) {
  return __warplens_copy_run(to, x, y, from, bytes, kind, stream, 1, 1);
}
__WARPLENS_CALL__ cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                              enum cudaMemcpyKind kind) {
  return __warplens_copy_run(from, x, y, to, bytes, kind, 0, 0, 0);
}
__WARPLENS_CALL__ cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                                   enum cudaMemcpyKind kind, cudaStream_t stream __WARPLENS_DEFAULT(0)) {
  return __warplens_copy_run(from, x, y, to, bytes, kind, stream, 1, 0);
}

__WARPLENS_CALL__ void __warplens_format_words(unsigned int *words, const struct cudaChannelFormatDesc *format) {
  words[6] = format->x, words[7] = format->y, words[8] = format->z, words[9] = format->w, words[10] = format->f;
}
__WARPLENS_CALL__ void __warplens_resource_words(unsigned int *words, const struct cudaResourceDesc *resource) {
  words[0] = resource->resType;
  if (resource->resType == cudaResourceTypeArray) words[1] = (unsigned int)resource->res.array.array;
  if (resource->resType == cudaResourceTypeMipmappedArray) words[1] = (unsigned int)resource->res.mipmap.mipmap;
  if (resource->resType == cudaResourceTypeLinear) {
    words[1] = (unsigned int)resource->res.linear.devPtr;
    words[5] = resource->res.linear.sizeInBytes;
    __warplens_format_words(words, &resource->res.linear.desc);
  }
  if (resource->resType == cudaResourceTypePitch2D) {
    words[1] = (unsigned int)resource->res.pitch2D.devPtr;
    words[2] = resource->res.pitch2D.width;
    words[3] = resource->res.pitch2D.height;
    words[4] = resource->res.pitch2D.pitchInBytes;
    __warplens_format_words(words, &resource->res.pitch2D.desc);
  }
}
__WARPLENS_CALL__ cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture, const struct cudaResourceDesc *resource,
                                                  const struct cudaTextureDesc *description,
                                                  const struct cudaResourceViewDesc *view) {
  unsigned int words[__WARPLENS_TEXTURE_WORDS] = {0};
  __warplens_resource_words(words, resource);
  for (int i = 0; i < 3; i++) words[11 + i] = description->addressMode[i];
  words[14] = description->filterMode;
  words[15] = description->readMode;
  words[16] = description->normalizedCoords;
  __builtin_memcpy(words + 17, description->borderColor, sizeof description->borderColor);
  words[21] = description->mipmapFilterMode;
  __builtin_memcpy(words + 22, &description->mipmapLevelBias, 3 * sizeof(float));
  words[25] = view ? view->firstMipmapLevel : 0;
  words[26] = view ? view->lastMipmapLevel : 0xffffffffu;
  return __warplens_create_texture(texture, words);
}
__WARPLENS_CALL__ cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface, const struct cudaResourceDesc *resource) {
  unsigned int words[__WARPLENS_TEXTURE_WORDS] = {0};
  if (resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
  __warplens_resource_words(words, resource);
  return __warplens_create_texture(surface, words);
}

__WARPLENS_CALL__ cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource, cudaTextureObject_t texture) {
  unsigned int words[__WARPLENS_TEXTURE_WORDS];
  cudaError_t status = __warplens_texture_words(texture, words);
  if (status != cudaSuccess) return status;
  __builtin_memset(resource, 0, sizeof *resource);
  resource->resType = (enum cudaResourceType)words[0];
  struct cudaChannelFormatDesc format = {(int)words[6], (int)words[7], (int)words[8], (int)words[9],
                                         (enum cudaChannelFormatKind)words[10]};
  if (resource->resType == cudaResourceTypeArray) resource->res.array.array = (cudaArray_t)words[1];
  if (resource->resType == cudaResourceTypeMipmappedArray) resource->res.mipmap.mipmap = (cudaMipmappedArray_t)words[1];
  if (resource->resType == cudaResourceTypeLinear) {
    resource->res.linear.devPtr = (void *)words[1];
    resource->res.linear.sizeInBytes = words[5];
    resource->res.linear.desc = format;
  }
  if (resource->resType == cudaResourceTypePitch2D) {
    resource->res.pitch2D.devPtr = (void *)words[1];
    resource->res.pitch2D.width = words[2];
    resource->res.pitch2D.height = words[3];
    resource->res.pitch2D.pitchInBytes = words[4];
    resource->res.pitch2D.desc = format;
  }
  return cudaSuccess;
}
__WARPLENS_CALL__ cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t surface) {
  return cudaGetTextureObjectResourceDesc(resource, surface);
}
__WARPLENS_CALL__ cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *description, cudaTextureObject_t texture) {
  unsigned int words[__WARPLENS_TEXTURE_WORDS];
  cudaError_t status = __warplens_texture_words(texture, words);
  if (status != cudaSuccess) return status;
  __builtin_memset(description, 0, sizeof *description);
  for (int i = 0; i < 3; i++) description->addressMode[i] = (enum cudaTextureAddressMode)words[11 + i];
  description->filterMode = (enum cudaTextureFilterMode)words[14];
  description->readMode = (enum cudaTextureReadMode)words[15];
  description->normalizedCoords = (int)words[16];
  __builtin_memcpy(description->borderColor, words + 17, sizeof description->borderColor);
  description->mipmapFilterMode = (enum cudaTextureFilterMode)words[21];
  __builtin_memcpy(&description->mipmapLevelBias, words + 22, 3 * sizeof(float));
  return cudaSuccess;
}

#if defined(__cplusplus)
template <class T> struct __warplens_channel;
#define __WARPLENS_CHANNEL(type, x, y, z, w, kind)                                                                         \
  template <> struct __warplens_channel<type> {                                                                            \
    static cudaChannelFormatDesc make() { return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind); }         \
  };
#define __WARPLENS_CHANNELS(name, bits, kind)                                                                              \
  __WARPLENS_CHANNEL(name##1, bits, 0, 0, 0, kind)                                                                         \
  __WARPLENS_CHANNEL(name##2, bits, bits, 0, 0, kind)                                                                      \
  __WARPLENS_CHANNEL(name##4, bits, bits, bits, bits, kind)
__WARPLENS_CHANNELS(char, 8, Signed)
__WARPLENS_CHANNELS(uchar, 8, Unsigned)
__WARPLENS_CHANNELS(short, 16, Signed)
__WARPLENS_CHANNELS(ushort, 16, Unsigned)
__WARPLENS_CHANNELS(int, 32, Signed)
__WARPLENS_CHANNELS(uint, 32, Unsigned)
__WARPLENS_CHANNELS(float, 32, Float)
__WARPLENS_CHANNEL(char, 8, 0, 0, 0, Signed)
__WARPLENS_CHANNEL(signed char, 8, 0, 0, 0, Signed)
__WARPLENS_CHANNEL(unsigned char, 8, 0, 0, 0, Unsigned)
__WARPLENS_CHANNEL(short, 16, 0, 0, 0, Signed)
__WARPLENS_CHANNEL(unsigned short, 16, 0, 0, 0, Unsigned)
__WARPLENS_CHANNEL(int, 32, 0, 0, 0, Signed)
__WARPLENS_CHANNEL(unsigned int, 32, 0, 0, 0, Unsigned)
__WARPLENS_CHANNEL(float, 32, 0, 0, 0, Float)
#undef __WARPLENS_CHANNELS
#undef __WARPLENS_CHANNEL
template <class T> __WARPLENS_CALL__ cudaChannelFormatDesc cudaCreateChannelDesc() { return __warplens_channel<T>::make(); }
__WARPLENS_CALL__ cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
#endif

#if defined(__cplusplus) && defined(__CUDA__)

__WARPLENS_CALL__ cudaError_t __warplens_bind(const textureReference &t, const cudaResourceDesc &resource) {
  unsigned int words[__WARPLENS_TEXTURE_WORDS] = {0};
  __warplens_resource_words(words, &resource);
  words[15] = t.__cudaReserved[0];
  return __warplens_bind_reference(&t, words, 1);
}
__WARPLENS_CALL__ cudaError_t cudaBindTexture(size_t *offset, const textureReference &t, const void *pointer,
                                          const cudaChannelFormatDesc &format, size_t bytes = 0xffffffffu) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = (void *)pointer;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = bytes;
  if (offset) *offset = 0;
  return __warplens_bind(t, resource);
}
__WARPLENS_CALL__ cudaError_t cudaBindTexture(size_t *offset, const textureReference &t, const void *pointer,
                                          size_t bytes = 0xffffffffu) {
  return cudaBindTexture(offset, t, pointer, t.channelDesc, bytes);
}
__WARPLENS_CALL__ cudaError_t cudaBindTexture2D(size_t *offset, const textureReference &t, const void *pointer,
                                            const cudaChannelFormatDesc &format, size_t width, size_t height, size_t pitch) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = (void *)pointer;
  resource.res.pitch2D.desc = format;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  if (offset) *offset = 0;
  return __warplens_bind(t, resource);
}
__WARPLENS_CALL__ cudaError_t cudaBindTexture2D(size_t *offset, const textureReference &t, const void *pointer,
                                            size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, t, pointer, t.channelDesc, width, height, pitch);
}
__WARPLENS_CALL__ cudaError_t cudaBindTextureToArray(const textureReference &t, cudaArray_const_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = (cudaArray_t)array;
  return __warplens_bind(t, resource);
}
__WARPLENS_CALL__ cudaError_t cudaBindTextureToArray(const textureReference &t, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &) {
  return cudaBindTextureToArray(t, array);
}
__WARPLENS_CALL__ cudaError_t cudaUnbindTexture(const textureReference &t) {
  return __warplens_unbind_reference(&t);
}
/* The C forms take pointers, the variable's own or what cudaGetTextureReference gives for it. */
__WARPLENS_CALL__ cudaError_t cudaGetTextureReference(const textureReference **t, const void *variable) {
  if (!t || !variable) return cudaErrorInvalidValue;
  *t = (const textureReference *)variable;
  return cudaSuccess;
}
__WARPLENS_CALL__ cudaError_t cudaBindTexture(size_t *offset, const textureReference *t, const void *pointer,
                                          const cudaChannelFormatDesc *format, size_t bytes = 0xffffffffu) {
  return cudaBindTexture(offset, *t, pointer, *format, bytes);
}
__WARPLENS_CALL__ cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *t, const void *pointer,
                                            const cudaChannelFormatDesc *format, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, *t, pointer, *format, width, height, pitch);
}
__WARPLENS_CALL__ cudaError_t cudaBindTextureToArray(const textureReference *t, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc *) {
  return cudaBindTextureToArray(*t, array);
}
__WARPLENS_CALL__ cudaError_t cudaUnbindTexture(const textureReference *t) {
  return cudaUnbindTexture(*t);
}
template <class T, int dimensions>
__WARPLENS_CALL__ cudaError_t cudaBindSurfaceToArray(const __warplens_surface_reference<T, dimensions> &s, cudaArray_const_t array) {
  unsigned int words[__WARPLENS_TEXTURE_WORDS] = {cudaResourceTypeArray, (unsigned int)array};
  return __warplens_bind_reference(&s, words, 0);
}
template <class T, int dimensions>
__WARPLENS_CALL__ cudaError_t cudaBindSurfaceToArray(const __warplens_surface_reference<T, dimensions> &s, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &) {
  return cudaBindSurfaceToArray(s, array);
}
#endif

__WARPLENS_WIDE_SIZES(cudaError_t, cudaBindTexture)
__WARPLENS_WIDE_SIZES(cudaError_t, cudaBindTexture2D)
#endif
