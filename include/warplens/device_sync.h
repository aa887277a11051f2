/* Barriers, fences, clocks, traps: one LLVM intrinsic each.
   Source of meanings: CUDA C++ Programming Guide, "Synchronization Functions", "Memory Fence Functions", "Time Function". */
#ifndef WARPLENS_DEVICE_SYNC_H
#define WARPLENS_DEVICE_SYNC_H

/* __syncthreads() is a builtin of clang; the declaration lets host-side parsing see it. */
extern "C" __device__ __attribute__((convergent)) void __syncthreads(void);

__WARPLENS_DEVICE__ int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
__WARPLENS_DEVICE__ int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
__WARPLENS_DEVICE__ int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
__WARPLENS_DEVICE__ void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
__WARPLENS_DEVICE__ void __barrier_sync(unsigned id) { __nvvm_barrier_sync(id); }
__WARPLENS_DEVICE__ void __barrier_sync_count(unsigned id, unsigned count) { __nvvm_barrier_sync_cnt(id, count); }

__WARPLENS_DEVICE__ void __threadfence_block(void) { __nvvm_membar_cta(); }
__WARPLENS_DEVICE__ void __threadfence(void) { __nvvm_membar_gl(); }
__WARPLENS_DEVICE__ void __threadfence_system(void) { __nvvm_membar_sys(); }

/* As with nvcc: accesses stay between the readings that the program has around them (own: clocks.cu, `oneLoad`), and what was loaded in
   front of one is not loaded again behind it (machine code, nvcc 13.0). */
__WARPLENS_DEVICE__ long long clock64(void) {
  long long cycles;
  __asm__ volatile("mov.u64 %0, %%clock64;" : "=l"(cycles));
  return cycles;
}
/* clock_t is 64 bits in wasi-libc, so the device's overload keeps that return type; its value wraps at 32 bits. */
__WARPLENS_DEVICE__ clock_t clock(void) {
  int cycles;
  __asm__ volatile("mov.u32 %0, %%clock;" : "=r"(cycles));
  return cycles;
}
__WARPLENS_DEVICE__ void __nanosleep(unsigned ns) { __nvvm_nanosleep(ns); }

__WARPLENS_DEVICE__ void __trap(void) { __builtin_trap(); }
__WARPLENS_DEVICE__ void __brkpt(void) { __builtin_trap(); }
/* A hint to profilers; nothing to execute. */
__WARPLENS_DEVICE__ void __prof_trigger(int) {}

/* Programmatic dependent launch: grids run one after the other here, so there is nothing to wait for and nobody to tell.
   Source: CUDA C++ Programming Guide, "Programmatic Dependent Launch and Synchronization". */
__WARPLENS_DEVICE__ void cudaGridDependencySynchronize(void) {}
__WARPLENS_DEVICE__ void cudaTriggerProgrammaticLaunchCompletion(void) {}

__WARPLENS_DEVICE__ unsigned __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
__WARPLENS_DEVICE__ unsigned __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
__WARPLENS_DEVICE__ unsigned __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
__WARPLENS_DEVICE__ unsigned __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
/* Parameters of kernels lie in no other window. */
__WARPLENS_DEVICE__ unsigned __isGridConstant(const void *p) {
  return p && !(__isGlobal(p) || __isShared(p) || __isConstant(p) || __isLocal(p));
}

/* Addresses inside a space. Only the shared window has addresses that differ from generic ones (see src/addressSpace.ts). */
__WARPLENS_DEVICE__ size_t __cvta_generic_to_shared(const void *p) {
  return (size_t)(__attribute__((address_space(3))) const void *)p;
}
__WARPLENS_DEVICE__ void *__cvta_shared_to_generic(size_t p) { return (void *)(__attribute__((address_space(3))) void *)p; }
__WARPLENS_DEVICE__ size_t __cvta_generic_to_global(const void *p) {
  return (size_t)(__attribute__((address_space(1))) const void *)p;
}
__WARPLENS_DEVICE__ void *__cvta_global_to_generic(size_t p) { return (void *)(__attribute__((address_space(1))) void *)p; }
__WARPLENS_DEVICE__ size_t __cvta_generic_to_constant(const void *p) {
  return (size_t)(__attribute__((address_space(4))) const void *)p;
}
__WARPLENS_DEVICE__ size_t __cvta_generic_to_local(const void *p) {
  return (size_t)(__attribute__((address_space(5))) const void *)p;
}

#endif
