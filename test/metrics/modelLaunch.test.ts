/** From a program run by the reference interpreter to cache traffic, time and every modelled metric. */
import { expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import { AccessTraces } from '../../src/metrics/caches/accessTraces.ts'
import { computeMetrics } from '../../src/metrics/compute.ts'
import { modelLaunch } from '../../src/metrics/modelLaunch.ts'
import { countAccess } from '../../src/metrics/rules/accessModel.ts'
import type { WarpAccess } from '../../src/trace.ts'
import { launch } from '../reference/launch.ts'

const COPY = `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @copy(ptr %in, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %block, 256
  %i = add i32 %base, %tid
  %p = getelementptr i32, ptr %in, i32 %i
  %q = getelementptr i32, ptr %out, i32 %i
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q, align 4
  ret void
}`

const BLOCKS = 64
const WARPS = 8

test('a copy: traffic as read for copy 16384 (limits.json), a little over the time of an empty launch', () => {
  const traces = new AccessTraces()
  let access = 0
  const buffers = [new Uint32Array(BLOCKS * 256), new Uint32Array(BLOCKS * 256)]
  const result = launch(COPY, {
    grid: BLOCKS,
    block: 256,
    buffers,
    // The interpreter runs blocks, then warps, in order: a load and a store each.
    model: (a: WarpAccess) => {
      const warp = Math.floor(access++ / 2)
      traces.record(Math.floor(warp / WARPS), warp % WARPS, { ...a, addresses: a.addresses.slice() })
      return countAccess(a)
    },
  })
  const h200 = findDevice('H200')
  const counters = {
    sites: result.program.sites.map((site, index) => ({ ...site, ...result.sites[index]! })),
    blocks: result.blocks,
    grid: { x: BLOCKS, y: 1, z: 1 },
    block: { x: 256, y: 1, z: 1 },
    staticSharedBytes: 0,
    dynamicSharedBytes: 0,
    registersPerThread: 16,
    registersSource: 'measured' as const,
  }
  const { launch: modelled, predicted } = modelLaunch(counters, result.program, traces, h200)!
  expect(modelled.caches).toMatchObject({ l2ReadSectors: 2048, l2WriteSectors: 2048, dramReadBytes: 65_536 })
  expect(predicted.seconds * 1e9).toBeGreaterThan(1536) // nothing() reads 1,536 ns
  expect(predicted.seconds * 1e9).toBeLessThan(2500) // copy 16384 reads 2,176 ns
  const metrics = computeMetrics(modelled, h200, [
    'gpu__time_duration.sum',
    'lts__t_sectors_srcunit_tex_op_read.sum',
    'smsp__inst_executed.sum',
    'achieved_occupancy',
    'gld_throughput',
  ])
  for (const [name, { value, fidelity }] of Object.entries(metrics)) {
    expect(value, name).toBeGreaterThan(0)
    expect(fidelity, name).toBe('modelled')
  }
})

test('without registers there is no occupancy and no time', () => {
  const result = launch(COPY, { buffers: [new Uint32Array(256), new Uint32Array(256)], block: 32 })
  const dim = { x: 1, y: 1, z: 1 }
  const counters = { sites: [], blocks: [], grid: dim, block: dim, staticSharedBytes: 0, dynamicSharedBytes: 0 }
  expect(modelLaunch(counters, result.program, new AccessTraces(), findDevice('H200'))).toBeUndefined()
})
