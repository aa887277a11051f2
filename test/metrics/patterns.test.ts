/**
 * The memory model against 1,438 launches of one warp each that Nsight Compute read on an H200
 * (shared/truth/h200/patterns.json, the kernels are in shared/cases/micro/patterns.cu). No mismatch is tolerated.
 * Each launch makes other accesses beside the pattern's own; `launchAccesses` lists them all, as the kernels do.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { countAccess } from '../../src/metrics/rules/accessModel.ts'
import type { AccessOp, Space, WarpAccess } from '../../src/trace.ts'

interface Entry {
  readonly kernel: 'loadGlobal' | 'storeGlobal' | 'atomicGlobal' | 'loadShared' | 'storeShared' | 'atomicShared'
  readonly bytes: number
  readonly pattern: string
  readonly offsets: readonly number[]
  readonly metrics: Readonly<Record<string, number>>
}

const entries = JSON.parse(
  readFileSync(new URL('../../../shared/truth/h200/patterns.json', import.meta.url), 'utf8'),
) as readonly Entry[]

const LANES = Array.from({ length: 32 }, (_, lane) => lane)
const SHARED_SWEEP = 32 * 1024

function access(space: Space, op: AccessOp, width: number, offsets: readonly number[]): WarpAccess {
  const mask = offsets.reduce((bits, offset, lane) => (offset < 0 ? bits : bits | (1 << lane)), 0) >>> 0
  return { space, op, width, mask, addresses: Uint32Array.from(offsets, offset => (offset < 0 ? 0xdead_beef : offset)) }
}

const coalesced = (space: Space, op: AccessOp, width: number, first = 0) =>
  access(
    space,
    op,
    width,
    LANES.map(lane => first + lane * width),
  )

/** `for (i = threadIdx.x * 4; i < SHARED_BYTES; i += LANES * 4)`: every word of shared memory once. nvcc keeps the 4-byte accesses. */
const sharedSweep = (op: AccessOp) =>
  Array.from({ length: SHARED_SWEEP / 128 }, (_, round) => coalesced('shared', op, 4, round * 128))

/** Lanes whose offset is -1 skip the pattern's own access, and what depends on it. */
const onlyActive = (offsets: readonly number[], width: number) =>
  offsets.map((offset, lane) => (offset < 0 ? -1 : lane * width))

function launchAccesses({ kernel, bytes, offsets }: Entry): WarpAccess[] {
  switch (kernel) {
    case 'loadGlobal':
      return [access('global', 'load', bytes, offsets), access('global', 'store', bytes, onlyActive(offsets, bytes))]
    case 'storeGlobal':
      return [access('global', 'store', bytes, offsets)]
    case 'atomicGlobal':
      return [access('global', 'red', 4, offsets)]
    case 'loadShared':
      return [
        ...sharedSweep('store'),
        access('shared', 'load', bytes, offsets),
        access('global', 'store', bytes, onlyActive(offsets, bytes)),
      ]
    case 'storeShared':
      return [access('shared', 'store', bytes, offsets), ...sharedSweep('load'), coalesced('global', 'store', 4)]
    case 'atomicShared':
      return [
        ...sharedSweep('store'),
        access('shared', 'red', 4, offsets),
        ...sharedSweep('load'),
        coalesced('global', 'store', 4),
      ]
  }
}

const isAtomic = (op: AccessOp) => op === 'atomic' || op === 'red'

/** The counters of one launch, under Nsight Compute's names. */
function predict(accesses: readonly WarpAccess[]): Record<string, number> {
  const sum = (space: Space, ops: (op: AccessOp) => boolean, count: (a: WarpAccess) => number) =>
    accesses.filter(a => a.space === space && ops(a.op)).reduce((total, a) => total + count(a), 0)
  const is = (op: AccessOp) => (other: AccessOp) => other === op
  const result: Record<string, number> = {
    'smsp__sass_l1tex_tags_mem_global.sum': sum(
      'global',
      () => true,
      a => countAccess(a).tags,
    ),
    'l1tex__t_requests_pipe_lsu_mem_global_op_red.sum': sum('global', isAtomic, () => 1),
    'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum': sum(
      'shared',
      isAtomic,
      a => countAccess(a).wavefronts,
    ),
  }
  for (const [suffix, op] of [
    ['ld', 'load'],
    ['st', 'store'],
  ] as const) {
    const global = (count: (a: WarpAccess) => number) => sum('global', is(op), count)
    const shared = (count: (a: WarpAccess) => number) => sum('shared', is(op), count)
    const sectors = global(a => countAccess(a).sectors)
    const wavefronts = shared(a => countAccess(a).wavefronts)
    result[`smsp__sass_inst_executed_op_global_${suffix}.sum`] = global(() => 1)
    result[`l1tex__t_requests_pipe_lsu_mem_global_op_${suffix}.sum`] = global(() => 1)
    result[`l1tex__t_sectors_pipe_lsu_mem_global_op_${suffix}.sum`] = sectors
    result[`smsp__sass_inst_executed_op_shared_${suffix}.sum`] = shared(() => 1)
    result[`smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_${suffix}.sum`] = wavefronts
    result[`smsp__sass_average_data_bytes_per_sector_mem_global_op_${suffix}.ratio`] =
      global(a => countAccess(a).bytes) / (sectors || 1)
    result[`smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_${suffix}.ratio`] =
      shared(a => countAccess(a).bytes) / (wavefronts || 1)
  }
  return result
}

describe('one warp, one pattern, as read on an H200', () => {
  const names = Object.keys(predict([]))
  const predictions = entries.map(entry => predict(launchAccesses(entry)))
  test.each(names)('%s: no mismatch', name => {
    const mismatches: string[] = []
    for (const [index, entry] of entries.entries()) {
      const measured = entry.metrics[name] ?? 0 // counters that read 0 are left out of the file
      const predicted = predictions[index]![name]!
      // Nsight Compute prints ratios with two decimals.
      const equal = name.endsWith('.ratio') ? Math.abs(measured - predicted) <= 0.005 + 1e-9 : measured === predicted
      if (!equal)
        mismatches.push(`${entry.kernel} ${entry.bytes} ${entry.pattern}: read ${measured}, counted ${predicted}`)
    }
    expect(entries).toHaveLength(1438)
    expect(mismatches).toEqual([])
  })
})
