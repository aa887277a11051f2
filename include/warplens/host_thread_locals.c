/* Destructors of thread_local variables. Host threads run one after another in one thread of the engine, so that such a variable is one for
   all of them, and goes when the program ends. Linked into programs that say thread_local (src/frontend/building/runtimeUnits.ts). */
int __cxa_atexit(void (*destructor)(void *), void *object, void *handle);
__attribute__((weak)) int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *handle) {
  return __cxa_atexit(destructor, object, handle);
}
