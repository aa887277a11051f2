/* The three types of one format of 8 bits: bits with CUDA's constructors, which saturate, and conversions. Included by cuda_fp8.h
   once a format, with their names __WL_FP8, __WL_FP8X2, __WL_FP8X4 and the format, __WL_KIND. */

struct __WL_FP8 {
  __nv_fp8_storage_t __x;
  __WL_FP8() = default;
  explicit __WL_MEMBER __WL_FP8(__half h) : __x(__nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __WL_KIND)) {}
  explicit __WL_MEMBER __WL_FP8(__nv_bfloat16 b) : __x(__nv_cvt_bfloat16raw_to_fp8(b, __NV_SATFINITE, __WL_KIND)) {}
  explicit __WL_MEMBER __WL_FP8(float f) : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, __WL_KIND)) {}
  explicit __WL_MEMBER __WL_FP8(double d) : __x(__nv_cvt_double_to_fp8(d, __NV_SATFINITE, __WL_KIND)) {}
  __WL_INTEGER(short)
  __WL_INTEGER(unsigned short)
  __WL_INTEGER(int)
  __WL_INTEGER(unsigned int)
  __WL_INTEGER(long)
  __WL_INTEGER(unsigned long)
  __WL_INTEGER(long long)
  __WL_INTEGER(unsigned long long)
  explicit __WL_MEMBER operator __half() const { return __nv_cvt_fp8_to_halfraw(__x, __WL_KIND); }
  explicit __WL_MEMBER operator __nv_bfloat16() const { return __nv_bfloat16(__warplens_fp8_to_float(__x, __WL_KIND)); }
  explicit __WL_MEMBER operator float() const { return __warplens_fp8_to_float(__x, __WL_KIND); }
  explicit __WL_MEMBER operator double() const { return __warplens_fp8_to_float(__x, __WL_KIND); }
  __WL_TO_INTEGER(char)
  __WL_TO_INTEGER(signed char)
  __WL_TO_INTEGER(unsigned char)
  explicit __WL_MEMBER operator bool() const { return (__x & 0x7f) != 0; }
};

struct __attribute__((aligned(2))) __WL_FP8X2 {
  __nv_fp8x2_storage_t __x;
  __WL_FP8X2() = default;
  explicit __WL_MEMBER __WL_FP8X2(__half2 h) : __x(__nv_cvt_halfraw2_to_fp8x2(h, __NV_SATFINITE, __WL_KIND)) {}
  explicit __WL_MEMBER __WL_FP8X2(__nv_bfloat162 b) : __x(__nv_cvt_bfloat16raw2_to_fp8x2(b, __NV_SATFINITE, __WL_KIND)) {}
  explicit __WL_MEMBER __WL_FP8X2(float2 f) : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, __WL_KIND)) {}
  explicit __WL_MEMBER __WL_FP8X2(double2 d) : __x(__nv_cvt_double2_to_fp8x2(d, __NV_SATFINITE, __WL_KIND)) {}
  explicit __WL_MEMBER operator __half2() const { return __nv_cvt_fp8x2_to_halfraw2(__x, __WL_KIND); }
  explicit __WL_MEMBER operator float2() const {
    return float2{__warplens_fp8_to_float((__nv_fp8_storage_t)__x, __WL_KIND),
                  __warplens_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), __WL_KIND)};
  }
};

struct __attribute__((aligned(4))) __WL_FP8X4 {
  __nv_fp8x4_storage_t __x;
  __WL_FP8X4() = default;
  explicit __WL_MEMBER __WL_FP8X4(__half2 low, __half2 high)
      : __x(__WL_FP8X2(low).__x | (__nv_fp8x4_storage_t)__WL_FP8X2(high).__x << 16) {}
  explicit __WL_MEMBER __WL_FP8X4(__nv_bfloat162 low, __nv_bfloat162 high)
      : __x(__WL_FP8X2(low).__x | (__nv_fp8x4_storage_t)__WL_FP8X2(high).__x << 16) {}
  explicit __WL_MEMBER __WL_FP8X4(float4 f)
      : __x(__WL_FP8X2(float2{f.x, f.y}).__x | (__nv_fp8x4_storage_t)__WL_FP8X2(float2{f.z, f.w}).__x << 16) {}
  explicit __WL_MEMBER __WL_FP8X4(double4 d)
      : __x(__WL_FP8X2(double2{d.x, d.y}).__x | (__nv_fp8x4_storage_t)__WL_FP8X2(double2{d.z, d.w}).__x << 16) {}
  explicit __WL_MEMBER operator float4() const {
    return float4{__warplens_fp8_to_float((__nv_fp8_storage_t)__x, __WL_KIND),
                  __warplens_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), __WL_KIND),
                  __warplens_fp8_to_float((__nv_fp8_storage_t)(__x >> 16), __WL_KIND),
                  __warplens_fp8_to_float((__nv_fp8_storage_t)(__x >> 24), __WL_KIND)};
  }
};
