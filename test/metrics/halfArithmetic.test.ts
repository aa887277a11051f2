/** Which arithmetic of 16-bit floats is no instruction of its own: the second of a pair, and what rounding does about NaN. */
import { expect, test } from 'vitest'
import { readModule } from '../../src/ir/read.ts'
import { leftOutOfHalves } from '../../src/metrics/instructions/halfArithmetic.ts'
import { DEBUG_INFO_OF_K } from '../ir/samples.ts'

/** Names of what is left out of a kernel with this body; all arithmetic stands at one place of the source. */
function leftOut(body: string): string[] {
  const at = ', !dbg !4'
  const lines = body.split('\n').map(line => (line.trim() === '' ? line : line + at))
  const { functions } = readModule(
    `define ptx_kernel void @k(ptr %a, ptr %b, ptr %o, float %f) !dbg !3 {
${lines.join('\n')}
  ret void
}
${DEBUG_INFO_OF_K}
!4 = !DILocation(line: 2, column: 1, scope: !3)`,
    'k.cu',
  )
  return [...leftOutOfHalves(functions[0]!)].map(({ name }) => name)
}

const PAIRS = `  %v = load <2 x half>, ptr %a, align 4
  %w = load <2 x half>, ptr %b, align 4
  %v0 = extractelement <2 x half> %v, i32 0
  %v1 = extractelement <2 x half> %v, i32 1
  %w0 = extractelement <2 x half> %w, i32 0
  %w1 = extractelement <2 x half> %w, i32 1
  %s0 = fadd half %v0, %w0
  %s1 = fadd half %w1, %v1
  %t0 = fmul half %s0, %s0
  %t1 = fmul half %s1, %s1`

test('the second of two that have words in common, and of two that are made of a pair', () => {
  expect(leftOut(PAIRS)).toEqual(['s1', 't1'])
})

test('not sums of single ones from different words', () => {
  const singles = `  %v = load half, ptr %a, align 2
  %w = load half, ptr %b, align 2
  %x = load half, ptr %o, align 2
  %s = fadd half %v, %w
  %t = fadd half %s, %x`
  expect(leftOut(singles)).toEqual([])
})

test('not products of single ones by a number that they have in common, as a row has in a product of matrices', () => {
  const row = `  %v = load half, ptr %a, align 2
  %w = load half, ptr %b, align 2
  %x = load half, ptr %o, align 2
  %s = fmul half %v, %w
  %t = fmul half %v, %x`
  expect(leftOut(row)).toEqual([])
})

test('the test for NaN of a rounding, not a comparison of floats', () => {
  const rounding = `  %g = fadd float %f, 1.0
  %n = fcmp uno float %g, 0.0
  %h = fptrunc float %g to half
  %c = select i1 %n, half 0xH7FFF, half %h
  %p = fcmp ogt float %f, 0.0
  %d = select i1 %p, half %c, half 0xH0000
  store half %d, ptr %o, align 2`
  expect(leftOut(rounding)).toEqual(['n', 'c'])
})
