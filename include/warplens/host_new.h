/* Operator new by other names on the host: LLVM knows the usual ones, that nobody has set what they return, and what a program does
   that reads it all the same, it takes to never happen; nvcc's host compiler goes on. (`malloc` has -fno-builtin-malloc for it;
   there is no such flag for these.) A program with an operator new of its own has the usual names: the linker sees the clash (attempts.ts). */
#ifndef WARPLENS_HOST_NEW_H
#define WARPLENS_HOST_NEW_H

#if !defined(__CUDA_ARCH__) && !defined(WARPLENS_OWN_NEW)
namespace std {
struct nothrow_t;
enum class align_val_t : __SIZE_TYPE__;
}

/* `symbol`: of the library's. The definitions are linked into every program (host_library.cpp), out of LLVM's sight. */
#ifdef WARPLENS_DEFINES_NEW
#define __WARPLENS_NEW(suffix, symbol, exceptions, parameters, types, arguments)                      \
  void *__warplens_library_new##symbol types __asm__(#symbol);                                        \
  extern "C" void *__warplens_new##symbol parameters {                                                \
    return __warplens_library_new##symbol arguments;                                                  \
  }
#else
#define __WARPLENS_NEW(suffix, symbol, exceptions, parameters, types, arguments)                      \
  void *operator new suffix types exceptions __asm__("__warplens_new" #symbol);
#endif
#define __WARPLENS_NEWS(suffix, symbol)                                                               \
  __WARPLENS_NEW(suffix, symbol, , (__SIZE_TYPE__ bytes), (__SIZE_TYPE__), (bytes))                   \
  __WARPLENS_NEW(suffix, symbol##RKSt9nothrow_t, noexcept, (__SIZE_TYPE__ bytes, const std::nothrow_t &nothrow),  \
                 (__SIZE_TYPE__, const std::nothrow_t &), (bytes, nothrow))                           \
  __WARPLENS_NEW(suffix, symbol##St11align_val_t, , (__SIZE_TYPE__ bytes, std::align_val_t alignment), \
                 (__SIZE_TYPE__, std::align_val_t), (bytes, alignment))                               \
  __WARPLENS_NEW(suffix, symbol##St11align_val_tRKSt9nothrow_t, noexcept,                             \
                 (__SIZE_TYPE__ bytes, std::align_val_t alignment, const std::nothrow_t &nothrow),    \
                 (__SIZE_TYPE__, std::align_val_t, const std::nothrow_t &), (bytes, alignment, nothrow))
__WARPLENS_NEWS(, _Znwm)
__WARPLENS_NEWS([], _Znam)
#undef __WARPLENS_NEWS
#undef __WARPLENS_NEW
#endif
#endif
