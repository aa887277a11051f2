/* Semaphores on a machine of one thread (pthread.h): one that is not free will not become so while the caller waits for it. */
#ifndef WARPLENS_SEMAPHORE_H
#define WARPLENS_SEMAPHORE_H
#include_next <semaphore.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARPLENS_SEMAPHORES __attribute__((weak, visibility("hidden")))
WARPLENS_SEMAPHORES int sem_init(sem_t *semaphore, int shared, unsigned int value) {
  (void)shared;
  semaphore->__val[0] = (int)value;
  return 0;
}
WARPLENS_SEMAPHORES int sem_destroy(sem_t *semaphore) { return (void)semaphore, 0; }
WARPLENS_SEMAPHORES int sem_post(sem_t *semaphore) {
  semaphore->__val[0] = semaphore->__val[0] + 1;
  return 0;
}
WARPLENS_SEMAPHORES int sem_getvalue(sem_t *__restrict semaphore, int *__restrict value) {
  *value = semaphore->__val[0];
  return 0;
}
WARPLENS_SEMAPHORES int sem_trywait(sem_t *semaphore) {
  if (semaphore->__val[0] == 0) return errno = EAGAIN, -1;
  semaphore->__val[0] = semaphore->__val[0] - 1;
  return 0;
}
WARPLENS_SEMAPHORES int sem_timedwait(sem_t *__restrict semaphore, const struct timespec *__restrict until) {
  (void)until;
  return sem_trywait(semaphore) == 0 ? 0 : (errno = ETIMEDOUT, -1);
}
WARPLENS_SEMAPHORES int sem_wait(sem_t *semaphore) {
  if (sem_trywait(semaphore) == 0) return 0;
  fputs("warplens: error: a host thread waits for a semaphore that no thread can post any more: host threads run one "
        "after another here, each to its end when it is created; waiting for a later thread is not supported\n",
        stderr);
  abort();
}
#undef WARPLENS_SEMAPHORES

#ifdef __cplusplus
}
#endif
#endif
