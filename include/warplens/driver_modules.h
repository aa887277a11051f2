/* The driver API's modules, libraries, links, launches and occupancy, over the runtime API's (warplens/host_libraries.h): a kernel has
   one handle, whichever API gave it. What can be loaded is what NVRTC compiled here; code for machines stops the program.
   Source: CUDA Driver API, "Module Management", "Library Management", "Execution Control", "Occupancy". */
#ifndef WARPLENS_DRIVER_MODULES_H
#define WARPLENS_DRIVER_MODULES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <warplens/driver_memory.h>

typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUlinkState_st *CUlinkState;
typedef size_t (*CUoccupancyB2DSize)(int blockSize);

typedef enum CUfunction_attribute_enum {
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
  CU_FUNC_ATTRIBUTE_PTX_VERSION = 5,
  CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
  CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
  CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
  CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10,
  CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11,
  CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT = 12,
  CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH = 13,
  CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
  CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 15
} CUfunction_attribute;
typedef enum CUfunc_cache_enum {
  CU_FUNC_CACHE_PREFER_NONE = 0,
  CU_FUNC_CACHE_PREFER_SHARED = 1,
  CU_FUNC_CACHE_PREFER_L1 = 2,
  CU_FUNC_CACHE_PREFER_EQUAL = 3
} CUfunc_cache;
typedef enum CUsharedconfig_enum {
  CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE = 0,
  CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE = 1,
  CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE = 2
} CUsharedconfig;
typedef enum CUjit_option_enum {
  CU_JIT_MAX_REGISTERS = 0,
  CU_JIT_THREADS_PER_BLOCK = 1,
  CU_JIT_WALL_TIME = 2,
  CU_JIT_INFO_LOG_BUFFER = 3,
  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  CU_JIT_OPTIMIZATION_LEVEL = 7,
  CU_JIT_TARGET_FROM_CUCONTEXT = 8,
  CU_JIT_TARGET = 9,
  CU_JIT_FALLBACK_STRATEGY = 10,
  CU_JIT_GENERATE_DEBUG_INFO = 11,
  CU_JIT_LOG_VERBOSE = 12,
  CU_JIT_GENERATE_LINE_INFO = 13,
  CU_JIT_CACHE_MODE = 14,
  CU_JIT_POSITION_INDEPENDENT_CODE = 30,
  CU_JIT_MIN_CTA_PER_SM = 31,
  CU_JIT_MAX_THREADS_PER_BLOCK = 32,
  CU_JIT_OVERRIDE_DIRECTIVE_VALUES = 33
} CUjit_option;
typedef enum CUjitInputType_enum {
  CU_JIT_INPUT_CUBIN = 0,
  CU_JIT_INPUT_PTX = 1,
  CU_JIT_INPUT_FATBINARY = 2,
  CU_JIT_INPUT_OBJECT = 3,
  CU_JIT_INPUT_LIBRARY = 4,
  CU_JIT_INPUT_NVVM = 5
} CUjitInputType;
typedef enum CUlibraryOption_enum {
  CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
  CU_LIBRARY_BINARY_IS_PRESERVED = 1
} CUlibraryOption;
typedef enum CUmoduleLoadingMode_enum { CU_MODULE_EAGER_LOADING = 1, CU_MODULE_LAZY_LOADING = 2 } CUmoduleLoadingMode;
typedef enum CUfunctionLoadingState_enum {
  CU_FUNCTION_LOADING_STATE_UNLOADED = 0,
  CU_FUNCTION_LOADING_STATE_LOADED = 1
} CUfunctionLoadingState;
#define CU_LAUNCH_PARAM_END ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)
#define CU_OCCUPANCY_DEFAULT 0
#define CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE 1

