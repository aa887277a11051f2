/* The two types of a 16-bit floating-point format, a number and a pair: structures of bits with CUDA's constructors and
   conversions. Included once a format by its header, which defines
     __WL_NUM, __WL_PAIR, __WL_RAW, __WL_RAW_PAIR   the types' names
     __WL_TO_FLOAT(bits), __WL_FROM_FLOAT(f), __WL_FROM_DOUBLE(d), __WL_FROM_INTEGER(negative, magnitude)
   and undefines them. Source: CUDA Math API, "Half Precision", "Bfloat16 Precision". */

struct __WL_RAW {
  unsigned short x;
};
struct __attribute__((aligned(4))) __WL_RAW_PAIR {
  unsigned short x, y;
};

#define __WL_MEMBER __inline__ __WARPLENS_HOST_DEVICE_MEMBER__
#define __WL_FROM_SIGNED(type)                                                                                             \
  __WL_MEMBER __WL_NUM(type i) : __x(__WL_FROM_INTEGER(i < 0, i < 0 ? 0ull - (unsigned long long)i : (unsigned long long)i)) {}
#define __WL_FROM_UNSIGNED(type)                                                                                           \
  __WL_MEMBER __WL_NUM(type i) : __x(__WL_FROM_INTEGER(false, (unsigned long long)i)) {}
#define __WL_TO_TYPE(type)                                                                                                 \
  explicit __WL_MEMBER operator type() const { return __warplens_to_integer<type>(__builtin_truncf(__WL_TO_FLOAT(__x))); }

struct __attribute__((aligned(2))) __WL_NUM {
  unsigned short __x;
  __WL_NUM() = default;
  __WL_MEMBER constexpr __WL_NUM(const __WL_RAW &raw) : __x(raw.x) {}
  __WL_MEMBER __WL_NUM(float f) : __x(__WL_FROM_FLOAT(f)) {}
  __WL_MEMBER __WL_NUM(double d) : __x(__WL_FROM_DOUBLE(d)) {}
  __WL_FROM_SIGNED(short)
  __WL_FROM_SIGNED(int)
  __WL_FROM_SIGNED(long)
  __WL_FROM_SIGNED(long long)
  __WL_FROM_UNSIGNED(unsigned short)
  __WL_FROM_UNSIGNED(unsigned)
  __WL_FROM_UNSIGNED(unsigned long)
  __WL_FROM_UNSIGNED(unsigned long long)
  __WL_MEMBER operator float() const { return __WL_TO_FLOAT(__x); }
  __WL_MEMBER operator __WL_RAW() const { return __WL_RAW{__x}; }
  __WL_TO_TYPE(char)
  __WL_TO_TYPE(signed char)
  __WL_TO_TYPE(unsigned char)
  __WL_TO_TYPE(short)
  __WL_TO_TYPE(unsigned short)
  __WL_TO_TYPE(int)
  __WL_TO_TYPE(unsigned)
  __WL_TO_TYPE(long)
  __WL_TO_TYPE(unsigned long)
  __WL_TO_TYPE(long long)
  __WL_TO_TYPE(unsigned long long)
  explicit __WL_MEMBER operator bool() const { return (__x & 0x7fff) != 0; }
};

struct __attribute__((aligned(4))) __WL_PAIR {
  __WL_NUM x, y;
  __WL_PAIR() = default;
  __WL_MEMBER constexpr __WL_PAIR(const __WL_NUM &a, const __WL_NUM &b) : x(a), y(b) {}
  __WL_MEMBER constexpr __WL_PAIR(const __WL_RAW_PAIR &raw) : x(__WL_RAW{raw.x}), y(__WL_RAW{raw.y}) {}
  __WL_MEMBER operator __WL_RAW_PAIR() const { return __WL_RAW_PAIR{x.__x, y.__x}; }
};

#undef __WL_MEMBER
#undef __WL_FROM_SIGNED
#undef __WL_FROM_UNSIGNED
#undef __WL_TO_TYPE
