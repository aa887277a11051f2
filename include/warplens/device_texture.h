/* Texture lookups. A texture or surface object is the device address of a descriptor that src/runtime/textures.ts wrote;
   a lookup is plain code over it. Its loads go through address space 102, which the analysis knows as texture traffic:
   they are executed and not counted as global loads (the machine's texture unit makes them, and other counters see them).
   Source of the rules: CUDA C++ Programming Guide, "Texture Fetching" and "Cubemap Textures" (9-bit weights with 8 bits of
   fraction, texel centres at 0.5, address modes). */
#ifndef WARPLENS_DEVICE_TEXTURE_H
#define WARPLENS_DEVICE_TEXTURE_H

#define __WARPLENS_TEXEL __attribute__((address_space(102)))

/* The order of src/runtime/textures.ts, 32-bit words. */
struct __warplens_texture {
  unsigned address, width, height, depth, rowBytes, sliceBytes, texelBytes, format, linear, normalized, readsNormalized;
  unsigned mode[3];
  float border[4];
  /* Whether lookups have a short form: texels as stored, no border, coordinates in texels. 1: the nearest texel; 2: linear. */
  unsigned plain;
};
enum { __warplens_u8, __warplens_s8, __warplens_u16, __warplens_s16, __warplens_u32, __warplens_s32, __warplens_f16, __warplens_f32 };
typedef const __WARPLENS_TEXEL __warplens_texture *__warplens_texture_t;
__WARPLENS_DEVICE__ __warplens_texture_t __warplens_texture_at(unsigned long long object) {
  return (__warplens_texture_t)(unsigned)object;
}

/* The parts of a vector type. */
template <class T> struct __warplens_parts {
  typedef T element;
  static constexpr int count = 1;
};
#define __WARPLENS_PARTS(name, part)                                                                                       \
  template <> struct __warplens_parts<name##1> { typedef part element; static constexpr int count = 1; };                  \
  template <> struct __warplens_parts<name##2> { typedef part element; static constexpr int count = 2; };                  \
  template <> struct __warplens_parts<name##4> { typedef part element; static constexpr int count = 4; };
__WARPLENS_PARTS(char, signed char)
__WARPLENS_PARTS(uchar, unsigned char)
__WARPLENS_PARTS(short, short)
__WARPLENS_PARTS(ushort, unsigned short)
__WARPLENS_PARTS(int, int)
__WARPLENS_PARTS(uint, unsigned)
__WARPLENS_PARTS(long, long)
__WARPLENS_PARTS(ulong, unsigned long)
__WARPLENS_PARTS(float, float)
#undef __WARPLENS_PARTS
template <class T> struct __warplens_pack {
  typename __warplens_parts<T>::element part[__warplens_parts<T>::count];
};
/* What a texture reference gives that reads normalised floats. */
template <int count> struct __warplens_floats { typedef float type; };
template <> struct __warplens_floats<2> { typedef float2 type; };
template <> struct __warplens_floats<4> { typedef float4 type; };

/* One direction of a lookup: the texels to either side (-1: the border) and the weight of the second one. */
struct __warplens_axis {
  int texel[2];
  float weight;
};
__WARPLENS_DEVICE__ int __warplens_wrap_texel(int i, int size, unsigned mode) {
  if (mode == 3) return (unsigned)i < (unsigned)size ? i : -1;
  if (mode == 0) return i < 0 ? i + size : i >= size ? i - size : i;
  return i < 0 ? 0 : i >= size ? size - 1 : i;
}
__WARPLENS_DEVICE__ __warplens_axis __warplens_axis_at(__warplens_texture_t t, float x, unsigned size, int direction) {
  unsigned mode = t->mode[direction];
  if (t->normalized) {
    if (mode == 0) x -= floorf(x);
    if (mode == 2) {
      x -= 2 * floorf(x * 0.5f);
      x = x > 1 ? 2 - x : x;
    }
    x *= (float)size;
  } else if (mode != 3)
    mode = 1;
  if (t->linear) x -= 0.5f;
  float below = floorf(x);
  below = fminf(fmaxf(below, -2.0f), (float)size + 1);
  __warplens_axis axis;
  axis.texel[0] = __warplens_wrap_texel((int)below, (int)size, mode);
  axis.texel[1] = __warplens_wrap_texel((int)below + 1, (int)size, mode);
  axis.weight = floorf((x - below) * 256 + 0.5f) * (1.0f / 256);
  return axis;
}
__WARPLENS_DEVICE__ __warplens_axis __warplens_axis_exact(int i, unsigned size) {
  i = i < 0 ? 0 : i >= (int)size ? (int)size - 1 : i;
  return __warplens_axis{{i, i}, 0};
}

