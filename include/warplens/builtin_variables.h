/* threadIdx, blockIdx, blockDim and gridDim, whose values nvcc knows nothing of: `i < 1` with `i = threadIdx.x` is not `i == 0`
   for it, and loops over `threadIdx.x` have no known number of rounds (PTX of 23 forms). clang's own registers have ranges, so
   these go by the names of others that have none; src/ir/hiddenRegisters.ts gives them their names back. Nor does nvcc know the
   value of warpSize: it divides by it, and writes loops that step by it out as those of any step (src/analysis/warpSize.ts). */
#ifndef WARPLENS_BUILTIN_VARIABLES_H
#define WARPLENS_BUILTIN_VARIABLES_H

#define __WARPLENS_REGISTER(number)                                                                                        \
  extern "C" __attribute__((device, noconvergent)) unsigned __warplens_register_##number(void) __asm__(                    \
      "llvm.nvvm.read.ptx.sreg.envreg" #number);
__WARPLENS_REGISTER(0)
__WARPLENS_REGISTER(1)
__WARPLENS_REGISTER(2)
__WARPLENS_REGISTER(3)
__WARPLENS_REGISTER(4)
__WARPLENS_REGISTER(5)
__WARPLENS_REGISTER(6)
__WARPLENS_REGISTER(7)
__WARPLENS_REGISTER(8)
__WARPLENS_REGISTER(9)
__WARPLENS_REGISTER(10)
__WARPLENS_REGISTER(11)
#undef __WARPLENS_REGISTER

#define __nvvm_read_ptx_sreg_tid_x __warplens_register_0
#define __nvvm_read_ptx_sreg_tid_y __warplens_register_1
#define __nvvm_read_ptx_sreg_tid_z __warplens_register_2
#define __nvvm_read_ptx_sreg_ntid_x __warplens_register_3
#define __nvvm_read_ptx_sreg_ntid_y __warplens_register_4
#define __nvvm_read_ptx_sreg_ntid_z __warplens_register_5
#define __nvvm_read_ptx_sreg_ctaid_x __warplens_register_6
#define __nvvm_read_ptx_sreg_ctaid_y __warplens_register_7
#define __nvvm_read_ptx_sreg_ctaid_z __warplens_register_8
#define __nvvm_read_ptx_sreg_nctaid_x __warplens_register_9
#define __nvvm_read_ptx_sreg_nctaid_y __warplens_register_10
#define __nvvm_read_ptx_sreg_nctaid_z __warplens_register_11
#ifdef __CUDA_ARCH__
#define warpSize __warplens_unused_warp_size
#endif
#include <__clang_cuda_builtin_vars.h>
#ifdef __CUDA_ARCH__
#undef warpSize
extern "C" __attribute__((device)) const int warpSize __asm__("__warplens_warp_size");
#endif
#undef __nvvm_read_ptx_sreg_tid_x
#undef __nvvm_read_ptx_sreg_tid_y
#undef __nvvm_read_ptx_sreg_tid_z
#undef __nvvm_read_ptx_sreg_ntid_x
#undef __nvvm_read_ptx_sreg_ntid_y
#undef __nvvm_read_ptx_sreg_ntid_z
#undef __nvvm_read_ptx_sreg_ctaid_x
#undef __nvvm_read_ptx_sreg_ctaid_y
#undef __nvvm_read_ptx_sreg_ctaid_z
#undef __nvvm_read_ptx_sreg_nctaid_x
#undef __nvvm_read_ptx_sreg_nctaid_y
#undef __nvvm_read_ptx_sreg_nctaid_z

#endif
