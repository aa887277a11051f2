// Names that glibc's headers bring without being asked for, and those of x86's that need no x86.
// levels: nightly
// stdout: 4 2 1
// stdout: system 0 -1
// stdout: processors 1, pages 65536
// stdout: popen gives no stream, on Linux
// stdout: memalign 0 of 64
// stdout: time stamps go on 1, aligned 0 of 32
// stdout: constants 3.14159274 1.41421354 3141
// stdout: streams are variables 1, signals go to no thread that has ended 0 1
// stderr: system() is not supported
// stderr: popen() is not supported
#include <bits/getopt_core.h>
#include <cmath>
#include <cstdio>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include <x86intrin.h>

// As cuda_memtest has them: glibc's are no constants.
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;

__global__ void widths(ulong *to, uint bytes) { *to = bytes; }

int main() {
  ulong *value = nullptr;
  cudaMallocManaged(&value, sizeof *value);
  widths<<<1, 1>>>(value, sizeof(uint));
  cudaDeviceSynchronize();
  printf("%d %d %d\n", (int)*value, (int)sizeof(ushort), (int)sizeof(u_char));
  printf("system %d %d\n", system(nullptr), system("ls"));
  printf("processors %ld, pages %ld\n", sysconf(_SC_NPROCESSORS_ONLN), sysconf(_SC_PAGESIZE));
#if defined(__linux__) && defined(__unix__)
  printf("popen gives %s stream, on Linux\n", popen("ls", "r") ? "a" : "no");
#endif
  printf("memalign %d of 64\n", (int)((size_t)memalign(64, 100) % 64));
  unsigned long long start = __rdtsc();
  void *aligned = _mm_malloc(100, 32);
  _mm_pause();
  printf("time stamps go on %d, aligned %d of 32\n", __rdtsc() >= start, (int)((size_t)aligned % 32));
  _mm_free(aligned);
  printf("constants %.9g %.9g %d\n", M_PIf, M_SQRT2f, (int)(1000 * M_PIl));
  FILE **streams[] = {&stdin, &stdout, &stderr};
  pthread_t thread;
  pthread_create(&thread, nullptr, [](void *) -> void * { return nullptr; }, nullptr);
  printf("streams are variables %d, ", *streams[1] == stdout && streams[0] != streams[2]);
  printf("signals go to no thread that has ended %d %d\n", pthread_kill(thread, SIGTERM), pthread_kill(thread, 1000) == EINVAL);
  pthread_join(thread, nullptr);
  return 0;
}
