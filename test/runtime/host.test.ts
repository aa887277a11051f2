/** The host program as a process: arguments, streams, files, clock, and the ways it can end. */
import { afterAll, expect, test } from 'vitest'
import { memoryFiles } from '../../src/runtime/files.ts'
import { closeClang, recorder, runSource } from './programs.ts'

afterAll(closeClang)
const slow = { timeout: 60_000 }

test('arguments, environment, standard input, exit code', slow, async () => {
  const input = [...'12 30\n'].map(letter => letter.charCodeAt(0))
  const { result, output } = await runSource(
    `#include <cstdio>
     #include <cstdlib>
     int main(int argc, char **argv) {
       int a, b; if (scanf("%d %d", &a, &b) != 2) return 1;
       printf("%s %s %s %d %s\\n", argv[0], argv[1], getenv("KEY"), a + b, getenv("NONE") ? "set" : "unset");
       fprintf(stderr, "to stderr\\n"); puts("after");
       return argc;
     }`,
    recorder(),
    { args: ['x'], env: { KEY: 'value' }, stdin: capacity => Uint8Array.from(input.splice(0, capacity)) },
  )
  expect(output).toBe('./test x value 42 unset\nto stderr\nafter\n')
  expect(result).toMatchObject({ exitCode: 2, launches: [], timeline: [] })
  expect(result.failure).toBeUndefined()
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
  expect(output).toMatch(/^\[one\]\[two\] fgh 8 8 2 1 (Capabilities insufficient|No such file or directory) \S.*\n$/)
  expect(result.exitCode).toBe(0)
  expect(new TextDecoder().decode(content.get('d/moved'))).toBe('abcdefgh')
})

test('sleeping takes no real time; the clocks move on', slow, async () => {
  const start = performance.now()
  const { stdout } = await runSource(
    `#include <chrono>
     #include <cstdio>
     #include <thread>
     #include <unistd.h>
     int main() {
       auto a = std::chrono::steady_clock::now(); sleep(3600);
       auto b = std::chrono::steady_clock::now();
       double s = std::chrono::duration<double>(b - a).count(); printf("%d\\n", s >= 3600 && s < 3660);
     }`,
    recorder(),
  )
  expect(stdout).toBe('1\n')
  expect(performance.now() - start).toBeLessThan(3_000_000)
})

const crashes = [
  {
    name: 'device pointer',
    code: 'host-bad-access',
    exitCode: 139,
    message: /accessed memory that is not host memory.*in main/,
    notes: /copy with cudaMemcpy first/,
  },
  { name: 'abort', code: 'host-abort', exitCode: 134, message: /aborted, in main/, notes: /^$/ },
  { name: 'assert', code: 'host-abort', exitCode: 134, message: /aborted/, notes: /^/ },
  {
    name: 'division',
    code: 'host-division-by-zero',
    exitCode: 136,
    message: /divided an integer by zero, in main/,
    notes: /^$/,
  },
  { name: 'recursion', code: 'host-stack-overflow', exitCode: 139, message: /overflowed its stack/, notes: /./ },
  { name: 'bad argument', code: 'host-bad-pointer', exitCode: 139, message: /a pointer to 0xfffffff0/, notes: /^$/ },
] as const

const CRASHING = `#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
volatile int sink;
__attribute__((noinline)) int deep(int n) { volatile char block[64]; block[n % 64] = n; return deep(n + 1) + block[3] + sink; }
int main(int argc, char **argv) {
  auto is = [&](const char *name) { return strcmp(argv[1], name) == 0; };
  float *d; cudaMalloc(&d, 4); printf("partial line");
  if (is("device pointer")) return (int)d[0];
  if (is("abort")) abort();
  if (is("assert")) assert(argc == 7);
  if (is("division")) return 5 / (argc - 2);
  if (is("recursion")) return deep(argc);
  if (is("bad argument")) return cudaMalloc((void **)0xfffffff0u, 4);
}`

test.each(crashes)('$name', slow, async ({ name, code, exitCode, message, notes }) => {
  const { result, stderr } = await runSource(CRASHING, recorder(), { args: [name] })
  expect(result.failure).toMatchObject({ code, message: expect.stringMatching(message) })
  expect(result.failure?.notes?.join('\n') ?? '').toMatch(notes)
  expect(result.exitCode).toBe(exitCode)
  expect(stderr).toContain(result.failure!.message)
})

test('a program that never ends is stopped at its next call', slow, async () => {
  const { result } = await runSource('int main() { int n; for (;;) cudaGetDeviceCount(&n); }', recorder(), {
    timeLimitMs: 50,
  })
  expect(result).toMatchObject({ exitCode: 3, failure: { code: 'timeout' } })
})

test('large static data', slow, async () => {
  const { stdout } = await runSource(
    '#include <cstdio>\nstatic float big[40 << 20]; int main(int argc, char **) { big[argc << 20] = 3; printf("%g\\n", big[1 << 20]); }',
    recorder(),
  )
  expect(stdout).toBe('3\n')
})
