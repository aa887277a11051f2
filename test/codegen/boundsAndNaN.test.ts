/** Whole-warp shortcuts where they could be wrong: comparisons at the ends of the range, and NaNs among stored sums. */
import { expect, test } from 'vitest'
import { compareExecutors } from './compare.ts'

const DECLARED = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
`

const compares = (predicate: string, shift: number): string => `${DECLARED}
define ptx_kernel void @k(ptr %out, i32 %base, i32 %bound) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %moved = add i32 %t, ${shift}
  %i = add i32 %moved, %base
  %inside = icmp ${predicate} i32 %i, %bound
  br i1 %inside, label %then, label %end
then:
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %i, ptr %to
  br label %end
end:
  ret void
}`

const ENDS = [0, 40, -40, 0x7fff_ffff, 0x7fff_ffd8, -0x8000_0000, -0x7fff_ffd8]
const predicates = ['slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge']
test.each(predicates.flatMap(predicate => [0, 7, -9].map(shift => [predicate, shift] as const)))(
  '%s of lanes moved by %i, with bases and bounds at the ends of the range',
  (predicate, shift) => {
    for (const base of ENDS)
      for (const bound of ENDS)
        compareExecutors({
          ir: compares(predicate, shift),
          grid: { x: 1, y: 1, z: 1 },
          block: { x: 64, y: 1, z: 1 },
          buffers: [new Uint32Array(64)],
          values: [base, bound],
        })
  },
)

const sums = (type: 'float' | 'double'): string => `${DECLARED}
define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr ${type}, ptr %in, i32 %t
  %v = load ${type}, ptr %from
  %sum = fadd ${type} %v, %v
  %to = getelementptr ${type}, ptr %out, i32 %t
  store ${type} %sum, ptr %to
  %there = getelementptr ${type}, ptr %to, i32 64
  store ${type} %v, ptr %there
  ret void
}`

test.each(['float', 'double'] as const)(
  'a sum that is no %s has the bits of a GPU, a moved value keeps its own',
  type => {
    const wide = type === 'double'
    const words = new Uint32Array(wide ? 128 : 64).fill(0x3f80_0000)
    // Lane 37: a NaN with a payload; lanes 5 and 6: infinities, whose sums are numbers, of both signs.
    for (const [lane, high] of [
      [37, wide ? 0xfff8_1234 : 0xffc0_1234],
      [5, wide ? 0x7ff0_0000 : 0x7f80_0000],
      [6, wide ? 0xfff0_0000 : 0xff80_0000],
    ] as const) {
      words[wide ? 2 * lane + 1 : lane] = high
      if (wide) words[2 * lane] = 0
    }
    const { buffers } = compareExecutors({
      ir: sums(type),
      grid: { x: 1, y: 1, z: 1 },
      block: { x: 64, y: 1, z: 1 },
      buffers: [new Uint32Array(wide ? 256 : 128), words],
    })
    const [out] = buffers
    const high = (lane: number): number => out![wide ? 2 * lane + 1 : lane]!
    expect(high(37)).toBe(wide ? 0x7ff8_0000 : 0x7fff_ffff)
    expect(high(37 + 64)).toBe(wide ? 0xfff8_1234 : 0xffc0_1234)
    expect(high(5)).toBe(wide ? 0x7ff0_0000 : 0x7f80_0000)
  },
)

const signs = (type: 'float' | 'double'): string => `${DECLARED}
declare ${type} @llvm.fabs.${type === 'float' ? 'f32' : 'f64'}(${type})
define ptx_kernel void @k(ptr %out, ptr %in) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr ${type}, ptr %in, i32 %t
  %v = load ${type}, ptr %from
  %none = fsub ${type} %v, %v
  %negative = fneg ${type} %none
  %positive = call ${type} @llvm.fabs.${type === 'float' ? 'f32' : 'f64'}(${type} %v)
  %to = getelementptr ${type}, ptr %out, i32 %t
  store ${type} %negative, ptr %to
  %there = getelementptr ${type}, ptr %to, i32 32
  store ${type} %positive, ptr %there
  ret void
}`

test.each(['float', 'double'] as const)('a %s that is no number has the bits of a GPU without its sign, too', type => {
  const wide = type === 'double'
  const words = new Uint32Array(wide ? 64 : 32).fill(wide ? 0xfff0_0000 : 0xff80_0000)
  words[31] = 0xfff8_1234
  const { buffers } = compareExecutors({
    ir: signs(type),
    grid: { x: 1, y: 1, z: 1 },
    block: { x: 32, y: 1, z: 1 },
    buffers: [new Uint32Array(wide ? 128 : 64), words],
  })
  const nan = wide ? 0x7ff8_0000 : 0x7fff_ffff
  expect(buffers[0]![1]).toBe(nan)
  expect(buffers[0]!.at(-1)).toBe(nan)
})
