/**
 * What is done for several warps at once (gatheredStores.ts, warpRuns.ts): stores of columns that are written together, counts by
 * the block. Against the interpreter, also where lanes fail the bounds check, rows meet, and loads read what was just stored.
 */
import { afterEach, describe, expect, test, vi } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { GatheredStores } from '../../src/codegen/accesses/gatheredStores.ts'
import { createGeneratedExecutor } from '../../src/codegen/executor.ts'
import { readModule } from '../../src/ir/read.ts'
import { referenceExecutor } from '../../src/reference/executor.ts'
import { compareExecutors, type Launched, launchOn } from './compare.ts'

const HEADER = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
define ptx_kernel void @k(ptr %out, ptr %in, i32 %width, i32 %height, i32 %pitch) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %x0 = mul i32 %bx, %nx
  %x = add i32 %x0, %tx
  %y0 = mul i32 %by, %ny
  %y = add i32 %y0, %ty
  %xok = icmp slt i32 %x, %width
  %yok = icmp slt i32 %y, %height
  %ok = and i1 %xok, %yok
  br i1 %ok, label %move, label %end
move:
  %row = mul i32 %y, %width
  %at = add i32 %row, %x
  %column = mul i32 %x, %pitch
  %place = add i32 %column, %y
  %from = getelementptr i32, ptr %in, i32 %at
  %to = getelementptr i32, ptr %out, i32 %place
`
const FOOTER = `
  br label %end
end:
  ret void
}`
const COPY = `
  %v = load i32, ptr %from
  store i32 %v, ptr %to`

interface Shape {
  readonly block: readonly [x: number, y: number]
  readonly size: readonly [width: number, height: number]
  readonly pitch?: number
}

const plan = vi.spyOn(GatheredStores, 'plan')
afterEach(() => void plan.mockClear())
const gathers = (): boolean => plan.mock.results.some(({ value }) => value !== undefined)

function run(body: string, { block: [x, y], size: [width, height], pitch = height }: Shape): Launched {
  const words = Math.max(width * height, width * Math.abs(pitch) + height)
  const launched = compareExecutors({
    ir: HEADER + body + FOOTER,
    grid: { x: Math.ceil(width / x), y: Math.ceil(height / y), z: 1 },
    block: { x, y, z: 1 },
    buffers: [
      new Uint32Array(words),
      Uint32Array.from({ length: words }, (_, index) => Math.imul(index + 1, 2654435761)),
    ],
    values: [width, height, pitch],
  })
  expect(launched.outcome.fault).toBeUndefined()
  return launched
}

describe('a transpose', () => {
  test.each<[x: number, y: number, boolean]>([
    [32, 16, true],
    [32, 32, true],
    [32, 8, true],
    [32, 6, true],
    [32, 3, false],
    [16, 16, true],
    [16, 6, true],
    [8, 32, true],
    [8, 8, true],
    [4, 32, true],
    [64, 4, false],
    [48, 4, false],
  ])('by blocks of %i x %i', (x, y, expected) => {
    for (const size of [
      [2 * x, 3 * y],
      [2 * x + 1, 2 * y + 3],
      [x - 1, y],
    ] as const) {
      const { buffers } = run(COPY, { block: [x, y], size })
      const [width, height] = size
      for (let at = 0; at < width * height; at++)
        expect(buffers[0]![(at % width) * height + Math.floor(at / width)]).toBe(buffers[1]![at])
    }
    expect(gathers()).toBe(expected)
  })

  test.each([0, 1, 2, 7, 15, 16, 17, 40, -40])('to rows %i words apart', pitch => {
    // A negative pitch goes downwards from the middle of the buffer.
    const upwards = `
  %first = mul i32 %width, 40
  %middle = getelementptr i32, ptr %to, i32 ${pitch < 0 ? '%first' : '0'}
  %v = load i32, ptr %from
  store i32 %v, ptr %middle`
    run(upwards, { block: [32, 16], size: [64, 32], pitch })
    expect(gathers()).toBe(true)
  })
})

test.each([
  ['in place', '%out', 0],
  ['a row further', '%out', 64],
  ['a word before', '%out', -1],
])('loads that read what other warps stored: %s', (_, base, words) => {
  const body = `
  %near = getelementptr i32, ptr ${base}, i32 %at
  %other = getelementptr i32, ptr %near, i32 ${words === -1 ? '%tx' : words}
  %old = load i32, ptr %from
  %was = load i32, ptr %other
  %v = add i32 %old, %was
  store i32 %v, ptr %to`
  for (const block of [
    [32, 16],
    [16, 16],
  ] as const)
    run(body, { block, size: [64, 64], pitch: 64 })
  expect(gathers()).toBe(true)
})

test.each([
  [
    'a second store',
    `%v = load i32, ptr %from
  store i32 %v, ptr %to
  %beside = getelementptr i32, ptr %to, i32 1
  store i32 7, ptr %beside`,
  ],
  ['an atomic', `%v = atomicrmw add ptr %from, i32 1 monotonic\n  store i32 %v, ptr %to`],
  [
    'a load at a place that comes from memory',
    `%v = load i32, ptr %from
  %some = and i32 %v, 255
  %there = getelementptr i32, ptr %out, i32 %some
  %w = load i32, ptr %there
  store i32 %w, ptr %to`,
  ],
])('nothing is gathered beside %s', (_, body) => {
  run(body, { block: [32, 16], size: [64, 32] })
  expect(gathers()).toBe(false)
})

test('columns of floats keep what is no number as the GPU does', () => {
  const body = `
  %bits = load i32, ptr %from
  %real = bitcast i32 %bits to float
  %v = fmul float %real, 1.0
  store float %v, ptr %to`
  run(body, { block: [32, 16], size: [64, 32] })
  expect(gathers()).toBe(true)
})

describe('a bounds check of several warps', () => {
  const kernel = (predicate: string, turned: boolean): string => `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %out, i32 %start, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %b0 = mul i32 %b, 160
  %at = add i32 %b0, %t
  %i = add i32 %at, %start
  %ok = icmp ${predicate} i32 ${turned ? '%n, %i' : '%i, %n'}
  br i1 %ok, label %write, label %end
write:
  %to = getelementptr i32, ptr %out, i32 %at
  store i32 %i, ptr %to
  br label %end
end:
  ret void
}`
  const starts = [0, -100, 0x7fff_ffff - 200, 0x7fff_ff00, -0x8000_0000, -300, 0xffff_ff00 | 0]
  const limits = [0, 1, 100, 159, 160, 161, 300, -1, -50, 0x7fff_ffff, 0x7fff_ffb0, -0x8000_0000, -0x7fff_ffc0]
  test.each(['slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge'])('%s', predicate => {
    const generated = createGeneratedExecutor()
    for (const turned of [false, true]) {
      const program = prepareKernel(readModule(kernel(predicate, turned), 'test.ll'), 'k')
      for (const start of starts)
        for (const n of limits) {
          const launch = {
            ir: '',
            grid: { x: 2, y: 1, z: 1 },
            block: { x: 160, y: 1, z: 1 },
            buffers: [new Uint32Array(320)],
            values: [start, n],
          }
          const wanted = launchOn(referenceExecutor, program, launch)
          const got = launchOn(generated, program, launch)
          expect(got.buffers, `${start} ${n}`).toEqual(wanted.buffers)
          expect(got.outcome, `${start} ${n}`).toEqual(wanted.outcome)
        }
    }
  })
})
