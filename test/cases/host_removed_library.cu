// What C++17 took out of the library and GCC's library still has; random_shuffle takes GNU's numbers.
// levels: nightly
// stdout: 7 3 5
// stdout: 4 3 7 8 0 5 2 1 6 9
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

struct Twice : std::unary_function<int, int> {
  result_type operator()(argument_type x) const { return 2 * x; }
};
struct Less : std::binary_function<int, int, bool> {
  bool operator()(int a, int b) const { return a < b; }
};

int main() {
  std::auto_ptr<int> owned(new int(7));
  std::vector<int> v;
  for (int i = 0; i < 10; i++) v.push_back(i);
  printf("%d %d %d\n", *owned, (int)std::count_if(v.begin(), v.end(), std::bind2nd(Less(), 3)),
         (int)std::count_if(v.begin(), v.end(), std::not1(std::bind1st(Less(), 4))));
  srand(1);
  std::random_shuffle(v.begin(), v.end());
  for (int x : v) printf("%d%c", x, x == v.back() ? '\n' : ' ');
}
