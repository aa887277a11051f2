// A kernel's name that has a function of the runtime in it, as the allocators of Thrust's universal vectors bring it: a lambda of an
// inline function, whose parameter is such a type.
// stdout: no error, 4
#include <cstdio>

template <cudaError_t (*release)(void *)> struct Owner {
  double *data;
  ~Owner() { release(data); }
};
template <class Function> __global__ void work(Function function, double *data) { data[threadIdx.x] = function(threadIdx.x); }

inline void increase(Owner<cudaFree> &owner) {
  double *data = owner.data;
  auto next = [=] __host__ __device__(int i) { return data[i] + i + 1; };
  work<<<1, 10>>>(next, data);
}

int main() {
  Owner<cudaFree> owner;
  cudaMallocManaged(&owner.data, 10 * sizeof(double));
  increase(owner);
  const char *status = cudaGetErrorString(cudaDeviceSynchronize());
  printf("%s, %g\n", status, owner.data[3]);
}
