// Arrays whose length is known only when the program runs, with values: GCC has them, clang has not (repairArrays.ts).
// stdout: 1 2 0 | 3 4.5 0
// stdout: 1 0 0 | 5 0 0 0 0 0 | 7 8 0 0 | 0
// stdout: a;} b yy | 3 4 0
// stdout: 1 2 3 0 0 0 0 0
// stdout: 9
#include <cstdio>
#include <string>

template <class T>
void show(const T *from, int count, const char *format, const char *behind) {
  for (int i = 0; i < count; i++) printf(format, from[i]), printf("%s", i + 1 < count ? " " : behind);
}

struct Pair {
  int first, second;
};

int main() {
  int n = 3;
  const int m = n + 1;
  float rows[2][n] = {{1, 2}, {3, 4.5}};
  show(rows[0], 3, "%g", " | "), show(rows[1], 3, "%g", "\n");
  const int fixed[n] = {1};
  int flat[2][n] = {5}; int bare[m]{7, 8}; int none[n] = {};
  show(fixed, 3, "%d", " | "), show(flat[0], 6, "%d", " | "), show(bare, 4, "%d", " | "), show(none, 1, "%d", "\n");
  const char *names[n] = {"a;}", // }
                          "b"};
  std::string texts[n] = {"x", "yy"};
  long long wide[n] = {n, n + 1};
  printf("%s %s %s | ", names[0], names[1], texts[1].c_str()), show(wide, 3, "%lld", "\n");
  unsigned char deep[2][2][n - 1] = {{{1, 2}, {3}}};
  show(deep[0][0], 8, "%d", "\n");
  Pair pairs[n] = {{4, 5}};
  printf("%d\n", pairs[0].first + pairs[0].second + pairs[2].second);
}
