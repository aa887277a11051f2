// A format in a macro is one for all types that it is used with: such programs keep the libraries' 4-byte `size_t`.
// stdout: n = 5
// stdout: v.size() = 3
// levels: nightly
#include <cstdio>
#include <vector>
#define SHOW(x) printf("%s = %zu\n", #x, x)

int main() {
  std::vector<int> v(3);
  size_t n = 5;
  SHOW(n);
  SHOW(v.size());
}
