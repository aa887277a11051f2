/** Halves and bfloats of four lanes and of one, as the reference interpreter computes them: every operation, any bits. */
import { expect, test } from 'vitest'
import { compareExecutors } from './compare.ts'
import { loadThree, randomWords } from './floatOperands.ts'

const THREADS = 1024
const OPERATIONS = ['fadd', 'fsub', 'fmul', 'fdiv', 'fma', 'sqrt', 'fabs', 'fneg', 'minnum', 'maxnum', 'floor'] as const

/** Each operation on lanes, and on the first elements, which are the same for all lanes; conversions from and to other types. */
function kernel(type: 'half' | 'bfloat'): string {
  const suffix = type === 'half' ? 'f16' : 'bf16'
  const call = (name: string, [a, b, c]: readonly string[]): string => {
    switch (name) {
      case 'fneg':
        return `fneg ${type} ${a}`
      case 'fma':
        return `call ${type} @llvm.fma.${suffix}(${type} ${a}, ${type} ${b}, ${type} ${c})`
      case 'minnum':
      case 'maxnum':
        return `call ${type} @llvm.${name}.${suffix}(${type} ${a}, ${type} ${b})`
      case 'sqrt':
      case 'fabs':
      case 'floor':
        return `call ${type} @llvm.${name}.${suffix}(${type} ${a})`
      default:
        return `${name} ${type} ${a}, ${b}`
    }
  }
  const store = (value: string, id: string, place: number): string => `
  %b${id} = bitcast ${type} ${value} to i16
  %p${id} = getelementptr i16, ptr %out, i32 ${place * THREADS}
  %q${id} = getelementptr i16, ptr %p${id}, i32 %tid
  store i16 %b${id}, ptr %q${id}`
  const results = OPERATIONS.flatMap((name, index) => [
    `  %l${index} = ${call(name, ['%a', '%b', '%c'])}${store(`%l${index}`, `l${index}`, 2 * index)}`,
    `  %u${index} = ${call(name, ['%ua', '%ub', '%uc'])}${store(`%u${index}`, `u${index}`, 2 * index + 1)}`,
  ])
  return `
target triple = "nvptx-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare ${type} @llvm.fma.${suffix}(${type}, ${type}, ${type})
${['minnum', 'maxnum'].map(name => `declare ${type} @llvm.${name}.${suffix}(${type}, ${type})`).join('\n')}
${['sqrt', 'fabs', 'floor'].map(name => `declare ${type} @llvm.${name}.${suffix}(${type})`).join('\n')}
define ptx_kernel void @k(ptr %out, ptr %in) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
${loadThree(type, THREADS)}
  %ua = load ${type}, ptr %in
  %pub = getelementptr ${type}, ptr %in, i32 ${THREADS}
  %ub = load ${type}, ptr %pub
  %puc = getelementptr ${type}, ptr %in, i32 ${2 * THREADS}
  %uc = load ${type}, ptr %puc
${results.join('\n')}
  %at = getelementptr float, ptr %in, i32 %tid
  %single = load float, ptr %at
  %narrowed = fptrunc float %single to ${type}${store('%narrowed', 'n', 2 * OPERATIONS.length)}
  %wide = fpext float %single to double
  %fromWide = fptrunc double %wide to ${type}${store('%fromWide', 'w', 2 * OPERATIONS.length + 1)}
  %bits = bitcast ${type} %a to i16
  %flipped = xor i16 %bits, 1
  %back = bitcast i16 %flipped to ${type}${store('%back', 'f', 2 * OPERATIONS.length + 2)}
  ret void
}`
}

/** Three arrays of any bits: specials, neighbours of 1 and of the smallest, sums that nearly cancel. */
function operands(type: 'half' | 'bfloat', seed: number): Uint32Array {
  const next = randomWords(seed)
  const one = type === 'half' ? 0x3c00 : 0x3f80
  const infinity = type === 'half' ? 0x7c00 : 0x7f80
  const special = [0, 0x8000, 1, 0x8001, one, infinity, infinity | 0x8000, infinity + 1, infinity - 1, one - 1]
  const bits = new Uint16Array(3 * THREADS)
  for (let thread = 0; thread < THREADS; thread++)
    for (let operand = 0; operand < 3; operand++) {
      const kind = (thread + (operand === 2 ? thread >> 2 : 0)) % 4
      const near = (middle: number, spread: number): number => (middle + (next() % spread) - (spread >> 1)) & 0xffff
      const sign = next() & 0x8000
      bits[operand * THREADS + thread] =
        kind === 0
          ? next() & 0xffff
          : kind === 1
            ? near(one, 64) | sign
            : kind === 2
              ? near(40, 80) | sign
              : special[next() % special.length]!
    }
  return new Uint32Array(bits.buffer)
}

test.each(['half', 'bfloat'] as const)('%s', type => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const buffers = [new Uint32Array((THREADS / 2) * (2 * OPERATIONS.length + 3)), operands(type, seed)]
    const block = { x: THREADS, y: 1, z: 1 }
    const { outcome } = compareExecutors({ ir: kernel(type), grid: { x: 1, y: 1, z: 1 }, block, buffers })
    expect(outcome.fault, `seed ${seed}`).toBeUndefined()
  }
})
