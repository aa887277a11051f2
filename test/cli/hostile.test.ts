/** No program makes the tool crash, go on past its time limit, or touch files outside of the working directory. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Outcome, workshop } from './harness.ts'

const kernels = `
#include <cstdio>
#include <cstdlib>
#include <cstring>
__device__ __noinline__ int deep(int n, volatile int *x) { volatile int room[64]; room[n & 63] = n; return n == *x ? n : 1 + deep(n + 1, x) + room[n & 63]; }
__global__ void endless(volatile int *x) { while (*x == 0) {} }
__global__ void spinning(volatile int *x) { for (unsigned i = 1; i; i += 2) *x += i; }
__global__ void recursive(int *x) { x[0] = deep(1, x); }
__global__ void apart(int *x) {
  if (threadIdx.x < 16) while (((volatile int *)x)[0] == 0) __syncwarp(0xffff);
  else __syncthreads();
  x[1] = 1;
}
__global__ void talkative(int *x) { for (;;) printf("again and again\\n"); }
__global__ void greedy(int **x) { for (int i = 0; i < 100000; i++) x[0] = (int *)malloc(1 << 20); }
__global__ void wild(int *x) { x[0x10000000] = 1; }
__global__ void below(int *x) { for (int i = threadIdx.x; i < 20 << 20; i += blockDim.x) ((int4 *)x)[-i] = make_int4(i, i, i, i); }
__global__ void null(int *x) { *(int *)4 = 1; }
__global__ void unaligned(int *x) { *(int *)((char *)x + 1) = 1; }
__global__ void large(int *x) { volatile char much[1 << 27]; much[*x] = 1; x[1] = much[*x + 1]; }
__global__ void again(int *x) { ++*x; again<<<1, 1, 0, cudaStreamTailLaunch>>>(x); }
__global__ void family(int *x) { family<<<1, 1>>>(x); family<<<1, 1>>>(x); }
int recurse(int n) { volatile char room[4096]; room[n & 4095] = 1; return n == -1 ? 0 : 1 + recurse(n + 1) + room[0]; }
int main(int argc, char **argv) {
  int *x;
  cudaMalloc(&x, 64);
  cudaMemset(x, 0, 64);
  auto is = [&](const char *name) { return !strcmp(argv[1], name); };
#define LAUNCH(name) if (is(#name)) name<<<1, 32>>>(x)
  LAUNCH(endless); LAUNCH(spinning); LAUNCH(recursive); LAUNCH(apart); LAUNCH(talkative); LAUNCH(wild); LAUNCH(null); LAUNCH(below);
  LAUNCH(unaligned); LAUNCH(large); LAUNCH(again); LAUNCH(family);
  if (is("greedy")) greedy<<<1, 1>>>((int **)x);
  if (is("launching")) for (;;) wild<<<1, 0>>>(x);
  if (is("computing")) for (volatile int i = 0;; i = i + 1) {}
  if (is("stack")) return recurse(1);
  if (is("heap")) for (;;) { volatile char *p = (volatile char *)malloc(1 << 28); p[0] = 1; }
  if (is("trap")) *(volatile int *)0x7fffff00 = 1;
  if (is("abort")) abort();
  if (is("loop at exit")) { atexit([] { for (volatile int i = 0;; i = i + 1) {} }); exit(0); }
  if (is("freed")) { cudaFree(x); cudaFree(x); cudaFree((void *)12345); cudaMemcpy(argv, x, 1 << 30, cudaMemcpyDeviceToHost); }
  cudaError_t e = cudaDeviceSynchronize();
  printf("%s\\n", cudaGetErrorName(e));
  return e != cudaSuccess;
}
`

const files = `
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int leaks = 0;
  const char *paths[] = {"../secret.txt", "/etc/passwd", "inside/../../secret.txt", "link.txt", "linked/secret.txt", argv[1],
                         "./.././secret.txt", "inside/./../../secret.txt", "//etc//passwd", "..", "../"};
  for (const char *path : paths) {
    leaks += fopen(path, "r") != nullptr;
    leaks += fopen(path, "w") != nullptr;
    leaks += open(path, O_RDWR | O_CREAT, 0666) >= 0;
    leaks += remove(path) == 0;
    leaks += rename(path, "stolen.txt") == 0;
    leaks += rename("own.txt", path) == 0;
  }
  leaks += mkdir("../made", 0777) == 0;
  leaks += symlink("../secret.txt", "new-link.txt") == 0 && fopen("new-link.txt", "r") != nullptr;
  leaks += rmdir("../outside") == 0;
  FILE *own = fopen("own.txt", "w");
  printf("%d leaks, own file %s\\n", leaks, own ? "open" : "refused");
}
`

const shop = workshop({ 'work/kernels.cu': kernels, 'work/files.cu': files, 'work/inside/a.txt': 'a' })
afterAll(() => shop.remove())
const slow = { timeout: 300_000 }

function expectOrderly({ exitCode, stderr }: Outcome): void {
  expect(stderr).not.toMatch(/internal error|This is a bug of Warplens|\n {4}at /)
  expect(exitCode).not.toBe(70)
}

describe('programs that never end are stopped, and say where', slow, () => {
  const limit = ['--timeout', '2']
  // Compiling counts.
  beforeAll(async () => void (await shop.run('run', 'work/kernels.cu', '--', 'abort')))
  it.each(['endless', 'spinning', 'talkative', 'again', 'family'])('kernel %s', async name => {
    const outcome = await shop.run('run', 'work/kernels.cu', ...limit, '--', name)
    expectOrderly(outcome)
    expect(outcome.exitCode).toBe(name === 'endless' || name === 'spinning' ? 3 : outcome.exitCode)
    expect(outcome.exitCode).not.toBe(0)
    expect(outcome.stderr).toMatch(/time limit|deadlock|wait|memory/)
  })
  it.each(['computing', 'launching', 'loop at exit'])('host: %s', async name => {
    const outcome = await shop.run('run', 'work/kernels.cu', ...limit, '--', name)
    expectOrderly(outcome)
    expect(outcome.exitCode).not.toBe(0)
    expect(outcome.stderr).toContain('time limit')
  })
})

describe('programs that break end with what they broke', slow, () => {
  it.each([
    ['recursive', /overflow/],
    ['apart', /barrier|wait|deadlock|time limit/],
    ['wild', /address/],
    ['null', /null/],
    ['below', /address|far below/],
    ['unaligned', /aligned/],
    ['large', /local|memory/],
    ['stack', /stack|memory/],
    ['heap', /memory/],
    ['abort', /./],
  ])('%s', async (name, reason) => {
    const outcome = await shop.run('run', 'work/kernels.cu', '--timeout', '20', '--', name)
    expectOrderly(outcome)
    expect(outcome.exitCode).not.toBe(0)
    if (name !== 'abort') expect(outcome.stderr).toMatch(reason)
  })
  it.each(['greedy', 'trap', 'freed'])('%s ends in order', async name => {
    expectOrderly(await shop.run('run', 'work/kernels.cu', '--timeout', '20', '--', name))
  })
})

it('no path leads out of the working directory', slow, async () => {
  const outside = shop.folder
  const inside = join(outside, 'work')
  writeFileSync(join(outside, 'secret.txt'), 'secret')
  mkdirSync(join(outside, 'outside'), { recursive: true })
  symlinkSync(join(outside, 'secret.txt'), join(inside, 'link.txt'))
  symlinkSync(outside, join(inside, 'linked'))
  writeFileSync(join(inside, 'own.txt'), 'own')
  const outcome = await shop.runIn('work', 'run', 'files.cu', '--', join(outside, 'secret.txt'))
  expectOrderly(outcome)
  expect(outcome.stdout).toBe('0 leaks, own file open\n')
  expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret')
  expect(existsSync(join(outside, 'made'))).toBe(false)
  expect(existsSync(join(outside, 'outside'))).toBe(true)
})

const reader = `
#include <cstdio>
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    char line[20] = "refused";
    if (FILE *file = fopen(argv[i], "r")) {
      fgets(line, sizeof line, file);
      fclose(file);
    }
    printf("%s %d\\n", line, fopen(argv[i], "r+") != nullptr);
  }
}
`

it('--allow-read opens what the user names for reading, and a refused file is named', slow, async () => {
  shop.write('work/reader.cu', reader)
  shop.write('work/here.txt', 'here')
  shop.write('data/graph.txt', 'graph')
  const data = join(shop.folder, 'data')
  const paths = ['../data/graph.txt', join(data, 'graph.txt'), join(shop.folder, 'work', 'here.txt'), '/dev/null']
  const refused = await shop.runIn('work', 'run', 'reader.cu', '--', ...paths)
  expect(refused.stdout).toBe('refused 0\nrefused 0\nhere 1\nrefused 1\n')
  expect(refused.stderr).toMatch(
    /graph\.txt lies outside the working directory and was not read: --allow-read \S+graph\.txt/,
  )
  expect(refused.stderr.match(/outside/g)).toHaveLength(1)
  const allowed = await shop.runIn('work', 'run', 'reader.cu', '--allow-read', '../data', '--', ...paths)
  expect(allowed.stdout).toBe('graph 0\ngraph 0\nhere 1\nrefused 1\n')
  const missing = await shop.runIn('work', 'run', 'reader.cu', '--allow-read', '../nowhere')
  expect(missing).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('../nowhere: no such file or folder') })
})

it('a file outside that is not there is missing, not refused, and is not made', slow, async () => {
  shop.write(
    'work/missing.cu',
    `
#include <cstdio>
#include <fcntl.h>
int main() {
  fopen("../nowhere.txt", "r");
  perror("read");
  printf("%d\\n", open("../made.txt", O_RDONLY | O_CREAT, 0666) >= 0);
}
`,
  )
  const outcome = await shop.runIn('work', 'run', 'missing.cu')
  expect(outcome.stderr).toContain('read: No such file or directory')
  expect(outcome.stderr).not.toContain('nowhere.txt')
  expect(outcome.stdout).toBe('0\n')
  expect(existsSync(join(shop.folder, 'made.txt'))).toBe(false)
})

it(
  'a file outside that the program wants to write is named, there or not, and reading it is no remedy',
  slow,
  async () => {
    shop.write('results/old.txt', 'old')
    shop.write(
      'work/writer.cu',
      `
#include <cstdio>
#include <fstream>
int main() {
  printf("%d", fopen("../results/old.txt", "w") != nullptr);
  printf("%d", fopen("../results/old.txt", "a") != nullptr);
  printf("%d\\n", std::ofstream("../results/new.txt").good());
}
`,
    )
    const outcome = await shop.runIn('work', 'run', 'writer.cu')
    expect(outcome.stdout).toBe('000\n')
    expect(outcome.stderr.trimEnd().split('\n')).toEqual(
      ['old', 'new'].map(name =>
        expect.stringMatching(
          new RegExp(
            `results/${name}\\.txt lies outside the working directory and was not opened: a program writes only`,
          ),
        ),
      ),
    )
  },
)
