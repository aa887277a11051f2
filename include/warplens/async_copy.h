/* One asynchronous copy of a thread from global to shared memory, as the instruction of the machine that it is counted as, and
   copies by all threads of a group made of them. Source: PTX ISA, "cp.async"; what libcu++ makes of memcpy_async was read off an
   H200: words as wide as the alignment that the types promise, up to 16 bytes; below 4, plain loads and stores. */
#ifndef WARPLENS_ASYNC_COPY_H
#define WARPLENS_ASYNC_COPY_H

#include <warplens/cuda/scope.h>

namespace __warplens {
/* Of the bytes, the first `size` come from memory and the others are zero. */
template <unsigned Bytes> __device__ inline void copyAsync(void *to, const void *from, unsigned size) {
  unsigned target = (unsigned)__cvta_generic_to_shared(to);
  if constexpr (Bytes == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(from), "r"(size) : "memory");
  else if constexpr (Bytes == 8) asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(target), "l"(from), "r"(size) : "memory");
  else asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(target), "l"(from), "r"(size) : "memory");
}

/* All but so many of the thread's latest groups of copies. */
__device__ inline void waitForCopies(unsigned groups) { asm volatile("cp.async.wait_group %0;" ::"r"(groups) : "memory"); }

template <unsigned Bytes> struct CopyWord { using type = uint4; };
template <> struct CopyWord<8> { using type = uint2; };
template <> struct CopyWord<4> { using type = unsigned; };
template <> struct CopyWord<2> { using type = unsigned short; };
template <> struct CopyWord<1> { using type = unsigned char; };

/* The group's threads take words in turn. */
template <unsigned Bytes> __device__ inline void copyByGroup(unsigned rank, unsigned threads, void *to, const void *from, size_t bytes) {
  using Word = typename CopyWord<Bytes>::type;
  Word *target = (Word *)to;
  const Word *source = (const Word *)from;
  if (Bytes >= 4 && !__isGlobal(to) && __isGlobal(from)) {
    for (size_t i = rank; i < bytes / Bytes; i += threads) copyAsync<Bytes>(target + i, source + i, Bytes);
  } else {
    for (size_t i = rank; i < bytes / Bytes; i += threads) target[i] = source[i];
  }
}

constexpr unsigned copyWidth(size_t alignment) { return alignment >= 16 ? 16 : alignment; }
template <class T> struct PromisedAlignment { static constexpr size_t value = alignof(T); };
template <> struct PromisedAlignment<void> { static constexpr size_t value = 1; };
template <size_t Alignment> struct PromisedAlignment<cuda::aligned_size_t<Alignment>> { static constexpr size_t value = Alignment; };

/* What the element's type promises, or a size with a promise (cuda::aligned_size_t). */
template <class T, class Size> constexpr unsigned widthOf() {
  constexpr bool hasPromise = !__is_same(Size, size_t) && __is_class(Size);
  return copyWidth(hasPromise ? PromisedAlignment<Size>::value : PromisedAlignment<T>::value);
}
} // namespace __warplens

#endif