/* A channel of a texel as a float, as the texture unit converts it. */
__WARPLENS_DEVICE__ float __warplens_channel_float(__warplens_texture_t t, unsigned texel, int channel) {
  switch (t->format) {
  case __warplens_u8: return *(const __WARPLENS_TEXEL unsigned char *)(texel + channel) * (1 / 255.0f);
  case __warplens_s8: return fmaxf(*(const __WARPLENS_TEXEL signed char *)(texel + channel) * (1 / 127.0f), -1.0f);
  case __warplens_u16: return *(const __WARPLENS_TEXEL unsigned short *)(texel + 2 * channel) * (1 / 65535.0f);
  case __warplens_s16: return fmaxf(*(const __WARPLENS_TEXEL short *)(texel + 2 * channel) * (1 / 32767.0f), -1.0f);
  case __warplens_f16: return (float)*(const __WARPLENS_TEXEL __fp16 *)(texel + 2 * channel);
  default: return *(const __WARPLENS_TEXEL float *)(texel + 4 * channel);
  }
}
template <class T> __WARPLENS_DEVICE__ T __warplens_texel_value(__warplens_texture_t t, int x, int y, int z) {
  typedef typename __warplens_parts<T>::element Element;
  constexpr bool isFloat = __is_same(Element, float);
  __warplens_pack<T> out;
  if (x < 0 || y < 0 || z < 0) {
    for (int c = 0; c < __warplens_parts<T>::count; c++)
      out.part[c] = isFloat ? (Element)t->border[c] : (Element)((const __WARPLENS_TEXEL unsigned *)t->border)[c];
    return __builtin_bit_cast(T, out);
  }
  unsigned texel = t->address + z * t->sliceBytes + y * t->rowBytes + x * t->texelBytes;
  for (int c = 0; c < __warplens_parts<T>::count; c++) {
    if constexpr (isFloat) out.part[c] = __warplens_channel_float(t, texel, c);
    else out.part[c] = ((const __WARPLENS_TEXEL Element *)texel)[c];
  }
  return __builtin_bit_cast(T, out);
}

/* Lookups in a plain texture: the same values as below, in straight code. */
__WARPLENS_DEVICE__ int __warplens_inside(int i, unsigned size) {
  int last = (int)size - 1;
  i = i < 0 ? 0 : i;
  return i < last ? i : last;
}
__WARPLENS_DEVICE__ int __warplens_clamped(float x, unsigned size) { return __warplens_inside((int)floorf(x), size); }
template <class T> __WARPLENS_DEVICE__ T __warplens_stored_texel(__warplens_texture_t t, int x, int y, int z) {
  typedef typename __warplens_parts<T>::element Element;
  __warplens_pack<T> out;
  unsigned texel = t->address + z * t->sliceBytes + y * t->rowBytes + x * t->texelBytes;
  for (int c = 0; c < __warplens_parts<T>::count; c++) out.part[c] = ((const __WARPLENS_TEXEL Element *)texel)[c];
  return __builtin_bit_cast(T, out);
}
/* To 8 bits. The products are exact, and so need no fused multiply-add. */
__WARPLENS_DEVICE__ float __warplens_rounded_weight(float weight) {
#pragma clang fp contract(off)
  return floorf(weight * 256 + 0.5f) * (1.0f / 256);
}
template <class T>
__WARPLENS_DEVICE__ void __warplens_add_texel(__warplens_pack<T> &sum, float weight, __warplens_texture_t t, int x, int y) {
  auto texel = __builtin_bit_cast(__warplens_pack<T>, __warplens_stored_texel<T>(t, x, y, 0));
  for (int c = 0; c < __warplens_parts<T>::count; c++) sum.part[c] = sum.part[c] + weight * texel.part[c];
}
template <class T> __WARPLENS_DEVICE__ T __warplens_linear_plane(__warplens_texture_t t, float x, float y) {
  x -= 0.5f;
  y -= 0.5f;
  float left = floorf(x), top = floorf(y);
  float across = __warplens_rounded_weight(x - left), along = __warplens_rounded_weight(y - top);
  float both = __warplens_rounded_weight(across * along);
  int x0 = __warplens_inside((int)left, t->width), x1 = __warplens_inside((int)left + 1, t->width);
  int y0 = __warplens_inside((int)top, t->height), y1 = __warplens_inside((int)top + 1, t->height);
  __warplens_pack<T> sum = {};
  __warplens_add_texel<T>(sum, 1 - across - along + both, t, x0, y0);
  __warplens_add_texel<T>(sum, across - both, t, x1, y0);
  __warplens_add_texel<T>(sum, along - both, t, x0, y1);
  __warplens_add_texel<T>(sum, both, t, x1, y1);
  return __builtin_bit_cast(T, sum);
}

