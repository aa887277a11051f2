/* The system's log, which there is none of: messages go to standard error where the program asks for that too (LOG_PERROR). */
#ifndef WARPLENS_SYSLOG_H
#define WARPLENS_SYSLOG_H

#include <stdarg.h>
#include <stdio.h>

#define LOG_EMERG 0
#define LOG_ALERT 1
#define LOG_CRIT 2
#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_NOTICE 5
#define LOG_INFO 6
#define LOG_DEBUG 7
#define LOG_KERN (0 << 3)
#define LOG_USER (1 << 3)
#define LOG_MAIL (2 << 3)
#define LOG_DAEMON (3 << 3)
#define LOG_AUTH (4 << 3)
#define LOG_SYSLOG (5 << 3)
#define LOG_LOCAL0 (16 << 3)
#define LOG_LOCAL1 (17 << 3)
#define LOG_LOCAL2 (18 << 3)
#define LOG_LOCAL3 (19 << 3)
#define LOG_LOCAL4 (20 << 3)
#define LOG_LOCAL5 (21 << 3)
#define LOG_LOCAL6 (22 << 3)
#define LOG_LOCAL7 (23 << 3)
#define LOG_PID 0x01
#define LOG_CONS 0x02
#define LOG_ODELAY 0x04
#define LOG_NDELAY 0x08
#define LOG_NOWAIT 0x10
#define LOG_PERROR 0x20
#define LOG_MASK(priority) (1 << (priority))
#define LOG_UPTO(priority) ((1 << ((priority) + 1)) - 1)

#ifdef __cplusplus
extern "C" {
#endif

#define WARPLENS_LOG __attribute__((weak, visibility("hidden")))
struct __warplens_log {
  const char *name;
  int options, mask;
};
WARPLENS_LOG struct __warplens_log *__warplens_the_log(void) {
  static struct __warplens_log log = {0, 0, 0xff};
  return &log;
}
WARPLENS_LOG void openlog(const char *name, int options, int facility) {
  (void)facility;
  __warplens_the_log()->name = name;
  __warplens_the_log()->options = options;
}
WARPLENS_LOG void closelog(void) { __warplens_the_log()->options = 0; }
/* The mask so far. */
WARPLENS_LOG int setlogmask(int mask) {
  int before = __warplens_the_log()->mask;
  if (mask) __warplens_the_log()->mask = mask;
  return before;
}
WARPLENS_LOG void vsyslog(int priority, const char *format, va_list list) {
  const struct __warplens_log *log = __warplens_the_log();
  if (!(log->options & LOG_PERROR) || !(log->mask & LOG_MASK(priority & 7))) return;
  if (log->name) fprintf(stderr, "%s: ", log->name);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
}
WARPLENS_LOG void syslog(int priority, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsyslog(priority, format, list);
  va_end(list);
}
#undef WARPLENS_LOG
#ifdef __cplusplus
}
#endif
#endif
