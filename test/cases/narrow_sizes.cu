// Programs that need `size_t` to be the C++ library's keep 4 bytes; `long` has 8 all the same.
// stdout: 5 3 8
// levels: nightly
#include <cstdio>
#include <vector>

template <class T> T larger(T a, T b) { return a > b ? a : b; }

int main() {
  std::vector<int> v(3);
  size_t n = 5;
  printf("%zu %zu %d\n", larger(n, v.size()), v.size(), (int)sizeof(long));
}
