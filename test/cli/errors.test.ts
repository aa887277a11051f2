/** Whatever a user can do wrong: a clear message on standard error, the right exit code, no stack trace. */
import { afterAll, describe, expect, it } from 'vitest'
import { type Outcome, workshop } from './harness.ts'

const check = `
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { \\
  printf("%s: %s\\n", cudaGetErrorName(e), cudaGetErrorString(e)); exit(1); } } while (0)
`

const shop = workshop({
  'syntax.cu': ['#include <cstdio>', 'int main() {', '  int x = ;', '}'].join('\n'),
  'missing-header.cu': ['#include "nowhere.h"', 'int main() {}'].join('\n'),
  'undefined.cu': ['int elsewhere(int);', 'int main() { return elsewhere(1); }'].join('\n'),
  'intrinsic.cu': `__global__ void k(int *p) {
  asm volatile("wmma.load.a.sync.aligned.m16n16k16.row.f16 {%0}, [%1];" : "=r"(*p) : "l"(p));
}
int main() { int *p; cudaMalloc(&p, 64); k<<<1, 32>>>(p); return cudaDeviceSynchronize() != cudaSuccess; }
`,
  'clusters.cu': `#include <cstdio>
__global__ void plain(int *o) { o[0] = 1; }
__global__ void __cluster_dims__(2) compiled(int *o) { o[0] = 1; }
int main() {
  int *o;
  cudaMalloc(&o, 4);
  cudaLaunchAttribute two = {};
  two.id = cudaLaunchAttributeClusterDimension;
  two.val.clusterDim = {2, 1, 1};
  cudaLaunchConfig_t config = {dim3(2), dim3(32), 0, 0, &two, 1};
  printf("%s\\n", cudaGetErrorName(cudaLaunchKernelEx(&config, plain, o)));
  compiled<<<2, 32>>>(o);
  return cudaDeviceSynchronize() != cudaSuccess;
}
`,
  'launches.cu': `${check}
__global__ void k(int *p) { p[threadIdx.x] = 1; }
static void show(const char *name) {
  cudaError_t e = cudaGetLastError();
  printf("%s %s\\n", name, cudaGetErrorName(e));
}
int main() {
  int *p;
  CHECK(cudaMalloc(&p, 4096 * 4));
  k<<<1, 0>>>(p); show("zero");
  k<<<0, 32>>>(p); show("empty");
  k<<<1, 2000>>>(p); show("wide");
  k<<<1, 32, 300 * 1024>>>(p); show("shared");
  k<<<1, 32>>>(p); show("fine");
  CHECK(cudaDeviceSynchronize());
}
`,
  'range.cu': `${check}
__global__ void overrun(float *data, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i * 1024] = count;
}
int main() {
  float *data;
  CHECK(cudaMalloc(&data, 1 << 20));
  overrun<<<64, 64>>>(data, 3);
  CHECK(cudaDeviceSynchronize());
}
`,
  'past.cu': `#include <cstdio>
__global__ void past(int *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n == 0 || i < n) out[i] = in[i] + 1;
}
int main(int argc, char **) {
  int *in, *out;
  cudaMalloc(&in, 1000 * sizeof(int)), cudaMalloc(&out, 1000 * sizeof(int));
  past<<<4, 256>>>(out, in, argc > 1 ? 1000 : 0);
  past<<<4, 256>>>(out, in, argc > 1 ? 1000 : 0);
  return cudaDeviceSynchronize();
}
`,
  'host-dereference.cu': `${check}
static int readIt(int *p) { return *p; }
int main() {
  int *p;
  CHECK(cudaMalloc(&p, 64));
  printf("before\\n");
  return readIt(p);
}
`,
  'undeclared.cu': `${check}
extern "C" void fill(float *a, size_t count) { for (size_t i = 0; i < count; i++) a[i] = i; }
extern "C" void begin();
int main() { begin(); printf("ended\\n"); }
`,
  'undeclared.c': `#include <stdio.h>
int begin() { float a[3]; srand(time(0)); fill(a, 3); printf("%g %g\\n", a[1], a[2]); return 7; }
`,
  'other-results.cu': `${check}
int flush(int);
void count(int *, const float &);
int main() { int n = 0; flush(3); count(&n, 2.5f); printf("%d\\n", n); }
`,
  'other-results.cpp': `#include <cstdio>
void flush(int n) { printf("flushed %d\\n", n); }
int count(int *n, const float &by) { *n += 2 * by; return 1; }
`,
  'endless.cu': `${check}
int main(int argc, char **) {
  if (argc > 1) return 0;
  printf("begun");
  volatile unsigned x = 1;
  while (x) x = x * 3 | 1;
}
`,
  'waiting.cu': `#include <atomic>
#include <thread>
int main(int argc, char **) {
  if (argc > 1) return 0;
  std::atomic<int> turn(0);
  std::thread first([&] { while (turn != 1); turn = 2; });
  std::thread second([&] { turn = 1; });
  first.join(); second.join();
}
`,
  'sleeping.cu': `#include <atomic>
#include <chrono>
#include <thread>
int main() {
  std::atomic<bool> isRunning(true);
  std::thread monitor([&] { while (isRunning) std::this_thread::sleep_for(std::chrono::milliseconds(10)); });
  isRunning = false;
  monitor.join();
}
`,
  'few.cu': `#include <cstdio>
int main(int argc, char **) { if (argc > 5) printf("cannot open '%s', %ld %d\\n", "x", 4L); puts("ended"); }
`,
  'streams.cu': `#include <cstdio>
#include <iomanip>
int main() { std::stringstream text; text << std::setw(3) << 7; printf("%s", text.str().c_str()); }
`,
  'asked.cu': `${check}
__global__ void fault(int *p) { *p = 1; }
int main(int argc, char **) {
  fault<<<1, 1>>>(nullptr);
  cudaDeviceSynchronize();
  if (argc > 1) printf("%s\\n", cudaGetErrorString(cudaGetLastError()));
}
`,
  'pastshared.cu': `#include <cstdio>
__global__ void past(int *out) { out[threadIdx.x] = 7; }
int main() {
  int *out;
  cudaMallocManaged(&out, sizeof(int));
  past<<<1, 2>>>(out);
  cudaDeviceSynchronize();
  printf("%d %d\\n", out[0], out[1]);
}
`,
  'asserts.cu': `#include <cassert>
${check}
__global__ void positive(int n) { assert(n > 0); }
int main() {
  positive<<<1, 1>>>(0);
  return cudaDeviceSynchronize() == cudaErrorAssert ? 0 : 1;
}
`,
  'late.cu': `${check}
__global__ void quick() {}
__global__ void endless(volatile int *p) { while (*p >= 0) *p = (*p + 1) & 0x7fffffff; }
__global__ void waiting(volatile int *p) { while (*p == 0) {} }
int main(int argc, char **argv) {
  int *p;
  quick<<<1, 1>>>();
  if (argc > 2) for (;;) cudaDeviceSynchronize();
  cudaMalloc(&p, 4), cudaMemset(p, 0, 4);
  if (argc > 1) waiting<<<1, 1>>>(p);
  else endless<<<1, 1>>>(p);
  printf("%s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
`,
  'fine.cu': `${check}
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main(int argc, char **argv) {
  int *p;
  CHECK(cudaMalloc(&p, 4096));
  k<<<1, 32>>>(p);
  CHECK(cudaDeviceSynchronize());
  printf("hello %d\\n", argc);
  return argc > 1 ? atoi(argv[1]) : 0;
}
`,
})
afterAll(() => shop.remove())