/* The same as cudaLaunchAttribute with its member by another name. */
typedef enum CUlaunchAttributeID_enum {
  CU_LAUNCH_ATTRIBUTE_IGNORE = 0,
  CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1,
  CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
  CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY = 3,
  CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
  CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT = 7,
  CU_LAUNCH_ATTRIBUTE_PRIORITY = 8
} CUlaunchAttributeID;
typedef cudaLaunchAttributeValue CUlaunchAttributeValue;
typedef struct CUlaunchAttribute_st {
  CUlaunchAttributeID id;
  CUlaunchAttributeValue value;
} CUlaunchAttribute;
typedef struct CUlaunchConfig_st {
  unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned int numAttrs;
} CUlaunchConfig;

#define __WARPLENS_DRIVER __WARPLENS_CALL__ __attribute__((unused)) CUresult
/* What may stop the program, as functions of their own: the message has the line that calls. */
#define __WARPLENS_STOPS static __attribute__((unused, noinline)) CUresult
/* Handles of modules and libraries are numbers. */
#define __WARPLENS_CODE(handle) ((unsigned int)(uintptr_t)(handle))

/* Modules. */
__WARPLENS_STOPS cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options, void **values) {
  unsigned int code = 0;
  __warplens_quiet_logs((const int *)options, values, count);
  CUresult result = (CUresult)__warplens_load_code(&code, image);
  *module = (CUmodule)(uintptr_t)code;
  return result;
}
__WARPLENS_STOPS cuModuleLoadData(CUmodule *module, const void *image) { return cuModuleLoadDataEx(module, image, 0, 0, 0); }
__WARPLENS_STOPS cuModuleLoadFatBinary(CUmodule *module, const void *image) { return cuModuleLoadData(module, image); }
__WARPLENS_STOPS cuModuleLoad(CUmodule *module, const char *path) {
  unsigned int code = 0;
  CUresult result = (CUresult)__warplens_load_file(&code, path);
  *module = (CUmodule)(uintptr_t)code;
  return result;
}
__WARPLENS_DRIVER cuModuleUnload(CUmodule module) { return (CUresult)__warplens_unload_code(__WARPLENS_CODE(module)); }
__WARPLENS_STOPS cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  return (CUresult)__warplens_code_kernel(function, __WARPLENS_CODE(module), name);
}
__WARPLENS_DRIVER cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
  unsigned int place = 0, size = 0;
  CUresult result = (CUresult)__warplens_code_variable(&place, &size, __WARPLENS_CODE(module), name);
  if (result == CUDA_SUCCESS && address) *address = place;
  if (result == CUDA_SUCCESS && bytes) *bytes = size;
  return result;
}
#define cuModuleGetGlobal_v2 cuModuleGetGlobal
__WARPLENS_DRIVER cuModuleGetFunctionCount(unsigned int *count, CUmodule module) {
  return (CUresult)__warplens_code_kernels(count, 0, __WARPLENS_CODE(module));
}
__WARPLENS_DRIVER cuModuleEnumerateFunctions(CUfunction *functions, unsigned int most, CUmodule module) {
  return most == 0 ? CUDA_SUCCESS : (CUresult)__warplens_code_kernels(functions, most, __WARPLENS_CODE(module));
}
__WARPLENS_DRIVER cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) { return *mode = CU_MODULE_LAZY_LOADING, CUDA_SUCCESS; }

