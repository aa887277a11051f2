// The driver API's arrays, copies of rectangles, texture and surface objects, with a kernel of NVRTC.
// levels: 2
// stdout: array 8 x 4 of 1 channels as 32, copied 0 0
// stdout: texture 1.5 13.5, linear 2, surface 42
// stdout: bytes as floats 0.5, as they are 128
// stdout: rectangle 5 6 0 13, set 7 7 9, attributes 2 0 1
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>

static const char *const source = R"(
extern "C" __global__ void read(cudaTextureObject_t t, float *out) {
  out[0] = tex2D<float>(t, 1.5f, 0.5f);
  out[1] = tex2D<float>(t, 5.5f, 1.5f);
}
extern "C" __global__ void whole(cudaTextureObject_t t, float *out) { *out = tex1Dfetch<unsigned char>(t, 1); }
extern "C" __global__ void parts(cudaTextureObject_t t, float *out) { *out = tex1Dfetch<float>(t, 1); }
extern "C" __global__ void write(cudaSurfaceObject_t s) { surf2Dwrite(42.0f, s, 4 * 3, 2); }
)";

int main() {
  cuInit(0);
  CUcontext context;
  cuCtxCreate(&context, 0, 0);
  nvrtcProgram program;
  nvrtcCreateProgram(&program, source, "arrays.cu", 0, nullptr, nullptr);
  nvrtcCompileProgram(program, 0, nullptr);
  size_t bytes;
  nvrtcGetPTXSize(program, &bytes);
  std::string ptx(bytes, ' ');
  nvrtcGetPTX(program, &ptx[0]);
  CUmodule module;
  cuModuleLoadData(&module, ptx.data());
  auto launch = [&](const char *name, void **arguments) {
    CUfunction function;
    cuModuleGetFunction(&function, module, name);
    cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
  };

  CUDA_ARRAY3D_DESCRIPTOR shape = {};
  shape.Width = 8, shape.Height = 4, shape.Format = CU_AD_FORMAT_FLOAT, shape.NumChannels = 1, shape.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  CUarray array;
  cuArray3DCreate(&array, &shape);
  CUDA_ARRAY_DESCRIPTOR told;
  cuArrayGetDescriptor(&told, array);
  float values[4][8], back[2][2];
  for (int i = 0; i < 32; i++) values[i / 8][i % 8] = i + 0.5f * (i % 8 == 1 || i % 8 == 5);
  CUDA_MEMCPY2D copy;
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = values, copy.srcPitch = sizeof values[0];
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array, copy.WidthInBytes = sizeof values[0], copy.Height = 4;
  int in = cuMemcpy2D(&copy);

  CUdeviceptr out;
  cuMemAlloc(&out, 64);
  CUDA_RESOURCE_DESC resource;
  CUDA_TEXTURE_DESC how;
  memset(&resource, 0, sizeof resource);
  memset(&how, 0, sizeof how);
  resource.resType = CU_RESOURCE_TYPE_ARRAY, resource.res.array.hArray = array;
  CUtexObject texture;
  CUsurfObject surface;
  cuTexObjectCreate(&texture, &resource, &how, nullptr);
  void *both[] = {&texture, &out};
  launch("read", both);
  float read[2], linear[1];
  cuMemcpyDtoH(read, out, sizeof read);
  cuSurfObjectCreate(&surface, &resource);
  void *only[] = {&surface};
  launch("write", only);
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_ARRAY, copy.srcArray = array, copy.srcXInBytes = 8, copy.srcY = 2;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = back, copy.dstPitch = sizeof back[0], copy.WidthInBytes = sizeof back[0], copy.Height = 2;
  int from = cuMemcpy2D(&copy);
  printf("array %d x %d of %u channels as %d, copied %d %d\n", (int)told.Width, (int)told.Height, told.NumChannels, told.Format, in, from);

  unsigned char levels[] = {0, 128};
  CUdeviceptr bytesOnDevice;
  cuMemAlloc(&bytesOnDevice, 512);
  cuMemcpyHtoD(bytesOnDevice, levels, 2);
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = bytesOnDevice, resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8;
  resource.res.linear.numChannels = 1, resource.res.linear.sizeInBytes = 2;
  CUtexObject asFloats, asTheyAre;
  cuTexObjectCreate(&asFloats, &resource, &how, nullptr);
  how.flags = CU_TRSF_READ_AS_INTEGER;
  cuTexObjectCreate(&asTheyAre, &resource, &how, nullptr);
  void *floats[] = {&asFloats, &out};
  launch("parts", floats);
  cuMemcpyDtoH(linear, out, sizeof linear);
  float part = linear[0];
  void *integers[] = {&asTheyAre, &out};
  launch("whole", integers);
  cuMemcpyDtoH(linear, out, sizeof linear);
  printf("texture %g %g, linear %d, surface %g\n", read[0], read[1], (int)sizeof levels, back[0][1]);
  printf("bytes as floats %.1f, as they are %g\n", part, linear[0]);

  int grid[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}, moved[2][4] = {};
  CUdeviceptr rows;
  size_t pitch;
  cuMemAllocPitch(&rows, &pitch, 16, 3, 4);
  cuMemsetD2D32(rows, pitch, 13, 4, 3);
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = grid, copy.srcPitch = 16, copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE, copy.dstDevice = rows, copy.dstPitch = pitch, copy.WidthInBytes = 8, copy.Height = 1;
  cuMemcpy2D(&copy);
  memset(&copy, 0, sizeof copy);
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE, copy.srcDevice = rows, copy.srcPitch = pitch;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = moved, copy.dstPitch = 16, copy.WidthInBytes = 8, copy.Height = 2;
  cuMemcpy2DUnaligned(&copy);
  unsigned char set[3];
  cuMemsetD8(bytesOnDevice, 9, 3);
  cuMemsetD2D8(bytesOnDevice, 256, 7, 2, 1);
  cuMemcpyDtoH(set, bytesOnDevice, 3);
  unsigned int type, managed;
  CUcontext owner;
  cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, rows);
  cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, rows);
  cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, rows);
  printf("rectangle %d %d %d %d, set %d %d %d, attributes %u %u %d\n", moved[0][0], moved[0][1], moved[0][2], moved[1][0], set[0], set[1], set[2],
         type, managed, owner == context);
}
