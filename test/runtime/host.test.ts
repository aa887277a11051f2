/** The host program as a process: arguments, streams, files, clock, and the ways it can end. */
import { afterAll, expect, test } from 'vitest'
import { memoryFiles } from '../../src/runtime/host/files.ts'
import { closeClang, recorder, runSource } from './programs.ts'

afterAll(closeClang)
const slow = { timeout: 180_000 }

const BASICS = `#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unistd.h>
static float big[40 << 20];
static long long now() { timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec; }
int main(int argc, char **argv) {
  if (!strcmp(argv[1], "io")) {
    int a, b; if (scanf("%d %d", &a, &b) != 2) return 1;
    printf("%s %s %s %d %s\\n", argv[0], argv[1], getenv("KEY"), a + b, getenv("NONE") ? "set" : "unset");
    fprintf(stderr, "to stderr\\n"); puts("after");
  } else if (!strcmp(argv[1], "sleep")) {
    long long before = now(); sleep(3600); long long slept = now() - before; printf("%d\\n", slept >= 3600 && slept < 3660);
  } else if (!strcmp(argv[1], "loop")) {
    int n; for (;;) cudaGetDeviceCount(&n);
  } else if (!strcmp(argv[1], "data")) {
    big[argc << 20] = 3; printf("%g\\n", big[2 << 20]);
  } else if (!strcmp(argv[1], "memory")) {
    size_t f, t; cudaMemGetInfo(&f, &t); void *p; printf("%u %d\\n", (unsigned)t, (int)cudaMalloc(&p, 2 << 20));
  }
  return argc;
}`

test('arguments, environment, standard input, exit code', slow, async () => {
  const input = [...'12 30\n'].map(letter => letter.charCodeAt(0))
  const stdin = (capacity: number) => Uint8Array.from(input.splice(0, capacity))
  const { result, output } = await runSource(BASICS, recorder(), { args: ['io'], env: { KEY: 'value' }, stdin })
  expect(output).toBe('./test io value 42 unset\nto stderr\nafter\n')
  expect(result).toMatchObject({ exitCode: 2, launches: [], timeline: [] })
  expect(result.failure).toBeUndefined()
})

test('sleeping takes no real time; the clock moves on', slow, async () => {
  const { stdout } = await runSource(BASICS, recorder(), { args: ['sleep'] })
  expect(stdout).toBe('1\n')
})

test('large static data', slow, async () => {
  const { stdout } = await runSource(BASICS, recorder(), { args: ['data'] })
  expect(stdout).toBe('3\n')
})

test('--memory limits the device', slow, async () => {
  const { stdout } = await runSource(BASICS, recorder(), { args: ['memory'], memoryBytes: 1 << 20 })
  expect(stdout).toBe('1048576 2\n')
})

test('a program that never ends is stopped at its next call', slow, async () => {
  const { result } = await runSource(BASICS, recorder(), { args: ['loop'], timeLimitMs: 50 })
  expect(result).toMatchObject({ exitCode: 3, failure: { code: 'timeout' } })
})

test('files: read, write, append, seek, list, remove; nothing outside the folder', slow, async () => {
  const content = new Map([['in.txt', new TextEncoder().encode('one\ntwo\n')]])
  const { output, result } = await runSource(
    `#include <fstream>
     #include <iostream>
     #include <string>
     #include <cstdio>
     #include <cerrno>
     #include <cstring>
     #include <sys/stat.h>
     #include <dirent.h>
     int main() {
       std::ifstream in("in.txt"); std::string line; while (std::getline(in, line)) std::cout << "[" << line << "]";
       FILE *f = fopen("sub.bin", "wb"); fwrite("abcdef", 1, 6, f); fclose(f);
       f = fopen("sub.bin", "ab"); fwrite("gh", 1, 2, f); fclose(f);
       f = fopen("sub.bin", "rb"); fseek(f, -3, SEEK_END); char b[4] = {}; fread(b, 1, 3, f); printf(" %s %ld", b, ftell(f)); fclose(f);
       struct stat s; stat("sub.bin", &s); printf(" %d", (int)s.st_size);
       mkdir("d", 0777); rename("sub.bin", "d/moved"); 
       DIR *dir = opendir("."); int n = 0; while (dirent *e = readdir(dir)) if (e->d_name[0] != '.') n++; closedir(dir);
       printf(" %d %d", n, fopen("sub.bin", "r") == nullptr);
       printf(" %s", fopen("../secret", "r") ? "?" : strerror(errno));
       printf(" %s\\n", fopen("/etc/passwd", "r") ? "?" : strerror(errno));
     }`,
    recorder(),
    { files: memoryFiles(content) },
  )
  expect(output).toMatch(/^\[one\]\[two\] fgh 8 8 2 1 Permission denied Permission denied\n$/)
  expect(result.exitCode).toBe(0)
  expect(new TextDecoder().decode(content.get('d/moved'))).toBe('abcdefgh')
})