/* The lookup itself: 1 texel, or the weighted sum of 2 in each of the first `dimensions` directions. */
template <class T, int dimensions>
__WARPLENS_DEVICE__ T __warplens_lookup(__warplens_texture_t t, __warplens_axis x, __warplens_axis y, __warplens_axis z) {
  if constexpr (__is_same(typename __warplens_parts<T>::element, float)) {
    if (t->linear) {
      __warplens_pack<T> sum;
      /* Of a plane's four weights one is rounded to 8 bits, and the others follow from the sums: found on an H200, where it
         explains 64 of 64 lookups of a plane (before that, 41). */
      float both = dimensions > 1 ? floorf(x.weight * y.weight * 256 + 0.5f) * (1.0f / 256) : 0;
#pragma clang loop unroll(disable)
      for (int corner = 0; corner < 1 << dimensions; corner++) {
        int right = corner & 1, down = corner >> 1 & 1, deep = corner >> 2 & 1;
        float weight = right ? (down ? both : x.weight - both) : down ? y.weight - both : 1 - x.weight - y.weight + both;
        if (dimensions == 1) weight = right ? x.weight : 1 - x.weight;
        if (dimensions > 2) weight *= deep ? z.weight : 1 - z.weight;
        auto texel = __builtin_bit_cast(
            __warplens_pack<T>, __warplens_texel_value<T>(t, right ? x.texel[1] : x.texel[0],
                                                          down ? y.texel[1] : y.texel[0], deep ? z.texel[1] : z.texel[0]));
        for (int c = 0; c < __warplens_parts<T>::count; c++)
          sum.part[c] = corner == 0 ? weight * texel.part[c] : sum.part[c] + weight * texel.part[c];
      }
      return __builtin_bit_cast(T, sum);
    }
  }
  return __warplens_texel_value<T>(t, x.texel[0], y.texel[0], z.texel[0]);
}

