// Code for NVIDIA's machines cannot be loaded: the program stops at the line that tries.
// levels: 2
// reference: off
// stdout: loading
// stderr: host_foreign_code.cu:19:3
// stderr: the program loads PTX as a module
// stderr: nvrtcCompileProgram
// exit: 3
#include <cstdio>
#include <cuda.h>

int main() {
  static const char ptx[] = "// somebody's\n.version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n";
  CUcontext context;
  CUmodule module;
  cuInit(0);
  cuCtxCreate(&context, 0, 0);
  printf("loading\n");
  cuModuleLoadData(&module, ptx);
  printf("loaded\n");
}
