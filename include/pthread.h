/*
 * POSIX threads on a machine of one thread (warplens/host_threads.c). The toolchain's header has the types; its own pthread_create refuses.
 */
#ifndef WARPLENS_PTHREAD_H
#define WARPLENS_PTHREAD_H

#include_next <pthread.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef WARPLENS_JUMPS
#include <setjmp.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif
int pthread_create(pthread_t *__restrict thread, const pthread_attr_t *__restrict attributes, void *(*start)(void *),
                   void *__restrict argument);
int pthread_cancel(pthread_t thread);
int pthread_join(pthread_t thread, void **result);
int pthread_detach(pthread_t thread);
int pthread_cond_wait(pthread_cond_t *__restrict condition, pthread_mutex_t *__restrict mutex);
#ifdef WARPLENS_JUMPS
__attribute__((noreturn)) void pthread_exit(void *result);
#endif
#ifdef __cplusplus
}
#endif
#endif
