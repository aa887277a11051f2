/**
 * Products of matrices on generated code and on the reference interpreter, bit for bit: any bits as elements (infinities, NaN
 * and denormal numbers among them), fragments in variables of the kernel's own and in memory, and warps that are not whole.
 */
import { describe, expect, test } from 'vitest'
import {
  type MatrixProduct,
  matrixCallNamed,
  productName,
  wordsOfA,
  wordsOfB,
  wordsOfSum,
} from '../../src/analysis/lowering/matrixKinds.ts'
import { compareExecutors, type Launched } from './compare.ts'

const floats = [
  '16x16x16_f32_f16_f16',
  '32x8x16_f32_f16_f16',
  '16x8x16_f32_f16_f16',
  '16x8x8_f32_f16_f16',
  '16x16x16_f32_bf16_bf16',
  '32x8x16_f32_bf16_bf16',
  '16x8x16_f32_bf16_bf16',
  '16x8x8_f32_bf16_bf16',
  '16x16x8_f32_tf32_tf32',
  '16x8x8_f32_tf32_tf32',
  '16x8x4_f32_tf32_tf32',
  '8x8x4_f64_f64_f64',
]
const integers = [
  '16x16x16_s32_s8_s8',
  '32x8x16_s32_u8_u8',
  '16x8x16_s32_s8_u8',
  '16x8x32_s32_u8_s8',
  '16x8x32_s32_s8_s8',
]

function named(name: string): MatrixProduct {
  const call = matrixCallNamed(`__warplens_mma_${name}`)
  if (call?.kind !== 'product') throw new Error(`no product ${name}`)
  return call.product
}

/** Numbers of a fixed sequence, each any 32 bits. */
function randomWords(count: number, seed: number): Uint32Array {
  let state = seed
  return Uint32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state ^ (state >>> 15)) >>> 0
  })
}

/**
 * Each lane's words of a, b and c come from memory, those of d go there. `where`: the fragments are variables of the kernel, or
 * their addresses pass through memory, so that nobody can tell where they are.
 */
function kernelText(product: MatrixProduct, where: 'variables' | 'memory', word: string): string {
  const bytes = word === 'i64' ? 8 : 4
  const counts = { a: wordsOfA(product), b: wordsOfB(product), c: wordsOfSum(product) }
  const lines: string[] = []
  let from = 0
  for (const [name, count] of Object.entries(counts)) {
    lines.push(`%${name} = alloca [${count} x ${word}], align ${bytes}`)
    if (where === 'memory')
      lines.push(`%${name}.slot = alloca ptr, align 4`, `store volatile ptr %${name}, ptr %${name}.slot, align 4`)
    for (let index = 0; index < count; index++, from++)
      lines.push(
        `%${name}.at${index} = getelementptr [32 x ${word}], ptr %in, i32 ${from}, i32 %lane`,
        `%${name}.value${index} = load ${word}, ptr %${name}.at${index}, align ${bytes}`,
        `%${name}.to${index} = getelementptr ${word}, ptr %${name}, i32 ${index}`,
        `store ${word} %${name}.value${index}, ptr %${name}.to${index}, align ${bytes}`,
      )
    lines.push(
      where === 'memory'
        ? `%${name}.p = load volatile ptr, ptr %${name}.slot, align 4`
        : `%${name}.p = getelementptr i8, ptr %${name}, i32 0`,
    )
  }
  lines.push(`call void @${productName(product)}(ptr %c.p, ptr %a.p, ptr %b.p, ptr %c.p)`)
  for (let index = 0; index < counts.c; index++)
    lines.push(
      `%d.value${index} = load ${word}, ptr %c.to${index}, align ${bytes}`,
      `%d.at${index} = getelementptr [32 x ${word}], ptr %out, i32 ${index}, i32 %lane`,
      `store ${word} %d.value${index}, ptr %d.at${index}, align ${bytes}`,
    )
  return `declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @${productName(product)}(ptr, ptr, ptr, ptr)
define ptx_kernel void @k(ptr %in, ptr %out) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  ${lines.join('\n  ')}
  ret void
}`
}

function run(name: string, where: 'variables' | 'memory', seed: number, words?: (all: Uint32Array) => void): Launched {
  const product = named(name)
  const word = product.sum === 'f64' ? 'i64' : 'i32'
  const each = 32 * (word === 'i64' ? 2 : 1)
  const input = randomWords((wordsOfA(product) + wordsOfB(product) + wordsOfSum(product)) * each, seed)
  words?.(input)
  return compareExecutors({
    ir: kernelText(product, where, word),
    grid: { x: 1, y: 1, z: 1 },
    block: { x: 64, y: 1, z: 1 },
    buffers: [input, new Uint32Array(wordsOfSum(product) * each)],
  })
}

describe('products', () => {
  test.each([...floats, ...integers])('%s of any bits', name => {
    const { outcome, buffers } = run(name, 'variables', 12345)
    expect(outcome.fault).toBeUndefined()
    expect(new Set(buffers[1]).size).toBeGreaterThan(1)
  })

  // Exponents near 1: sums that are rounded.
  test.each(floats)('%s of numbers of like size', name => {
    const { sum, a } = named(name)
    run(name, 'variables', 99, all => {
      for (const [index, bits] of all.entries())
        if (sum === 'f64') all[index] = index % 2 === 0 ? bits : (bits & 0x801f_ffff) | 0x3fe0_0000
        else if (a === 'f16') all[index] = (bits & 0x83ff_83ff) | 0x3800_3800
        else all[index] = (bits & 0x807f_807f) | 0x3f00_3f00
    })
  })

  test.each(['16x16x16_f32_f16_f16', '32x8x16_s32_u8_u8', '8x8x4_f64_f64_f64'])(
    '%s of fragments that lie somewhere in memory',
    name => {
      const apart = run(name, 'memory', 777)
      const together = run(name, 'variables', 777)
      expect(apart.buffers[1]).toEqual(together.buffers[1])
      // Fragments in variables are registers: no memory is counted.
      expect(together.outcome.sites.length).toBeLessThan(apart.outcome.sites.length)
    },
  )
})

test('a product needs all lanes of its warp', () => {
  const product = named('16x8x16_f32_f16_f16')
  const text = kernelText(product, 'variables', 'i32')
  const guarded = text
    .replace(
      '%lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()\n',
      `%lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %part = icmp ult i32 %lane, 20
  br i1 %part, label %some, label %end
some:
`,
    )
    .replace('  ret void', '  br label %end\nend:\n  ret void')
  for (const [ir, threads] of [
    [guarded, 32],
    [text, 40],
  ] as const) {
    const { outcome } = compareExecutors({
      ir,
      grid: { x: 1, y: 1, z: 1 },
      block: { x: threads, y: 1, z: 1 },
      buffers: [new Uint32Array(2048), new Uint32Array(1024)],
    })
    expect(outcome.fault).toMatchObject({ kind: 'illegal-instruction' })
    expect(outcome.fault?.message).toMatch(/executed by (20|8) threads of a warp; it needs all 32/)
  }
})
