/** Kernels with loops of a thread's own: sums, products, searches, lists, pointers that advance, arrays of its own. */
import { condition, enterElements, number, value } from './expressions.ts'
import type { KernelWriter } from './writer.ts'

function pragma(kernel: KernelWriter): void {
  const { random } = kernel
  if (random.chance(0.3))
    kernel.line(
      random.pick(['#pragma unroll', '#pragma unroll 4', '#pragma unroll 2', '#pragma unroll 1', '#pragma unroll 8']),
    )
}

/** Rounds: a constant, or an argument. */
function bound(kernel: KernelWriter): string {
  const { random } = kernel
  return random.chance(0.5)
    ? String(random.pick([2, 3, 4, 5, 8, 10, 16, 32]))
    : kernel.scalar(random.pick(['int', 'int', 'unsigned int']), 'm')
}

export function sums(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'float', 'double', 'int'] as const)
  const a = kernel.input(type, 'a')
  const b = kernel.input(type, 'b')
  const o = kernel.output(type, 'o')
  const { index: i } = enterElements(kernel)
  const m = bound(kernel)
  const counter = random.pick(['int', 'int', 'int', 'unsigned int', 'size_t'])
  const inRow = `${a}[${i} * ${m} + k]`
  const inColumn = `${b}[k * 32 + ${random.pick(['0', '1', '3'])}]`
  const reads = random.pick([
    [inRow, `${b}[k]`],
    [inRow, inColumn],
    [`${a}[${i} + k]`, `${b}[k]`],
    [`${a}[${i}]`, `${b}[k]`],
    [`${a}[k]`, `${b}[${i}]`],
  ]) as [string, string]
  switch (random.below(7)) {
    case 0:
      kernel.line(`${type} sum = 0;`)
      pragma(kernel)
      kernel.line(
        `for (${counter} k = 0; k < ${m}; ${random.pick(['k++', '++k', 'k += 1'])}) sum += ${value(kernel, type, reads)};`,
      )
      kernel.line(`${o}[${i}] = sum;`)
      break
    case 1:
      pragma(kernel)
      kernel.line(`for (${counter} k = 0; k < ${m}; k++) ${o}[${i}] += ${value(kernel, type, reads)};`)
      break
    case 2:
      kernel.line(`${type} best = ${reads[0].replaceAll('k', '0')};`)
      kernel.line('int at = 0;')
      kernel.within(`for (int k = 1; k < ${m}; k++)`, () =>
        kernel.line(
          random.pick([
            `if (${reads[0]} > best) { best = ${reads[0]}; at = k; }`,
            `${type} v = ${reads[0]}; if (v > best) { best = v; at = k; }`,
          ]),
        ),
      )
      kernel.line(`${o}[${i}] = best + at;`)
      break
    case 3:
      kernel.line(`${type} sum = 0;`)
      kernel.within(`for (${counter} k = 0; k < ${m}; k++)`, () => {
        kernel.line(
          `if (${condition(kernel, type, reads)}) ${random.pick(['continue', 'break', `sum += ${reads[1]}`])};`,
        )
        kernel.line(`sum += ${reads[0]};`)
      })
      kernel.line(`${o}[${i}] = sum;`)
      break
    case 4:
      kernel.line(`${type} sum = ${o}[${i}], other = 0;`)
      pragma(kernel)
      kernel.within(`for (${counter} k = 0; k < ${m}; k++)`, () => {
        kernel.line(`sum += ${reads[0]} * ${reads[1]};`)
        kernel.line(`other += ${value(kernel, type, [reads[1], reads[0]])};`)
      })
      kernel.line(`${o}[${i}] = sum + other;`)
      break
    case 5: {
      const inner = random.pick(['3', '4', '8', kernel.scalar('int', 'q')])
      kernel.line(`${type} sum = 0;`)
      pragma(kernel)
      kernel.open(`for (int j = 0; j < ${m}; j++)`)
      pragma(kernel)
      kernel.line(
        `for (int k = 0; k < ${inner}; k++) sum += ${a}[j * ${inner} + k] * ${random.pick([`${b}[k]`, `${b}[${i} + k]`, `${b}[j]`])};`,
      )
      kernel.close()
      kernel.line(`${o}[${i}] = sum;`)
      break
    }
    default:
      pragma(kernel)
      kernel.within(`for (${counter} k = 0; k < ${m}; k++)`, () => {
        kernel.line(`${o}[${i} * ${m} + k] = ${value(kernel, type, reads)};`)
        if (random.chance(0.3)) kernel.line(`${o}[${i} * ${m} + k] += ${reads[1]};`)
      })
  }
}

