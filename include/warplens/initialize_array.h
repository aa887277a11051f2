/**
 * `T array[n] = {...}` with a length known only when the program runs: GCC has it, clang has not. The copy that is compiled
 * declares the array and calls this behind it (src/frontend/repairs/repairArrays.ts). What has no value becomes zero, as in GCC.
 */
#pragma once

#include <stddef.h>
#include <initializer_list>

namespace __warplens {

/** The list of an array of so many dimensions; not deduced, so that numbers become the array's own type. */
template <class T, int Dimensions>
struct ListOf {
  using type = std::initializer_list<typename ListOf<T, Dimensions - 1>::type>;
};
template <class T>
struct ListOf<T, 0> {
  using type = T;
};

/** `bytes`: of the array, of its rows, of their rows, ...; the last are those of an element. More values than fit are a crash. */
template <int Dimensions, class T>
void initializeRows(T *array, const size_t *bytes, const typename ListOf<T, Dimensions>::type *values) {
  if constexpr (Dimensions == 0) {
    *array = values ? *values : T();
  } else {
    const size_t length = bytes[1] ? bytes[0] / bytes[1] : 0;
    const size_t given = values ? values->size() : 0;
    if (given > length) __builtin_trap();
    for (size_t i = 0; i < length; i++)
      initializeRows<Dimensions - 1>(array + i * (bytes[1] / sizeof(T)), bytes + 1, i < given ? values->begin() + i : nullptr);
  }
}

/** A list for each row. */
template <int Dimensions, class T>
void initializeArray(int, T *array, const size_t (&bytes)[Dimensions + 1], typename ListOf<T, Dimensions>::type values) {
  initializeRows<Dimensions>(array, bytes, &values);
}

/** Or one list for all (`int a[2][n] = {0}`). */
template <int Dimensions, class T>
void initializeArray(long, T *array, const size_t (&bytes)[Dimensions + 1], typename ListOf<T, 1>::type values) {
  const size_t whole[] = {bytes[0], sizeof(T)};
  initializeRows<1>(array, whole, &values);
}

} // namespace __warplens
