/** Double precision and special functions have pipes of their own, of a width that differs by generation. */
import { expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { findDevice } from '../../src/devices/devices.ts'
import { readModule } from '../../src/ir/read.ts'
import { narrowPipes } from '../../src/metrics/floatArithmetic.ts'
import { occupancyOf } from '../../src/metrics/occupancy.ts'
import { predictTime } from '../../src/metrics/time.ts'

const arithmetic = (type: string, operations: string) => {
  const text = `define ptx_kernel void @k(ptr %a, ${type} %x) {
  %v = load ${type}, ptr %a, align 8
${operations}
  store ${type} %r, ptr %a, align 8
  ret void
}`
  return narrowPipes(prepareKernel(readModule(text, 'k.cu'), 'k'), [10])
}

test('what goes through them, of one block that ten warps run', () => {
  expect(arithmetic('double', '  %p = fmul double %v, %x\n  %r = fadd double %p, %v')).toEqual({
    integers: 0,
    doubles: 20,
    specials: 0,
  })
  // A division in double: seven fused multiply-adds, one product, one MUFU.
  expect(arithmetic('double', '  %r = fdiv double %v, %x')).toEqual({ integers: 0, doubles: 80, specials: 10 })
  // In single: MUFU and FCHK.
  expect(arithmetic('float', '  %r = fdiv float %v, %x')).toEqual({ integers: 0, doubles: 0, specials: 20 })
  expect(arithmetic('float', '  %r = fadd float %v, %x')).toEqual({ integers: 0, doubles: 0, specials: 0 })
  expect(arithmetic('i32', '  %p = xor i32 %v, %x\n  %q = add i32 %p, %x\n  %r = lshr i32 %q, 3')).toEqual({
    integers: 20,
    doubles: 0,
    specials: 0,
  })
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
      instructions: 1e8,
      pipes: { integers: 0, doubles: 1e8, specials: 0 },
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
