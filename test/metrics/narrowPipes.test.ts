/** Double precision and special functions have pipes of their own, of a width that differs by generation. */
import { expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { findDevice } from '../../src/devices/devices.ts'
import { readModule } from '../../src/ir/read.ts'
import { type NarrowPipes, narrowPipes } from '../../src/metrics/instructions/narrowPipes.ts'
import { occupancyOf } from '../../src/metrics/occupancy/occupancy.ts'
import { predictTime } from '../../src/metrics/time/time.ts'

const arithmetic = (type: string, operations: string) => {
  const text = `define ptx_kernel void @k(ptr %a, ${type} %x) {
  %v = load ${type}, ptr %a, align 8
${operations}
  store ${type} %r, ptr %a, align 8
  ret void
}
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare float @llvm.floor.f32(float)
declare i32 @llvm.cttz.i32(i32, i1)`
  return narrowPipes(prepareKernel(readModule(text, 'k.cu'), 'k'), [10])
}

const none: NarrowPipes = {
  integers: 0,
  multiplies: 0,
  wides: 0,
  sums: 0,
  doubles: 0,
  specials: 0,
  tensor: 0,
  exchanges: 0,
}

test('what goes through them, of one block that ten warps run', () => {
  const doubles = '  %p = fmul double %v, %x\n  %r = fadd double %p, %v'
  expect(arithmetic('double', doubles)).toEqual({ ...none, doubles: 20 })
  // A division in double: seven fused multiply-adds, one product, one MUFU.
  expect(arithmetic('double', '  %r = fdiv double %v, %x')).toEqual({ ...none, doubles: 80, specials: 10 })
  // In single: MUFU and FCHK.
  expect(arithmetic('float', '  %r = fdiv float %v, %x')).toEqual({ ...none, specials: 20 })
  expect(arithmetic('float', '  %r = fadd float %v, %x')).toEqual(none)
})

test('integers: logic and shifts to the right, sums, products', () => {
  const logic = '  %p = xor i32 %v, %x\n  %q = add i32 %p, %x\n  %r = lshr i32 %q, 3'
  expect(arithmetic('i32', logic)).toEqual({ ...none, integers: 20, sums: 10 })
  expect(arithmetic('i32', '  %r = mul i32 %v, %x')).toEqual({ ...none, multiplies: 10 })
  expect(arithmetic('i64', '  %r = mul i64 %v, %x')).toEqual({ ...none, multiplies: 40, wides: 10 })
  // Of a division the inverse (a MUFU, conversions there and back), four products, two of them wide, sums and logic; by a constant two.
  const division = { ...none, integers: 110, sums: 50, multiplies: 60, specials: 30 }
  expect(arithmetic('i32', '  %r = sdiv i32 %v, %x')).toEqual(division)
  expect(arithmetic('i32', '  %r = udiv i32 %v, 10')).toEqual({ ...none, multiplies: 20 })
})

test('what lanes tell each other goes through the pipe to shared memory; votes are logic (`warpPipes.cu`)', () => {
  const told = (call: string) => arithmetic('i32', `  %r = call i32 @llvm.nvvm.${call}`)
  expect(told('shfl.sync.bfly.i32(i32 -1, i32 %v, i32 1, i32 31)')).toEqual({ ...none, exchanges: 10 })
  expect(told('redux.sync.add(i32 %v, i32 -1)')).toEqual({ ...none, exchanges: 20 })
  expect(told('match.any.sync.i32(i32 -1, i32 %v)')).toEqual({ ...none, exchanges: 260 })
  const vote = '  %c = icmp eq i32 %v, %x\n  %r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)'
  expect(arithmetic('i32', vote)).toEqual({ ...none, integers: 20 })
})

test('rounded numbers and the first bit are the special functions\u2019; where an integer is made of it, that rounds', () => {
  expect(arithmetic('float', '  %r = call float @llvm.floor.f32(float %v)')).toEqual({ ...none, specials: 10 })
  expect(arithmetic('i32', '  %r = call i32 @llvm.cttz.i32(i32 %v, i1 false)')).toEqual({ ...none, specials: 20 })
  const floored = `  %f = call float @llvm.floor.f32(float %v)
  %i = fptosi float %f to i32
  %r = sitofp i32 %i to float`
  expect(arithmetic('float', floored)).toEqual({ ...none, integers: 10, specials: 10 })
})

test('numbers become integers in the unit of special functions, and integers numbers in the pipe of logic', () => {
  const there = '  %p = fptosi float %v to i32\n  %r = sitofp i32 %p to float'
  expect(arithmetic('float', there)).toEqual({ ...none, integers: 10, specials: 10 })
})

const CACHES = {
  l1GlobalLoadSectorHits: 0,
  l1LocalLoadSectorHits: 0,
  l2ReadSectors: 0,
  l2ReadSectorHits: 0,
  l2WriteSectors: 0,
  l2AtomicSectors: 0,
  l2ReductionSectors: 0,
  dramReadBytes: 0,
  dramWriteBytes: 0,
}

/** A million warp instructions in double precision and nothing else. */
function doubles(name: string) {
  const device = findDevice(name)
  const blocks = 100 * device.multiprocessors
  return predictTime(
    {
      launch: {
        sites: [],
        blocks: [],
        grid: { x: blocks, y: 1, z: 1 },
        block: { x: 256, y: 1, z: 1 },
        staticSharedBytes: 0,
        dynamicSharedBytes: 0,
      },
      caches: CACHES,
      occupancy: occupancyOf(device, { threads: 256, registersPerThread: 32, sharedBytes: 0 }),
      chain: { globalWaits: 0, sharedWaits: 0, barriers: 0, l2Trips: 0, prints: 0, printUs: 0, dependentCycles: 0 },
      averageChain: {
        globalWaits: 0,
        sharedWaits: 0,
        barriers: 0,
        l2Trips: 0,
        prints: 0,
        printUs: 0,
        dependentCycles: 0,
      },
      instructions: 1e8,
      pipes: { ...none, doubles: 1e8 },
      hottestAtomicSlice: 0,
    },
    device,
  )
}

test.each([
  ['H200', 2],
  ['P100', 2],
  ['T4', 64],
  ['P2000', 32],
])('a kernel in double precision on %s: %i times what the issue of its instructions takes', (device, times) => {
  const { limits, limiter } = doubles(device)
  expect(limits.doubles / limits.issue).toBeCloseTo(times, 6)
  expect(limiter).toBe('doubles')
})
