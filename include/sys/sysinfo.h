/* What Linux says of the whole machine: one processor (host threads run one after another), and the memory that a host program
   here has. */
#ifndef WARPLENS_SYS_SYSINFO_H
#define WARPLENS_SYS_SYSINFO_H
#include_next <sys/sysinfo.h>
#include <string.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARPLENS_MACHINE __attribute__((weak, visibility("hidden")))
WARPLENS_MACHINE int get_nprocs(void) { return 1; }
WARPLENS_MACHINE int get_nprocs_conf(void) { return 1; }
WARPLENS_MACHINE long get_phys_pages(void) { return 2048L * 1024 * 1024 / 65536; }
WARPLENS_MACHINE long get_avphys_pages(void) { return 2048L * 1024 * 1024 / 65536 - (long)__builtin_wasm_memory_size(0); }
WARPLENS_MACHINE int sysinfo(struct sysinfo *machine) {
  struct timespec now;
  memset(machine, 0, sizeof *machine);
  clock_gettime(CLOCK_MONOTONIC, &now);
  machine->uptime = (unsigned long)now.tv_sec;
  machine->mem_unit = 1;
  machine->totalram = 2048UL * 1024 * 1024;
  machine->freeram = machine->totalram - (unsigned long)__builtin_wasm_memory_size(0) * 65536;
  machine->procs = 1;
  return 0;
}
#undef WARPLENS_MACHINE

#ifdef __cplusplus
}
#endif
#endif
