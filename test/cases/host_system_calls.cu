// System calls by number, counters of the host's processor (none) and the library's names of Technical Report 1, as in GraphBIG.
// levels: nightly
// stdout: same 1, counter -1 1, map 3 2
// stderr: syscall() is supported for getpid and gettid only; it returns -1
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <linux/perf_event.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <tr1/unordered_map>
#include <unistd.h>

int main() {
  perf_event_attr event;
  memset(&event, 0, sizeof event);
  event.type = PERF_TYPE_HARDWARE;
  event.size = sizeof event;
  event.config = PERF_COUNT_HW_INSTRUCTIONS;
  event.disabled = 1;
  int counter = syscall(__NR_perf_event_open, &event, 0, -1, -1, 0);
  int error = errno;
  std::tr1::unordered_map<std::string, int> map;
  map["three"] = 3;
  printf("same %d, counter %d %d, map %d %d\n", syscall(SYS_gettid) == getpid(), counter, error == ENOSYS, map["three"],
         (int)(map.count("three") + map.size()));
  return 0;
}
