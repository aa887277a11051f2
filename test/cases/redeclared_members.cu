// Members that are declared without words and defined with __device__: nvcc takes them for both sides' (warning 20039).
// levels: nightly
// stdout: 64 of the device, 3 of the host
#include <cstdio>

class Counter {
public:
  explicit Counter(int *place);
  void add();
  int twice(int value) const;

private:
  int *place_;
};
inline __device__ Counter::Counter(int *place) : place_(place) {}
__device__ void Counter::add() { atomicAdd(place_, 1); }
int __device__ Counter::twice(int value) const { return 2 * value; }

template <class T> struct Sum {
  T sum(T value);
  T start;
};
template <class T> __device__ T Sum<T>::sum(T value) { return start + value; }

__global__ void count(int *place) {
  Counter counter(place);
  for (int round = counter.twice(1); round > 0; round--) counter.add();
}

int main() {
  int *place;
  cudaMallocManaged(&place, sizeof *place);
  count<<<1, 32>>>(place);
  cudaDeviceSynchronize();
  printf("%d of the device, %d of the host\n", *place, Sum<int>{1}.sum(2));
  return 0;
}
