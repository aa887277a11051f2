/* NVRTC: kernels compiled while the program runs (src/runtime/calls/nvrtc.ts). What it gives for PTX and for machine code is one text, which
   cuModuleLoadData and cudaLibraryLoadData take; its kernels stand in it by their names as in PTX. Source: NVRTC, "User Interface". */
#ifndef __NVRTC_H__
#define __NVRTC_H__

#include <stddef.h>
#include <warplens/wide_sizes.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12
} nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;

nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int numHeaders,
                               const char *const *headers, const char *const *includeNames);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int numOptions, const char *const *options);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx);
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name);

static inline __attribute__((unused)) const char *nvrtcGetErrorString(nvrtcResult result) {
  switch (result) {
#define __WARPLENS_NAMED(name)                                                                                             \
  case NVRTC_##name: return "NVRTC_" #name;
    __WARPLENS_NAMED(SUCCESS)
    __WARPLENS_NAMED(ERROR_OUT_OF_MEMORY)
    __WARPLENS_NAMED(ERROR_PROGRAM_CREATION_FAILURE)
    __WARPLENS_NAMED(ERROR_INVALID_INPUT)
    __WARPLENS_NAMED(ERROR_INVALID_PROGRAM)
    __WARPLENS_NAMED(ERROR_INVALID_OPTION)
    __WARPLENS_NAMED(ERROR_COMPILATION)
    __WARPLENS_NAMED(ERROR_BUILTIN_OPERATION_FAILURE)
    __WARPLENS_NAMED(ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION)
    __WARPLENS_NAMED(ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION)
    __WARPLENS_NAMED(ERROR_NAME_EXPRESSION_NOT_VALID)
    __WARPLENS_NAMED(ERROR_INTERNAL_ERROR)
    __WARPLENS_NAMED(ERROR_TIME_FILE_WRITE_FAILED)
#undef __WARPLENS_NAMED
  default: return "NVRTC_ERROR unknown";
  }
}
static inline __attribute__((unused)) nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = 12;
  *minor = 8;
  return NVRTC_SUCCESS;
}
static inline __attribute__((unused)) nvrtcResult nvrtcGetNumSupportedArchs(int *count) {
  if (!count) return NVRTC_ERROR_INVALID_INPUT;
  *count = 17;
  return NVRTC_SUCCESS;
}
/* Of CUDA 12.8. */
static inline __attribute__((unused)) nvrtcResult nvrtcGetSupportedArchs(int *architectures) {
  static const int known[17] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 120};
  if (!architectures) return NVRTC_ERROR_INVALID_INPUT;
  for (int i = 0; i < 17; ++i) architectures[i] = known[i];
  return NVRTC_SUCCESS;
}

#if defined(__cplusplus)
}
#endif

__WARPLENS_WIDE_SIZES(nvrtcResult, nvrtcGetPTXSize)
__WARPLENS_WIDE_SIZES(nvrtcResult, nvrtcGetCUBINSize)
__WARPLENS_WIDE_SIZES(nvrtcResult, nvrtcGetProgramLogSize)
#endif
