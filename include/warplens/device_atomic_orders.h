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
  return atomicExch(at, (T)value);
}
template <class T, class V>
__WARPLENS_DEVICE__ bool __nv_atomic_compare_exchange_n(T *at, T *expected, V wanted, bool, int order, int,
                                                        int = __NV_THREAD_SCOPE_SYSTEM) {
  __warplens_ordered fences(order);
  T before = *expected, found = atomicCAS(at, before, (T)wanted);
  *expected = found;
  return found == before;
}
#define __WARPLENS_ATOMIC_ORDERED(name, operation)                                                                         \
  template <class T, class V>                                                                                              \
  __WARPLENS_DEVICE__ T __nv_atomic_fetch_##name(T *at, V value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {                    \
    __warplens_ordered fences(order);                                                                                      \
    return operation(at, (T)value);                                                                                        \
  }                                                                                                                        \
  template <class T, class V>                                                                                              \
  __WARPLENS_DEVICE__ void __nv_atomic_##name(T *at, V value, int order, int = __NV_THREAD_SCOPE_SYSTEM) {                       \
    __warplens_ordered fences(order);                                                                                      \
    operation(at, (T)value);                                                                                               \
  }
__WARPLENS_ATOMIC_ORDERED(add, atomicAdd)
__WARPLENS_ATOMIC_ORDERED(sub, atomicSub)
__WARPLENS_ATOMIC_ORDERED(min, atomicMin)
__WARPLENS_ATOMIC_ORDERED(max, atomicMax)
__WARPLENS_ATOMIC_ORDERED(and, atomicAnd)
__WARPLENS_ATOMIC_ORDERED(or, atomicOr)
__WARPLENS_ATOMIC_ORDERED(xor, atomicXor)
#undef __WARPLENS_ATOMIC_ORDERED

#endif