/* Libraries: modules that belong to no context. */
__WARPLENS_STOPS cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *options, void **values, unsigned int count,
                                    CUlibraryOption *libraryOptions, void **libraryValues, unsigned int libraryCount) {
  return (CUresult)cudaLibraryLoadData(library, image, (enum cudaJitOption *)options, values, count,
                                       (enum cudaLibraryOption *)libraryOptions, libraryValues, libraryCount);
}
__WARPLENS_STOPS cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *options, void **values,
                                        unsigned int count, CUlibraryOption *libraryOptions, void **libraryValues,
                                        unsigned int libraryCount) {
  return (CUresult)cudaLibraryLoadFromFile(library, path, (enum cudaJitOption *)options, values, count,
                                           (enum cudaLibraryOption *)libraryOptions, libraryValues, libraryCount);
}
__WARPLENS_DRIVER cuLibraryUnload(CUlibrary library) { return (CUresult)cudaLibraryUnload(library); }
__WARPLENS_STOPS cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  return (CUresult)cudaLibraryGetKernel(kernel, library, name);
}
__WARPLENS_DRIVER cuLibraryGetModule(CUmodule *module, CUlibrary library) { return *module = (CUmodule)library, CUDA_SUCCESS; }
__WARPLENS_DRIVER cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
  return cuModuleGetGlobal(address, bytes, (CUmodule)library, name);
}
__WARPLENS_DRIVER cuLibraryGetKernelCount(unsigned int *count, CUlibrary library) {
  return (CUresult)cudaLibraryGetKernelCount(count, library);
}
__WARPLENS_DRIVER cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int most, CUlibrary library) {
  return (CUresult)cudaLibraryEnumerateKernels(kernels, most, library);
}
__WARPLENS_DRIVER cuKernelGetFunction(CUfunction *function, CUkernel kernel) { return *function = (CUfunction)kernel, CUDA_SUCCESS; }
__WARPLENS_DRIVER cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  unsigned int code = 0;
  CUresult result = (CUresult)__warplens_kernel_code(&code, kernel);
  *library = (CUlibrary)(uintptr_t)code;
  return result;
}
__WARPLENS_DRIVER cuKernelGetName(const char **name, CUkernel kernel) { return (CUresult)__warplens_kernel_name(name, kernel); }

/* Kernels: attributes that both APIs have by other numbers. */
__WARPLENS_DRIVER cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  static const unsigned char keys[16] = {3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 14};
  if (!value || (unsigned int)attribute >= 16) return CUDA_ERROR_INVALID_VALUE;
  CUresult result = (CUresult)__warplens_function_attribute(function, keys[attribute], value);
  return (int)result == 98 ? CUDA_ERROR_INVALID_HANDLE : result;
}
__WARPLENS_DRIVER cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return (CUresult)cudaFuncSetAttribute((const void *)function, (enum cudaFuncAttribute)attribute, value);
}
__WARPLENS_DRIVER cuCtxSetCacheConfig(CUfunc_cache config) { return (CUresult)cudaDeviceSetCacheConfig((enum cudaFuncCache)config); }
__WARPLENS_DRIVER cuCtxGetCacheConfig(CUfunc_cache *config) { return (CUresult)cudaDeviceGetCacheConfig((enum cudaFuncCache *)config); }
__WARPLENS_DRIVER cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return (CUresult)cudaFuncSetCacheConfig((const void *)function, (enum cudaFuncCache)config);
}
__WARPLENS_DRIVER cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  return (CUresult)cudaFuncSetSharedMemConfig((const void *)function, (enum cudaSharedMemConfig)config);
}
__WARPLENS_DRIVER cuFuncGetModule(CUmodule *module, CUfunction function) {
  return cuKernelGetLibrary((CUlibrary *)module, (CUkernel)function);
}
__WARPLENS_DRIVER cuFuncGetName(const char **name, CUfunction function) { return cuKernelGetName(name, (CUkernel)function); }
__WARPLENS_DRIVER cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes) {
  unsigned int place = 0, size = 0;
  CUresult result = (CUresult)__warplens_kernel_parameter(function, (unsigned int)index, &place, &size);
  if (result == CUDA_SUCCESS && offset) *offset = place;
  if (result == CUDA_SUCCESS && bytes) *bytes = size;
  return result;
}
__WARPLENS_DRIVER cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function) {
  (void)function;
  return *state = CU_FUNCTION_LOADING_STATE_LOADED, CUDA_SUCCESS;
}
__WARPLENS_DRIVER cuFuncLoad(CUfunction function) { return (void)function, CUDA_SUCCESS; }
__WARPLENS_DRIVER cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
  (void)device;
  return cuFuncGetAttribute(value, attribute, (CUfunction)kernel);
}
__WARPLENS_DRIVER cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
  (void)device;
  return cuFuncSetAttribute((CUfunction)kernel, attribute, value);
}
__WARPLENS_DRIVER cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
  (void)device;
  return cuFuncSetCacheConfig((CUfunction)kernel, config);
}
__WARPLENS_DRIVER cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes) {
  return cuFuncGetParamInfo((CUfunction)kernel, index, offset, bytes);
}

