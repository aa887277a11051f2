// Execution policies of the C++ library: algorithms do what they do without. Stacks to print are empty.
// levels: nightly
// stdout: 2 7 15 56
// stdout: 4 3, policies 1 0
// stdout: frames 0
#include <cstdio>
#include <algorithm>
#include <numeric>
#include <execinfo.h>
#include <execution>
#include <vector>
int main() {
  std::vector<int> v{3, 1, 2}, w(3);
  std::sort(std::execution::par, v.begin(), v.end());
  std::for_each(std::execution::par_unseq, v.begin(), v.end(), [](int &x) { x *= 2; });
  std::transform(std::execution::unseq, v.begin(), v.end(), w.begin(), [](int x) { return x + 1; });
  printf("%d %d %d %d\n", v[0], w[2], std::reduce(std::execution::par, w.begin(), w.end()), std::transform_reduce(std::execution::par, v.begin(), v.end(), 0, std::plus<>(), [](int x) { return x * x; }));
  std::fill(std::execution::seq, v.begin(), v.end(), 4);
  std::exclusive_scan(std::execution::par, v.begin(), v.end(), w.begin(), 0);
  std::inclusive_scan(std::execution::par, v.begin(), v.end(), w.begin());
  std::copy(std::execution::par, v.begin(), v.end(), w.begin());
  printf("%d %d, policies %d %d\n", w[2], (int)std::count_if(std::execution::par, v.begin(), v.end(), [](int x) { return x == 4; }),
         std::is_execution_policy_v<std::execution::parallel_policy>, std::is_execution_policy<int>::value);
  void *frames[8];
  printf("frames %d\n", backtrace(frames, 8));
}