/** Products of matrices from global memory, one or several results a thread. */
export function products(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'float', 'double', 'int'])
  const [a, b] = [kernel.input(type, 'A'), kernel.input(type, 'B')]
  const c = kernel.output(type, 'C')
  const [m, n, k] = [kernel.scalar('int', 'M'), kernel.scalar('int', 'N'), kernel.scalar('int', 'K')]
  kernel.line('int row = blockIdx.y * blockDim.y + threadIdx.y;')
  kernel.line('int col = blockIdx.x * blockDim.x + threadIdx.x;')
  if (random.chance(0.5)) kernel.open(`if (row < ${m} && col < ${n})`)
  else kernel.line(`if (row >= ${m} || col >= ${n}) return;`)
  switch (random.below(4)) {
    case 0:
      kernel.line(`${type} sum = 0;`)
      kernel.line(
        `for (int e = 0; e < ${k}; ${random.pick(['e++', '++e'])}) sum += ${a}[row * ${k} + e] * ${b}[e * ${n} + col];`,
      )
      kernel.line(
        `${c}[row * ${n} + col] = ${random.pick(['sum', `sum + ${c}[row * ${n} + col]`, `2 * sum + 3 * ${c}[row * ${n} + col]`])};`,
      )
      break
    case 1:
      kernel.line(
        `for (int e = 0; e < ${k}; e++) ${c}[row * ${n} + col] += ${a}[row * ${k} + e] * ${b}[e * ${n} + col];`,
      )
      break
    case 2:
      kernel.line(`${type} s0 = 0, s1 = 0;`)
      kernel.within(`for (int e = 0; e < ${k}; e++)`, () => {
        kernel.line(`${type} x = ${a}[row * ${k} + e];`)
        kernel.line(`s0 += x * ${b}[e * ${n} + col];`)
        kernel.line(`s1 += x * ${b}[e * ${n} + col + 16];`)
      })
      kernel.line(`${c}[row * ${n} + col] = s0;`)
      kernel.line(`${c}[row * ${n} + col + 16] = s1;`)
      break
    default:
      kernel.line(`${type} sum = 0;`)
      kernel.line(`const ${type} *pa = ${a} + row * ${k};`)
      kernel.line(`const ${type} *pb = ${b} + col;`)
      kernel.within(`for (int e = 0; e < ${k}; e++)`, () => {
        kernel.line(random.pick(['sum += *pa++ * *pb;', 'sum += *pa * *pb; pa++;']))
        kernel.line(`pb += ${n};`)
      })
      kernel.line(`${c}[row * ${n} + col] = sum;`)
  }
}

