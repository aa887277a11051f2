/**
 * Random loops over arrays by one thread, as a CUDA program that runs each as a kernel and as a function of the host, compares what they
 * leave and prints which differ: passes that keep, move and join loads and stores must not change it.
 */
import { Random } from './random.ts'

const FUNCTIONS = 8
const LENGTHS = [3, 5, 9, 16]
/** Words of each of the three arrays, and of what lies in front of and behind them. */
const WORDS = 1024

/** @returns the program; its exit code is how many runs differ */
export function serialLoops(seed: number): string {
  const random = new Random(seed)
  const wraps = random.chance(0.3)
  const functions = Array.from({ length: FUNCTIONS }, (_, at) => new Writer(random).functions(at))
  return `#include <cstdio>
#include <cstring>
#define W(i) (int)${wraps ? '(((i) + 64) & 255)' : '((i) + 64)'}
__host__ __device__ void exchange(unsigned &a, unsigned &b) { unsigned t = a; a = b; b = t; }
${functions.join('\n')}
static unsigned host[${4 * WORDS}], device[${4 * WORDS}], *memory;
static int bad;
typedef void Body(unsigned *, unsigned *, unsigned *, int, int, int);
static void compare(int which, Body *kernel, Body *body, int n) {
  for (int i = 0; i < ${4 * WORDS}; i++) host[i] = (i * 7919 + which) % 101;
  cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
  kernel<<<1, 1>>>(memory + ${WORDS / 2}, memory + ${1.5 * WORDS}, memory + ${2.5 * WORDS}, n, n + 4, 2);
  cudaMemcpy(device, memory, sizeof device, cudaMemcpyDeviceToHost);
  body(host + ${WORDS / 2}, host + ${1.5 * WORDS}, host + ${2.5 * WORDS}, n, n + 4, 2);
  if (memcmp(host, device, sizeof host)) printf("seed ${seed}: f%d differs at n = %d\\n", which, n), bad++;
}
int main() {
  cudaMalloc(&memory, sizeof device);
${Array.from({ length: FUNCTIONS }, (_, at) => `  for (int n : {${LENGTHS.join(', ')}}) compare(${at}, g${at}, f${at}, n);`).join('\n')}
  printf("%d differ, %s\\n", bad, cudaGetErrorName(cudaGetLastError()));
  return bad;
}
`
}

class Writer {
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  /** The same body as a function and as a kernel. */
  functions(at: number): string {
    const random = this.#random
    const restrict = random.chance(0.3) ? '__restrict__ ' : ''
    const first = random.chance(0.3) ? `y[W(0)] = 1; y[W(1)] = ${random.below(6)};` : ''
    const body = `${first} ${this.#loop([], 0)} ${random.chance(0.5) ? this.#loop([], 0) : ''}`
    const parameters = ['y', 'z', 'w'].map(name => `unsigned *${restrict}${name}`).join(', ')
    return ['__host__ __device__ void f', '__global__ void g']
      .map(head => `${head}${at}(${parameters}, int n, int m, int k) {${body}}`)
      .join('\n')
  }

  #loop(counters: readonly string[], depth: number): string {
    const random = this.#random
    const counter = `i${depth}`
    const pragma = random.pick(['', '', '', '\n#pragma unroll 1\n', '\n#pragma unroll 2\n'])
    const end = random.pick(['n', 'n - 1', '12', 'k + n', 'm'])
    const start = random.pick(['0', '1', '2', 'k', 'k + 1', '3'])
    const type = random.pick(['int', 'int', 'int', 'unsigned', 'long long'])
    const count = random.between(1, 3)
    const body = Array.from({ length: count }, () => this.#statement([...counters, counter], depth)).join(' ')
    const head = random.chance(0.2)
      ? `int ${counter} = ${end}; ${counter} > 2; ${counter}--`
      : `${type} ${counter} = ${start}; ${counter} < ${end}; ${random.pick([`${counter}++`, `${counter}++`, `${counter} += 2`])}`
    return `${pragma}for (${head}) { ${body} }`
  }

  #statement(counters: readonly string[], depth: number): string {
    const random = this.#random
    const kind = random.below(20)
    if (kind < 11 || depth > 3)
      return `${this.#place(counters)} ${random.pick(['=', '=', '+=', '^='])} ${this.#value(counters, 0)};`
    if (kind < 14) {
      const other = random.chance(0.5) ? ` else { ${this.#statement(counters, depth + 1)} }` : ''
      return `if (${this.#value(counters, 0)} > ${random.below(60)}) { ${this.#statement(counters, depth + 1)} }${other}`
    }
    if (kind < 15) return `exchange(${this.#place(counters)}, ${this.#place(counters)});`
    return this.#loop(counters, depth + 1)
  }

  #value(counters: readonly string[], depth: number): string {
    const random = this.#random
    const kind = random.below(20)
    if (depth > 2 || kind < 7) return this.#place(counters)
    if (kind < 9) return `${random.between(1, 9)}u`
    if (kind < 11) return `(unsigned)${random.pick(counters)}`
    const operand = () => this.#value(counters, depth + 1)
    if (kind < 18) return `(${operand()} ${random.pick(['+', '-', '*', '^'])} ${operand()})`
    return `(${operand()} > ${operand()} ? ${operand()} : ${operand()})`
  }

  #place(counters: readonly string[]): string {
    const random = this.#random
    const counter = random.pick(counters)
    const plus = random.between(-2, 3)
    const index = random.pick([
      ...Array(6).fill(`${counter} + ${plus}`),
      `2 * ${counter} + ${plus}`,
      `${counters[0]} * 8 + ${counters.at(-1)} + ${plus}`,
      `${counter} + k + ${plus}`,
      `${random.below(13)}`,
    ])
    return `${random.pick(['y', 'y', 'z', 'w'])}[W(${index})]`
  }
}
