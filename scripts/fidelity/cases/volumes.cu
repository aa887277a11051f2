// Volumes copied, changed in place and exchanged, by blocks of several shapes.
#include <cstdio>
#define AT size_t i = ((size_t)(blockIdx.z * blockDim.z + threadIdx.z) * gridDim.y * blockDim.y + blockIdx.y * blockDim.y + threadIdx.y) * (gridDim.x * blockDim.x) + blockIdx.x * blockDim.x + threadIdx.x;
template <class T> __global__ void copy(T *a, T *b) { AT b[i] = a[i]; }
template <class T> __global__ void scale(T *a, T *b) { AT a[i] *= 2; }
template <class T> __global__ void addTo(T *a, T *b) { AT a[i] += b[i]; }
template <class T> __global__ void exchange(T *a, T *b) { AT T t = a[i]; a[i] = b[i]; b[i] = t; }
template <class T> __global__ void both(T *a, T *b) { AT T t = a[i] + b[i]; a[i] = t; b[i] = t * 2; }
template <class T> void all(int n) {
  T *a, *b;
  size_t bytes = (size_t)n * n * n * sizeof(T);
  cudaMalloc(&a, bytes); cudaMalloc(&b, bytes);
  cudaMemset(a, 0, bytes); cudaMemset(b, 0, bytes);
  const dim3 shapes[] = {{256, 1, 1}, {32, 8, 1}, {16, 4, 4}, {16, 16, 1}, {8, 8, 4}};
  for (dim3 s : shapes) {
    dim3 grid(n / s.x, n / s.y, n / s.z);
    copy<T><<<grid, s>>>(a, b); scale<T><<<grid, s>>>(a, b); addTo<T><<<grid, s>>>(a, b); exchange<T><<<grid, s>>>(a, b); both<T><<<grid, s>>>(a, b);
  }
  cudaFree(a); cudaFree(b);
}
int main() { all<double>(256); all<float>(256); all<double>(512); printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize())); }