export function searches(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['int', 'float', 'unsigned'])
  const a = kernel.input(type, 'sorted')
  const keys = kernel.input(type, 'keys')
  const o = kernel.output('int', 'o')
  const { index: i } = enterElements(kernel)
  const m = kernel.scalar('int', 'm')
  kernel.line(`${type} key = ${keys}[${i}];`)
  switch (random.below(4)) {
    case 0:
      kernel.line(`int low = 0, high = ${m} - 1, found = -1;`)
      kernel.within(random.pick(['while (low <= high)', 'while (low <= high && found < 0)']), () => {
        kernel.line(`int mid = ${random.pick(['(low + high) / 2', 'low + (high - low) / 2', '(low + high) >> 1'])};`)
        kernel.line(`if (${a}[mid] == key) { found = mid; ${random.pick(['break;', 'high = mid - 1;'])} }`)
        kernel.line(`else if (${a}[mid] < key) low = mid + 1;`)
        kernel.line(`else high = mid - 1;`)
      })
      kernel.line(`${o}[${i}] = found;`)
      break
    case 1:
      kernel.line(`int low = 0, high = ${m};`)
      kernel.within('while (low < high)', () => {
        kernel.line('int mid = (low + high) / 2;')
        kernel.line(
          random.pick([
            `if (${a}[mid] < key) low = mid + 1; else high = mid;`,
            `if (key <= ${a}[mid]) { high = mid; } else { low = mid + 1; }`,
          ]),
        )
      })
      kernel.line(`${o}[${i}] = ${random.pick(['low', `low < ${m} && ${a}[low] == key ? low : -1`])};`)
      break
    case 2:
      kernel.line('int count = 0;')
      kernel.line(
        `for (int k = 0; k < ${m}; k++) ${random.pick([`if (${a}[k] < key) count++;`, `count += ${a}[k] == key;`, `if (${a}[k] < key || (${a}[k] == key && k < ${i})) count++;`])}`,
      )
      kernel.line(`${o}[${i}] = count;`)
      break
    default:
      kernel.line('int k = 0;')
      kernel.line(`while (k < ${m} && ${a}[k] != key) k++;`)
      kernel.line(`${o}[${i}] = k;`)
  }
}

/** Graphs in rows of lists, and lists by links. */
export function lists(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'double', 'int'])
  const starts = kernel.input('int', 'rows')
  const columns = kernel.input('int', 'cols')
  const values = kernel.input(type, 'vals')
  const x = kernel.input(type, 'x')
  const o = kernel.output(type, 'y')
  const { index: i } = enterElements(kernel)
  switch (random.below(4)) {
    case 0:
      kernel.line(`${type} sum = 0;`)
      if (random.chance(0.5))
        kernel.line(
          `for (int e = ${starts}[${i}]; e < ${starts}[${i} + 1]; e++) sum += ${values}[e] * ${x}[${columns}[e]];`,
        )
      else {
        kernel.line(`int from = ${starts}[${i}], to = ${starts}[${i} + 1];`)
        kernel.line(`for (int e = from; e < to; e++) sum += ${values}[e] * ${x}[${columns}[e]];`)
      }
      kernel.line(`${o}[${i}] ${random.pick(['=', '+='])} sum;`)
      break
    case 1:
      kernel.line(
        `for (int e = ${starts}[${i}]; e < ${starts}[${i} + 1]; e++) ${o}[${i}] += ${values}[e] * ${x}[${columns}[e]];`,
      )
      break
    case 2:
      kernel.line(`int at = ${starts}[${i}];`)
      kernel.line(`${type} sum = 0;`)
      kernel.within(random.pick(['while (at != -1)', 'while (at >= 0)']), () => {
        kernel.line(`sum += ${values}[at];`)
        if (random.chance(0.4)) kernel.line(`if (${x}[at] > sum) sum = ${x}[at];`)
        kernel.line(`at = ${columns}[at];`)
      })
      kernel.line(`${o}[${i}] = sum;`)
      break
    default:
      kernel.line(`int from = ${starts}[${i}];`)
      kernel.line(`int degree = ${starts}[${i} + 1] - from;`)
      kernel.within('for (int e = 0; e < degree; e++)', () => {
        kernel.line(`int to = ${columns}[from + e];`)
        kernel.line(`if (${x}[to] > ${x}[${i}] + ${values}[from + e]) ${o}[to] = ${x}[${i}] + ${values}[from + e];`)
      })
  }
}

