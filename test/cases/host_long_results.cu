// What the C library gives in a long has 8 bytes, as on Linux: its random numbers, quotients, places in files, nanoseconds, and what it
// writes through a size_t; a comparison with -1 that has nothing to do with what is found leaves size_t wide.
// levels: nightly
// stdout: 146479246080
// stdout: -349605961728
// stdout: 949179875000
// stdout: 1130126687000
// stdout: 1804289383000
// stdout: 428571428571 3, 2142857142 6
// stdout: 3000000000000 3000000000000
// stdout: 19000000000
// stdout: 4 one
// stdout: 12 longer line
// stdout: 12 2, 1.5 3
// stdout: 999999999000 1 1
// stdout: 1000000
// stdout: 8 8 1
// stdout: 4900000000 9800000000 -140000
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <ctime>
#include <cstring>
#include <cwchar>
#include <string>
#include <vector>
#include <unistd.h>

int main() {
  srand48(7);
  unsigned short state[3] = {1, 2, 3};
  printf("%ld\n", lrand48() << 8);
  printf("%ld\n", mrand48() << 8);
  printf("%ld\n", nrand48(state) * 1000);
  printf("%ld\n", labs(jrand48(state)) * 1000);
  printf("%ld\n", random() * 1000);
  ldiv_t parts = ldiv(3000000000000L, 7L), more = std::ldiv(15000000000L, 7L);
  printf("%ld %ld, %ld %ld\n", parts.quot, parts.rem, more.quot, more.rem);
  printf("%ld %ld\n", wcstol(L"3000000000000", nullptr, 10), lroundl(3e12L));

  FILE *file = fopen("lines.txt", "w+");
  fputs("one\nlonger line", file);
  fputs("\n23\n", file);
  printf("%ld\n", ftell(file) * 1000000000);
  rewind(file);
  char *line = nullptr;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, file)) != -1 && room > 0 && length > 3) printf("%d %s", (int)length, line);
  remove("lines.txt");
  size_t count, at = std::string("abc").find('x');
  int number = std::stoi("12abc", &count);
  size_t digits;
  float real = std::stof("1.5 m", &digits);
  printf("%d %zu, %g %zu\n", number, count, real, digits);

  timespec given{1, 999999999}, *now = new timespec;
  memset(now, 255, sizeof *now);
  clock_gettime(CLOCK_MONOTONIC, now);
  printf("%ld %d %d\n", given.tv_nsec * 1000, now->tv_nsec >= 0 && now->tv_nsec < 1000000000,
         sysconf(_SC_PAGESIZE) * 1000000000 > 4000000000000);
  printf("%d\n", (int)CLOCKS_PER_SEC);
  printf("%d %d %d\n", (int)sizeof(size_t), (int)sizeof(random()), at == std::string::npos);
  std::vector<char> bytes(70000);
  printf("%zu %.0f %d\n", bytes.size() * bytes.size(), 2.0 * (70000 * bytes.size()), (int)bytes.size() * -2);
}