/* Launches. Arguments are a list of addresses, or lie in a buffer as the kernel's parameters do: then such a list is made. */
struct __warplens_arguments {
  CUresult result;
  void **list;
};
__WARPLENS_CALL__ __attribute__((unused)) struct __warplens_arguments __warplens_from_buffer(CUfunction function, void **extra) {
  struct __warplens_arguments arguments = {CUDA_ERROR_INVALID_VALUE, 0};
  char *buffer = 0;
  unsigned int given = 0, count = 0, offset = 0, bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = (char *)extra[1];
    if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) given = *(unsigned int *)extra[1];
  }
  while (__warplens_kernel_parameter(function, count, &offset, &bytes) == cudaSuccess) {
    if (offset + bytes > given) return arguments;
    ++count;
  }
  arguments.list = (void **)malloc((count + 1) * sizeof(void *));
  for (unsigned int i = 0; i < count; ++i) {
    __warplens_kernel_parameter(function, i, &offset, &bytes);
    arguments.list[i] = buffer + offset;
  }
  arguments.result = CUDA_SUCCESS;
  return arguments;
}
__WARPLENS_DRIVER cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra) {
  struct __warplens_arguments arguments = {CUDA_SUCCESS, parameters};
  cudaLaunchConfig_t launch;
  memset(&launch, 0, sizeof launch);
  launch.gridDim.x = config->gridDimX, launch.gridDim.y = config->gridDimY, launch.gridDim.z = config->gridDimZ;
  launch.blockDim.x = config->blockDimX, launch.blockDim.y = config->blockDimY, launch.blockDim.z = config->blockDimZ;
  launch.dynamicSmemBytes = config->sharedMemBytes;
  launch.stream = config->hStream;
  launch.attrs = (cudaLaunchAttribute *)config->attrs;
  launch.numAttrs = config->numAttrs;
  if (extra) arguments = __warplens_from_buffer(function, extra);
  if (arguments.result != CUDA_SUCCESS) return arguments.result;
  CUresult result = (CUresult)cudaLaunchKernelExC(&launch, (const void *)function, arguments.list);
  if (extra) free(arguments.list);
  /* What is no kernel: cudaErrorInvalidDeviceFunction there, a bad handle here; dimensions out of range: a bad value. */
  return (int)result == 98 ? CUDA_ERROR_INVALID_HANDLE : (int)result == 9 ? CUDA_ERROR_INVALID_VALUE : result;
}
__WARPLENS_DRIVER cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ,
                                 unsigned int blockX, unsigned int blockY, unsigned int blockZ, unsigned int sharedBytes,
                                 CUstream stream, void **parameters, void **extra) {
  CUlaunchConfig config = {gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream, 0, 0};
  return cuLaunchKernelEx(&config, function, parameters, extra);
}
__WARPLENS_DRIVER cuLaunchCooperativeKernel(CUfunction function, unsigned int gridX, unsigned int gridY, unsigned int gridZ,
                                            unsigned int blockX, unsigned int blockY, unsigned int blockZ,
                                            unsigned int sharedBytes, CUstream stream, void **parameters) {
  CUlaunchAttribute attribute;
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = 1;
  CUlaunchConfig config = {gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes, stream, &attribute, 1};
  return cuLaunchKernelEx(&config, function, parameters, 0);
}

