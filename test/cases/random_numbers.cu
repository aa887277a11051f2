// Random numbers of the C++ library are those of the GNU one (here: of GCC 12), with which nvcc's programs make their data.
// levels: 2
// stdout: default: 1 2 6 105 586116963340 1907424533 -1.16505 5.38681 -0.6403 -0.107826 7.47089 -1.195 -0.223492 0.30838 -1.222 1 6 2 4 5 9 0 8 7 3 7 3 8 1 5 0 6 2 9 4 10
// stdout: minstd: 1 3 6 171 65137134502 2050915058 -0.650167 1.06497 1.317 1.76258 0.723835 0.33 1.30388 2.45312 1.716 1 6 5 2 8 3 7 9 0 4 8 1 0 4 10 3 6 5 7 9 2
// stdout: mt19937: 5 5 2 109 252075431005 1183939443 0.876601 5.56408 -0.05448 0.739319 0.85525 0.294 0.318777 0.140646 1.2 8 6 4 3 0 9 5 1 2 7 0 3 4 10 1 7 9 2 8 5 6
// stdout: mt19937_64: 2 4 6 188 211554341857 419060097 1.80384 3.6053 -1.761 0.343883 -0.711006 -0.09046 -1.78439 7.05356 -1.693 8 6 7 9 4 2 3 0 5 1 10 1 8 3 5 0 4 6 7 2 9
#include <algorithm>
#include <cstdio>
#include <random>

template <class Engine> void show(const char *name) {
  Engine engine(123);
  std::uniform_int_distribution<int> dice(1, 6);
  std::uniform_int_distribution<unsigned char> bytes;
  std::uniform_int_distribution<long long> wide(-5, 1ll << 40);
  std::uniform_int_distribution<> all(0, 2147483647);
  std::uniform_real_distribution<float> real(-2.f, 2.f);
  std::normal_distribution<double> normal(1, 3);
  std::normal_distribution<float> single;
  printf("%s:", name);
  for (int i = 0; i < 3; i++) printf(" %d", dice(engine));
  printf(" %d", bytes(engine));
  printf(" %lld", wide(engine));
  printf(" %d", all(engine));
  for (int i = 0; i < 3; i++) {
    printf(" %.6g", real(engine));
    printf(" %.6g", normal(engine));
    printf(" %.4g", single(engine));
  }
  int numbers[11];
  for (int count : {10, 11}) {
    for (int i = 0; i < count; i++) numbers[i] = i;
    std::shuffle(numbers, numbers + count, engine);
    for (int i = 0; i < count; i++) printf(" %d", numbers[i]);
  }
  printf("\n");
}

int main() {
  show<std::default_random_engine>("default");
  show<std::minstd_rand>("minstd");
  show<std::mt19937>("mt19937");
  show<std::mt19937_64>("mt19937_64");
}
