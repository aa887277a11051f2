/** Readings taken on an H200 for this project, beside those under shared/truth: ideal wavefronts and global atomics. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { countAccess } from '../../src/metrics/rules/accessModel.ts'
import type { WarpAccess } from '../../src/trace.ts'
import atomics from './readings/atomics.json' with { type: 'json' }
import mergedLoads from './readings/mergedLoads.json' with { type: 'json' }
import sharedIdeal from './readings/sharedIdeal.json' with { type: 'json' }

interface Pattern {
  readonly kernel: string
  readonly bytes: number
  readonly pattern: string
  readonly offsets: readonly number[]
}

function access(
  space: WarpAccess['space'],
  op: WarpAccess['op'],
  width: number,
  offsets: readonly number[],
): WarpAccess {
  const mask = offsets.reduce((bits, offset, lane) => (offset < 0 ? bits : bits | (1 << lane)), 0) >>> 0
  return { space, op, width, mask, addresses: Uint32Array.from(offsets) }
}

test('memory_l1_wavefronts_shared_ideal: 719 launches', () => {
  const patterns = (
    JSON.parse(
      readFileSync(new URL('../../../shared/truth/h200/patterns.json', import.meta.url), 'utf8'),
    ) as readonly Pattern[]
  ).filter(({ kernel }) => kernel.endsWith('Shared'))
  expect(sharedIdeal.ideal).toHaveLength(patterns.length)
  const wrong = patterns.filter(({ kernel, bytes, offsets }, index) => {
    const [op, others] =
      kernel === 'loadShared'
        ? (['load', 256] as const)
        : kernel === 'storeShared'
          ? (['store', 256] as const)
          : (['red', 512] as const)
    return countAccess(access('shared', op, bytes, offsets)).wavefrontsIdeal + others !== sharedIdeal.ideal[index]
  })
  expect(wrong.map(({ kernel, bytes, pattern }) => `${kernel} ${bytes} ${pattern}`)).toEqual([])
})

describe('wide shared loads with equal neighbours and holes', () => {
  const launches = (mergedLoads.launches as [number, string, number[], number, number][]).map(
    ([width, pattern, offsets, wavefronts, ideal]) => ({
      name: `${width} ${pattern}`,
      isFull: offsets.every(offset => offset >= 0),
      counted: countAccess(access('shared', 'load', width, offsets)),
      wavefronts,
      ideal,
    }),
  )

  test('wavefronts: 342 of 348 equal, all with every lane active, the others one off', () => {
    const wrong = launches.filter(({ counted, wavefronts }) => counted.wavefronts !== wavefronts)
    expect(wrong).toHaveLength(6)
    expect(wrong.filter(({ isFull }) => isFull)).toEqual([])
    for (const { name, counted, wavefronts } of wrong) {
      expect(name).toMatch(/^16 /)
      expect(Math.abs(counted.wavefronts - wavefronts)).toBe(1)
    }
  })

  test('ideal: equal wherever the wavefronts are', () => {
    const right = launches.filter(({ counted, wavefronts }) => counted.wavefronts === wavefronts)
    expect(right.filter(({ counted, ideal }) => counted.wavefrontsIdeal !== ideal).map(({ name }) => name)).toEqual([])
  })
})

describe('sectors of global atomics', () => {
  type Launch = {
    readonly op: 'red' | 'atomic'
    readonly width: number
    readonly offsets: number[]
    readonly read: number
  }
  const launches = (atomics.launches as [string, number, number[], number][]).map(
    ([kernel, width, offsets, read]): Launch => ({ op: kernel === 'red' ? 'red' : 'atomic', width, offsets, read }),
  )
  const linesOf = ({ offsets }: Launch) =>
    new Set(offsets.filter(offset => offset >= 0).map(offset => offset >> 7)).size
  const counted = ({ op, width, offsets }: Launch) => countAccess(access('global', op, width, offsets)).sectors

  test('exact while a warp touches at most four lines', () => {
    const near = launches.filter(launch => linesOf(launch) <= 4)
    expect(near.length).toBeGreaterThan(200)
    expect(near.filter(launch => counted(launch) !== launch.read)).toEqual([])
  })

  test('never above the reading and at most 2 below', () => {
    for (const launch of launches) {
      expect(launch.read - counted(launch)).toBeGreaterThanOrEqual(0)
      expect(launch.read - counted(launch)).toBeLessThanOrEqual(2)
    }
  })
})
