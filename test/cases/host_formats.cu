// Formats on the host as the GNU C library reads them: conversions that there are none of, lengths without use, null pointers.
// levels: nightly
// stdout: Max diff = 0.500000% @ i = 7: 1.000000 != 2.000000
// stdout: 50%, 3 of x [12]
// stdout: %y 4 |%#+-8.3k|%7.8k|    9|%| 100%
// stdout: ended at 100 [-1]
// stdout: (nil)|     (nil)|(nil)     |   (nil)|0x1234
// stdout: stream 0 0x1234
// stdout: 5 2.500000 6 text ff 1.500000 x 9
// stdout: to a string: %w of 2, (nil) [27]
// stdout: cut: %w of  [17]
// stdout: ordinary 5000000000 0x10 12.5%
#include <cstdarg>
#include <cstdio>
#include <iostream>

static int forwarded(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int written = vprintf(format, arguments);
  va_end(arguments);
  return written;
}

int main() {
  void *null = nullptr, *some = (void *)0x1234;
  printf("Max diff = %f% @ i = %d: %f != %f\n", 0.5, 7, 1.0, 2.0);
  int written = forwarded("50%, %d of %s ", 3, "x");
  printf("[%d]\n", written);
  fprintf(stdout, "%y %d |%-+ #08.3k|%*.*k|%5d|%5%| 100%\n", 4, 7, 8, 9);
  written = forwarded("ended at 100%");
  printf(" [%d]\n", written);
  printf("%p|%10p|%-10p|%*p|%p\n", null, null, null, 8, null, some);
  std::cout << "stream " << null << " " << some << std::endl;
  printf("%Ld %hf %qd %hs %Lx %Lf %c %zu\n", 5LL, 2.5, 6LL, "text", 255LL, 1.5L, 'x', (size_t)9);
  char text[64];
  written = snprintf(text, sizeof text, "to a string: %w of %d, %p", 2, null);
  printf("%s [%d]\n", text, written);
  written = snprintf(text, 12, "cut: %w of %d here", 2);
  printf("%s [%d]\n", text, written);
  printf("ordinary %ld %p %.1f%%\n", 5000000000, (void *)16, 12.5);
  return 0;
}
