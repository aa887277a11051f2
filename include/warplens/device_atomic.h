/* Atomic functions: every one becomes one `atomicrmw` or `cmpxchg` of LLVM. They are relaxed, as CUDA's are: an atomic orders
   nothing else, so the optimiser may still join the plain accesses around it. The _block and _system forms differ on hardware
   in which caches must agree; here they are the same operation.
   Source: CUDA C++ Programming Guide, "Atomic Functions". */
#ifndef WARPLENS_DEVICE_ATOMIC_H
#define WARPLENS_DEVICE_ATOMIC_H

/* One fetch-and-op function with its three scopes. */
#define __WARPLENS_ATOMIC(name, type, builtin)                                                                             \
  __WARPLENS_DEVICE__ type name(type *address, type value) { return builtin(address, value, __ATOMIC_RELAXED); }           \
  __WARPLENS_DEVICE__ type name##_block(type *address, type value) { return builtin(address, value, __ATOMIC_RELAXED); }   \
  __WARPLENS_DEVICE__ type name##_system(type *address, type value) { return builtin(address, value, __ATOMIC_RELAXED); }
#define __WARPLENS_ATOMIC_32(name, builtin)                                                                                \
  __WARPLENS_ATOMIC(name, int, builtin)                                                                                    \
  __WARPLENS_ATOMIC(name, unsigned, builtin)
#define __WARPLENS_ATOMIC_ALL(name, builtin)                                                                               \
  __WARPLENS_ATOMIC_32(name, builtin)                                                                                      \
  __WARPLENS_ATOMIC(name, long long, builtin)                                                                              \
  __WARPLENS_ATOMIC(name, unsigned long long, builtin)
/* The types of CUDA's headers and no more: programs define the others themselves (`atomicAdd(int64_t *, int64_t)`). */
__WARPLENS_ATOMIC_32(atomicAdd, __atomic_fetch_add)
__WARPLENS_ATOMIC(atomicAdd, unsigned long long, __atomic_fetch_add)
__WARPLENS_ATOMIC_32(atomicSub, __atomic_fetch_sub)
__WARPLENS_ATOMIC_ALL(atomicAnd, __atomic_fetch_and)
__WARPLENS_ATOMIC_ALL(atomicOr, __atomic_fetch_or)
__WARPLENS_ATOMIC_ALL(atomicXor, __atomic_fetch_xor)
__WARPLENS_ATOMIC_ALL(atomicMin, __atomic_fetch_min)
__WARPLENS_ATOMIC_ALL(atomicMax, __atomic_fetch_max)
__WARPLENS_ATOMIC_32(atomicExch, __atomic_exchange_n)
__WARPLENS_ATOMIC(atomicExch, unsigned long long, __atomic_exchange_n)
__WARPLENS_ATOMIC(atomicAdd, float, __atomic_fetch_add)
__WARPLENS_ATOMIC(atomicAdd, double, __atomic_fetch_add)
#undef __WARPLENS_ATOMIC_ALL
#undef __WARPLENS_ATOMIC_32
#undef __WARPLENS_ATOMIC

/* Exchange of a float is an exchange of its bits. */
#define __WARPLENS_ATOMIC_EXCHANGE_FLOAT(name)                                                                             \
  __WARPLENS_DEVICE__ float name(float *address, float value) {                                                            \
    return __builtin_bit_cast(float, __atomic_exchange_n((int *)address, __builtin_bit_cast(int, value), __ATOMIC_RELAXED)); \
  }
__WARPLENS_ATOMIC_EXCHANGE_FLOAT(atomicExch)
__WARPLENS_ATOMIC_EXCHANGE_FLOAT(atomicExch_block)
__WARPLENS_ATOMIC_EXCHANGE_FLOAT(atomicExch_system)
#undef __WARPLENS_ATOMIC_EXCHANGE_FLOAT

/* atomicInc: old >= limit ? 0 : old + 1. atomicDec: old == 0 || old > limit ? limit : old - 1. */
#define __WARPLENS_ATOMIC_WRAP(suffix)                                                                                     \
  __WARPLENS_DEVICE__ unsigned atomicInc##suffix(unsigned *address, unsigned limit) {                                      \
    return __nvvm_atom_inc_gen_ui(address, limit);                                                                         \
  }                                                                                                                        \
  __WARPLENS_DEVICE__ unsigned atomicDec##suffix(unsigned *address, unsigned limit) {                                      \
    return __nvvm_atom_dec_gen_ui(address, limit);                                                                         \
  }
__WARPLENS_ATOMIC_WRAP()
__WARPLENS_ATOMIC_WRAP(_block)
__WARPLENS_ATOMIC_WRAP(_system)
#undef __WARPLENS_ATOMIC_WRAP

#define __WARPLENS_ATOMIC_CAS(name, type, word, builtin)                                                                   \
  __WARPLENS_DEVICE__ type name(type *address, type expected, type desired) {                                              \
    return (type)builtin((word *)address, (word)expected, (word)desired);                                                  \
  }
#define __WARPLENS_ATOMIC_CAS_TYPES(name)                                                                                  \
  __WARPLENS_ATOMIC_CAS(name, int, int, __nvvm_atom_cas_gen_i)                                                             \
  __WARPLENS_ATOMIC_CAS(name, unsigned, int, __nvvm_atom_cas_gen_i)                                                        \
  __WARPLENS_ATOMIC_CAS(name, unsigned long long, long long, __nvvm_atom_cas_gen_ll)                                       \
  __WARPLENS_ATOMIC_CAS(name, unsigned short, unsigned short, __nvvm_atom_cas_gen_us)
__WARPLENS_ATOMIC_CAS_TYPES(atomicCAS)
__WARPLENS_ATOMIC_CAS_TYPES(atomicCAS_block)
__WARPLENS_ATOMIC_CAS_TYPES(atomicCAS_system)
#undef __WARPLENS_ATOMIC_CAS_TYPES
#undef __WARPLENS_ATOMIC_CAS

#endif
