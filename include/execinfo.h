/* Stacks to print, as glibc has them: WebAssembly shows a program none, so that they are empty. */
#ifndef WARPLENS_EXECINFO_H
#define WARPLENS_EXECINFO_H
#include <stdlib.h>
static inline __attribute__((unused)) int backtrace(void **frames, int room) { return (void)frames, (void)room, 0; }
static inline __attribute__((unused)) char **backtrace_symbols(void *const *frames, int count) {
  return (void)frames, (void)count, (char **)malloc(sizeof(char *));
}
static inline __attribute__((unused)) void backtrace_symbols_fd(void *const *frames, int count, int file) {
  (void)frames, (void)count, (void)file;
}
#endif