template <class T> __WARPLENS_DEVICE__ T tex1Dfetch(cudaTextureObject_t object, int x) {
  __warplens_texture_t t = __warplens_texture_at(object);
  return __warplens_texel_value<T>(t, (unsigned)x < t->width ? x : -1, 0, 0);
}
template <class T> __WARPLENS_DEVICE__ T tex1D(cudaTextureObject_t object, float x) {
  __warplens_texture_t t = __warplens_texture_at(object);
  if (t->plain == 1) return __warplens_stored_texel<T>(t, __warplens_clamped(x, t->width), 0, 0);
  __warplens_axis none = {};
  return __warplens_lookup<T, 1>(t, __warplens_axis_at(t, x, t->width, 0), none, none);
}
template <class T> __WARPLENS_DEVICE__ T __warplens_tex_2d(__warplens_texture_t t, float x, float y, __warplens_axis slice) {
  return __warplens_lookup<T, 2>(t, __warplens_axis_at(t, x, t->width, 0), __warplens_axis_at(t, y, t->height, 1), slice);
}
template <class T> __WARPLENS_DEVICE__ T tex2D(cudaTextureObject_t object, float x, float y) {
  __warplens_texture_t t = __warplens_texture_at(object);
  if (t->plain == 1) return __warplens_stored_texel<T>(t, __warplens_clamped(x, t->width), __warplens_clamped(y, t->height), 0);
  if constexpr (__is_same(typename __warplens_parts<T>::element, float))
    if (t->plain == 2) return __warplens_linear_plane<T>(t, x, y);
  return __warplens_tex_2d<T>(t, x, y, __warplens_axis{});
}
template <class T> __WARPLENS_DEVICE__ T tex3D(cudaTextureObject_t object, float x, float y, float z) {
  __warplens_texture_t t = __warplens_texture_at(object);
  if (t->plain == 1)
    return __warplens_stored_texel<T>(t, __warplens_clamped(x, t->width), __warplens_clamped(y, t->height),
                                      __warplens_clamped(z, t->depth));
  return __warplens_lookup<T, 3>(t, __warplens_axis_at(t, x, t->width, 0), __warplens_axis_at(t, y, t->height, 1),
                                 __warplens_axis_at(t, z, t->depth, 2));
}
template <class T> __WARPLENS_DEVICE__ T tex1DLayered(cudaTextureObject_t object, float x, int layer) {
  __warplens_texture_t t = __warplens_texture_at(object);
  return __warplens_lookup<T, 1>(t, __warplens_axis_at(t, x, t->width, 0), __warplens_axis{},
                                 __warplens_axis_exact(layer, t->depth));
}
template <class T> __WARPLENS_DEVICE__ T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) {
  __warplens_texture_t t = __warplens_texture_at(object);
  return __warplens_tex_2d<T>(t, x, y, __warplens_axis_exact(layer, t->depth));
}
/* The face that the direction points at, then a lookup on that face. */
template <class T> __WARPLENS_DEVICE__ T texCubemapLayered(cudaTextureObject_t object, float x, float y, float z, int layer) {
  __warplens_texture_t t = __warplens_texture_at(object);
  float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), major, s, down;
  int face;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1;
    major = ax;
    s = x >= 0 ? -z : z;
    down = -y;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3;
    major = ay;
    s = x;
    down = y >= 0 ? z : -z;
  } else {
    face = z >= 0 ? 4 : 5;
    major = az;
    s = z >= 0 ? x : -x;
    down = -y;
  }
  float u = (s / major + 1) * 0.5f, v = (down / major + 1) * 0.5f;
  if (!t->normalized) {
    u *= (float)t->width;
    v *= (float)t->height;
  }
  return __warplens_tex_2d<T>(t, u, v, __warplens_axis_exact(6 * layer + face, t->depth));
}
template <class T> __WARPLENS_DEVICE__ T texCubemap(cudaTextureObject_t object, float x, float y, float z) {
  return texCubemapLayered<T>(object, x, y, z, 0);
}
/* One channel of the four texels that a linear lookup would read: (left, below), (right, below), (right, above), (left, above). */
template <class T> __WARPLENS_DEVICE__ T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0) {
  typedef typename __warplens_parts<T>::element Element;
  __warplens_texture_t t = __warplens_texture_at(object);
  float half = t->linear ? 0 : t->normalized ? 0.5f / (float)t->width : 0.5f;
  float halfY = t->linear ? 0 : t->normalized ? 0.5f / (float)t->height : 0.5f;
  __warplens_axis across = __warplens_axis_at(t, x - half, t->width, 0), along = __warplens_axis_at(t, y - halfY, t->height, 1);
  __warplens_pack<T> out;
  for (int corner = 0; corner < 4; corner++) {
    int right = corner == 1 || corner == 2, down = corner < 2;
    auto texel = __builtin_bit_cast(__warplens_pack<T>, __warplens_texel_value<T>(t, across.texel[right], along.texel[down], 0));
    Element value = texel.part[0];
    for (int c = 1; c < 4; c++) value = c == channel ? texel.part[c] : value;
    out.part[corner] = value;
  }
  return __builtin_bit_cast(T, out);
}

/* Arrays here have one level of detail: the level asked for does not matter. */
template <class T> __WARPLENS_DEVICE__ T tex1DLod(cudaTextureObject_t t, float x, float) { return tex1D<T>(t, x); }
template <class T> __WARPLENS_DEVICE__ T tex2DLod(cudaTextureObject_t t, float x, float y, float) { return tex2D<T>(t, x, y); }
template <class T> __WARPLENS_DEVICE__ T tex3DLod(cudaTextureObject_t t, float x, float y, float z, float) {
  return tex3D<T>(t, x, y, z);
}
template <class T> __WARPLENS_DEVICE__ T tex1DGrad(cudaTextureObject_t t, float x, float, float) { return tex1D<T>(t, x); }
template <class T> __WARPLENS_DEVICE__ T tex2DGrad(cudaTextureObject_t t, float x, float y, float2, float2) {
  return tex2D<T>(t, x, y);
}
template <class T> __WARPLENS_DEVICE__ T tex3DGrad(cudaTextureObject_t t, float x, float y, float z, float4, float4) {
  return tex3D<T>(t, x, y, z);
}
template <class T> __WARPLENS_DEVICE__ T tex2DLayeredLod(cudaTextureObject_t t, float x, float y, int layer, float) {
  return tex2DLayered<T>(t, x, y, layer);
}

