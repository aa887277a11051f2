// A format in a macro is one for all types that it is used with, the libraries' `size_t` and the program's own; and what a macro makes
// text of is the program's words.
// stdout: n * sizeof(long) = 40
// stdout: v.size() = 3
// stdout: [n]       5 % 2.50 ffffffffffffffff
// stdout: (size_t)a + sizeof(long)
// levels: nightly
#include <cstdio>
#include <vector>
#define SHOW(x) printf("%s = %zu\n", #x, x)
#define MORE(a, b) \
  fprintf(stdout, "[" #a "] %*zu %% %.2f " \
    "%lx\n", 7, a, 2.5, b)
#define TEXT(x) #x

__global__ void say() { printf("%s\n", TEXT((size_t)a + sizeof(long))); }

int main() {
  std::vector<int> v(3);
  size_t n = 5;
  SHOW(n * sizeof(long));
  SHOW(v.size());
  MORE(n, -1L);
  say<<<1, 1>>>();
  cudaDeviceSynchronize();
}
