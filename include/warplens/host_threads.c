/*
 * POSIX threads on a machine of one thread: pthread_create runs the new thread to its end before it returns, one of the
 * orders that POSIX allows. A thread that must wait for something that a later one does cannot be run so and ends the
 * program by name. std::thread, std::async and std::mutex are built on them. Weak: a program may have its own; they come before the C
 * library's. Linked into every program (src/frontend/building/runtimeUnits.ts).
 */
#include <pthread.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef WARPLENS_JUMPS
#include <setjmp.h>
#endif

#define WARPLENS_THREADS __attribute__((weak))

struct __warplens_thread {
  void *result;
  int detached;
#ifdef WARPLENS_JUMPS
  /* Where pthread_exit goes, and the thread that made this one. */
  jmp_buf end;
  struct __warplens_thread *parent;
#endif
};
#ifdef WARPLENS_JUMPS
/* The innermost thread; null: the program's first one. */
static struct __warplens_thread *__warplens_running_thread;
#endif

/* How many threads lie inside each other, but for the first one: a time limit's message asks (src/runtime/host/host.ts). */
static int __warplens_threads_inside;
__attribute__((used, export_name("__warplens_threads"))) int __warplens_threads(void) {
  return __warplens_threads_inside;
}

WARPLENS_THREADS int pthread_create(pthread_t *__restrict thread, const pthread_attr_t *__restrict attributes,
                                    void *(*start)(void *), void *__restrict argument) {
  struct __warplens_thread *made = (struct __warplens_thread *)malloc(sizeof(struct __warplens_thread));
  (void)attributes;
  if (!made) return EAGAIN;
  made->result = 0;
  made->detached = 0;
  *thread = (pthread_t)made;
  __warplens_threads_inside++;
#ifdef WARPLENS_JUMPS
  made->parent = __warplens_running_thread;
  __warplens_running_thread = made;
  if (setjmp(made->end) == 0) made->result = start(argument);
  __warplens_running_thread = made->parent;
#else
  made->result = start(argument);
#endif
  __warplens_threads_inside--;
  return 0;
}

/* Compiled for this where a program names pthread_exit (src/frontend/building/plan.ts). */
#ifdef WARPLENS_JUMPS
WARPLENS_THREADS __attribute__((noreturn)) void pthread_exit(void *result) {
  struct __warplens_thread *thread = __warplens_running_thread;
  if (!thread) exit(0); /* All other threads have ended. */
  thread->result = result;
  longjmp(thread->end, 1);
}
#endif

/* Every thread but the caller's own has ended, which is no error. */
WARPLENS_THREADS int pthread_cancel(pthread_t thread) { return thread ? 0 : ESRCH; }

WARPLENS_THREADS int pthread_join(pthread_t thread, void **result) {
  struct __warplens_thread *made = (struct __warplens_thread *)thread;
  if (!made || made->detached) return EINVAL;
  if (result) *result = made->result;
  free(made);
  return 0;
}

WARPLENS_THREADS int pthread_detach(pthread_t thread) {
  struct __warplens_thread *made = (struct __warplens_thread *)thread;
  if (!made || made->detached) return EINVAL;
  made->detached = 1; /* Not freed: the program may still compare it. */
  return 0;
}

WARPLENS_THREADS int pthread_cond_wait(pthread_cond_t *__restrict condition, pthread_mutex_t *__restrict mutex) {
  (void)condition;
  (void)mutex;
  fputs("warplens: error: a host thread waits for a condition that no thread can signal any more: host threads run one "
        "after another here, each to its end when it is created; waiting for a later thread is not supported\n",
        stderr);
  abort();
}
