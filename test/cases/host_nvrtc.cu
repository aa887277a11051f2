// NVRTC and the driver API's modules: code compiled while the program runs, its names, variables, launches and links.
// levels: 2
// stdout: 12.8 NVRTC_SUCCESS NVRTC_ERROR_COMPILATION
// stdout: compiled 0, log 1 bytes, entry 1, cubin 1
// stdout: lowered _Z5scaleIfLi3EEvPT_i, _ZN5table7factorsE, early 9, unknown 10
// stdout: factors 16 bytes, scaled 6 12 18 24
// stdout: from a buffer 10 20 30 40, too small 1
// stdout: kernels 2, name plain, missing 500, threads 1024, static 128, blocks 8
// stdout: failed 6: broken.cu(2), 1 error
// stdout: broken.cu(1): catastrophic error: cannot open source file "none.h"
// stdout: option 5, unloaded 0, then 400 400
// stdout: runtime 11 12 13 14, static 8 bytes 15
// stdout: linked 42, file 5 6 7 8, no file 301, no image 200
// count: _Z5scaleIfLi3EEvPT_i global load executed = 1
// count: _Z5scaleIfLi3EEvPT_i global store sectors = 1
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>
#include <string>
#include <vector>

static const char *const source = R"(#include "factors.h"
template <typename T, int n> __global__ void scale(T *values, int count) {
  if (threadIdx.x < count) values[threadIdx.x] *= n * table::factors[0];
}
extern "C" __global__ void plain(int *values, short step, int count) {
  __shared__ int kept[32];
  kept[threadIdx.x] = step;
  __syncthreads();
#ifdef TENS
  if (threadIdx.x < count) values[threadIdx.x] = kept[31 - threadIdx.x] * (threadIdx.x + 1);
#endif
}
)";
static const char *const header = "namespace table { __constant__ int factors[4]; }\n";

static std::string compile(nvrtcProgram program, std::vector<const char *> options = {}) {
  nvrtcResult result = nvrtcCompileProgram(program, (int)options.size(), options.data());
  size_t logBytes, bytes = 0;
  nvrtcGetProgramLogSize(program, &logBytes);
  std::string log(logBytes, ' ');
  nvrtcGetProgramLog(program, &log[0]);
  if (result != NVRTC_SUCCESS) {
    int line = 0;
    bool told = sscanf(log.c_str(), "broken.cu(%d): error:", &line) == 1 && strstr(log.c_str(), "1 error detected");
    if (told) printf("failed %d: broken.cu(%d), 1 error\n", result, line);
    else if (result == NVRTC_ERROR_COMPILATION) printf("%s\n", log.substr(0, log.find('\n')).c_str());
    else printf("option %d, ", result);
    return "";
  }
  nvrtcGetPTXSize(program, &bytes);
  std::string ptx(bytes, ' ');
  nvrtcGetPTX(program, &ptx[0]);
  return ptx;
}
static void show(const char *what, CUdeviceptr memory, const char *end) {
  int values[4];
  cuMemcpyDtoH(values, memory, sizeof values);
  printf("%s %d %d %d %d%s", what, values[0], values[1], values[2], values[3], end);
}

