// std::align writes what is left of a room to the program's size_t, which keeps its 8 bytes.
// levels: nightly
// stdout: 16 1 8 left 48
// stdout: too large 1, still 48
#include <cstdint>
#include <cstdio>
#include <memory>
int main() {
  alignas(64) char room[65];
  void *place = room + 1;
  size_t left = 63;
  void *aligned = std::align(16, 32, place, left);
  printf("%d %d %d left %zu\n", (int)((char *)aligned - room), aligned == place, (int)sizeof(left), left);
  printf("too large %d, still %zu\n", std::align(64, 64, place, left) == nullptr, left);
}