function expectNoTrace({ stderr, stdout }: Outcome): void {
  expect(stderr + stdout).not.toMatch(/\n\s+at .*:\d+:\d+/)
}

describe('what the user typed', () => {
  it.each([
    [['profile', 'absent.cu'], 'absent.cu: no such file'],
    [['run', '.'], 'is a folder'],
    [['profile', 'fine.cu', '--metrics', 'nonsense'], "unknown metric 'nonsense'"],
    [['profile', 'fine.cu', '--set', 'nonsense'], "unknown set 'nonsense'"],
    [['profile', 'fine.cu', '--device', 'H2000'], 'H200'],
    [['profile', 'fine.cu', '--launch-skip', 'two'], 'Not a whole number'],
    [['profile', 'fine.cu', '-k', 'regex:('], 'Not a regular expression'],
    [['profile', 'fine.cu', '-o', 'report.pdf'], '.json, .html, .csv, .md'],
    [['profile', 'fine.cu', '-o', 'nowhere/report.html'], '-o nowhere/report.html: no such folder: nowhere'],
    [['profile', 'fine.cu', '-o', 'fine.cu/report.html'], '-o fine.cu/report.html: no such folder: fine.cu'],
    [['profile', 'fine.cu', '--memory', 'lots'], 'Not a size'],
    [['profile', 'fine.cu', '--no-such-flag'], '--no-such-flag'],
    [['profile'], 'missing required argument'],
    [['profile', 'fine.cu', '--metrics', 'gld_eff'], "unknown metric 'gld_eff': did you mean gld_efficiency?"],
    [['profile', 'fine.cu', '--metrics', 'xyzzy'], "unknown metric 'xyzzy'\n"],
    [['profile', 'fine.cu', '--kernels', 'fine'], '--kernels is not an option here: kernels are chosen by -k'],
    [['profile', '--query-metrics'], 'warplens metrics'],
    [['run', 'fine.cu', '--tool=racecheck'], '--tool is not an option here: warplens check is the command that has it'],
    [['fine.cu'], 'fine.cu stands where the command belongs\n  note: warplens run fine.cu'],
    [['fly'], 'fly'],
  ])('%j', async (args, message) => {
    const outcome = await shop.run(...args)
    expect(outcome.exitCode).toBe(2)
    expect(outcome.stderr).toContain(message)
    expect(outcome.stdout).toBe('')
    expectNoTrace(outcome)
  })
})