const crashes = [
  {
    name: 'device pointer',
    isAtLine: true,
    code: 'host-bad-access',
    exitCode: 139,
    message: /accessed memory that is not host memory.*in main/,
    notes: /copy with cudaMemcpy first/,
  },
  { name: 'abort', isAtLine: true, code: 'host-abort', exitCode: 134, message: /aborted, in main/, notes: /^$/ },
  { name: 'assert', isAtLine: true, code: 'host-abort', exitCode: 134, message: /aborted/, notes: /^/ },
  {
    name: 'division',
    isAtLine: true,
    code: 'host-division-by-zero',
    exitCode: 136,
    message: /divided an integer by zero, in main/,
    notes: /^$/,
  },
  {
    name: 'missing file',
    isAtLine: true,
    code: 'host-bad-file',
    exitCode: 139,
    message: /used a FILE that is not open, in main/,
    notes: /fopen returns null/,
  },
  {
    name: 'damaged heap',
    isAtLine: true,
    code: 'host-bad-access',
    exitCode: 139,
    message: /accessed memory that is not host memory.*in main/,
    notes: /in the allocator: the program freed what it had not allocated/,
  },
  {
    name: 'no argument',
    isAtLine: true,
    code: 'host-null-text',
    exitCode: 139,
    message: /handed a null pointer to atoi \(segmentation fault\), in main/,
    notes: /argv\[argc\] is null/,
  },
  {
    name: 'null string',
    isAtLine: true,
    code: 'host-null-text',
    exitCode: 139,
    message: /handed a null pointer to strlen/,
    notes: /never set/,
  },
  {
    name: 'null array',
    isAtLine: true,
    code: 'host-null-write',
    exitCode: 139,
    message: /wrote through a null pointer \(segmentation fault\), somewhere in front of this call/,
    notes: /never allocated/,
  },
  {
    name: 'null at the end',
    isAtLine: false,
    code: 'host-null-write',
    exitCode: 139,
    message: /wrote through a null pointer \(segmentation fault\)$/,
    notes: /never allocated/,
  },
  {
    name: 'freed twice',
    isAtLine: true,
    code: 'host-bad-free',
    exitCode: 134,
    message: /freed what it had not allocated, or had freed before, in main/,
    notes: /^$/,
  },
  {
    name: 'freed inside',
    isAtLine: true,
    code: 'host-bad-free',
    exitCode: 134,
    message: /freed what it had not allocated/,
    notes: /^$/,
  },
  {
    name: 'freed variable',
    isAtLine: true,
    code: 'host-bad-free',
    exitCode: 134,
    message: /freed what it had not allocated/,
    notes: /^$/,
  },
  {
    name: 'large variable',
    isAtLine: false,
    code: 'host-stack-overflow',
    exitCode: 139,
    message: /overflowed its stack, in large/,
    notes: /a stack has 8 MB/,
  },
  {
    name: 'recursion',
    isAtLine: false,
    code: 'host-stack-overflow',
    exitCode: 139,
    message: /overflowed its stack/,
    notes: /node --stack-size=7800/,
  },
  {
    // Both ways load: LLVM makes one load of them, of no line.
    name: 'either way',
    isAtLine: true,
    code: 'host-bad-access',
    exitCode: 139,
    message: /accessed memory that is not host memory.*in main/,
    notes: /copy with cudaMemcpy first/,
  },
  {
    name: 'bad argument',
    isAtLine: false,
    code: 'host-bad-pointer',
    exitCode: 139,
    message: /a pointer to 0xfffffff0/,
    notes: /^$/,
  },
] as const

