/* The C library's <fenv.h>, with the rounding modes that WebAssembly has not: asking for one fails, as the C standard says. */
#ifndef WARPLENS_FENV_H
#define WARPLENS_FENV_H
#include_next <fenv.h>
#ifndef FE_DOWNWARD
#define FE_DOWNWARD 1
#define FE_UPWARD 2
#define FE_TOWARDZERO 3
#ifdef __cplusplus
extern "C" {
#endif
static inline __attribute__((unused)) int __warplens_set_round(int mode) { return mode == FE_TONEAREST ? 0 : -1; }
#ifdef __cplusplus
}
#endif
#define fesetround __warplens_set_round
#endif
#endif
