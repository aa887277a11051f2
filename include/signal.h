/* The C library's <signal.h>, and sets of signals and sigaction as POSIX has them. No other process sends signals and no
   device raises any: raise() and kill() of the program itself are all that there is. A handler that asks for information is
   told the number and that a program sent it. Masks are kept and block nothing. */
#ifndef WARPLENS_SIGNAL_H
#define WARPLENS_SIGNAL_H
#include_next <signal.h>
#include <__typedef_sigset_t.h>
#include <errno.h>
#include <sys/types.h>
#define __NEED_pthread_t
#include <bits/alltypes.h>

#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000
#define SI_USER 0

#ifdef __cplusplus
extern "C" {
#endif

union sigval {
  int sival_int;
  void *sival_ptr;
};
typedef struct {
  int si_signo, si_errno, si_code;
  pid_t si_pid;
  uid_t si_uid;
  void *si_addr;
  int si_status;
  union sigval si_value;
} siginfo_t;
struct sigaction {
  union {
    void (*sa_handler)(int);
    void (*sa_sigaction)(int, siginfo_t *, void *);
  } __warplens_handler;
  sigset_t sa_mask;
  int sa_flags;
  void (*sa_restorer)(void);
};
#define sa_handler __warplens_handler.sa_handler
#define sa_sigaction __warplens_handler.sa_sigaction

#define WARPLENS_SIGNALS __attribute__((weak, visibility("hidden")))
WARPLENS_SIGNALS struct sigaction __warplens_actions[_NSIG];
WARPLENS_SIGNALS sigset_t __warplens_signal_mask;

WARPLENS_SIGNALS void __warplens_deliver(int number) {
  struct sigaction action = __warplens_actions[number];
  if (action.sa_flags & SA_RESETHAND) __warplens_actions[number].sa_handler = SIG_DFL;
  else signal(number, __warplens_deliver);
  if (action.sa_flags & SA_SIGINFO) {
    siginfo_t information = {0};
    information.si_signo = number;
    information.si_code = SI_USER;
    action.sa_sigaction(number, &information, 0);
  } else
    action.sa_handler(number);
}
WARPLENS_SIGNALS int sigaction(int number, const struct sigaction *__restrict action,
                               struct sigaction *__restrict previous) {
  struct sigaction before;
  void (*installed)(int);
  if (number < 1 || number >= _NSIG || number == SIGKILL || number == SIGSTOP) return errno = EINVAL, -1;
  before = __warplens_actions[number];
  installed = signal(number, SIG_DFL);
  /* signal() may have been called since. */
  if (installed != __warplens_deliver) before.sa_handler = installed, before.sa_flags = 0, before.sa_mask = 0;
  if (previous) *previous = before;
  if (!action) {
    signal(number, installed);
    return 0;
  }
  __warplens_actions[number] = *action;
  signal(number, action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN ? action->sa_handler
                                                                                : __warplens_deliver);
  return 0;
}

static inline __attribute__((unused)) int sigemptyset(sigset_t *set) { return *set = 0, 0; }
static inline __attribute__((unused)) int sigfillset(sigset_t *set) { return *set = ~0ULL, 0; }
static inline __attribute__((unused)) int sigaddset(sigset_t *set, int number) {
  return number < 1 || number > 64 ? (errno = EINVAL, -1) : (*set |= 1ULL << (number - 1), 0);
}
static inline __attribute__((unused)) int sigdelset(sigset_t *set, int number) {
  return number < 1 || number > 64 ? (errno = EINVAL, -1) : (*set &= ~(1ULL << (number - 1)), 0);
}
static inline __attribute__((unused)) int sigismember(const sigset_t *set, int number) {
  return number < 1 || number > 64 ? (errno = EINVAL, -1) : (int)(*set >> (number - 1) & 1);
}
static inline __attribute__((unused)) int sigprocmask(int how, const sigset_t *__restrict set,
                                                      sigset_t *__restrict previous) {
  sigset_t before = __warplens_signal_mask;
  if (set) __warplens_signal_mask = how == SIG_BLOCK ? before | *set : how == SIG_UNBLOCK ? before & ~*set : *set;
  if (previous) *previous = before;
  return 0;
}
static inline __attribute__((unused)) int pthread_sigmask(int how, const sigset_t *__restrict set,
                                                          sigset_t *__restrict previous) {
  return sigprocmask(how, set, previous);
}
/* Every thread but the caller's own has ended, which is no error. */
extern pthread_t pthread_self(void);
static inline __attribute__((unused)) int pthread_kill(pthread_t thread, int number) {
  if (number < 0 || number >= _NSIG) return EINVAL;
  return number != 0 && thread == pthread_self() && raise(number) != 0 ? errno : 0;
}
extern pid_t getpid(void);
static inline __attribute__((unused)) int kill(pid_t process, int number) {
  if (process != 0 && process != getpid()) return errno = ESRCH, -1;
  return number == 0 ? 0 : raise(number);
}

#undef WARPLENS_SIGNALS
#ifdef __cplusplus
}
#endif
#endif