/* The forms that write through a pointer. */
#define __WARPLENS_TEX_OUT(name, parameters, arguments)                                                                    \
  template <class T> __WARPLENS_DEVICE__ void name parameters { *out = name<T> arguments; }
__WARPLENS_TEX_OUT(tex1Dfetch, (T * out, cudaTextureObject_t t, int x), (t, x))
__WARPLENS_TEX_OUT(tex1D, (T * out, cudaTextureObject_t t, float x), (t, x))
__WARPLENS_TEX_OUT(tex2D, (T * out, cudaTextureObject_t t, float x, float y), (t, x, y))
__WARPLENS_TEX_OUT(tex3D, (T * out, cudaTextureObject_t t, float x, float y, float z), (t, x, y, z))
__WARPLENS_TEX_OUT(tex1DLayered, (T * out, cudaTextureObject_t t, float x, int layer), (t, x, layer))
__WARPLENS_TEX_OUT(tex2DLayered, (T * out, cudaTextureObject_t t, float x, float y, int layer), (t, x, y, layer))
__WARPLENS_TEX_OUT(texCubemap, (T * out, cudaTextureObject_t t, float x, float y, float z), (t, x, y, z))
__WARPLENS_TEX_OUT(tex2DLod, (T * out, cudaTextureObject_t t, float x, float y, float level), (t, x, y, level))
#undef __WARPLENS_TEX_OUT

/* Texture references: the variable holds the descriptor's address (0, where no access is legal, before it is bound). */
template <class T, int dimensions, cudaTextureReadMode mode>
__WARPLENS_DEVICE__ cudaTextureObject_t __warplens_bound(texture<T, dimensions, mode> reference) {
  unsigned long long variable;
  __builtin_memcpy(&variable, &reference, sizeof variable);
  return *(const __WARPLENS_TEXEL unsigned *)(unsigned)variable;
}
template <class T, cudaTextureReadMode mode> struct __warplens_fetched {
  typedef T type;
};
template <class T> struct __warplens_fetched<T, cudaReadModeNormalizedFloat> {
  typedef typename __warplens_floats<__warplens_parts<T>::count>::type type;
};
#define __WARPLENS_REFERENCE(name, dimensions, parameters, arguments)                                                      \
  template <class T, cudaTextureReadMode mode>                                                                             \
  __WARPLENS_DEVICE__ typename __warplens_fetched<T, mode>::type name parameters {                                         \
    cudaTextureObject_t t = __warplens_bound(reference);                                                                   \
    return name<typename __warplens_fetched<T, mode>::type> arguments;                                                     \
  }
__WARPLENS_REFERENCE(tex1Dfetch, 1, (texture<T, 1, mode> reference, int x), (t, x))
__WARPLENS_REFERENCE(tex1D, 1, (texture<T, 1, mode> reference, float x), (t, x))
__WARPLENS_REFERENCE(tex2D, 2, (texture<T, 2, mode> reference, float x, float y), (t, x, y))
__WARPLENS_REFERENCE(tex3D, 3, (texture<T, 3, mode> reference, float x, float y, float z), (t, x, y, z))
__WARPLENS_REFERENCE(tex1DLayered, 1, (texture<T, cudaTextureType1DLayered, mode> reference, float x, int layer), (t, x, layer))
__WARPLENS_REFERENCE(tex2DLayered, 2, (texture<T, cudaTextureType2DLayered, mode> reference, float x, float y, int layer),
                     (t, x, y, layer))
__WARPLENS_REFERENCE(texCubemap, 3, (texture<T, cudaTextureTypeCubemap, mode> reference, float x, float y, float z), (t, x, y, z))
#undef __WARPLENS_REFERENCE

#endif
