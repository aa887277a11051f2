// What POSIX and GNU add to the C library and WASI's leaves out: signals that a program sends itself, semaphores, sets of
// processors, files with names of their own, the machine and its user.
// levels: nightly
// stdout: signal 10
// stdout: information of signal 12, code 0
// stdout: the first handler was kept 1
// stdout: in the set 1 0
// stdout: sorted 1 5, compared 1
// stdout: valloc 0 of 4096
// stdout: file 1, another 1, missing letters -1
// stdout: semaphore 1 0 -1 2
// stdout: processor 0 of 1, set 0 -1
// stdout: memory 1, processors 1
// stdout: user 1000 user, terminal -1 1
// stdout: named 0, mask 255 3
// stdout: in int main()
// stderr: warned 7: No such file or directory
// stderr: only warned
// stderr: cases: logged 5
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <err.h>
#include <linux/limits.h>
#include <pwd.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/cdefs.h>
#include <sys/prctl.h>
#include <sys/sysinfo.h>
#include <syslog.h>
#include <termios.h>
#include <unistd.h>

static void handle(int number) { printf("signal %d\n", number); }
static void inform(int number, siginfo_t *information, void *) {
  printf("information of signal %d, code %d\n", information->si_signo == number ? number : -1, information->si_code);
}
static int compare(const void *a, const void *b, void *count) {
  ++*(int *)count;
  return *(const int *)a - *(const int *)b;
}

int main() {
  struct sigaction action, previous;
  memset(&action, 0, sizeof action);
  action.sa_handler = handle;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  raise(SIGUSR1);
  action.sa_sigaction = inform;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR2, &action, nullptr);
  kill(getpid(), SIGUSR2);
  sigaction(SIGUSR1, &action, &previous);
  printf("the first handler was kept %d\n", previous.sa_handler == handle);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  printf("in the set %d %d\n", sigismember(&set, SIGUSR1), sigismember(&set, SIGINT));

  int numbers[] = {5, 3, 4, 1, 2}, compared = 0;
  qsort_r(numbers, 5, sizeof(int), compare, &compared);
  printf("sorted %d %d, compared %d\n", numbers[0], numbers[4], compared > 0);
  printf("valloc %d of 4096\n", (int)((size_t)valloc(100) % 4096));
  char first[] = "warplensXXXXXX", second[] = "warplensXXXXXX", wrong[] = "warplens";
  int one = mkstemp(first), other = mkstemp(second);
  printf("file %d, another %d, missing letters %d\n", one >= 0, other >= 0 && strcmp(first, second) != 0, mkstemp(wrong));
  unlink(first);
  unlink(second);

  sem_t semaphore;
  int value = -1;
  sem_init(&semaphore, 0, 1);
  int waited = sem_wait(&semaphore), tried = sem_trywait(&semaphore);
  sem_post(&semaphore);
  sem_post(&semaphore);
  sem_getvalue(&semaphore, &value);
  printf("semaphore 1 %d %d %d\n", waited, tried, value);
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(0, &processors);
  int here = sched_setaffinity(0, sizeof processors, &processors), count = CPU_COUNT(&processors);
  CPU_CLR(0, &processors);
  CPU_SET(3, &processors);
  printf("processor %d of %d, set %d %d\n", sched_getcpu(), count, here,
         sched_setaffinity(0, sizeof processors, &processors));
  struct sysinfo machine;
  sysinfo(&machine);
  printf("memory %d, processors %d\n", machine.totalram >= machine.freeram && machine.mem_unit == 1, get_nprocs());
  struct termios settings;
  int terminal = tcgetattr(0, &settings);
  printf("user %d %s, terminal %d %d\n", (int)getuid(), getpwuid(getuid())->pw_name, terminal, errno == ENOTTY);
  printf("named %d, mask %d %d\n", prctl(PR_SET_NAME, "cases"), setlogmask(LOG_UPTO(LOG_ERR) >> 2), setlogmask(0xff));
  printf("in %s\n", __ASSERT_FUNCTION);
  openlog("cases", LOG_PERROR, LOG_USER);
  syslog(LOG_ERR, "logged %d", 5);
  closelog();
  syslog(LOG_ERR, "logged %d", 6);
  errno = ENOENT;
  warn("warned %d", 7);
  warnx("only warned");
  return PATH_MAX > 0 ? 0 : 1;
}
