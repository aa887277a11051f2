/* The atomic functions with memory order and thread scope of CUDA 12.8 (Programming Guide, "__nv_atomic functions"). The operations
   are those of device_atomic.h; an order other than relaxed has a fence on either side, which keeps the accesses around it in
   place. Scopes differ on hardware in which caches must agree; here they do not. */
#ifndef WARPLENS_DEVICE_ATOMIC_ORDERS_H
#define WARPLENS_DEVICE_ATOMIC_ORDERS_H

enum {
  __NV_ATOMIC_RELAXED = 0,
  __NV_ATOMIC_CONSUME = 1,
  __NV_ATOMIC_ACQUIRE = 2,
  __NV_ATOMIC_RELEASE = 3,
  __NV_ATOMIC_ACQ_REL = 4,
  __NV_ATOMIC_SEQ_CST = 5
};
enum {
  __NV_THREAD_SCOPE_THREAD = 0,
  __NV_THREAD_SCOPE_BLOCK = 1,
  __NV_THREAD_SCOPE_CLUSTER = 2,
  __NV_THREAD_SCOPE_DEVICE = 3,
  __NV_THREAD_SCOPE_SYSTEM = 4
};

/* Before and after an operation. */
struct __warplens_ordered {
  int order;
  __device__ __forceinline__ __warplens_ordered(int order) : order(order) { fence(); }
  __device__ __forceinline__ ~__warplens_ordered() { fence(); }
  __device__ __forceinline__ void fence() const {
    if (order != __NV_ATOMIC_RELAXED) __nvvm_membar_gl();
  }
};

/* The words that atomicExch and atomicCAS take. */
template <int bytes> struct __warplens_word;
template <> struct __warplens_word<2> { using type = unsigned short; };
template <> struct __warplens_word<4> { using type = unsigned; };
template <> struct __warplens_word<8> { using type = unsigned long long; };

template <class T> __WARPLENS_DEVICE__ T __nv_atomic_load_n(const T *from, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __warplens_ordered fences(order);
  return *(const volatile T *)from;
}
template <class T> __WARPLENS_DEVICE__ void __nv_atomic_load(const T *from, T *to, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __warplens_ordered fences(order);
  *to = *(const volatile T *)from;
}
template <class T, class V> __WARPLENS_DEVICE__ void __nv_atomic_store_n(T *to, V value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __warplens_ordered fences(order);
  *(volatile T *)to = (T)value;
}
template <class T> __WARPLENS_DEVICE__ void __nv_atomic_store(T *to, T *from, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __warplens_ordered fences(order);
  *(volatile T *)to = *from;
}
template <class T, class V>
__WARPLENS_DEVICE__ T __nv_atomic_exchange_n(T *at, V value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {
  __warplens_ordered fences(order);
  using word = typename __warplens_word<sizeof(T)>::type;
  return __builtin_bit_cast(T, atomicExch((word *)at, __builtin_bit_cast(word, (T)value)));
}
template <class T, class V>
__WARPLENS_DEVICE__ bool __nv_atomic_compare_exchange_n(T *at, T *expected, V wanted, bool, int order, int,
                                                        int = __NV_THREAD_SCOPE_SYSTEM) {
  __warplens_ordered fences(order);
  using word = typename __warplens_word<sizeof(T)>::type;
  word before = __builtin_bit_cast(word, *expected);
  word found = atomicCAS((word *)at, before, __builtin_bit_cast(word, (T)wanted));
  *expected = __builtin_bit_cast(T, found);
  return found == before;
}
#define __WARPLENS_ATOMIC_ORDERED(name, operation)                                                                         \
  template <class T, class V>                                                                                              \
  __WARPLENS_DEVICE__ T __nv_atomic_fetch_##name(T *at, V value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {                    \
    __warplens_ordered fences(order);                                                                                      \
    return operation(at, (T)value, __ATOMIC_RELAXED);                                                                      \
  }                                                                                                                        \
  template <class T, class V>                                                                                              \
  __WARPLENS_DEVICE__ void __nv_atomic_##name(T *at, V value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {                       \
    __warplens_ordered fences(order);                                                                                      \
    operation(at, (T)value, __ATOMIC_RELAXED);                                                                             \
  }
__WARPLENS_ATOMIC_ORDERED(add, __atomic_fetch_add)
__WARPLENS_ATOMIC_ORDERED(sub, __atomic_fetch_sub)
__WARPLENS_ATOMIC_ORDERED(min, __atomic_fetch_min)
__WARPLENS_ATOMIC_ORDERED(max, __atomic_fetch_max)
__WARPLENS_ATOMIC_ORDERED(and, __atomic_fetch_and)
__WARPLENS_ATOMIC_ORDERED(or, __atomic_fetch_or)
__WARPLENS_ATOMIC_ORDERED(xor, __atomic_fetch_xor)
#undef __WARPLENS_ATOMIC_ORDERED

#endif
