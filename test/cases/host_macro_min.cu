// Macros min and max in front of the C++ library's headers (NPB-CUDA): the library's own functions of those names are as they were.
// levels: nightly
// stdout: 3 7 4
#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) > (y) ? (x) : (y))
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <random>

int main() {
  std::mt19937 engine;
  int v[]{4, 4};
  std::shuffle(v, v + 2, engine);
  std::uniform_int_distribution<int> one(v[0], v[1]);
  std::printf("%d %d %d\n", min(3, 7), max(3, 7), one(engine));
}
