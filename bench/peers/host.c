// Runs a kernel of kernels.cl on whatever OpenCL device comes first: PoCL, or Oclgrind when started by it.
// usage: host FOLDER KERNEL SIZE REPEATS [ROWS]     ROWS: only that many rows of work-groups, for a slow device
// Prints one line of JSON (clock.h); the exit code is 1 for a wrong result or an OpenCL error.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>
#include "clock.h"
#include "workload.h"

static void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "%s: OpenCL error %d\n", what, status);
  exit(1);
}

static char *readSource(const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/kernels.cl", folder);
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  char *text = calloc(1, 1 << 16);
  size_t length = fread(text, 1, (1 << 16) - 1, file);
  text[length] = 0;
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  if (argc < 5) return fprintf(stderr, "usage: host FOLDER KERNEL SIZE REPEATS [ROWS]\n"), 2;
  const char *kernelName = argv[2];
  size_t size = strtoul(argv[3], NULL, 10), rowsOfGroups = argc > 5 ? strtoul(argv[5], NULL, 10) : 0;
  int repeats = atoi(argv[4]), n = (int)size, steps = MANDEL_STEPS, square = isSquare(kernelName);
  char *source = readSource(argv[1]);
  if (!source) return fprintf(stderr, "no kernels.cl in %s\n", argv[1]), 2;

  cl_platform_id platform;
  cl_device_id device;
  cl_int status;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "clCreateCommandQueue");
  cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &status);
  check(status, "clCreateProgramWithSource");
  double start = cpuMs();
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  double compile = cpuMs() - start;
  cl_kernel kernel = clCreateKernel(program, kernelName, &status);
  check(status, "clCreateKernel");

  size_t local[2] = {REDUCE_BLOCK, 1}, global[2] = {size, 1}, covered = size;
  if (square) {
    local[0] = strcmp(kernelName, "matmul") == 0 || strcmp(kernelName, "mandel") == 0 ? 16 : 32;
    local[1] = strcmp(kernelName, "transpose_naive") == 0 || local[0] == 16 ? 16 : 8;
    size_t rowsOfGroup = local[0] == 32 && local[1] == 8 ? TILE : local[1];
    size_t groups = (size + rowsOfGroup - 1) / rowsOfGroup;
    if (rowsOfGroups > 0 && rowsOfGroups < groups) groups = rowsOfGroups, covered = groups * rowsOfGroup;
    global[0] = (size + local[0] - 1) / local[0] * local[0];
    global[1] = groups * local[1];
  }

  size_t count = elementsOf(kernelName, size);
  float *a = malloc(count * 4), *b = malloc(count * 4), *out = malloc(count * 4);
  for (size_t i = 0; i < count; i++) a[i] = inputA(i), b[i] = inputB(i), out[i] = -1;
  cl_mem inA = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, count * 4, a, &status);
  check(status, "clCreateBuffer");
  cl_mem inB = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, count * 4, b, &status);
  check(status, "clCreateBuffer");
  cl_mem result = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count * 4, out, &status);
  check(status, "clCreateBuffer");
  int isMandel = strcmp(kernelName, "mandel") == 0, twoInputs = strcmp(kernelName, "vecadd") == 0 || strcmp(kernelName, "matmul") == 0;
  cl_uint argument = 0;
  if (!isMandel) check(clSetKernelArg(kernel, argument++, sizeof inA, &inA), "clSetKernelArg");
  if (twoInputs) check(clSetKernelArg(kernel, argument++, sizeof inB, &inB), "clSetKernelArg");
  check(clSetKernelArg(kernel, argument++, sizeof result, &result), "clSetKernelArg");
  check(clSetKernelArg(kernel, argument++, sizeof n, &n), "clSetKernelArg");
  if (isMandel) check(clSetKernelArg(kernel, argument++, sizeof steps, &steps), "clSetKernelArg");

  double first = 0, *cpu = calloc(repeats + 1, 8), *wall = calloc(repeats + 1, 8);
  for (int launch = -1; launch < repeats; launch++) {
    double cpuStart = cpuMs(), wallStart = wallMs();
    check(clEnqueueNDRangeKernel(queue, kernel, square ? 2 : 1, NULL, global, local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    if (launch < 0) first = cpuMs() - cpuStart;
    else cpu[launch] = cpuMs() - cpuStart, wall[launch] = wallMs() - wallStart;
  }
  check(clEnqueueReadBuffer(queue, result, CL_TRUE, 0, count * 4, out, 0, NULL, NULL), "clEnqueueReadBuffer");
  size_t wrong = countWrong(kernelName, size, covered, out);
  // Where one launch is all there is time for, the first one is measured.
  if (repeats == 0) cpu[0] = wall[0] = first, repeats = 1;
  printResult((double)global[0] * global[1], compile, first, cpu, wall, repeats, wrong);
  return wrong != 0;
}