describe('what does not compile', () => {
  it('a syntax error: clang’s words, once, with file, line and caret', async () => {
    const outcome = await shop.run('profile', 'syntax.cu')
    expect(outcome.exitCode).toBe(2)
    expect(outcome.stderr).toContain('syntax.cu:3:11: error: expected expression')
    expect(outcome.stderr.match(/expected expression/g)).toHaveLength(1)
    expect(outcome.stderr).toMatch(/int x = ;\n.*\^/)
    expectNoTrace(outcome)
  })

  it('a header that is not there', async () => {
    const outcome = await shop.run('run', 'missing-header.cu')
    expect(outcome.exitCode).toBe(2)
    expect(outcome.stderr).toContain("'nowhere.h' file not found")
  })

  it('a folder of headers that is not there: a warning, as makefiles name folders of other systems', async () => {
    const failed = await shop.run('run', 'missing-header.cu', '-I', 'nowhere')
    expect(failed.exitCode).toBe(2)
    expect(failed.stderr).toMatch(/^warning: -I nowhere: no such folder\n.*'nowhere.h' file not found/)
    const fine = await shop.run('run', 'fine.cu', '-I', 'nowhere')
    expect(fine.exitCode).toBe(0)
    expect(fine.stderr).toContain('warning: -I nowhere: no such folder')
    const file = await shop.run('run', 'missing-header.cu', '-I', 'fine.cu')
    expect(file.stderr).toMatch(/^warning: -I fine.cu: no such folder\n.*'nowhere.h' file not found/)
    expectNoTrace(file)
  })

  it("the folders of a CUDA toolkit and of the system's C library are not searched", async () => {
    for (const name of ['cuda_runtime_api.h', 'cuda_runtime.h', 'crt/host_config.h'])
      shop.write(`toolkit/include/${name}`, '#error of the toolkit\n')
    const outcome = await shop.run('run', 'fine.cu', '-I', 'toolkit/include', '-I', '/usr/include')
    expect(outcome.exitCode).toBe(0)
    expect(outcome.stderr).toMatch(/^warning: -I toolkit\/include: not searched/)
    expect(outcome.stderr).not.toContain('/usr/include')
  })

  it('a function that nobody defines', async () => {
    const outcome = await shop.run('run', 'undefined.cu')
    expect(outcome.exitCode).toBe(2)
    expect(outcome.stderr).toContain('elsewhere')
  })

  it('a kernel that uses what is not supported: by name, with the line', async () => {
    const outcome = await shop.run('run', 'intrinsic.cu')
    expect(outcome.exitCode).toBe(2)
    expect(outcome.stderr).toContain('wmma.load')
    expect(outcome.stderr).toContain('intrinsic.cu:2')
    expectNoTrace(outcome)
  })
})

