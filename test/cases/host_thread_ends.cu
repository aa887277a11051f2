// Threads that end by pthread_exit, are cancelled after their end, or are the program's first one.
// levels: nightly
// stdout: exit 7
// stdout: inner 2 outer 5
// stdout: cancelled 0
// stdout: last
// exit: 0
#include <cstdio>
#include <pthread.h>

static int seven = 7, two = 2, five = 5;

static void deep(int *value) { pthread_exit(value); }
static void *leaves(void *argument) {
  deep(static_cast<int *>(argument));
  puts("not reached");
  return nullptr;
}
static void *nested(void *) {
  pthread_t inner;
  void *result;
  pthread_create(&inner, nullptr, leaves, &two);
  pthread_join(inner, &result);
  printf("inner %d ", *static_cast<int *>(result));
  pthread_exit(&five);
}
__global__ void nothing() {}

int main() {
  pthread_t thread;
  void *result;
  nothing<<<1, 1>>>();
  pthread_create(&thread, nullptr, leaves, &seven);
  pthread_join(thread, &result);
  printf("exit %d\n", *static_cast<int *>(result));
  pthread_create(&thread, nullptr, nested, nullptr);
  pthread_join(thread, &result);
  printf("outer %d\n", *static_cast<int *>(result));
  pthread_create(&thread, nullptr, leaves, &seven);
  printf("cancelled %d\n", pthread_cancel(thread));
  puts("last");
  pthread_exit(nullptr);
  puts("not reached");
}
