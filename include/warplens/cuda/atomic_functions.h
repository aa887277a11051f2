/* What atomic objects and flags do, as functions that take their address. Source: C++20, [atomics.nonmembers], [atomics.flag];
   libcu++ has them in cuda::std, for every scope of cuda::atomic here. Included by cuda/std/atomic, behind both classes. */
#ifndef WARPLENS_CUDA_ATOMIC_FUNCTIONS_H
#define WARPLENS_CUDA_ATOMIC_FUNCTIONS_H

#define ATOMIC_FLAG_INIT {false}
#define ATOMIC_VAR_INIT(value) {value}

namespace cuda {
namespace std {
/* The value's type is the object's: what is given is converted to it. */
template <class T> struct __warplens_same { typedef T type; };
template <class T> using __warplens_same_t = typename __warplens_same<T>::type;

template <class T, thread_scope Scope> __host__ __device__ void atomic_init(cuda::atomic<T, Scope> *object, __warplens_same_t<T> value) {
  object->store(value);
}
template <class T, thread_scope Scope> __host__ __device__ bool atomic_is_lock_free(const volatile cuda::atomic<T, Scope> *object) {
  return object->is_lock_free();
}
template <class T, thread_scope Scope> __host__ __device__ T atomic_load(const volatile cuda::atomic<T, Scope> *object) {
  return object->load();
}
template <class T, thread_scope Scope>
__host__ __device__ T atomic_load_explicit(const volatile cuda::atomic<T, Scope> *object, memory_order order) {
  return object->load(order);
}
template <class T, thread_scope Scope>
__host__ __device__ void atomic_store(volatile cuda::atomic<T, Scope> *object, __warplens_same_t<T> value) {
  object->store(value);
}
template <class T, thread_scope Scope>
__host__ __device__ void atomic_store_explicit(volatile cuda::atomic<T, Scope> *object, __warplens_same_t<T> value, memory_order order) {
  object->store(value, order);
}
template <class T, thread_scope Scope>
__host__ __device__ bool atomic_compare_exchange_strong(volatile cuda::atomic<T, Scope> *object, __warplens_same_t<T> *expected,
                                                        __warplens_same_t<T> desired) {
  return object->compare_exchange_strong(*expected, desired);
}
template <class T, thread_scope Scope>
__host__ __device__ bool atomic_compare_exchange_strong_explicit(volatile cuda::atomic<T, Scope> *object, __warplens_same_t<T> *expected,
                                                                 __warplens_same_t<T> desired, memory_order success, memory_order failure) {
  return object->compare_exchange_strong(*expected, desired, success, failure);
}
template <class T, thread_scope Scope>
__host__ __device__ bool atomic_compare_exchange_weak(volatile cuda::atomic<T, Scope> *object, __warplens_same_t<T> *expected,
                                                      __warplens_same_t<T> desired) {
  return object->compare_exchange_weak(*expected, desired);
}
template <class T, thread_scope Scope>
__host__ __device__ bool atomic_compare_exchange_weak_explicit(volatile cuda::atomic<T, Scope> *object, __warplens_same_t<T> *expected,
                                                               __warplens_same_t<T> desired, memory_order success, memory_order failure) {
  return object->compare_exchange_weak(*expected, desired, success, failure);
}

#define __WARPLENS_ATOMIC_FUNCTION(name, member, Value)                                                                        \
  template <class T, thread_scope Scope>                                                                                       \
  __host__ __device__ T name(volatile cuda::atomic<T, Scope> *object, Value value) {                                           \
    return object->member(value);                                                                                              \
  }                                                                                                                            \
  template <class T, thread_scope Scope>                                                                                       \
  __host__ __device__ T name##_explicit(volatile cuda::atomic<T, Scope> *object, Value value, memory_order order) {            \
    return object->member(value, order);                                                                                       \
  }
__WARPLENS_ATOMIC_FUNCTION(atomic_exchange, exchange, __warplens_same_t<T>)
__WARPLENS_ATOMIC_FUNCTION(atomic_fetch_add, fetch_add, typename __warplens_step<T>::type)
__WARPLENS_ATOMIC_FUNCTION(atomic_fetch_sub, fetch_sub, typename __warplens_step<T>::type)
__WARPLENS_ATOMIC_FUNCTION(atomic_fetch_and, fetch_and, __warplens_same_t<T>)
__WARPLENS_ATOMIC_FUNCTION(atomic_fetch_or, fetch_or, __warplens_same_t<T>)
__WARPLENS_ATOMIC_FUNCTION(atomic_fetch_xor, fetch_xor, __warplens_same_t<T>)
__WARPLENS_ATOMIC_FUNCTION(atomic_fetch_min, fetch_min, __warplens_same_t<T>)
__WARPLENS_ATOMIC_FUNCTION(atomic_fetch_max, fetch_max, __warplens_same_t<T>)
#undef __WARPLENS_ATOMIC_FUNCTION

template <class T, thread_scope Scope>
__host__ __device__ void atomic_wait(const volatile cuda::atomic<T, Scope> *object, __warplens_same_t<T> old) {
  object->wait(old);
}
template <class T, thread_scope Scope>
__host__ __device__ void atomic_wait_explicit(const volatile cuda::atomic<T, Scope> *object, __warplens_same_t<T> old, memory_order order) {
  object->wait(old, order);
}
template <class T, thread_scope Scope> __host__ __device__ void atomic_notify_one(volatile cuda::atomic<T, Scope> *object) {
  object->notify_one();
}
template <class T, thread_scope Scope> __host__ __device__ void atomic_notify_all(volatile cuda::atomic<T, Scope> *object) {
  object->notify_all();
}

inline __host__ __device__ bool atomic_flag_test(const volatile atomic_flag *flag) { return flag->test(); }
inline __host__ __device__ bool atomic_flag_test_explicit(const volatile atomic_flag *flag, memory_order order) { return flag->test(order); }
inline __host__ __device__ bool atomic_flag_test_and_set(volatile atomic_flag *flag) { return flag->test_and_set(); }
inline __host__ __device__ bool atomic_flag_test_and_set_explicit(volatile atomic_flag *flag, memory_order order) {
  return flag->test_and_set(order);
}
inline __host__ __device__ void atomic_flag_clear(volatile atomic_flag *flag) { flag->clear(); }
inline __host__ __device__ void atomic_flag_clear_explicit(volatile atomic_flag *flag, memory_order order) { flag->clear(order); }
} // namespace std
} // namespace cuda

#endif
