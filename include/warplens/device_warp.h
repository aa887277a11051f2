/* Shuffles, votes, match and reduce of a warp. Each 32-bit form is one intrinsic; 64-bit values are two shuffles, as on hardware.
   Source: CUDA C++ Programming Guide, "Warp Shuffle / Vote / Match / Reduce Functions"; PTX ISA, shfl.sync for the clamp operand:
   bits 8-12 hold 32 - width, bits 0-4 the last lane that may be read (0 for shfl.up). */
#ifndef WARPLENS_DEVICE_WARP_H
#define WARPLENS_DEVICE_WARP_H

#define __WARPLENS_SHUFFLE(name, builtin, clamp, offset_type)                                                              \
  __WARPLENS_DEVICE__ int name(unsigned mask, int value, offset_type offset, int width = 32) {                             \
    return builtin(mask, value, (int)offset, ((32 - width) << 8) | clamp);                                                 \
  }                                                                                                                        \
  __WARPLENS_DEVICE__ unsigned name(unsigned mask, unsigned value, offset_type offset, int width = 32) {                   \
    return (unsigned)name(mask, (int)value, offset, width);                                                                \
  }                                                                                                                        \
  __WARPLENS_DEVICE__ long name(unsigned mask, long value, offset_type offset, int width = 32) {                           \
    return (long)name(mask, (int)value, offset, width);                                                                    \
  }                                                                                                                        \
  __WARPLENS_DEVICE__ unsigned long name(unsigned mask, unsigned long value, offset_type offset, int width = 32) {         \
    return (unsigned long)name(mask, (int)value, offset, width);                                                           \
  }                                                                                                                        \
  __WARPLENS_DEVICE__ float name(unsigned mask, float value, offset_type offset, int width = 32) {                         \
    return __builtin_bit_cast(float, name(mask, __builtin_bit_cast(int, value), offset, width));                           \
  }                                                                                                                        \
  __WARPLENS_DEVICE__ unsigned long long name(unsigned mask, unsigned long long value, offset_type offset,                 \
                                              int width = 32) {                                                            \
    unsigned low = (unsigned)name(mask, (int)(unsigned)value, offset, width);                                              \
    unsigned high = (unsigned)name(mask, (int)(unsigned)(value >> 32), offset, width);                                     \
    return ((unsigned long long)high << 32) | low;                                                                         \
  }                                                                                                                        \
  __WARPLENS_DEVICE__ long long name(unsigned mask, long long value, offset_type offset, int width = 32) {                 \
    return (long long)name(mask, (unsigned long long)value, offset, width);                                                \
  }                                                                                                                        \
  __WARPLENS_DEVICE__ double name(unsigned mask, double value, offset_type offset, int width = 32) {                       \
    return __builtin_bit_cast(double, name(mask, __builtin_bit_cast(unsigned long long, value), offset, width));           \
  }

__WARPLENS_SHUFFLE(__shfl_sync, __nvvm_shfl_sync_idx_i32, 0x1f, int)
__WARPLENS_SHUFFLE(__shfl_up_sync, __nvvm_shfl_sync_up_i32, 0, unsigned)
__WARPLENS_SHUFFLE(__shfl_down_sync, __nvvm_shfl_sync_down_i32, 0x1f, unsigned)
__WARPLENS_SHUFFLE(__shfl_xor_sync, __nvvm_shfl_sync_bfly_i32, 0x1f, int)
#undef __WARPLENS_SHUFFLE

__WARPLENS_DEVICE__ unsigned __activemask(void) { return __nvvm_activemask(); }
__WARPLENS_DEVICE__ int __all_sync(unsigned mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate != 0); }
__WARPLENS_DEVICE__ int __any_sync(unsigned mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate != 0); }
__WARPLENS_DEVICE__ int __uni_sync(unsigned mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate != 0); }
__WARPLENS_DEVICE__ unsigned __ballot_sync(unsigned mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate != 0);
}

