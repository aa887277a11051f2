/**
 * Accesses at multiples of their width and at others. Kernels are compiled for pointers that are as aligned as a launch's
 * arguments, so that one executor is given launches with any: all that is wrong is found, and the rest runs and counts as on the
 * reference interpreter.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, HEAP_OFFSET } from '../../src/addressSpace.ts'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { createGeneratedExecutor } from '../../src/codegen/executor.ts'
import { readModule } from '../../src/ir/read.ts'
import { referenceExecutor } from '../../src/reference/executor.ts'
import { launchOn } from './compare.ts'

const TYPES = { 1: 'i8', 2: 'i16', 4: 'i32', 8: 'i64', 16: '<4 x i32>' } as const
const WIDTHS = [1, 2, 4, 8, 16] as const
type Width = (typeof WIDTHS)[number]

interface Place {
  readonly space: 'global' | 'shared'
  readonly width: Width
  /** Bytes from lane to lane, from row to row of the block, and to where the first lane is. */
  readonly lane: number
  readonly row: number
  readonly start: number
}

/** Each thread of a 32 x 2 block writes what it is. */
function kernel({ space, width, lane, row, start }: Place): string {
  const pointer = space === 'shared' ? 'ptr addrspace(3)' : 'ptr'
  const value = {
    1: 'trunc i32 %x to i8',
    2: 'trunc i32 %x to i16',
    4: 'freeze i32 %x',
    8: 'zext i32 %x to i64',
    16: 'insertelement <4 x i32> zeroinitializer, i32 %x, i32 0',
  }[width]
  return `
@array = internal addrspace(3) global [4096 x i8] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
define ptx_kernel void @k(ptr %buffer, ptr %p) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %lane = mul i32 %x, ${lane}
  %row = mul i32 %y, ${row}
  %at = add i32 %lane, %row
  %q = getelementptr i8, ${pointer} ${space === 'shared' ? '@array' : '%p'}, i32 %at
  %r = getelementptr i8, ${pointer} %q, i32 ${start}
  %v = ${value}
  store ${TYPES[width]} %v, ${pointer} %r, align ${width}
  ret void
}
`
}

const places = fc.record<Place>({
  space: fc.constantFrom('global', 'shared'),
  width: fc.constantFrom(...WIDTHS),
  lane: fc.constantFrom(0, 1, 2, 4, 8, 16, 20, 24),
  row: fc.constantFrom(0, 2, 4, 8, 64, 512, 1000),
  start: fc.constantFrom(0, 0, 1, 2, 4, 8, 12, 16),
})
const shifts = fc.array(fc.constantFrom(0, 256, 16, 8, 4, 2, 1, 32, 48), { minLength: 1, maxLength: 5 })

test('any alignment of pointers, lanes and rows', () => {
  const seen = { fault: 0, none: 0 }
  fc.assert(
    fc.property(places, shifts, (place, list) => {
      const program = prepareKernel(readModule(kernel(place), 'test.ll'), 'k')
      const executor = createGeneratedExecutor()
      for (const shift of list) {
        const input = {
          ir: '',
          grid: { x: 1, y: 1, z: 1 },
          block: { x: 32, y: 2, z: 1 },
          buffers: [new Uint32Array(1024)],
          values: [addressOf(HEAP_OFFSET + shift)],
        }
        const wanted = launchOn(referenceExecutor, program, input)
        const got = launchOn(executor, program, input)
        expect(got.outcome.fault?.kind).toBe(wanted.outcome.fault?.kind)
        seen[wanted.outcome.fault ? 'fault' : 'none']++
        if (wanted.outcome.fault) continue
        expect(got.buffers).toEqual(wanted.buffers)
        expect(got.outcome.sites).toEqual(wanted.outcome.sites)
      }
    }),
    { numRuns: 300 },
  )
  expect(Math.min(seen.fault, seen.none)).toBeGreaterThan(100)
})
