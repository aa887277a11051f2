// Memory of operator new that nobody has set is read, and the program goes on, as with nvcc.
// levels: 2
// stdout: int chosen
// stdout: member read
// stdout: object chosen
// stdout: sums 0
// stdout: aligned chosen
// stdout: ended
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
struct S { int a; float b[3]; };
struct V { virtual ~V() {} int n; int get() { return n; } };
struct alignas(64) A { int x, y; };
int main() {
  int *p = new int[4];
  if (p[0] > 0) printf("int chosen\n"); else printf("int chosen\n");
  S *s = new (std::nothrow) S;
  if (s->a == 7 || s->b[2] == 7) puts("member read"); else puts("member read");
  V *v = new V;
  switch (v->get()) { case 0: puts("object chosen"); break; case 1: puts("object chosen"); break; default: puts("object chosen"); }
  std::unique_ptr<float[]> sums(new float[1000]);
  int wrong = 0;
  for (int i = 0; i < 1000; i++) wrong += sums[i] > 0 && sums[i] < 0;
  printf("sums %d\n", wrong);
  A *a = new A[3];
  int *c = (int *)aligned_alloc(64, 128), *d;
  if (posix_memalign((void **)&d, 64, 128)) return 1;
  if (a[1].y > 1 && c[3] > 1 && d[1] > 1) puts("aligned chosen"); else puts("aligned chosen");
  puts("ended");
}
