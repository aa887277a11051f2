// The same work in three ways: one stream with pageable memory; four streams with page-locked memory, so that a part is
// copied while another is computed; and one stream with the copies cut into many small ones. Prints milliseconds by events.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void work(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float x = data[i];
    for (int round = 0; round < 32; round++) x = x * 0.5f + 1.0f;
    data[i] = x;
  }
}

const int N = 1 << 20, PARTS = 4, PIECES = 256;

static float timed(void (*body)(float *, float *, cudaStream_t *), float *host, float *device, cudaStream_t *streams) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  body(host, device, streams);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float ms;
  cudaEventElapsedTime(&ms, begin, end);
  return ms;
}

static void oneStream(float *host, float *device, cudaStream_t *) {
  cudaMemcpy(device, host, N * 4, cudaMemcpyHostToDevice);
  work<<<N / 256, 256>>>(device, N);
  cudaMemcpy(host, device, N * 4, cudaMemcpyDeviceToHost);
}

static void fourStreams(float *host, float *device, cudaStream_t *streams) {
  int n = N / PARTS;
  for (int part = 0; part < PARTS; part++) {
    cudaMemcpyAsync(device + part * n, host + part * n, n * 4, cudaMemcpyHostToDevice, streams[part]);
    work<<<n / 256, 256, 0, streams[part]>>>(device + part * n, n);
    cudaMemcpyAsync(host + part * n, device + part * n, n * 4, cudaMemcpyDeviceToHost, streams[part]);
  }
}

static void smallCopies(float *host, float *device, cudaStream_t *) {
  int n = N / PIECES;
  for (int i = 0; i < PIECES; i++) cudaMemcpy(device + i * n, host + i * n, n * 4, cudaMemcpyHostToDevice);
  work<<<N / 256, 256>>>(device, N);
  for (int i = 0; i < PIECES; i++) cudaMemcpy(host + i * n, device + i * n, n * 4, cudaMemcpyDeviceToHost);
}

int main(int argc, char **argv) {
  float *device, *pageable = new float[N](), *pinned;
  cudaMalloc(&device, N * 4);
  cudaMallocHost(&pinned, N * 4);
  cudaStream_t streams[PARTS];
  for (cudaStream_t &stream : streams) cudaStreamCreate(&stream);
  if (argc < 2 || argv[1][0] == 'o') printf("one %.4f\n", timed(oneStream, pageable, device, streams));
  if (argc < 2 || argv[1][0] == 'f') printf("four %.4f\n", timed(fourStreams, pinned, device, streams));
  if (argc < 2 || argv[1][0] == 's') printf("small %.4f\n", timed(smallCopies, pageable, device, streams));
  return 0;
}