describe('what fails while it runs', () => {
  it('clusters on a device that has none: an error where a real runtime gives one, else a message', async () => {
    const old = await shop.run('run', 'clusters.cu', '--device', 'A100')
    expect(old.exitCode).toBe(2)
    expect(old.stdout).toBe('cudaErrorNotSupported\n')
    expect(old.stderr).toContain('clusters need compute capability 9.0 or later')
    expect(old.stderr).toContain('kernel compiled has __cluster_dims__')
    expectNoTrace(old)
    const recent = await shop.run('run', 'clusters.cu')
    expect(recent).toMatchObject({ exitCode: 0, stdout: 'cudaSuccess\n' })
  })

  it('an illegal launch: the CUDA error that a real runtime gives, and what is wrong with it at which line', async () => {
    const outcome = await shop.run('run', 'launches.cu')
    expect(outcome.stdout.split('\n').slice(0, 5)).toEqual([
      'zero cudaErrorInvalidConfiguration',
      'empty cudaErrorInvalidConfiguration',
      'wide cudaErrorInvalidConfiguration',
      'shared cudaErrorInvalidValue',
      'fine cudaSuccess',
    ])
    expect(outcome.stderr.split('\n')).toEqual([
      'launches.cu:16:4: warning: kernel k is not launched (cudaErrorInvalidConfiguration): a block of 0 threads',
      'launches.cu:17:4: warning: kernel k is not launched (cudaErrorInvalidConfiguration): a grid of 0 blocks',
      'launches.cu:18:4: warning: kernel k is not launched (cudaErrorInvalidConfiguration): a block of 2000 threads, 1024 at most',
      'launches.cu:19:4: warning: kernel k is not launched (cudaErrorInvalidValue): 307200 bytes of dynamic shared memory, 232448 at most on NVIDIA H200',
      '',
    ])
    expect(outcome.exitCode).toBe(0)
  })

  it.each(['fast', 'reference'])(
    'a device access out of range (%s): a CUDA error, and where it was',
    async executor => {
      const outcome = await shop.run('profile', 'range.cu', '--executor', executor)
      expect(outcome.stdout).toContain('cudaErrorIllegalAddress')
      expect(outcome.stderr).toMatch(/range\.cu:10/)
      expect(outcome.stderr).toContain('overrun')
      expect(outcome.stderr).toMatch(/block \(\d+,0,0\), thread \(\d+,0,0\)/)
      expect(outcome.stderr).toMatch(/0x[0-9a-f]+/)
      expect(outcome.exitCode).toBe(3)
      expectNoTrace(outcome)
    },
  )

  it('stores past the end of an allocation that no GPU would report: a warning with their line, once', async () => {
    const outcome = await shop.run('run', 'past.cu')
    expect(outcome.exitCode).toBe(0)
    expect(outcome.stderr).toMatch(
      /^past\.cu:4:24: warning: kernel past stores past the end of the 4000-byte allocation at 0x\w+ \(cudaMalloc\): .*\n$/,
    )
    const checked = await shop.run('run', 'past.cu', '--', 'checked')
    expect(checked).toMatchObject({ exitCode: 0, stderr: '' })
  })

  it('so are those into memory that the host shares, which then reads what lies there, as beside a GPU', async () => {
    const outcome = await shop.run('run', 'pastshared.cu')
    expect(outcome).toMatchObject({ exitCode: 0, stdout: '7 7\n' })
    expect(outcome.stderr).toMatch(
      /^pastshared\.cu:2:34: warning: kernel past stores past the end of the 4-byte allocation/,
    )
  })

  it('a host access to device memory', async () => {
    const outcome = await shop.run('profile', 'host-dereference.cu')
    expect(outcome.stdout).toContain('before')
    expect(outcome.stderr).toMatch(/device pointer|device memory/)
    expect(outcome.stderr).toContain('cudaMemcpy')
    expect(outcome.exitCode).toBe(3)
    expectNoTrace(outcome)
  })

  it('a host program that computes without end is stopped, and what it had printed is shown', async () => {
    await shop.run('run', 'endless.cu', '--', 'compiled')
    const outcome = await shop.run('run', 'endless.cu', '--timeout', '1')
    expect(outcome.stdout).toBe('begun')
    expect(outcome.stderr).toContain('did not end within its time limit')
    expect(outcome.stderr).toContain('no kernel had been launched')
    expect(outcome.exitCode).toBe(3)
    expectNoTrace(outcome)
  })

  it.each(['run', 'profile'])('%s: a time limit counts compiling', async command => {
    const outcome = await shop.run(command, 'endless.cu', '--no-cache', '--timeout', '0.05')
    expect(outcome.stdout).toBe('')
    expect(outcome.stderr).toMatch(/^error: the program was not compiled within its time limit of 0.05 s/)
    expect(outcome.exitCode).toBe(3)
    expectNoTrace(outcome)
  })

  it('a host thread that waits for a later one is told that it does', async () => {
    await shop.run('run', 'waiting.cu', '--', 'compiled')
    const outcome = await shop.run('run', 'waiting.cu', '--timeout', '1')
    expect(outcome.stderr).toContain('it struck in a thread of the host program')
    expect(outcome.exitCode).toBe(3)
  })

  it('so is one that sleeps until the thread that made it goes on', async () => {
    const outcome = await shop.run('run', 'sleeping.cu')
    expect(outcome.stderr).toContain('a host thread went to sleep 10000 times')
    expect(outcome.exitCode).toBe(3)
  })

  it("a format with too few arguments is a warning, in the program's own words", async () => {
    const outcome = await shop.run('run', 'few.cu')
    expect(outcome).toMatchObject({ exitCode: 0, stdout: 'ended\n' })
    expect(outcome.stderr).toContain("more '%' conversions than data arguments")
    expect(outcome.stderr).toContain(`printf("cannot open '%s', %ld`)
  })

  it('time that runs out is 3 whatever the program returns, and says where it struck', async () => {
    const waiting = await shop.run('run', 'late.cu', '--', 'wait')
    expect(waiting).toMatchObject({ exitCode: 3, stdout: 'cudaErrorLaunchTimeout\n' })
    const inKernel = await shop.run('run', 'late.cu', '--timeout', '3')
    expect(inKernel).toMatchObject({ exitCode: 3, stdout: '' })
    // What the program does with the error would hide it.
    expect(inKernel.stderr).toMatch(/late\.cu:\d+: error: the time limit was reached\n {2}note: in kernel endless/)
    const inCall = await shop.run('run', 'late.cu', '--timeout', '3', '--', 'loop', 'calls')
    expect(inCall.exitCode).toBe(3)
    expect(inCall.stderr).toMatch(/late\.cu:\d+:\d+: error: the program did not end within its time limit/)
    expect(inCall.stderr).toContain('1 kernel launch had ended, the last of quick')
  })

  it('<iomanip> brings <sstream>, as with GCC, also where no header comes precompiled', async () => {
    const outcome = await shop.run('run', 'streams.cu', '-DOPTION=1')
    expect(outcome).toMatchObject({ exitCode: 0, stdout: '  7' })
  })

  it('C files that call what they did not declare, or ignore results', async () => {
    const outcome = await shop.run('run', 'undeclared.cu', 'undeclared.c')
    expect(outcome).toMatchObject({ exitCode: 0, stdout: '1 2\nended\n', stderr: '' })
  })

  it('C++ files that declare a function with another result than it has', async () => {
    const outcome = await shop.run('run', 'other-results.cu', 'other-results.cpp')
    expect(outcome).toMatchObject({ exitCode: 0, stdout: 'flushed 3\n5\n', stderr: '' })
  })

  it('a fault that the program asks about leaves it its exit code; one that it ignores does not', async () => {
    expect((await shop.run('run', 'asked.cu', '--', 'ask')).exitCode).toBe(0)
    expect((await shop.run('run', 'asked.cu')).exitCode).toBe(3)
  })

  it('a failed assertion that the program looks for is its own affair', async () => {
    for (const command of ['run', 'profile', 'check']) {
      const outcome = await shop.run(command, 'asserts.cu')
      expect(outcome.exitCode, command).toBe(0)
      expect(outcome.stderr, command).toContain('Assertion `n > 0` failed')
    }
  })

  it('a program that returns 5: 5 from run, 3 from profile', async () => {
    expect((await shop.run('run', 'fine.cu', '--', '5')).exitCode).toBe(5)
    const profiled = await shop.run('profile', 'fine.cu', '--', '5')
    expect(profiled.exitCode).toBe(3)
    expect(profiled.stderr).toContain('exit code 5')
  })
})
