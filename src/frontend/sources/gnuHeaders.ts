/**
 * Parts of GCC's C++ library and of the GNU C library that a program includes by themselves, where an editor proposed them: each is
 * the public header that brings it in. Out: their files, by path below our headers. Those of the C library that is there keep theirs
 * (`bits/limits.h`, `bits/stdint.h`, ...).
 */
import type { FileTree } from '../clang/clang.ts'

/** Public headers, and names without `.h` of what is in `bits/` of them. */
const PARTS: Readonly<Record<string, string>> = {
  algorithm: 'algorithmfwd ranges_algo ranges_algobase stl_algo stl_algobase stl_heap',
  atomic: 'atomic_base atomic_wait',
  charconv: 'charconv',
  chrono: 'chrono',
  cmath: 'mathcalls math-vector mathdef specfun std_abs',
  deque: 'stl_deque',
  exception: 'exception exception_ptr nested_exception',
  filesystem: 'fs_dir fs_fwd fs_ops fs_path',
  forward_list: 'forward_list',
  functional: 'functional_hash invoke move_only_function predefined_ops refwrap std_function stl_function',
  ios: 'basic_ios ios_base',
  iterator:
    'iterator_concepts range_access stl_iterator stl_iterator_base_funcs stl_iterator_base_types stream_iterator streambuf_iterator',
  list: 'stl_list',
  locale: 'codecvt locale_classes locale_conv locale_facets locale_facets_nonio localefwd',
  map: 'stl_map stl_multimap',
  memory:
    'align alloc_traits allocated_ptr allocator new_allocator ptr_traits shared_ptr shared_ptr_atomic shared_ptr_base stl_construct stl_raw_storage_iter stl_tempbuf stl_uninitialized unique_ptr uses_allocator',
  mutex: 'std_mutex unique_lock',
  numeric: 'stl_numeric',
  queue: 'stl_queue',
  random: 'random uniform_int_dist',
  ranges: 'ranges_base ranges_util',
  regex: 'regex regex_automaton regex_compiler regex_constants regex_error regex_executor regex_scanner',
  set: 'stl_multiset stl_set stl_tree',
  stack: 'stl_stack',
  string: 'basic_string char_traits cow_string postypes quoted_string stringfwd',
  thread: 'std_thread this_thread_sleep',
  unordered_map: 'hashtable hashtable_policy unordered_map',
  unordered_set: 'unordered_set',
  utility: 'move stl_pair stl_relops utility',
  valarray: 'valarray_after valarray_array valarray_before',
  vector: 'stl_bvector stl_vector',
  'dlfcn.h': 'dlfcn',
  'endian.h': 'byteswap endian endianness',
  'errno.h': 'errno',
  'limits.h': 'local_lim posix1_lim posix2_lim stdio_lim xopen_lim',
  'locale.h': 'locale',
  'pthread.h': 'pthreadtypes pthreadtypes-arch thread-shared-types',
  'sched.h': 'cpu-set sched',
  'semaphore.h': 'semaphore',
  'signal.h': 'sigaction sigcontext signum signum-generic sigset types/sigset_t types/siginfo_t types/stack_t',
  'stdint.h': 'stdint-intn stdint-uintn wordsize',
  'stdio.h': 'stdio stdio2 types/FILE types/__FILE types/struct_FILE',
  'stdlib.h': 'stdlib stdlib-bsearch stdlib-float',
  'sys/time.h': 'time types/struct_timeval',
  'sys/types.h': 'types typesizes types/mbstate_t',
  'termios.h': 'termios',
  'time.h': 'timex types/clock_t types/clockid_t types/struct_timespec types/struct_tm types/time_t types/timer_t',
  'unistd.h': 'confname environments getopt_posix posix_opt unistd',
  'wchar.h': 'types/wint_t wchar',
}
/** What comes along: glibc's `bits/time.h` has the clocks' names too. */
const BESIDES: Readonly<Record<string, string>> = { 'sys/time.h': 'time.h' }

export const gnuHeaders: FileTree = Object.fromEntries(
  Object.entries(PARTS).flatMap(([header, parts]) => {
    const headers = [header, ...(BESIDES[header] === undefined ? [] : [BESIDES[header]])]
    const text = `#pragma once\n${headers.map(name => `#include <${name}>\n`).join('')}`
    return parts.split(' ').map(part => [`bits/${part}.h`, text] as const)
  }),
)
