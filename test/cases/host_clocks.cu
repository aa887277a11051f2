// Clocks are numbers, as on Linux (Galois): kept in an int, printed, told apart by a switch; and what is no clock is an error.
// levels: nightly
// stdout: 0 1, later, slept, no clock
#include <cerrno>
#include <cstdio>
#include <ctime>
static const int which = CLOCK_MONOTONIC;
static double now(int clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}
int main() {
  clockid_t clock = CLOCK_REALTIME;
  switch (clock) {
    case CLOCK_REALTIME: std::printf("%d %d", clock, which); break;
    case CLOCK_MONOTONIC: return 1;
  }
  double real = now(CLOCK_REALTIME), before = now(which);
  timespec wait = {0, 2000000}, none;
  int slept = clock_nanosleep(CLOCK_MONOTONIC, 0, &wait, nullptr);
  bool isLater = real > 1.6e9 && now(which) - before >= 0.002 && now(CLOCK_PROCESS_CPUTIME_ID) > 0;
  int error = clock_gettime(77, &none);
  std::printf(", %s, %s, %s\n", isLater ? "later" : "?", slept ? "?" : "slept", error == -1 && errno == EINVAL ? "no clock" : "?");
}
