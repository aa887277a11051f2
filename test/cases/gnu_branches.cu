// Copies of GNU's sources leave themselves out where the GNU C library has them (getopt.c of Rodinia's kmeans), and are not C++.
// levels: nightly
// stdout: -n 5, library 2 at least
#include <cstdio>
#include <unistd.h>
#define GETOPT_INTERFACE_VERSION 2
#if !defined _LIBC && defined __GLIBC__ && __GLIBC__ >= 2
# include <gnu-versions.h>
# if _GNU_GETOPT_INTERFACE_VERSION == GETOPT_INTERFACE_VERSION
#  define ELIDE_CODE
# endif
#endif
#ifndef ELIDE_CODE
int getopt(argc, argv, optstring)
    int argc;
    char *const *argv;
    const char *optstring;
{
  return _getopt_internal(argc, argv, optstring, 0, 0, 0);
}
#endif
#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 1)) && __GNU_LIBRARY__ >= 6
const int library = __GLIBC__;
#endif
int main() {
  char name[] = "program", option[] = "-n", value[] = "5";
  char *arguments[] = {name, option, value, nullptr};
  while (int found = getopt(3, arguments, "n:") + 1) printf("-%c %s, library %d at least\n", found - 1, optarg, library);
}