/* The forms without a mask, gone from CUDA since 9.0 for 7.0 and later; here they mean the lanes that are active. */
__WARPLENS_DEVICE__ int __all(int predicate) { return __all_sync(__nvvm_activemask(), predicate); }
__WARPLENS_DEVICE__ int __any(int predicate) { return __any_sync(__nvvm_activemask(), predicate); }
__WARPLENS_DEVICE__ unsigned __ballot(int predicate) { return __ballot_sync(__nvvm_activemask(), predicate); }
template <class T> __WARPLENS_DEVICE__ T __shfl(T value, int lane, int width = 32) {
  return __shfl_sync(__nvvm_activemask(), value, lane, width);
}
template <class T> __WARPLENS_DEVICE__ T __shfl_up(T value, unsigned delta, int width = 32) {
  return __shfl_up_sync(__nvvm_activemask(), value, delta, width);
}
template <class T> __WARPLENS_DEVICE__ T __shfl_down(T value, unsigned delta, int width = 32) {
  return __shfl_down_sync(__nvvm_activemask(), value, delta, width);
}
template <class T> __WARPLENS_DEVICE__ T __shfl_xor(T value, int lanes, int width = 32) {
  return __shfl_xor_sync(__nvvm_activemask(), value, lanes, width);
}

/* Match compares bit patterns; T is any 4 or 8 byte arithmetic type, and smaller ones are promoted as for CUDA's overloads. */
template <class T> __WARPLENS_DEVICE__ unsigned __match_any_sync(unsigned mask, T value) {
  static_assert(sizeof(T) <= 4 || sizeof(T) == 8, "__match_any_sync takes numbers of at most 8 bytes");
  if constexpr (sizeof(T) < 4)
    return __match_any_sync(mask, +value);
  else if constexpr (sizeof(T) == 4)
    return __nvvm_match_any_sync_i32(mask, __builtin_bit_cast(unsigned, value));
  else
    return __nvvm_match_any_sync_i64(mask, __builtin_bit_cast(unsigned long long, value));
}
template <class T> __WARPLENS_DEVICE__ unsigned __match_all_sync(unsigned mask, T value, int *predicate) {
  static_assert(sizeof(T) <= 4 || sizeof(T) == 8, "__match_all_sync takes numbers of at most 8 bytes");
  if constexpr (sizeof(T) < 4)
    return __match_all_sync(mask, +value, predicate);
  else if constexpr (sizeof(T) == 4)
    return __nvvm_match_all_sync_i32p(mask, __builtin_bit_cast(unsigned, value), predicate);
  else
    return __nvvm_match_all_sync_i64p(mask, __builtin_bit_cast(unsigned long long, value), predicate);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__WARPLENS_DEVICE__ unsigned __reduce_add_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_add(v, mask); }
__WARPLENS_DEVICE__ int __reduce_add_sync(unsigned mask, int v) { return __nvvm_redux_sync_add(v, mask); }
__WARPLENS_DEVICE__ unsigned __reduce_min_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_umin(v, mask); }
__WARPLENS_DEVICE__ int __reduce_min_sync(unsigned mask, int v) { return __nvvm_redux_sync_min(v, mask); }
__WARPLENS_DEVICE__ unsigned __reduce_max_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_umax(v, mask); }
__WARPLENS_DEVICE__ int __reduce_max_sync(unsigned mask, int v) { return __nvvm_redux_sync_max(v, mask); }
__WARPLENS_DEVICE__ unsigned __reduce_and_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_and(v, mask); }
__WARPLENS_DEVICE__ unsigned __reduce_or_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_or(v, mask); }
__WARPLENS_DEVICE__ unsigned __reduce_xor_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_xor(v, mask); }
#endif

/* The lane of the n-th set bit of `mask` counted from lane `base` (upwards for n > 0, downwards for n < 0), else all ones.
   PTX ISA, fns. */
__WARPLENS_DEVICE__ unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) return base < 32 && (mask >> base & 1) ? base : 0xffffffffu;
  int step = offset > 0 ? 1 : -1, wanted = offset > 0 ? offset : -offset, seen = 0;
  for (int lane = (int)base; lane >= 0 && lane < 32; lane += step)
    if ((mask >> lane & 1) && ++seen == wanted) return (unsigned)lane;
  return 0xffffffffu;
}

#endif
