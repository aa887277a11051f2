// Texture objects: linear memory, pitched memory, arrays of 1 to 3 dimensions, layers, cube maps; point and linear filters, every
// address mode, both read modes; texture references; surfaces. Texture traffic is not counted as global loads.
// levels: nightly
// stdout: linear PASS
// stdout: array2d PASS
// stdout: modes 3 0 0 3 1 0 -1 3
// stdout: filter 0.5 1.75 2.5
// stdout: normalized 1.000 0.502 -1.000 0.008
// stdout: volume PASS
// stdout: layers PASS
// stdout: pitched PASS
// stdout: cube 0 1 2 3 4 5
// stdout: reference PASS
// stdout: surface PASS
// stdout: invalid cudaErrorInvalidFilterSetting cudaErrorInvalidChannelDescriptor
// stdout: longer than its memory cudaSuccess
// count: fetchLinear global load executed = 0
#include <cstdio>
#include <vector>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { printf("line %d: %s\n", __LINE__, cudaGetErrorString(e)); return 1; } } while (0)

__global__ void fetchLinear(cudaTextureObject_t t, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(t, i);
}
__global__ void fetch2D(cudaTextureObject_t t, float4 *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = tex2D<float4>(t, x + 0.5f, y + 0.5f);
}
__global__ void sample1D(cudaTextureObject_t t, const float *at, float *out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = tex1D<float>(t, at[threadIdx.x]);
}
__global__ void fetch3D(cudaTextureObject_t t, int *out, int w, int h, int d) {
  for (int i = threadIdx.x; i < w * h * d; i += blockDim.x) out[i] = tex3D<int>(t, i % w, i / w % h, i / (w * h));
}
__global__ void fetchLayers(cudaTextureObject_t t, uchar2 *out, int w, int h, int layers) {
  for (int i = threadIdx.x; i < w * h * layers; i += blockDim.x)
    out[i] = tex2DLayered<uchar2>(t, i % w, i / w % h, i / (w * h));
}
__global__ void fetchCube(cudaTextureObject_t t, float *out) {
  float3 d[6] = {{1, .1f, .2f}, {-1, .1f, .2f}, {.1f, 1, .2f}, {.1f, -1, .2f}, {.1f, .2f, 1}, {.1f, .2f, -1}};
  if (threadIdx.x < 6) out[threadIdx.x] = texCubemap<float>(t, d[threadIdx.x].x, d[threadIdx.x].y, d[threadIdx.x].z);
}
texture<float, 2> reference;
texture<unsigned char, 1, cudaReadModeNormalizedFloat> bytesReference;
__global__ void fetchReference(float *out, int w, int h) {
  int i = threadIdx.x;
  if (i < w * h) out[i] = tex2D(reference, i % w, i / w) + tex1Dfetch(bytesReference, i);
}
surface<void, cudaSurfaceType2D> target2D;
__global__ void addOne(cudaSurfaceObject_t s, int w, int h) {
  int x = threadIdx.x, y = threadIdx.y;
  float v;
  surf2Dread(&v, s, x * 4, y);
  surf2Dwrite(v + 1, s, x * 4, y);
  if (x == 0) surf2Dwrite(100.0f, s, -4, y, cudaBoundaryModeZero);
  __syncthreads();
  if (x + 1 < w) v = surf2Dread<float>(target2D, (x + 1) * 4, y, cudaBoundaryModeClamp);
  surf2Dwrite(surf2Dread<float>(s, x * 4, y) + 10, target2D, x * 4, y);
}

