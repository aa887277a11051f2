/** Indices, guards and values as people write them; all draw from the kernel's random numbers. */
import type { KernelWriter } from './writer.ts'

export interface Place {
  /** The index of this thread's element. */
  readonly index: string
  readonly count: string
}

/** `int i = blockIdx.x * blockDim.x + threadIdx.x` in its many forms, and what keeps threads in the array. */
export function enterElements(kernel: KernelWriter): Place {
  const { random } = kernel
  const type = random.pick(['int', 'int', 'int', 'int', 'unsigned int', 'const int', 'size_t', 'long', 'unsigned'])
  const name = random.pick(['i', 'idx', 'tid', 'index', 'gid'])
  const count = kernel.scalar(random.pick(['int', 'int', 'int', 'unsigned int', 'size_t', 'const int']), 'n')
  const sum = random.pick([
    'blockIdx.x * blockDim.x + threadIdx.x',
    'threadIdx.x + blockIdx.x * blockDim.x',
    'blockDim.x * blockIdx.x + threadIdx.x',
  ])
  const style = random.below(10)
  if (style < 4) {
    kernel.line(`${type} ${name} = ${sum};`)
    kernel.line(`if (${name} >= ${count}) return;`)
  } else if (style < 7) {
    kernel.line(`${type} ${name} = ${sum};`)
    kernel.open(`if (${name} < ${count})`)
  } else if (style < 8) {
    kernel.line(`${type} ${name} = ${sum};`)
  } else if (style < 9) {
    kernel.open(
      `for (${type.replace('const ', '')} ${name} = ${sum}; ${name} < ${count}; ${name} += blockDim.x * gridDim.x)`,
    )
  } else {
    kernel.line(`int stride = blockDim.x * gridDim.x;`)
    kernel.open(`for (int ${name} = ${sum}; ${name} < ${count}; ${name} += stride)`)
  }
  return { index: name, count }
}

export interface Plane {
  readonly x: string
  readonly y: string
  readonly width: string
  readonly height: string
}

export function enterPlane(kernel: KernelWriter): Plane {
  const { random } = kernel
  const [x, y] = random.pick([
    ['x', 'y'],
    ['col', 'row'],
    ['j', 'i'],
    ['ix', 'iy'],
  ]) as [string, string]
  const [width, height] = [kernel.scalar('int', 'w'), kernel.scalar('int', 'h')]
  kernel.line(`int ${x} = blockIdx.x * blockDim.x + threadIdx.x;`)
  kernel.line(`int ${y} = blockIdx.y * blockDim.y + threadIdx.y;`)
  const inner = random.chance(0.5)
  const inside = inner
    ? `${x} > 0 && ${y} > 0 && ${x} < ${width} - 1 && ${y} < ${height} - 1`
    : `${x} < ${width} && ${y} < ${height}`
  const outside = inner
    ? `${x} < 1 || ${y} < 1 || ${x} >= ${width} - 1 || ${y} >= ${height} - 1`
    : `${x} >= ${width} || ${y} >= ${height}`
  if (random.chance(0.5)) kernel.line(`if (${outside}) return;`)
  else kernel.open(`if (${inside})`)
  return { x, y, width, height }
}

export const number = (kernel: KernelWriter, type: string): string => {
  const { random } = kernel
  if (type === 'float') return random.pick(['0.5f', '2.0f', '1.5f', '0.25f', '3.0f', '1e-3f'])
  if (type === 'double') return random.pick(['0.5', '2.0', '1.5', '0.25', '3.0'])
  return random.pick(['1', '2', '3', '5', '7', '10', '255'])
}

/** A value of several reads; `reads` are expressions of elements. */
export function value(kernel: KernelWriter, type: string, reads: readonly string[]): string {
  const { random } = kernel
  const constant = number(kernel, type)
  const [a, b = constant, c = a] = reads
  const isFloat = type === 'float' || type === 'double'
  const forms = [
    `${a} + ${b}`,
    `${a} * ${b}`,
    `${a} * ${constant} + ${b}`,
    `${a} * ${b} + ${c}`,
    `${constant} * (${a} - ${b})`,
    `${a} - ${constant} * ${b} + ${c}`,
    `(${a} + ${b} + ${c}) * ${constant}`,
    `${a} > ${b} ? ${a} : ${b}`,
    `${a} > ${constant} ? ${b} : ${c}`,
    `${a} < 0 ? ${constant} * ${a} : ${a}`,
    ...(isFloat
      ? [
          `${type === 'float' ? 'fmaxf' : 'fmax'}(${a}, ${b})`,
          `${type === 'float' ? 'sqrtf' : 'sqrt'}(${a} * ${a} + ${b} * ${b})`,
          `${a} / (${b} + ${constant})`,
          `${type === 'float' ? 'expf' : 'exp'}(${a} - ${b})`,
          `${type === 'float' ? 'fabsf' : 'fabs'}(${a} - ${b})`,
        ]
      : [
          `max(${a}, ${b})`,
          `min(${a}, ${b})`,
          `(${a} & ${constant}) + ${b}`,
          `${a} % ${constant} + ${b}`,
          `(${a} << 2) ^ ${b}`,
        ]),
  ]
  return random.pick(forms)
}

export function condition(kernel: KernelWriter, type: string, reads: readonly string[]): string {
  const { random } = kernel
  const constant = number(kernel, type)
  const [a, b = '4'] = reads
  return random.pick([
    `${a} > ${constant}`,
    `${a} < ${b}`,
    `${a} > 0 && ${b} < ${constant}`,
    `${a} < 0 || ${b} > ${constant}`,
    `${a} != 0`,
    `${a} == ${b}`,
    `${a} >= ${b} && ${a} > ${constant}`,
    `!(${a} > ${b})`,
  ])
}
