/** Products of matrices on the machine's tensor cores: instructions as nvcc 13.0 has them for 9.0, times as an H100 took (`tensorTimes.cu`). */
import { expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { findDevice } from '../../src/devices/devices.ts'
import { readModule } from '../../src/ir/read.ts'
import { matrixCost } from '../../src/metrics/instructions/matrixCosts.ts'
import { blockPipes } from '../../src/metrics/instructions/narrowPipes.ts'
import { blockInstructions, latencyChainOf } from '../../src/metrics/time/latencyChain.ts'
import { timeParametersOf } from '../../src/metrics/time/timeParameters.ts'

test.each([
  ['m16n8k16 of half', { rows: 16, columns: 8, depth: 16, sum: 'f32', a: 'f16', b: 'f16' }, 1, 7.2],
  ['m16n8k8 of half', { rows: 16, columns: 8, depth: 8, sum: 'f32', a: 'f16', b: 'f16' }, 1, 5],
  ['16 x 16 x 16 of half', { rows: 16, columns: 16, depth: 16, sum: 'f32', a: 'f16', b: 'f16' }, 2, 14.4],
  ['32 x 8 x 16 of half', { rows: 32, columns: 8, depth: 16, sum: 'f32', a: 'f16', b: 'f16' }, 2, 14.4],
  ['16 x 16 x 8 of tf32', { rows: 16, columns: 16, depth: 8, sum: 'f32', a: 'tf32', b: 'tf32' }, 2, 14.4],
  ['16 x 16 x 16 of bytes', { rows: 16, columns: 16, depth: 16, sum: 's32', a: 's8', b: 's8' }, 2, 10],
  [
    'm16n8k32 of 8-bit floats, which become halves',
    { rows: 16, columns: 8, depth: 32, sum: 'f32', a: 'e5m2', b: 'e4m3' },
    2 + 12 + 4,
    14.4,
  ],
  ['8 x 8 x 4 of double', { rows: 8, columns: 8, depth: 4, sum: 'f64', a: 'f64', b: 'f64' }, 1, 16.5],
] as const)('%s', (_, product, instructions, cycles) => {
  expect(matrixCost(product)).toMatchObject({ instructions, cycles })
})

/** Products one after the other, whose sums lie in so many places in turn. */
function chain(sums: number, products = 16) {
  const mad = (i: number) =>
    `  %d${i + sums} = call {float, float, float, float} asm sideeffect "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0,$1,$2,$3}, {$4,$4,$4,$4}, {$5,$5}, {$6,$7,$8,$9};", "=f,=f,=f,=f,r,r,f,f,f,f"(i32 %n, i32 %n, float %x${i}.0, float %x${i}.1, float %x${i}.2, float %x${i}.3)
${[0, 1, 2, 3].map(k => `  %x${i + sums}.${k} = extractvalue {float, float, float, float} %d${i + sums}, ${k}`).join('\n')}`
  const first = Array.from({ length: 4 * sums }, (_, i) => `  %x${i >> 2}.${i & 3} = fadd float %f, ${i}.0`)
  const body = Array.from({ length: products }, (_, i) => mad(i))
  const last = Array.from(
    { length: sums },
    (_, i) =>
      `  %p${i} = getelementptr float, ptr %a, i32 ${i}\n  store float %x${products + i}.0, ptr %p${i}, align 4`,
  )
  const text = `define ptx_kernel void @k(ptr %a, i32 %n, float %f) {\n${[...first, ...body, ...last].join('\n')}\n  ret void\n}`
  const program = prepareKernel(readModule(text, 'k.cu'), 'k')
  return {
    instructions: blockInstructions(program)[0]!,
    tensor: blockPipes(program)[0]!.tensor,
    cycles: latencyChainOf(program, [1], 1).dependentCycles,
  }
}

test('sums wait for each other where they lie in the same registers (one chain 461 cycles for sixteen, eight chains 140)', () => {
  const [one, eight] = [chain(1), chain(8)]
  expect(one.tensor).toBeCloseTo(16 * 7.2, 6)
  expect(one.cycles).toBeGreaterThan(430)
  expect(one.cycles).toBeLessThan(490)
  expect(eight.cycles).toBeGreaterThan(125)
  expect(eight.cycles).toBeLessThan(170)
})

test('what goes through fragments is in registers: the product is one instruction', () => {
  expect(chain(1, 16).instructions - chain(1, 8).instructions).toBe(8)
})

test('tensor cores of other generations take as long as their products a cycle say', () => {
  const cycles = (name: string) => timeParametersOf(findDevice(name)).tensorCycles
  expect(cycles('H100')).toBe(1)
  expect(cycles('A100')).toBeCloseTo(1.11, 2)
  expect(cycles('V100')).toBeCloseTo(2.22, 2)
  expect(cycles('RTX 4090')).toBeCloseTo(2.22, 2)
})