static cudaTextureObject_t make(cudaArray_t array, cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                                cudaTextureReadMode read, bool normalized) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  for (auto &m : description.addressMode) m = mode;
  description.filterMode = filter;
  description.readMode = read;
  description.normalizedCoords = normalized;
  description.borderColor[0] = -1;
  cudaTextureObject_t t = 0;
  if (cudaCreateTextureObject(&t, &resource, &description, nullptr) != cudaSuccess) return 0;
  return t;
}
static std::vector<float> sample(cudaTextureObject_t t, std::vector<float> at) {
  float *in, *out;
  cudaMalloc(&in, 4 * at.size());
  cudaMalloc(&out, 4 * at.size());
  cudaMemcpy(in, at.data(), 4 * at.size(), cudaMemcpyHostToDevice);
  sample1D<<<1, 32>>>(t, in, out, at.size());
  cudaMemcpy(at.data(), out, 4 * at.size(), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return at;
}

int main() {
  const int n = 1000;
  std::vector<float> data(n), back(n);
  for (int i = 0; i < n; i++) data[i] = i * 0.5f;
  float *in, *out;
  CHECK(cudaMalloc(&in, n * 4));
  CHECK(cudaMalloc(&out, n * 4));
  CHECK(cudaMemcpy(in, data.data(), n * 4, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = in;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = n * 4;
  cudaTextureDesc description = {};
  cudaTextureObject_t linear;
  CHECK(cudaCreateTextureObject(&linear, &resource, &description, nullptr));
  fetchLinear<<<(n + 255) / 256, 256>>>(linear, out, n);
  CHECK(cudaMemcpy(back.data(), out, n * 4, cudaMemcpyDeviceToHost));
  printf("linear %s\n", back == data ? "PASS" : "FAIL");
  CHECK(cudaDestroyTextureObject(linear));

  const int w = 37, h = 19;
  std::vector<float4> image(w * h), imageBack(w * h);
  for (int i = 0; i < w * h; i++) image[i] = make_float4(i, -i, i * 0.25f, 1);
  cudaArray_t array2;
  cudaChannelFormatDesc float4Format = cudaCreateChannelDesc<float4>();
  CHECK(cudaMallocArray(&array2, &float4Format, w, h));
  CHECK(cudaMemcpy2DToArray(array2, 0, 0, image.data(), w * 16, w * 16, h, cudaMemcpyHostToDevice));
  cudaTextureObject_t t2 = make(array2, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
  float4 *out4;
  CHECK(cudaMalloc(&out4, w * h * 16));
  fetch2D<<<dim3(3, 2), dim3(16, 16)>>>(t2, out4, w, h);
  CHECK(cudaMemcpy(imageBack.data(), out4, w * h * 16, cudaMemcpyDeviceToHost));
  printf("array2d %s\n", memcmp(image.data(), imageBack.data(), w * h * 16) == 0 ? "PASS" : "FAIL");

  cudaArray_t array1;
  cudaChannelFormatDesc floatFormat = cudaCreateChannelDesc<float>();
  float four[4] = {0, 1, 2, 3};
  CHECK(cudaMallocArray(&array1, &floatFormat, 4));
  CHECK(cudaMemcpyToArray(array1, 0, 0, four, sizeof four, cudaMemcpyHostToDevice));
  auto point = [&](cudaTextureAddressMode mode, std::vector<float> at) {
    return sample(make(array1, mode, cudaFilterModePoint, cudaReadModeElementType, true), at);
  };
  auto wrap = point(cudaAddressModeWrap, {-0.1f, 1.1f}), clamp = point(cudaAddressModeClamp, {-0.1f, 1.1f}),
       mirror = point(cudaAddressModeMirror, {-0.3f, 1.99f}), border = point(cudaAddressModeBorder, {-0.1f, 0.99f});
  printf("modes %g %g %g %g %g %g %g %g\n", wrap[0], wrap[1], clamp[0], clamp[1], mirror[0], mirror[1], border[0], border[1]);
  auto smooth = sample(make(array1, cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType, false),
                       {1.0f, 2.25f, 3.0f});
  printf("filter %g %g %g\n", smooth[0], smooth[1], smooth[2]);

  unsigned char levels[2] = {255, 128};
  signed char signedLevels[2] = {-128, 1};
  cudaArray_t bytes, signedBytes;
  cudaChannelFormatDesc byteFormat = cudaCreateChannelDesc<unsigned char>(), signedFormat = cudaCreateChannelDesc<signed char>();
  CHECK(cudaMallocArray(&bytes, &byteFormat, 2));
  CHECK(cudaMallocArray(&signedBytes, &signedFormat, 2));
  CHECK(cudaMemcpyToArray(bytes, 0, 0, levels, 2, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToArray(signedBytes, 0, 0, signedLevels, 2, cudaMemcpyHostToDevice));
  auto plain = sample(make(bytes, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeNormalizedFloat, false), {0, 1});
  auto withSign = sample(make(signedBytes, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeNormalizedFloat, false), {0, 1});
  printf("normalized %.3f %.3f %.3f %.3f\n", plain[0], plain[1], withSign[0], withSign[1]);

  const int d = 3, vw = 5, vh = 4;
  std::vector<int> volume(vw * vh * d), volumeBack(vw * vh * d);
  for (size_t i = 0; i < volume.size(); i++) volume[i] = i * 7 - 3;
  cudaArray_t array3;
  cudaChannelFormatDesc intFormat = cudaCreateChannelDesc<int>();
  CHECK(cudaMalloc3DArray(&array3, &intFormat, make_cudaExtent(vw, vh, d)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(volume.data(), vw * 4, vw, vh);
  copy.dstArray = array3;
  copy.extent = make_cudaExtent(vw, vh, d);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));
  int *outInts;
  CHECK(cudaMalloc(&outInts, vw * vh * d * 4));
  fetch3D<<<1, 32>>>(make(array3, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false), outInts, vw, vh, d);
  CHECK(cudaMemcpy(volumeBack.data(), outInts, vw * vh * d * 4, cudaMemcpyDeviceToHost));
  printf("volume %s\n", volume == volumeBack ? "PASS" : "FAIL");

  std::vector<uchar2> stack(vw * vh * d), stackBack(vw * vh * d);
  for (size_t i = 0; i < stack.size(); i++) stack[i] = make_uchar2(i, 2 * i);
  cudaArray_t layered;
  cudaChannelFormatDesc pairFormat = cudaCreateChannelDesc<uchar2>();
  CHECK(cudaMalloc3DArray(&layered, &pairFormat, make_cudaExtent(vw, vh, d), cudaArrayLayered));
  copy.srcPtr = make_cudaPitchedPtr(stack.data(), vw * 2, vw, vh);
  copy.dstArray = layered;
  CHECK(cudaMemcpy3D(&copy));
  uchar2 *outPairs;
  CHECK(cudaMalloc(&outPairs, stack.size() * 2));
  fetchLayers<<<1, 64>>>(make(layered, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false), outPairs, vw, vh, d);
  CHECK(cudaMemcpy(stackBack.data(), outPairs, stack.size() * 2, cudaMemcpyDeviceToHost));
  printf("layers %s\n", memcmp(stack.data(), stackBack.data(), stack.size() * 2) == 0 ? "PASS" : "FAIL");

  float *pitched;
  size_t pitch;
  CHECK(cudaMallocPitch(&pitched, &pitch, w * 16, h));
  CHECK(cudaMemcpy2D(pitched, pitch, image.data(), w * 16, w * 16, h, cudaMemcpyHostToDevice));
  cudaResourceDesc pitchedResource = {};
  pitchedResource.resType = cudaResourceTypePitch2D;
  pitchedResource.res.pitch2D.devPtr = pitched;
  pitchedResource.res.pitch2D.desc = float4Format;
  pitchedResource.res.pitch2D.width = w;
  pitchedResource.res.pitch2D.height = h;
  pitchedResource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureObject_t tp;
  CHECK(cudaCreateTextureObject(&tp, &pitchedResource, &description, nullptr));
  CHECK(cudaMemset(out4, 0, w * h * 16));
  fetch2D<<<dim3(3, 2), dim3(16, 16)>>>(tp, out4, w, h);
  CHECK(cudaMemcpy(imageBack.data(), out4, w * h * 16, cudaMemcpyDeviceToHost));
  printf("pitched %s\n", memcmp(image.data(), imageBack.data(), w * h * 16) == 0 ? "PASS" : "FAIL");

  float faces[6 * 4];
  for (int i = 0; i < 24; i++) faces[i] = i / 4;
  cudaArray_t cube;
  CHECK(cudaMalloc3DArray(&cube, &floatFormat, make_cudaExtent(2, 2, 6), cudaArrayCubemap));
  cudaMemcpy3DParms cubeCopy = {};
  cubeCopy.srcPtr = make_cudaPitchedPtr(faces, 8, 2, 2);
  cubeCopy.dstArray = cube;
  cubeCopy.extent = make_cudaExtent(2, 2, 6);
  cubeCopy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&cubeCopy));
  fetchCube<<<1, 32>>>(make(cube, cudaAddressModeClamp, cudaFilterModeLinear, cudaReadModeElementType, true), out);
  CHECK(cudaMemcpy(back.data(), out, 24, cudaMemcpyDeviceToHost));
  printf("cube %g %g %g %g %g %g\n", back[0], back[1], back[2], back[3], back[4], back[5]);

  cudaArray_t small;
  CHECK(cudaMallocArray(&small, &floatFormat, 8, 4, cudaArraySurfaceLoadStore));
  CHECK(cudaMemcpyToArray(small, 0, 0, data.data(), 32 * 4, cudaMemcpyHostToDevice));
  std::vector<unsigned char> ramp(32);
  for (int i = 0; i < 32; i++) ramp[i] = i * 8;
  unsigned char *rampOnDevice;
  CHECK(cudaMalloc(&rampOnDevice, 32));
  CHECK(cudaMemcpy(rampOnDevice, ramp.data(), 32, cudaMemcpyHostToDevice));
  reference.addressMode[0] = cudaAddressModeClamp;
  CHECK(cudaBindTextureToArray(reference, small));
  CHECK(cudaBindTexture(nullptr, bytesReference, rampOnDevice, 32));
  fetchReference<<<1, 32>>>(out, 8, 4);
  CHECK(cudaMemcpy(back.data(), out, 128, cudaMemcpyDeviceToHost));
  bool good = true;
  for (int i = 0; i < 32; i++) good = good && fabsf(back[i] - (data[i] + ramp[i] / 255.0f)) < 1e-5f;
  printf("reference %s\n", good ? "PASS" : "FAIL");
  CHECK(cudaUnbindTexture(reference));

  cudaResourceDesc target = {};
  target.resType = cudaResourceTypeArray;
  target.res.array.array = small;
  cudaSurfaceObject_t s;
  CHECK(cudaCreateSurfaceObject(&s, &target));
  CHECK(cudaBindSurfaceToArray(target2D, small));
  addOne<<<1, dim3(8, 4)>>>(s, 8, 4);
  CHECK(cudaMemcpy2DFromArray(back.data(), 32, small, 0, 0, 32, 4, cudaMemcpyDeviceToHost));
  good = true;
  for (int i = 0; i < 32; i++) good = good && back[i] == data[i] + 11;
  printf("surface %s\n", good ? "PASS" : "FAIL");
  CHECK(cudaDestroySurfaceObject(s));

  cudaTextureDesc wrong = {};
  wrong.filterMode = cudaFilterModeLinear;
  target.res.array.array = array3;
  cudaTextureObject_t t;
  cudaError_t first = cudaCreateTextureObject(&t, &target, &wrong, nullptr);
  cudaChannelFormatDesc odd = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
  cudaArray_t none;
  cudaError_t second = cudaMallocArray(&none, &odd, 4);
  printf("invalid %s %s\n", cudaGetErrorName(first), cudaGetErrorName(second));
  // No driver asks whether the memory is as long as the texture is said to be.
  float *brief;
  CHECK(cudaMalloc(&brief, 1024));
  cudaResourceDesc beyond = {};
  beyond.resType = cudaResourceTypeLinear;
  beyond.res.linear.devPtr = brief;
  beyond.res.linear.desc = cudaCreateChannelDesc<float>();
  beyond.res.linear.sizeInBytes = 4096;
  cudaTextureDesc points = {};
  printf("longer than its memory %s\n", cudaGetErrorName(cudaCreateTextureObject(&t, &beyond, &points, nullptr)));
  for (cudaArray_t a : {array1, array2, array3, bytes, signedBytes, layered, cube, small}) CHECK(cudaFreeArray(a));
  return 0;
}
