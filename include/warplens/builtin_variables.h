/* threadIdx, blockIdx, blockDim and gridDim, whose values nvcc knows nothing of: `i < 1` with `i = threadIdx.x` is not `i == 0`
   for it, and loops over `threadIdx.x` have no known number of rounds (PTX of 23 forms). LLVM's own registers have ranges, so
   these go by the names of others that have none; src/ir/hiddenRegisters.ts gives them their names back. Nor does nvcc know the
   value of warpSize: it divides by it, and writes loops that step by it out as those of any step (src/analysis/loops/warpSize.ts).
   They may be copied (`const auto thread = threadIdx;`): a copy reads the same registers. warpSize is declared and nowhere defined,
   as with nvcc, so that a program may define it (`constexpr int warpSize = 32;`). */
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

#define __WARPLENS_COORDINATE(name, number)                                                                                \
  __declspec(property(get = __fetch_builtin_##name)) unsigned int name;                                                   \
  static inline __attribute__((always_inline, device)) unsigned int __fetch_builtin_##name(void) {                        \
    return __warplens_register_##number();                                                                                \
  }
/* The conversions are defined where dim3 and uint3 are (runtime.h). */
#define __WARPLENS_COORDINATES(variable, first, second, third)                                                             \
  struct __cuda_builtin_##variable##_t {                                                                                  \
    __WARPLENS_COORDINATE(x, first)                                                                                       \
    __WARPLENS_COORDINATE(y, second)                                                                                      \
    __WARPLENS_COORDINATE(z, third)                                                                                       \
    __attribute__((device)) operator struct dim3() const;                                                                 \
    __attribute__((device)) operator struct uint3() const;                                                                \
  };                                                                                                                      \
  extern const __attribute__((device, weak)) __cuda_builtin_##variable##_t variable;

struct uint3;
struct dim3;
__WARPLENS_COORDINATES(threadIdx, 0, 1, 2)
__WARPLENS_COORDINATES(blockDim, 3, 4, 5)
__WARPLENS_COORDINATES(blockIdx, 6, 7, 8)
__WARPLENS_COORDINATES(gridDim, 9, 10, 11)
#undef __WARPLENS_COORDINATES
#undef __WARPLENS_COORDINATE

#ifdef __CUDA_ARCH__
extern "C" __attribute__((device)) const int warpSize __asm__("__warplens_warp_size");
#else
extern const int warpSize;
#endif

#endif