/* Launches as CUDA 3 had them, which are deprecated: a function keeps its blocks' shape and its parameters from call to call. */
struct __warplens_kept_launch {
  CUfunction function;
  unsigned int x, y, z, sharedBytes, bytes;
  char parameters[4096];
  struct __warplens_kept_launch *next;
};
/* One for all sources of a program. */
__attribute__((weak)) struct __warplens_kept_launch *__warplens_kept_launches;
__WARPLENS_CALL__ __attribute__((unused)) struct __warplens_kept_launch *__warplens_kept_launch_of(CUfunction function) {
  struct __warplens_kept_launch *launch = __warplens_kept_launches;
  for (; launch; launch = launch->next)
    if (launch->function == function) return launch;
  launch = (struct __warplens_kept_launch *)calloc(1, sizeof *launch);
  launch->function = function;
  launch->next = __warplens_kept_launches;
  return __warplens_kept_launches = launch;
}
__WARPLENS_DRIVER cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  struct __warplens_kept_launch *launch = __warplens_kept_launch_of(function);
  launch->x = (unsigned int)x, launch->y = (unsigned int)y, launch->z = (unsigned int)z;
  return CUDA_SUCCESS;
}
__WARPLENS_DRIVER cuFuncSetSharedSize(CUfunction function, unsigned int bytes) {
  return __warplens_kept_launch_of(function)->sharedBytes = bytes, CUDA_SUCCESS;
}
__WARPLENS_DRIVER cuParamSetSize(CUfunction function, unsigned int bytes) {
  struct __warplens_kept_launch *launch = __warplens_kept_launch_of(function);
  if (bytes > sizeof launch->parameters) return CUDA_ERROR_INVALID_VALUE;
  return launch->bytes = bytes, CUDA_SUCCESS;
}
__WARPLENS_DRIVER cuParamSetv(CUfunction function, int offset, void *value, unsigned int bytes) {
  struct __warplens_kept_launch *launch = __warplens_kept_launch_of(function);
  if (offset < 0 || offset + bytes > sizeof launch->parameters) return CUDA_ERROR_INVALID_VALUE;
  return memcpy(launch->parameters + offset, value, bytes), CUDA_SUCCESS;
}
__WARPLENS_DRIVER cuParamSeti(CUfunction function, int offset, unsigned int value) {
  return cuParamSetv(function, offset, &value, sizeof value);
}
__WARPLENS_DRIVER cuParamSetf(CUfunction function, int offset, float value) {
  return cuParamSetv(function, offset, &value, sizeof value);
}
__WARPLENS_DRIVER cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  struct __warplens_kept_launch *launch = __warplens_kept_launch_of(function);
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, launch->parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &launch->bytes, CU_LAUNCH_PARAM_END};
  return cuLaunchKernel(function, (unsigned int)width, (unsigned int)height, 1, launch->x, launch->y, launch->z, launch->sharedBytes,
                        stream, 0, extra);
}
__WARPLENS_DRIVER cuLaunchGrid(CUfunction function, int width, int height) {
  return cuLaunchGridAsync(function, width, height, 0);
}
__WARPLENS_DRIVER cuLaunch(CUfunction function) { return cuLaunchGrid(function, 1, 1); }

/* Occupancy. */
__WARPLENS_DRIVER cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int blockSize, size_t sharedBytes) {
  return (CUresult)cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, blockSize, sharedBytes);
}
__WARPLENS_DRIVER cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int blockSize,
                                                                       size_t sharedBytes, unsigned int flags) {
  (void)flags;
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, blockSize, sharedBytes);
}
__WARPLENS_DRIVER cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks, int blockSize) {
  return (CUresult)cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)function, blocks, blockSize);
}
/* As cudaOccupancyMaxPotentialBlockSize (warplens/host_templates.h) has it. */
__WARPLENS_DRIVER cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction function, CUoccupancyB2DSize sharedOf,
                                                   size_t sharedBytes, int limit) {
  int most = 0, best = 0, bestSize = 0, bestBlocks = 0;
  int warp = (int)__warplens_device_attribute(cudaDevAttrWarpSize);
  CUresult result = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
  if (result != CUDA_SUCCESS) return result;
  if (limit > 0 && limit < most) most = limit;
  for (int rounded = (most + warp - 1) / warp * warp; rounded > 0; rounded -= warp) {
    int size = rounded < most ? rounded : most, blocks = 0;
    result = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, size, sharedOf ? sharedOf(size) : sharedBytes);
    if (result != CUDA_SUCCESS) return result;
    if (size * blocks > best) best = size * blocks, bestSize = size, bestBlocks = blocks;
    if (best == (int)__warplens_device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor)) break;
  }
  *minGridSize = bestBlocks * (int)__warplens_device_attribute(cudaDevAttrMultiProcessorCount);
  *blockSize = bestSize;
  return CUDA_SUCCESS;
}
__WARPLENS_DRIVER cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, CUfunction function,
                                                            CUoccupancyB2DSize sharedOf, size_t sharedBytes, int limit,
                                                            unsigned int flags) {
  (void)flags;
  return cuOccupancyMaxPotentialBlockSize(minGridSize, blockSize, function, sharedOf, sharedBytes, limit);
}

