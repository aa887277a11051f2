// Variables of threads with destructors, which run at the program's end, the last first.
// levels: nightly
// stdout: here 5
// stdout: gone 6
// stdout: gone 5
#include <cstdio>

struct Value {
  int v = 3;
  ~Value() { printf("gone %d\n", v); }
};
thread_local Value first;
static Value &second() {
  static thread_local Value value;
  return value;
}

int main() {
  first.v = 5;
  second().v = 6;
  printf("here %d\n", first.v);
}
