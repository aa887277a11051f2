/* Texture lookups. A texture or surface object is the device address of a descriptor that src/runtime/calls/cudaTextures.ts wrote;
   a lookup is plain code over it. Its texels lie in address space 102, which the analysis knows as texture traffic: not
   counted as global loads (the machine's texture unit makes them, and other counters see them), but seen by the model of the
   caches; the descriptor's words in 103 are no traffic.
   Source of the rules: CUDA C++ Programming Guide, "Texture Fetching" and "Cubemap Textures" (9-bit weights with 8 bits of
   fraction, texel centres at 0.5, address modes). */
#ifndef WARPLENS_DEVICE_TEXTURE_H
#define WARPLENS_DEVICE_TEXTURE_H

#define __WARPLENS_TEXEL __attribute__((address_space(102)))
#define __WARPLENS_DESCRIPTOR __attribute__((address_space(103)))

/* On the machine a lookup is one instruction, and LLVM is to see no more of it when it decides about loops: a call of a function
   that it does not look into, of the name that our reader puts in place (src/analysis/calls/inlineCalls.ts). It is not static, or LLVM
   would change its arguments. */
#define __WARPLENS_LOOKUP __inline__ __attribute__((device, noinline, const, nodebug, unused))
/* `x` itself: where a lookup is made, of which kind, how many requests a warp's is, and how many cycles of its multiprocessor's
   texture unit they take (src/analysis/calls/lookups.ts; all numbers are constants). */
extern "C" __attribute__((device, const, nodebug)) int __warplens_lookup(int x, int kind, int requests, int cycles);
#define __WARPLENS_OF_TEXTURE 0
#define __WARPLENS_SURFACE_LOAD 1
#define __WARPLENS_SURFACE_STORE 2
/* Of arrays a quad of lanes is a request, of linear memory two quads are, with 16 bytes one. Cycles: readings of an H200
   (scripts/fidelity/cases/textures.cu). */
#define __WARPLENS_QUADS 8
#define __WARPLENS_PAIRS 4
__WARPLENS_DEVICE__ constexpr int __warplens_at_least_1(int n) { return n < 1 ? 1 : n; }
__WARPLENS_DEVICE__ constexpr int __warplens_point_cycles(int bytes, int requests) { return requests * __warplens_at_least_1(bytes / 8); }
__WARPLENS_DEVICE__ constexpr int __warplens_linear_cycles(int bytes, int dimensions) {
  return __WARPLENS_QUADS * __warplens_at_least_1(bytes / 4) * (dimensions > 2 ? 2 : 1);
}

