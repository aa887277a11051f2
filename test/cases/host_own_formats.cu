// Functions that hand a format on: what they print of long, size_t and others is right, and long has 8 bytes all the same.
// stdout: 5000000000 10000000000 8589934592 3 end
// stdout: 10000000000|200000000|    4
// stdout: 5000000000 7
// stdout: 10000000000 8589934592 2.5
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
void say(const char *format, ...);
static int text(char *into, size_t bytes, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(into, bytes, format, list);
  va_end(list);
  return n;
}
struct Log {
  int level = 1;
  void operator()(const char *) {}
  void at(int l, const char *fmt, ...) const {
    if (l > level) return;
    va_list list;
    va_start(list, fmt);
    vprintf(fmt, list);
    va_end(list);
  }
  static void plain(const char *fmt, ...) {
    va_list list;
    va_start(list, fmt);
    vfprintf(stdout, fmt, list);
    va_end(list);
  }
};
int main() {
  long big = 5000000000L, more = big * 2;
  size_t size = 1ul << 33;
  char b[80];
  say("%ld %lu %zu %d %s\n", big, (unsigned long)more, size, 3, "end");
  text(b, sizeof b, "%ld|%08lx|%5zu", more, size, sizeof(int));
  say("%s\n", b);
  Log log;
  log.at(1, "%ld %d\n", big, 7);
  log.at(2, "%ld %d\n", big, 7);
  Log::plain("%ld %zu %.1f\n", more, size, 2.5);
}
void say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
}
