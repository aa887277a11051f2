/* cuda::std, libcu++'s C++ library for both sides, as the C++ library itself: clang takes constexpr functions on both sides,
   which leaves what is not constexpr in every standard; that is here, as are the names that came after C++17.
   Source: documentation of libcu++, "Standard API". Included by each header of cuda/std/. */
#ifndef WARPLENS_CUDA_STD_H
#define WARPLENS_CUDA_STD_H

#if __cplusplus < 201703L
#error "Thrust, CUB and libcu++ need C++17, as those of CUDA 13 do: leave the -std option out, or say -std=c++17"
#endif

#include <cuda_runtime.h>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <warplens/cuda/memory_order.h>
#include <warplens/device_strings.h>

namespace cuda {
namespace std {
using namespace ::std;

struct identity {
  typedef void is_transparent;
  template <class T> __host__ __device__ constexpr T &&operator()(T &&value) const noexcept {
    return static_cast<T &&>(value);
  }
};

template <class T> using remove_cvref_t = ::std::remove_cv_t<::std::remove_reference_t<T>>;
template <class T> struct remove_cvref { typedef remove_cvref_t<T> type; };
template <class T> struct type_identity { typedef T type; };
template <class T> using type_identity_t = T;

template <class T> __host__ __device__ constexpr void swap(T &one, T &other) {
  T kept = static_cast<T &&>(one);
  one = static_cast<T &&>(other);
  other = static_cast<T &&>(kept);
}
template <class T, ::std::size_t N> __host__ __device__ constexpr void swap(T (&one)[N], T (&other)[N]) {
  for (::std::size_t i = 0; i < N; i++) cuda::std::swap(one[i], other[i]);
}
template <class T, class U = T> __host__ __device__ constexpr T exchange(T &object, U &&value) {
  T old = static_cast<T &&>(object);
  object = static_cast<U &&>(value);
  return old;
}
} // namespace std
} // namespace cuda

#endif