/** Arrays that a thread has of its own. */
export function ownArrays(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'int', 'double'] as const)
  const a = kernel.input(type, 'a')
  const o = kernel.output(type, 'o')
  const { index: i } = enterElements(kernel)
  const size = random.pick([3, 4, 5, 8])
  kernel.line(`${type} t[${size}];`)
  kernel.line(
    `for (int k = 0; k < ${size}; k++) t[k] = ${random.pick([`${a}[${i} * ${size} + k]`, `${a}[${i} + k]`, `${a}[k] * ${number(kernel, type)}`])};`,
  )
  switch (random.below(4)) {
    case 0:
      kernel.line(`${type} sum = 0;`)
      kernel.line(`for (int k = 0; k < ${size}; k++) sum += t[k] * t[${size - 1} - k];`)
      kernel.line(`${o}[${i}] = sum;`)
      break
    case 1:
      kernel.within(`for (int j = 0; j < ${size} - 1; j++)`, () =>
        kernel.line(
          `for (int k = 0; k < ${size} - 1 - j; k++) if (t[k] > t[k + 1]) { ${type} s = t[k]; t[k] = t[k + 1]; t[k + 1] = s; }`,
        ),
      )
      kernel.line(
        random.pick([
          `${o}[${i}] = t[${size >> 1}];`,
          `for (int k = 0; k < ${size}; k++) ${o}[${i} * ${size} + k] = t[k];`,
        ]),
      )
      break
    case 2:
      kernel.line(`for (int k = 1; k < ${size}; k++) t[k] += t[k - 1];`)
      kernel.line(`for (int k = 0; k < ${size}; k++) ${o}[${i} * ${size} + k] = t[k];`)
      break
    default:
      kernel.line(`${type} best = t[0];`)
      kernel.line(`for (int k = 1; k < ${size}; k++) best = ${type === 'float' ? 'fmaxf' : 'max'}(best, t[k]);`)
      kernel.line(`for (int k = 0; k < ${size}; k++) ${o}[${i} * ${size} + k] = t[k] - best;`)
  }
}

/** What a thread stores and loads along a row that it owns. */
export function serial(kernel: KernelWriter): void {
  const { random } = kernel
  const type = random.pick(['float', 'float', 'int', 'double'])
  const a = kernel.input(type, 'a')
  const o = kernel.output(type, 'o')
  const { index: i } = enterElements(kernel)
  const m = kernel.scalar('int', 'm')
  switch (random.below(5)) {
    case 0:
      kernel.line(
        `for (int k = 1; k < ${m}; k++) ${o}[${i} * ${m} + k] = ${o}[${i} * ${m} + k - 1] + ${a}[${i} * ${m} + k];`,
      )
      break
    case 1:
      kernel.line(`${type} sum = 0;`)
      kernel.line(`for (int k = 0; k < ${m}; k++) { sum += ${a}[k * 64 + ${i}]; ${o}[k * 64 + ${i}] = sum; }`)
      break
    case 2:
      kernel.line(`${type} *p = ${o} + ${i} * ${m};`)
      kernel.line(`const ${type} *q = ${a} + ${i} * ${m};`)
      kernel.line(`for (int k = 0; k < ${m}; k++) { *p = *q ${random.pick(['+ *p', '* 2', '+ q[1]'])}; p++; q++; }`)
      break
    case 3:
      kernel.line(`for (int k = ${m} - 2; k >= 0; k--) ${o}[${i} + k * 64] -= ${a}[k] * ${o}[${i} + (k + 1) * 64];`)
      break
    default:
      kernel.line(`${type} total = 0;`)
      kernel.line(`for (int k = 0; k < ${m}; k++) total += ${a}[${i} * ${m} + k];`)
      kernel.line(`for (int k = 0; k < ${m}; k++) ${o}[${i} * ${m} + k] = ${a}[${i} * ${m} + k] / total;`)
  }
}
