/* What a call's last arguments are evaluated into before its first (src/frontend/repairs/argumentOrder.ts): kept under the number of its place in
   the source, one upon the other where the place is reached again before they are fetched. */
#ifndef WARPLENS_ARGUMENT_ORDER_H
#define WARPLENS_ARGUMENT_ORDER_H
#if defined(__cplusplus) && __cplusplus >= 201103L
#include <stdlib.h>

/* T: what decltype gives for the argument in parentheses; a reference is kept as one. */
template <int place, class T> struct __warplens_kept_values {
  struct value_kept {
    value_kept *below;
    T value;
    static void *operator new(__SIZE_TYPE__, void *room) noexcept { return room; }
    static void operator delete(void *, void *) noexcept {}
  };
  static value_kept *top;
  static void *spare;
};
template <int place, class T>
typename __warplens_kept_values<place, T>::value_kept *__warplens_kept_values<place, T>::top = nullptr;
template <int place, class T> void *__warplens_kept_values<place, T>::spare = nullptr;

template <int place, class T> inline void __warplens_keep(T &&value) {
  typedef __warplens_kept_values<place, T> kept;
  void *room = kept::spare ? kept::spare : malloc(sizeof(typename kept::value_kept));
  kept::spare = nullptr;
  kept::top = new (room) typename kept::value_kept{kept::top, static_cast<T &&>(value)};
}
template <int place, class T> inline T __warplens_kept() {
  typedef __warplens_kept_values<place, T> kept;
  struct Removed {
    typename kept::value_kept *value;
    ~Removed() {
      typedef typename kept::value_kept value_kept;
      value->~value_kept();
      if (kept::spare) free(value);
      else kept::spare = value;
    }
  } removed{kept::top};
  kept::top = removed.value->below;
  return static_cast<T &&>(removed.value->value);
}
#endif
#endif
