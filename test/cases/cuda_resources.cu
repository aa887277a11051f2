// cuda::mr: resources, their properties, references to them; cuda::stream_ref.
// levels: nightly
// stdout: is 1 0, with 1 0, async 1 0
// stdout: allocated 64 of 256, live 1, then 0, device 3
// stdout: in a stream 7 14, live 0, same 1 0
#include <cstdio>
#include <cuda/memory_resource>

struct ordinal {
  using value_type = int;
};
struct Counting {
  int live = 0;
  size_t last = 0, alignment = 0;
  void *allocate(size_t bytes, size_t align) {
    void *p = nullptr;
    cudaMallocManaged(&p, bytes);
    live++, last = bytes, alignment = align;
    return p;
  }
  void deallocate(void *p, size_t, size_t) { live--, cudaFree(p); }
  void *allocate_async(size_t bytes, size_t align, cuda::stream_ref) { return allocate(bytes, align); }
  void deallocate_async(void *p, size_t bytes, size_t align, cuda::stream_ref stream) {
    stream.wait();
    deallocate(p, bytes, align);
  }
  bool operator==(const Counting &other) const { return this == &other; }
  bool operator!=(const Counting &other) const { return this != &other; }
  friend void get_property(const Counting &, cuda::mr::device_accessible) {}
  friend int get_property(const Counting &, ordinal) { return 3; }
};
struct Plain {
  void *allocate(size_t, size_t) { return nullptr; }
};

__global__ void twice(int *p) { p[threadIdx.x] *= 2; }
static int *use(cuda::mr::resource_ref<cuda::mr::device_accessible> memory) { return (int *)memory.allocate(64, 256); }

int main() {
  using cuda::mr::device_accessible;
  printf("is %d %d, with %d %d, async %d %d\n", cuda::mr::resource<Counting>, cuda::mr::resource<Plain>,
         cuda::mr::resource_with<Counting, device_accessible>, cuda::mr::resource_with<Counting, cuda::mr::host_accessible>,
         cuda::mr::async_resource<Counting>, cuda::mr::async_resource<Plain>);
  Counting counting, other;
  int *p = use(counting);
  printf("allocated %d of %d, live %d", (int)counting.last, (int)counting.alignment, counting.live);
  cuda::mr::resource_ref<device_accessible, ordinal> reference = counting;
  reference.deallocate(p, 64, 256);
  printf(", then %d, device %d\n", counting.live, get_property(reference, ordinal()));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cuda::mr::async_resource_ref<device_accessible> ordered = &counting, second = other;
  int *q = (int *)ordered.allocate_async(8, cuda::stream_ref(stream));
  q[0] = 3, q[1] = 7;
  twice<<<1, 2, 0, cuda::stream_ref(stream).get()>>>(q);
  cuda::stream_ref(stream).wait();
  printf("in a stream %d %d", q[0] + 1, q[1]);
  ordered.deallocate_async(q, 8, stream);
  printf(", live %d, same %d %d\n", counting.live, ordered == ordered, ordered == second);
}