const CRASHING = `#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
volatile int sink;
int *volatile nowhere;
char *volatile nullText;
__attribute__((noinline)) int large(int n) { volatile char room[12 << 20]; room[n] = 1; return room[n / 2]; }
__attribute__((noinline)) int deep(int n) { volatile char block[64]; block[n % 64] = n; return deep(n + 1) + block[3] + sink; }
int main(int argc, char **argv) {
  auto is = [&](const char *name) { return strcmp(argv[1], name) == 0; };
  float *d; cudaMalloc(&d, 4); printf("partial line");
  if (is("device pointer")) return (int)d[0];
  if (is("abort")) abort();
  if (is("assert")) assert(argc == 7);
  if (is("division")) return 5 / (argc - 2);
  if (is("missing file")) return fgetc(fopen("missing", "r"));
  if (is("damaged heap")) free((void *)0x70000000);
  if (is("no argument")) return atoi(argv[2]);
  if (is("null string")) return strlen(nullText);
  if (is("null array")) { for (int i = 0; i < 100; i++) nowhere[i] = i; cudaFree(d); }
  if (is("null at the end")) *nowhere = 7;
  if (is("freed twice")) { void *room = malloc(100); void *other = malloc(100); free(room); free(other); free(room); }
  if (is("freed inside")) { char *room = (char *)malloc(100); free(room + 4); }
  if (is("freed variable")) free(&d);
  if (is("large variable")) return large(argc);
  if (is("recursion")) return deep(argc);
  if (is("either way")) { if (sink) {
    sink = (int)d[0]; puts("one"); } else {
    sink = (int)d[0] + 3; puts("other"); } }
  if (is("bad argument")) return cudaMalloc((void **)0xfffffff0u, 4);
}`

test.each(crashes)('$name', slow, async ({ name, code, exitCode, message, notes, isAtLine }) => {
  const { result, stdout, stderr } = await runSource(CRASHING, recorder(), { args: [name] })
  expect(result.failure).toMatchObject({ code, message: expect.stringMatching(message) })
  expect(result.failure?.notes?.join('\n') ?? '').toMatch(notes)
  expect(result.exitCode).toBe(exitCode)
  expect(stderr).toContain(result.failure!.message)
  expect(stdout).toBe('partial line')
  const line = CRASHING.split('\n').findIndex(text => text.includes(`is("${name}")`)) + 1
  if (isAtLine) expect(result.failure?.range).toMatchObject({ file: 'test.cu', line })
})

test.each([
  ['derived', 'Mine: it went wrong'],
  ['standard', 'std::out_of_range: vector'],
  ['string', 'std::string'],
  ['number', 'int'],
])('an exception that nobody catches ends the program with its type and text: %s', slow, async (kind, told) => {
  const { result, stdout } = await runSource(
    `#include <cstdio>
     #include <cstring>
     #include <stdexcept>
     #include <string>
     #include <vector>
     struct Mine : std::runtime_error { using std::runtime_error::runtime_error; };
     int main(int, char **argv) {
       try {
         if (!strcmp(argv[1], "derived")) throw Mine("it went wrong");
         if (!strcmp(argv[1], "standard")) return std::vector<int>(3).at(7);
         if (!strcmp(argv[1], "string")) throw std::string("text");
         throw 5;
       } catch (const std::bad_alloc &) { puts("caught"); }
     }`,
    recorder(),
    { args: [kind] },
  )
  expect(stdout).toBe('')
  expect(result).toMatchObject({
    exitCode: 134,
    failure: { code: 'uncaught-exception', message: expect.stringContaining(`type ${told}`) },
  })
})

test("what the C++ library throws in a program without exceptions is told in GCC's words", slow, async () => {
  const { result, stderr } = await runSource(
    '#include <vector>\nint main(int count, char **) { return std::vector<float>(count * 2000000000u)[1]; }',
    recorder(),
  )
  expect(stderr).toContain("terminate called after throwing an instance of 'std::length_error'\n  what():  vector\n")
  expect(result).toMatchObject({
    exitCode: 134,
    failure: {
      code: 'uncaught-exception',
      message: expect.stringContaining('type std::length_error'),
      notes: expect.arrayContaining([expect.stringContaining('more than 4096 MiB')]),
    },
  })
})
