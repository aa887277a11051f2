// exit() and a time limit end a program through frames with handlers and destructors: none of those run.
// levels: nightly
// stdout: made
// exit: 7
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

struct Guard {
  Guard() { puts("made"); }
  ~Guard() { puts("destroyed"); }
};

static void end(int code) noexcept { exit(code); }

int main(int argc, char **) {
  try {
    Guard guard;
    if (argc > 0) end(7);
    throw std::runtime_error("not reached");
  } catch (...) {
    puts("caught");
  }
  return 0;
}
