/* What the C++ library calls to throw, for device code, which has no exceptions: such a call stops the kernel, as in libcu++, whose
   classes these are here (include/warplens/cuda/std.h). Before any header of the library, whose functions name these. */
#ifndef WARPLENS_DEVICE_THROWS_H
#define WARPLENS_DEVICE_THROWS_H
#define __WARPLENS_THROW__ [[noreturn]] inline __device__ __attribute__((always_inline)) void
namespace std {
inline namespace __1 {
__WARPLENS_THROW__ __throw_bad_optional_access() { __builtin_trap(); }
__WARPLENS_THROW__ __throw_bad_variant_access() { __builtin_trap(); }
__WARPLENS_THROW__ __throw_bad_function_call() { __builtin_trap(); }
__WARPLENS_THROW__ __throw_invalid_argument(const char *) { __builtin_trap(); }
__WARPLENS_THROW__ __throw_length_error(const char *) { __builtin_trap(); }
__WARPLENS_THROW__ __throw_out_of_range(const char *) { __builtin_trap(); }
__WARPLENS_THROW__ __throw_overflow_error(const char *) { __builtin_trap(); }
} // namespace __1
} // namespace std
#undef __WARPLENS_THROW__
#endif
