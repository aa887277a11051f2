// Arguments of kernels that own memory of the host: the caller destroys its copies, the kernel none.
// levels: nightly
// stdout: made 1, counts 1 1
// stdout: 5 12 19, left 1
// stdout: gone
#include <cstdio>
#include <memory>

struct Told {
  ~Told() { printf("gone\n"); }
};

struct Buffer {
  std::shared_ptr<Told> owner;
  int *values;
  int count;
};

template <class T> struct Moved {
  std::unique_ptr<T> owner;
  int *values;
};

__global__ void fill(Buffer buffer, int value) {
  if (threadIdx.x < buffer.count) buffer.values[threadIdx.x] = value + threadIdx.x;
}
__global__ void add(Moved<int> moved, std::shared_ptr<Told> other) { moved.values[8] = moved.values[7] + 7; }

int main() {
  int *values;
  cudaMallocManaged(&values, 9 * sizeof *values);
  auto told = std::make_shared<Told>();
  Buffer buffer{told, values, 8};
  told.reset();
  printf("made %ld, ", buffer.owner.use_count());
  fill<<<1, 32>>>(buffer, 5);
  int behind = (int)buffer.owner.use_count();
  add<<<1, 1>>>(Moved<int>{std::make_unique<int>(3), values}, buffer.owner);
  cudaDeviceSynchronize();
  printf("counts %d %d\n", behind, (int)buffer.owner.use_count());
  printf("%d %d %d, left %d\n", values[0], values[7], values[8], (int)buffer.owner.use_count());
}
