/** 128-bit numbers divided by constants of at most 32 bits, as LLVM writes for the rounds of a loop of 64 bits: against BigInt's quotients. */
import { expect, test } from 'vitest'
import { callWideFunctions } from '../../src/analysis/lowering/wideCalls.ts'
import { UserError } from '../../src/diagnostic.ts'
import { readModule } from '../../src/ir/read.ts'
import type { Dim3 } from '../../src/launch.ts'
import { compareExecutors } from './compare.ts'
import { randomWords } from './floatOperands.ts'

const THREADS = 256
const DIVISORS = [1n, 3n, 5n, 2560n, 0x8000_0001n, 0xffff_ffffn]
const OPERATIONS = ['udiv', 'urem'] as const

const kernel = (body: string): string => `
target triple = "nvptx-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, ptr %in) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i128, ptr %in, i32 %tid
  %n = load i128, ptr %at
${body}
  ret void
}`

const CASES = DIVISORS.flatMap(divisor => OPERATIONS.map(op => ({ op, divisor })))

const ir = kernel(
  CASES.map(
    ({ op, divisor }, index) => `
  %r${index} = ${op} i128 %n, ${divisor}
  %p${index} = getelementptr i128, ptr %out, i32 ${index * THREADS}
  %q${index} = getelementptr i128, ptr %p${index}, i32 %tid
  store i128 %r${index}, ptr %q${index}`,
  ).join('\n'),
)

/** Of all lengths. */
function numbers(): BigUint64Array {
  const next = randomWords(7)
  const halves = new BigUint64Array(Uint32Array.from({ length: 4 * THREADS }, next).buffer)
  return halves.map((half, index) => half >> BigInt((index * 5) % 64))
}

test('numbers of 128 bits by constants of 32', () => {
  const input = numbers()
  const buffers = [new Uint32Array(THREADS * 4 * CASES.length), new Uint32Array(input.buffer)]
  const [grid, block] = [1, THREADS].map(x => ({ x, y: 1, z: 1 })) as [Dim3, Dim3]
  const { outcome, buffers: results } = compareExecutors({ ir, grid, block, buffers })
  expect(outcome.fault).toBeUndefined()
  const [out] = results
  const halves = new BigUint64Array(out!.slice().buffer)
  for (const [index, { op, divisor }] of CASES.entries())
    for (let thread = 0; thread < THREADS; thread++) {
      const at = 2 * (index * THREADS + thread)
      const number = (input[2 * thread + 1]! << 64n) | input[2 * thread]!
      expect((halves[at + 1]! << 64n) | halves[at]!).toBe(op === 'udiv' ? number / divisor : number % divisor)
    }
})

test('divisions that only a function does need it', () => {
  const store = '  store i128 %r, ptr %out'
  const call = (division: string) => callWideFunctions(readModule(kernel(`  %r = ${division}\n${store}`), 'k.cu'))
  expect(() => call('udiv i128 %n, 2560')).not.toThrow()
  for (const division of ['udiv i128 %n, %n', 'sdiv i128 %n, 3', `udiv i128 %n, ${1n << 32n}`, 'urem i128 %n, 0'])
    expect(() => call(division)).toThrow(UserError)
})
