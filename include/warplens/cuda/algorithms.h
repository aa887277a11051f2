/* Algorithms of cuda::std that the C++ library has for the host alone before C++20. */
#ifndef WARPLENS_CUDA_ALGORITHMS_H
#define WARPLENS_CUDA_ALGORITHMS_H

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <warplens/cuda/std.h>

#define __WARPLENS_BOTH__ __host__ __device__ constexpr

namespace cuda {
namespace std {
template <class In, class Out> __WARPLENS_BOTH__ Out copy(In first, In last, Out to) {
  for (; first != last; ++first, ++to) *to = *first;
  return to;
}
template <class In, class Size, class Out> __WARPLENS_BOTH__ Out copy_n(In first, Size count, Out to) {
  for (; count > 0; --count, ++first, ++to) *to = *first;
  return to;
}
template <class In, class Out, class Test> __WARPLENS_BOTH__ Out copy_if(In first, In last, Out to, Test test) {
  for (; first != last; ++first)
    if (test(*first)) *to++ = *first;
  return to;
}
template <class It, class T> __WARPLENS_BOTH__ void fill(It first, It last, const T &value) {
  for (; first != last; ++first) *first = value;
}
template <class It, class Size, class T> __WARPLENS_BOTH__ It fill_n(It first, Size count, const T &value) {
  for (; count > 0; --count, ++first) *first = value;
  return first;
}
template <class It, class F> __WARPLENS_BOTH__ F for_each(It first, It last, F f) {
  for (; first != last; ++first) f(*first);
  return f;
}
template <class In, class Out, class F> __WARPLENS_BOTH__ Out transform(In first, In last, Out to, F f) {
  for (; first != last; ++first, ++to) *to = f(*first);
  return to;
}
template <class In, class In2, class Out, class F>
__WARPLENS_BOTH__ Out transform(In first, In last, In2 second, Out to, F f) {
  for (; first != last; ++first, ++second, ++to) *to = f(*first, *second);
  return to;
}
template <class It, class Test> __WARPLENS_BOTH__ It find_if(It first, It last, Test test) {
  while (first != last && !test(*first)) ++first;
  return first;
}
template <class It, class T> __WARPLENS_BOTH__ It find(It first, It last, const T &value) {
  while (first != last && !(*first == value)) ++first;
  return first;
}
template <class It, class Test> __WARPLENS_BOTH__ bool any_of(It first, It last, Test test) {
  return cuda::std::find_if(first, last, test) != last;
}
template <class It, class Test> __WARPLENS_BOTH__ bool none_of(It first, It last, Test test) {
  return cuda::std::find_if(first, last, test) == last;
}
template <class It, class Test> __WARPLENS_BOTH__ bool all_of(It first, It last, Test test) {
  for (; first != last; ++first)
    if (!test(*first)) return false;
  return true;
}
template <class It, class T> __WARPLENS_BOTH__ ptrdiff_t count(It first, It last, const T &value) {
  ptrdiff_t found = 0;
  for (; first != last; ++first) found += *first == value;
  return found;
}
template <class It, class Test> __WARPLENS_BOTH__ ptrdiff_t count_if(It first, It last, Test test) {
  ptrdiff_t found = 0;
  for (; first != last; ++first) found += test(*first) ? 1 : 0;
  return found;
}
template <class It, class It2> __WARPLENS_BOTH__ bool equal(It first, It last, It2 second) {
  for (; first != last; ++first, ++second)
    if (!(*first == *second)) return false;
  return true;
}
template <class It, class T, class Less = ::std::less<>>
__WARPLENS_BOTH__ It lower_bound(It first, It last, const T &value, Less less = Less()) {
  for (auto length = last - first; length > 0;) {
    auto half = length / 2;
    if (less(first[half], value)) first += half + 1, length -= half + 1;
    else length = half;
  }
  return first;
}
template <class It, class T, class Less = ::std::less<>>
__WARPLENS_BOTH__ It upper_bound(It first, It last, const T &value, Less less = Less()) {
  for (auto length = last - first; length > 0;) {
    auto half = length / 2;
    if (!less(value, first[half])) first += half + 1, length -= half + 1;
    else length = half;
  }
  return first;
}
template <class It> __WARPLENS_BOTH__ void reverse(It first, It last) {
  while (first != last && first != --last) cuda::std::swap(*first++, *last);
}
template <class It, class T> __WARPLENS_BOTH__ void iota(It first, It last, T value) {
  for (; first != last; ++first, ++value) *first = value;
}
template <class It, class T, class F = ::std::plus<>>
__WARPLENS_BOTH__ T accumulate(It first, It last, T sum, F f = F()) {
  for (; first != last; ++first) sum = f(sum, *first);
  return sum;
}
template <class It, class T, class F = ::std::plus<>> __WARPLENS_BOTH__ T reduce(It first, It last, T sum, F f = F()) {
  return cuda::std::accumulate(first, last, sum, f);
}
template <class It, class It2, class T> __WARPLENS_BOTH__ T inner_product(It first, It last, It2 second, T sum) {
  for (; first != last; ++first, ++second) sum = sum + *first * *second;
  return sum;
}
} // namespace std
} // namespace cuda

#undef __WARPLENS_BOTH__
#endif