/* Links: code of several programs of NVRTC becomes one. Each is copied, as the driver does. */
struct CUlinkState_st {
  void **images;
  unsigned int count;
  void *linked;
};
__WARPLENS_DRIVER cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *state) {
  __warplens_quiet_logs((const int *)options, values, count);
  *state = (CUlinkState)calloc(1, sizeof **state);
  return *state ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
__WARPLENS_DRIVER cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name,
                                unsigned int count, CUjit_option *options, void **values) {
  (void)type, (void)name;
  __warplens_quiet_logs((const int *)options, values, count);
  char *copy = (char *)malloc(bytes + 1);
  if (!copy) return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(copy, data, bytes);
  copy[bytes] = 0;
  state->images = (void **)realloc(state->images, (state->count + 1) * sizeof(void *));
  state->images[state->count++] = copy;
  return CUDA_SUCCESS;
}
/* The device's own library of launches and the like is part of everything here. */
__WARPLENS_DRIVER cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int count, CUjit_option *options,
                                void **values) {
  if (type == CU_JIT_INPUT_LIBRARY && strstr(path, "cudadevrt")) return CUDA_SUCCESS;
  FILE *file = fopen(path, "rb");
  if (!file) return CUDA_ERROR_FILE_NOT_FOUND;
  fseek(file, 0, SEEK_END);
  long bytes = ftell(file);
  char *data = (char *)malloc((size_t)bytes + 1);
  rewind(file);
  bytes = (long)fread(data, 1, (size_t)bytes, file);
  fclose(file);
  CUresult result = cuLinkAddData(state, type, data, (size_t)bytes, path, count, options, values);
  free(data);
  return result;
}
__WARPLENS_STOPS cuLinkComplete(CUlinkState state, void **image, size_t *bytes) {
  unsigned int size = 0;
  free(state->linked);
  state->linked = 0;
  CUresult result = (CUresult)__warplens_link_code(&state->linked, &size, (const void *const *)state->images, state->count);
  *image = state->linked;
  if (bytes) *bytes = size;
  return result;
}
__WARPLENS_DRIVER cuLinkDestroy(CUlinkState state) {
  for (unsigned int i = 0; i < state->count; ++i) free(state->images[i]);
  free(state->images);
  free(state->linked);
  free(state);
  return CUDA_SUCCESS;
}
#define cuLinkCreate_v2 cuLinkCreate
#define cuLinkAddData_v2 cuLinkAddData
#define cuLinkAddFile_v2 cuLinkAddFile

#undef __WARPLENS_CODE
#undef __WARPLENS_STOPS
#undef __WARPLENS_DRIVER

__WARPLENS_WIDE_SIZES(CUresult, cuModuleGetGlobal)
__WARPLENS_WIDE_SIZES(CUresult, cuLibraryGetGlobal)
__WARPLENS_WIDE_SIZES(CUresult, cuFuncGetParamInfo)
__WARPLENS_WIDE_SIZES(CUresult, cuKernelGetParamInfo)
__WARPLENS_WIDE_SIZES(CUresult, cuOccupancyAvailableDynamicSMemPerBlock)
__WARPLENS_WIDE_SIZES(CUresult, cuLinkComplete)
#endif