/* The order of src/runtime/calls/cudaTextures.ts, 32-bit words. */
struct __warplens_texture {
  unsigned address, width, height, depth, rowBytes, sliceBytes, texelBytes, format, linear, normalized, readsNormalized;
  unsigned mode[3];
  float border[4];
  /* Whether lookups have a short form: texels as stored, no border, coordinates in texels. 1: the nearest texel; 2: linear. */
  unsigned plain;
  /* Of a mipmapped array: the descriptors of its levels stand behind this one, which is that of the level for lookups that name none.
     Levels are in steps of 1/256: what is added to one, the lowest, the highest. */
  unsigned mipmapped, levelsLinear;
  int bias, lowest, highest;
};
enum { __warplens_u8, __warplens_s8, __warplens_u16, __warplens_s16, __warplens_u32, __warplens_s32, __warplens_f16, __warplens_f32 };
typedef const __WARPLENS_DESCRIPTOR __warplens_texture *__warplens_texture_t;
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
      out.part[c] = isFloat ? (Element)t->border[c] : (Element)((const __WARPLENS_DESCRIPTOR unsigned *)t->border)[c];
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
  unsigned texel = t->address + z * t->sliceBytes + y * t->rowBytes + x * t->texelBytes;
  return __builtin_bit_cast(T, *(const __WARPLENS_TEXEL typename __warplens_packed<T>::type *)texel);
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
__WARPLENS_DEVICE__ T __warplens_lookup_texels(__warplens_texture_t t, __warplens_axis x, __warplens_axis y, __warplens_axis z) {
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

/* `x`, where a lookup with it begins. */
__WARPLENS_DEVICE__ float __warplens_point_at(float x, int bytes) {
  return __builtin_bit_cast(float, __warplens_lookup(__builtin_bit_cast(int, x), __WARPLENS_OF_TEXTURE, __WARPLENS_QUADS,
                                                     __warplens_point_cycles(bytes, __WARPLENS_QUADS)));
}
__WARPLENS_DEVICE__ float __warplens_linear_at(float x, int bytes, int dimensions) {
  return __builtin_bit_cast(float, __warplens_lookup(__builtin_bit_cast(int, x), __WARPLENS_OF_TEXTURE, __WARPLENS_QUADS,
                                                     __warplens_linear_cycles(bytes, dimensions)));
}
template <class T> __WARPLENS_DEVICE__ float __warplens_lookup_at(__warplens_texture_t t, float x, int dimensions) {
  if constexpr (__is_same(typename __warplens_parts<T>::element, float))
    if (t->linear) {
      if (t->texelBytes <= 4) return __warplens_linear_at(x, 4, dimensions);
      return __warplens_linear_at(x, sizeof(T), dimensions);
    }
  return __warplens_point_at(x, sizeof(T));
}

/* What a lookup returns: of the types that C++ cannot return in one piece, clang's vectors of the same layout. */
template <class T> struct __warplens_looked_up {
  typedef typename __warplens_packed<T>::type type;
};
#define __WARPLENS_RETURNS(T) typename __warplens_looked_up<T>::type
#define __WARPLENS_RETURN(T, value) return __builtin_bit_cast(__WARPLENS_RETURNS(T), value)

template <class T> __WARPLENS_LOOKUP __WARPLENS_RETURNS(T) __warplens_lookup_1d_fetch(cudaTextureObject_t object, int x) {
  __warplens_texture_t t = __warplens_texture_at(object);
  constexpr int requests = __warplens_point_cycles(sizeof(T), __WARPLENS_PAIRS);
  x = __warplens_lookup(x, __WARPLENS_OF_TEXTURE, requests, requests);
  __WARPLENS_RETURN(T, __warplens_texel_value<T>(t, (unsigned)x < t->width ? x : -1, 0, 0));
}
template <class T> __WARPLENS_LOOKUP __WARPLENS_RETURNS(T) __warplens_lookup_1d(cudaTextureObject_t object, float x) {
  __warplens_texture_t t = __warplens_texture_at(object);
  if (t->plain == 1) {
    x = __warplens_point_at(x, sizeof(T));
    __WARPLENS_RETURN(T, __warplens_stored_texel<T>(t, __warplens_clamped(x, t->width), 0, 0));
  }
  x = __warplens_lookup_at<T>(t, x, 1);
  __warplens_axis none = {};
  __WARPLENS_RETURN(T, (__warplens_lookup_texels<T, 1>(t, __warplens_axis_at(t, x, t->width, 0), none, none)));
}
template <class T> __WARPLENS_DEVICE__ T __warplens_tex_2d(__warplens_texture_t t, float x, float y, __warplens_axis slice) {
  x = __warplens_lookup_at<T>(t, x, 2);
  return __warplens_lookup_texels<T, 2>(t, __warplens_axis_at(t, x, t->width, 0), __warplens_axis_at(t, y, t->height, 1), slice);
}
template <class T> __WARPLENS_LOOKUP __WARPLENS_RETURNS(T) __warplens_lookup_2d(cudaTextureObject_t object, float x, float y) {
  __warplens_texture_t t = __warplens_texture_at(object);
  if (t->plain == 1) {
    x = __warplens_point_at(x, sizeof(T));
    __WARPLENS_RETURN(T, __warplens_stored_texel<T>(t, __warplens_clamped(x, t->width), __warplens_clamped(y, t->height), 0));
  }
  if constexpr (__is_same(typename __warplens_parts<T>::element, float))
    if (t->plain == 2) {
      x = __warplens_linear_at(x, sizeof(T), 2);
      __WARPLENS_RETURN(T, __warplens_linear_plane<T>(t, x, y));
    }
  __WARPLENS_RETURN(T, __warplens_tex_2d<T>(t, x, y, __warplens_axis{}));
}
template <class T>
__WARPLENS_LOOKUP __WARPLENS_RETURNS(T) __warplens_lookup_3d(cudaTextureObject_t object, float x, float y, float z) {
  __warplens_texture_t t = __warplens_texture_at(object);
  if (t->plain == 1) {
    x = __warplens_point_at(x, sizeof(T));
    __WARPLENS_RETURN(T, __warplens_stored_texel<T>(t, __warplens_clamped(x, t->width), __warplens_clamped(y, t->height),
                                                    __warplens_clamped(z, t->depth)));
  }
  x = __warplens_lookup_at<T>(t, x, 3);
  __WARPLENS_RETURN(T, (__warplens_lookup_texels<T, 3>(t, __warplens_axis_at(t, x, t->width, 0), __warplens_axis_at(t, y, t->height, 1),
                                                       __warplens_axis_at(t, z, t->depth, 2))));
}
template <class T>
__WARPLENS_LOOKUP __WARPLENS_RETURNS(T) __warplens_lookup_1d_layer(cudaTextureObject_t object, float x, int layer) {
  __warplens_texture_t t = __warplens_texture_at(object);
  x = __warplens_lookup_at<T>(t, x, 1);
  __WARPLENS_RETURN(T, (__warplens_lookup_texels<T, 1>(t, __warplens_axis_at(t, x, t->width, 0), __warplens_axis{},
                                                       __warplens_axis_exact(layer, t->depth))));
}
template <class T>
__WARPLENS_LOOKUP __WARPLENS_RETURNS(T) __warplens_lookup_2d_layer(cudaTextureObject_t object, float x, float y, int layer) {
  __warplens_texture_t t = __warplens_texture_at(object);
  __WARPLENS_RETURN(T, __warplens_tex_2d<T>(t, x, y, __warplens_axis_exact(layer, t->depth)));
}
/* The face that the direction points at, then a lookup on that face. */
template <class T>
__WARPLENS_LOOKUP __WARPLENS_RETURNS(T) __warplens_lookup_cube(cudaTextureObject_t object, float x, float y, float z, int layer) {
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
  __WARPLENS_RETURN(T, __warplens_tex_2d<T>(t, u, v, __warplens_axis_exact(6 * layer + face, t->depth)));
}
/* One channel of a texel of a plane; texels may have fewer than what is gathered, and have 0 for the others. */
template <class Element>
__WARPLENS_DEVICE__ Element __warplens_texel_channel(__warplens_texture_t t, int x, int y, int channel) {
  constexpr bool isFloat = __is_same(Element, float);
  if (x < 0 || y < 0)
    return isFloat ? (Element)t->border[channel] : (Element)((const __WARPLENS_DESCRIPTOR unsigned *)t->border)[channel];
  unsigned texel = t->address + y * t->rowBytes + x * t->texelBytes;
  unsigned bytes = t->format < __warplens_u16 ? 1 : t->format < __warplens_u32 || t->format == __warplens_f16 ? 2 : 4;
  if ((unsigned)channel * bytes >= t->texelBytes) return 0;
  if constexpr (isFloat) return __warplens_channel_float(t, texel, channel);
  else return *(const __WARPLENS_TEXEL Element *)(texel + channel * bytes);
}
/* One channel of the four texels that a linear lookup would read: (left, below), (right, below), (right, above), (left, above). */
template <class T>
__WARPLENS_LOOKUP __WARPLENS_RETURNS(T) __warplens_lookup_2d_gather(cudaTextureObject_t object, float x, float y, int channel) {
  typedef typename __warplens_parts<T>::element Element;
  __warplens_texture_t t = __warplens_texture_at(object);
  float half = t->linear ? 0 : t->normalized ? 0.5f / (float)t->width : 0.5f;
  float halfY = t->linear ? 0 : t->normalized ? 0.5f / (float)t->height : 0.5f;
  x = __warplens_point_at(x, 16);
  __warplens_axis across = __warplens_axis_at(t, x - half, t->width, 0), along = __warplens_axis_at(t, y - halfY, t->height, 1);
  __warplens_pack<T> out;
  for (int corner = 0; corner < 4; corner++) {
    int right = corner == 1 || corner == 2, down = corner < 2;
    out.part[corner] = __warplens_texel_channel<Element>(t, across.texel[right], along.texel[down], channel);
  }
  __WARPLENS_RETURN(T, out);
}
/* Levels of detail. Their numbers have 8 bits of fraction, cut towards zero; of two levels the weighted sum, whose weights the machine
   rounds together with those of the texels (readings of an H200: nearest levels exact, sums to a 1000th of their difference). */
struct __warplens_levels {
  __warplens_texture_t lower, upper;
  float weight;
};
__WARPLENS_DEVICE__ __warplens_levels __warplens_levels_at(__warplens_texture_t t, float level) {
  int step = (int)(fminf(fmaxf(level, -64.0f), 64.0f) * 256) + t->bias;
  step = step < t->lowest ? t->lowest : step > t->highest ? t->highest : step;
  int whole = t->levelsLinear ? step >> 8 : (step + 128) >> 8, part = t->levelsLinear ? step & 255 : 0;
  __warplens_texture_t lower = t->mipmapped ? t + 1 + whole : t;
  return __warplens_levels{lower, part ? lower + 1 : lower, (float)part * (1.0f / 256)};
}
/* `x`, where a lookup of one level or two begins. */
template <class T> __WARPLENS_DEVICE__ float __warplens_level_lookup_at(__warplens_texture_t t, float x, int dimensions) {
  if (!t->levelsLinear) return __warplens_lookup_at<T>(t, x, dimensions);
  return __builtin_bit_cast(float, __warplens_lookup(__builtin_bit_cast(int, x), __WARPLENS_OF_TEXTURE, __WARPLENS_QUADS,
                                                     2 * __warplens_linear_cycles(sizeof(T), dimensions)));
}
template <class T, int dimensions>
__WARPLENS_DEVICE__ T __warplens_level_texels(__warplens_texture_t t, float x, float y, float z, int layer) {
  __warplens_axis none = {}, last = dimensions > 2 ? __warplens_axis_at(t, z, t->depth, 2) : __warplens_axis_exact(layer, t->depth);
  return __warplens_lookup_texels<T, dimensions>(t, __warplens_axis_at(t, x, t->width, 0),
                                                 dimensions > 1 ? __warplens_axis_at(t, y, t->height, 1) : none, last);
}
template <class T, int dimensions>
__WARPLENS_LOOKUP __WARPLENS_RETURNS(T) __warplens_lookup_level(cudaTextureObject_t object, float x, float y, float z, int layer,
                                                                 float level) {
  __warplens_texture_t t = __warplens_texture_at(object);
  __warplens_levels at = __warplens_levels_at(t, level);
  x = __warplens_level_lookup_at<T>(t, x, dimensions);
  T value = __warplens_level_texels<T, dimensions>(at.lower, x, y, z, layer);
  if constexpr (__is_same(typename __warplens_parts<T>::element, float))
    if (at.weight > 0) {
      auto sum = __builtin_bit_cast(__warplens_pack<T>, value);
      auto upper = __builtin_bit_cast(__warplens_pack<T>, __warplens_level_texels<T, dimensions>(at.upper, x, y, z, layer));
      for (int c = 0; c < __warplens_parts<T>::count; c++)
        sum.part[c] = sum.part[c] * (1 - at.weight) + upper.part[c] * at.weight;
      value = __builtin_bit_cast(T, sum);
    }
  __WARPLENS_RETURN(T, value);
}
#undef __WARPLENS_RETURNS
#undef __WARPLENS_RETURN

#define __WARPLENS_TEXTURE(name, lookup, parameters, arguments)                                                            \
  template <class T> __WARPLENS_DEVICE__ T name parameters { return __builtin_bit_cast(T, lookup<T> arguments); }
__WARPLENS_TEXTURE(tex1Dfetch, __warplens_lookup_1d_fetch, (cudaTextureObject_t t, int x), (t, x))
__WARPLENS_TEXTURE(tex1D, __warplens_lookup_1d, (cudaTextureObject_t t, float x), (t, x))
__WARPLENS_TEXTURE(tex2D, __warplens_lookup_2d, (cudaTextureObject_t t, float x, float y), (t, x, y))
__WARPLENS_TEXTURE(tex3D, __warplens_lookup_3d, (cudaTextureObject_t t, float x, float y, float z), (t, x, y, z))
__WARPLENS_TEXTURE(tex1DLayered, __warplens_lookup_1d_layer, (cudaTextureObject_t t, float x, int layer), (t, x, layer))
__WARPLENS_TEXTURE(tex2DLayered, __warplens_lookup_2d_layer, (cudaTextureObject_t t, float x, float y, int layer),
                   (t, x, y, layer))
__WARPLENS_TEXTURE(texCubemap, __warplens_lookup_cube, (cudaTextureObject_t t, float x, float y, float z), (t, x, y, z, 0))
__WARPLENS_TEXTURE(texCubemapLayered, __warplens_lookup_cube, (cudaTextureObject_t t, float x, float y, float z, int layer),
                   (t, x, y, z, layer))
__WARPLENS_TEXTURE(tex2Dgather, __warplens_lookup_2d_gather, (cudaTextureObject_t t, float x, float y, int channel = 0),
                   (t, x, y, channel))
#undef __WARPLENS_TEXTURE

/* With a level of detail: arrays without mipmaps have one, whichever is asked for. */
template <class T> __WARPLENS_DEVICE__ T tex1DLod(cudaTextureObject_t t, float x, float level) {
  return __builtin_bit_cast(T, __warplens_lookup_level<T, 1>(t, x, 0, 0, 0, level));
}
template <class T> __WARPLENS_DEVICE__ T tex2DLod(cudaTextureObject_t t, float x, float y, float level) {
  return __builtin_bit_cast(T, __warplens_lookup_level<T, 2>(t, x, y, 0, 0, level));
}
template <class T> __WARPLENS_DEVICE__ T tex3DLod(cudaTextureObject_t t, float x, float y, float z, float level) {
  return __builtin_bit_cast(T, __warplens_lookup_level<T, 3>(t, x, y, z, 0, level));
}
template <class T> __WARPLENS_DEVICE__ T tex1DLayeredLod(cudaTextureObject_t t, float x, int layer, float level) {
  return __builtin_bit_cast(T, __warplens_lookup_level<T, 1>(t, x, 0, 0, layer, level));
}
template <class T> __WARPLENS_DEVICE__ T tex2DLayeredLod(cudaTextureObject_t t, float x, float y, int layer, float level) {
  return __builtin_bit_cast(T, __warplens_lookup_level<T, 2>(t, x, y, 0, layer, level));
}
__WARPLENS_DEVICE__ __warplens_texture_t __warplens_first_level(cudaTextureObject_t object) {
  __warplens_texture_t t = __warplens_texture_at(object);
  return t->mipmapped ? t + 1 : t;
}
/* The level at which what a pixel covers, an ellipse with these axes, is a texel long: the longer axis of it counts (an H200's levels
   are up to 0.06 lower where the axes are of a length). */
__WARPLENS_DEVICE__ float __warplens_level_of(cudaTextureObject_t object, float2 dx, float2 dy) {
  __warplens_texture_t t = __warplens_first_level(object);
  float width = (float)t->width, height = (float)t->height;
  float a = dx.x * width, b = dx.y * height, c = dy.x * width, d = dy.y * height;
  float across = a * a + c * c, along = b * b + d * d, both = a * b + c * d;
  float difference = across - along;
  return 0.5f * log2f(0.5f * (across + along + sqrtf(difference * difference + 4 * both * both)));
}
template <class T> __WARPLENS_DEVICE__ T tex1DGrad(cudaTextureObject_t t, float x, float dx, float dy) {
  return tex1DLod<T>(t, x, __warplens_level_of(t, make_float2(dx, 0), make_float2(dy, 0)));
}
template <class T> __WARPLENS_DEVICE__ T tex2DGrad(cudaTextureObject_t t, float x, float y, float2 dx, float2 dy) {
  return tex2DLod<T>(t, x, y, __warplens_level_of(t, dx, dy));
}
template <class T> __WARPLENS_DEVICE__ T tex2DLayeredGrad(cudaTextureObject_t t, float x, float y, int layer, float2 dx, float2 dy) {
  return tex2DLayeredLod<T>(t, x, y, layer, __warplens_level_of(t, dx, dy));
}
template <class T> __WARPLENS_DEVICE__ T tex3DGrad(cudaTextureObject_t object, float x, float y, float z, float4 dx, float4 dy) {
  __warplens_texture_t t = __warplens_first_level(object);
  float width = (float)t->width, height = (float)t->height, depth = (float)t->depth;
  float first = norm3df(dx.x * width, dx.y * height, dx.z * depth), second = norm3df(dy.x * width, dy.y * height, dy.z * depth);
  return tex3DLod<T>(object, x, y, z, log2f(fmaxf(first, second)));
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
__WARPLENS_DEVICE__ cudaTextureObject_t __warplens_bound(__warplens_texture_reference<T, dimensions, mode> reference) {
  unsigned long long variable;
  __builtin_memcpy(&variable, &reference, sizeof variable);
  return *(const __WARPLENS_DESCRIPTOR unsigned *)(unsigned)variable;
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
__WARPLENS_REFERENCE(tex1Dfetch, 1, (__warplens_texture_reference<T, 1, mode> reference, int x), (t, x))
__WARPLENS_REFERENCE(tex1D, 1, (__warplens_texture_reference<T, 1, mode> reference, float x), (t, x))
__WARPLENS_REFERENCE(tex2D, 2, (__warplens_texture_reference<T, 2, mode> reference, float x, float y), (t, x, y))
__WARPLENS_REFERENCE(tex3D, 3, (__warplens_texture_reference<T, 3, mode> reference, float x, float y, float z), (t, x, y, z))
__WARPLENS_REFERENCE(tex1DLayered, 1, (__warplens_texture_reference<T, cudaTextureType1DLayered, mode> reference, float x, int layer), (t, x, layer))
__WARPLENS_REFERENCE(tex2DLayered, 2, (__warplens_texture_reference<T, cudaTextureType2DLayered, mode> reference, float x, float y, int layer),
                     (t, x, y, layer))
__WARPLENS_REFERENCE(texCubemap, 3, (__warplens_texture_reference<T, cudaTextureTypeCubemap, mode> reference, float x, float y, float z), (t, x, y, z))
#undef __WARPLENS_REFERENCE

#endif