int main() {
  int major, minor;
  nvrtcVersion(&major, &minor);
  printf("%d.%d %s %s\n", major, minor, nvrtcGetErrorString(NVRTC_SUCCESS), nvrtcGetErrorString(NVRTC_ERROR_COMPILATION));
  CUdevice device;
  CUcontext context;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuCtxCreate(&context, 0, device);

  nvrtcProgram program;
  const char *headers[] = {header}, *names[] = {"factors.h"}, *lowered, *variable;
  nvrtcCreateProgram(&program, source, "kernels.cu", 1, headers, names);
  nvrtcAddNameExpression(program, "scale<float, 3>");
  nvrtcAddNameExpression(program, "&table::factors");
  int early = nvrtcGetLoweredName(program, "scale<float, 3>", &lowered);
  std::string ptx = compile(program, {"--gpu-architecture=sm_90", "-DTENS", "-std=c++17", "-lineinfo"});
  size_t logBytes, cubinBytes;
  nvrtcGetProgramLogSize(program, &logBytes);
  nvrtcGetCUBINSize(program, &cubinBytes);
  printf("compiled %d, log %d bytes, entry %d, cubin %d\n", ptx.empty(), (int)logBytes,
         ptx.find(".entry plain(") != std::string::npos, cubinBytes > 0);
  nvrtcGetLoweredName(program, "scale<float, 3>", &lowered);
  nvrtcGetLoweredName(program, "&table::factors", &variable);
  int unknown = nvrtcGetLoweredName(program, "other", &lowered);
  printf("lowered %s, %s, early %d, unknown %d\n", lowered, variable, early, unknown);

  CUmodule module;
  CUfunction scale, plain, other;
  CUdeviceptr factors, memory;
  size_t bytes;
  cuModuleLoadDataEx(&module, ptx.c_str(), 0, nullptr, nullptr);
  cuModuleGetFunction(&scale, module, lowered);
  cuModuleGetFunction(&plain, module, "plain");
  cuModuleGetGlobal(&factors, &bytes, module, variable);
  int two = 2, count = 4;
  cuMemcpyHtoD(factors, &two, sizeof two);
  float given[] = {1, 2, 3, 4}, scaled[4];
  cuMemAlloc(&memory, 16);
  cuMemcpyHtoD(memory, given, 16);
  void *arguments[] = {&memory, &count};
  cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
  cuMemcpyDtoH(scaled, memory, 16);
  printf("factors %d bytes, scaled %g %g %g %g\n", (int)bytes, scaled[0], scaled[1], scaled[2], scaled[3]);

  struct { CUdeviceptr memory; short step; int count; } packed = {memory, 10, 4};
  size_t packedBytes = sizeof packed, tooFew = 4;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &packedBytes, CU_LAUNCH_PARAM_END};
  cuLaunchKernel(plain, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra);
  show("from a buffer", memory, ", ");
  extra[3] = &tooFew;
  printf("too small %d\n", cuLaunchKernel(plain, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));

  unsigned int kernels;
  const char *name;
  int threads, shared, blocks;
  cuModuleGetFunctionCount(&kernels, module);
  cuFuncGetName(&name, plain);
  cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, plain);
  cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, plain);
  cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0);
  printf("kernels %u, name %s, missing %d, threads %d, static %d, blocks %d\n", kernels, name,
         cuModuleGetFunction(&other, module, "nothing"), threads, shared, blocks);
  nvrtcDestroyProgram(&program);

  nvrtcCreateProgram(&program, "__global__ void k(int *p) {\n  *p = nothing;\n}\n", "broken.cu", 0, nullptr, nullptr);
  compile(program);
  nvrtcDestroyProgram(&program);
  nvrtcCreateProgram(&program, "#include <none.h>\n", "broken.cu", 0, nullptr, nullptr);
  compile(program);
  nvrtcDestroyProgram(&program);
  nvrtcCreateProgram(&program, "__global__ void k() {}", nullptr, 0, nullptr, nullptr);
  compile(program, {"--no-such-option"});
  nvrtcDestroyProgram(&program);
  int unloaded = cuModuleUnload(module);
  CUmodule of;
  printf("unloaded %d, then %d %d\n", unloaded, cuModuleGetFunction(&other, module, "plain"), cuFuncGetModule(&of, plain));

  nvrtcCreateProgram(&program, "static __device__ int hidden[2];\nextern \"C\" __global__ void add(int *p, int n) "
                               "{ p[threadIdx.x] = n + threadIdx.x + hidden[0]; }", "add.cu", 0, nullptr, nullptr);
  ptx = compile(program);
  cudaLibrary_t library;
  cudaKernel_t kernel;
  int from = 11;
  cudaLibraryLoadData(&library, ptx.data(), nullptr, nullptr, 0, nullptr, nullptr, 0);
  cudaLibraryGetKernel(&kernel, library, "add");
  void *sum[] = {&memory, &from};
  cudaLaunchKernel((const void *)kernel, dim3(1), dim3(4), sum, 0, nullptr);
  show("runtime", memory, ", ");
  void *hidden;
  cudaLibraryGetGlobal(&hidden, &bytes, library, "hidden");
  int four = 4, again = 0;
  cudaMemcpy(hidden, &four, sizeof four, cudaMemcpyHostToDevice);
  cudaLaunchKernel((const void *)kernel, dim3(1), dim3(4), sum, 0, nullptr);
  cuMemcpyDtoH(&again, memory, sizeof again);
  printf("static %d bytes %d\n", (int)bytes, again);

  std::string first = ptx;
  nvrtcCreateProgram(&program, "__device__ int answer() { return 42; }", "answer.cu", 0, nullptr, nullptr);
  std::string answer = compile(program, {"--relocatable-device-code=true"});
  nvrtcCreateProgram(&program, "__device__ int answer();\nextern \"C\" __global__ void ask(int *p) { *p = answer(); }", "ask.cu", 0,
                     nullptr, nullptr);
  std::string ask = compile(program, {"--relocatable-device-code=true"});
  CUlinkState link;
  void *image;
  size_t imageBytes;
  cuLinkCreate(0, nullptr, nullptr, &link);
  cuLinkAddData(link, CU_JIT_INPUT_PTX, &answer[0], answer.size(), "answer", 0, nullptr, nullptr);
  cuLinkAddData(link, CU_JIT_INPUT_PTX, &ask[0], ask.size(), "ask", 0, nullptr, nullptr);
  cuLinkComplete(link, &image, &imageBytes);
  cuModuleLoadData(&module, image);
  cuLinkDestroy(link);
  cuModuleGetFunction(&other, module, "ask");
  void *only[] = {&memory};
  cuLaunchKernel(other, 1, 1, 1, 1, 1, 1, 0, nullptr, only, nullptr);
  int result = 0;
  cuMemcpyDtoH(&result, memory, sizeof result);
  printf("linked %d, ", result);

  FILE *file = fopen("add.ptx", "wb");
  fwrite(first.data(), 1, first.size() - 1, file);
  fclose(file);
  cuModuleLoad(&module, "add.ptx");
  cuModuleGetFunction(&other, module, "add");
  from = 5;
  cuLaunchKernel(other, 1, 1, 1, 4, 1, 1, 0, nullptr, sum, nullptr);
  show("file", memory, ", ");
  printf("no file %d, no image %d\n", cuModuleLoad(&module, "none.ptx"), cuModuleLoadData(&module, "nothing"));
}
