// malloc's failure ends the program in plain words, with what it had printed: address 0 is ordinary memory in WebAssembly.
// levels: nightly
// stdout: before
// stderr: out of host memory: the host program asked for 1024 MiB more
// stderr: a host program has 4096 MiB at most
// exit: 3
#include <cstdio>
#include <cstdlib>

int main() {
  printf("before\n");
  for (int i = 0; i < 4; i++) {
    volatile char *block = static_cast<char *>(malloc(1u << 30));
    block[0] = 1;
  }
  printf("not reached\n");
  return 0;
}
