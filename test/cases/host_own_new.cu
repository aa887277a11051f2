// A program's own operators new and delete, for all that the C++ library allocates too; and those of a class.
// levels: nightly
// stdout: 2 allocations
// stdout: 0 left
// stdout: managed 5
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>
static int count;
void *operator new(size_t n) { count++; return malloc(n); }
void operator delete(void *p) noexcept { count -= p != nullptr; free(p); }
void operator delete(void *p, size_t) noexcept { count -= p != nullptr; free(p); }
struct Managed {
  void *operator new(size_t n) { void *p; cudaMallocManaged(&p, n); return p; }
  void operator delete(void *p) { cudaFree(p); }
};
struct D : Managed { int a; };
__global__ void set(D *d) { d->a = 5; }
int main() {
  {
    std::vector<int> v(10);
    std::string s(100, 'x');
    for (int i = 0; i < 100; i++) s += s[i];
    printf("%d allocations\n", count);
  }
  printf("%d left\n", count);
  D *d = new D;
  set<<<1, 1>>>(d);
  cudaDeviceSynchronize();
  printf("managed %d\n", d->a);
  delete d;
}
