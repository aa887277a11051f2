/**
 * Accesses of shared memory at random, among barriers: what is found is what exact records of every access find, whether an access is told as a row or
 * by its addresses, and whoever looks at the tags.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HappensBefore } from '../../src/check/happensBefore.ts'
import { SharedChecks } from '../../src/check/sharedChecks.ts'
import { SharedRecords } from '../../src/check/sharedRecords.ts'
import type { Hazard, SharedSetting } from '../../src/check/sharedSetting.ts'
import { TagMemory } from '../../src/check/sharedTags.ts'
import type { SiteFacts } from '../../src/check/siteFacts.ts'
import type { AddressRow, CheckedAccess } from '../../src/launch.ts'
import type { Site } from '../../src/trace.ts'

const WARPS = 3
const BYTES = 512
/** Reads, writes and atomic operations, of words, bytes and vectors. */
const OPS = ['load', 'store', 'atomic'] as const
const WIDTHS = [4, 1, 16] as const
const SITES = OPS.flatMap(op => WIDTHS.map(width => ({ op, width })))

/** How lanes' addresses lie: one behind the other, all at one place, words apart, and whatever comes of that. */
const SHAPES: readonly ((lane: number, width: number) => number)[] = [
  (lane, width) => lane * width,
  () => 0,
  (lane, width) => (lane % 4) * width,
  (lane, width) => ((lane * 7) % 32) * width,
  (lane, width) => (31 - lane) * width,
]

type Step =
  | {
      readonly kind: 'access'
      readonly site: number
      readonly warp: number
      readonly lanes: number
      readonly shape: number
      readonly place: number
      readonly isRow: boolean
    }
  | { readonly kind: 'meet' }
  | { readonly kind: 'begin' }
  | { readonly kind: 'meetWarp'; readonly warp: number }

const warp = fc.nat({ max: WARPS - 1 })
const steps = (sites: readonly number[]): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      {
        weight: 12,
        arbitrary: fc.record({
          kind: fc.constant('access' as const),
          site: fc.constantFrom(...sites),
          warp,
          // Few places and lanes, so that they meet.
          lanes: fc.constantFrom(-1, 1, 2, 3, 1 << 31, (1 << 31) | 1, 0x5555),
          shape: fc.constantFrom(0, 0, 0, 0, 1, 2, 3, 4),
          place: fc.constantFrom(0, 0, 1, 2, 31),
          isRow: fc.constantFrom(true, true, true, false),
        }),
      },
      { weight: 3, arbitrary: fc.constant({ kind: 'meet' as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'begin' as const }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('meetWarp' as const), warp }) },
    ),
    { maxLength: 60 },
  )

interface Told {
  readonly step: number
  readonly lane: number
  readonly hazard: Hazard
}

function settingOf(
  widths: readonly number[],
  found: (access: CheckedAccess, lane: number, hazard: Hazard) => void,
): SharedSetting {
  const sites = SITES.map(({ op, width }, id) => ({ id, op, width, space: 'shared' })) as unknown as Site[]
  const facts = SITES.map(
    ({ op }): SiteFacts => ({
      reads: op !== 'store',
      writes: op !== 'load',
      isAtomic: op === 'atomic',
      acquires: false,
      isPiece: false,
      isWhole: true,
      align: 0,
    }),
  )
  return {
    bytes: BYTES,
    unitLog2: Math.log2(Math.min(4, ...widths)),
    memory,
    sites,
    facts,
    hasLocks: false,
    findings: { outside: () => {}, hazard: found, unwritten: undefined },
  }
}

const memory = new TagMemory()

/** Runs the steps by what is to be tested, or by exact records alone. */
function run(sequence: readonly Step[], widths: readonly number[], isExact: boolean): Told[] {
  const told: Told[] = []
  let step = 0
  const setting = settingOf(widths, (_, lane, hazard) => told.push({ step, lane, hazard }))
  const order = new HappensBefore(WARPS)
  const records = new SharedRecords(setting, order, BYTES >> setting.unitLog2)
  const checks = new SharedChecks(setting, order, undefined)
  const rows = new Map<string, AddressRow>()
  for (const each of sequence) {
    step++
    if (each.kind === 'meet') order.meetAll()
    else if (each.kind === 'meetWarp') order.meetWarp(each.warp)
    else if (each.kind === 'begin') {
      order.begin()
      if (!isExact) checks.begin()
    } else {
      const site = setting.sites[each.site]!
      const distances = Int32Array.from({ length: 32 }, (_, lane) => SHAPES[each.shape]!(lane, site.width))
      const base = Math.min(each.place * site.width, BYTES - 32 * site.width)
      const addresses = distances.map(distance => base + distance)
      const { warp: at, lanes } = each
      const access: CheckedAccess = {
        site,
        block: 0,
        warp: at,
        lanes,
        addresses,
        storesSame: () => false,
        keeps: () => false,
      }
      const key = `${each.site}/${each.shape}`
      const row = rows.get(key) ?? {
        index: rows.size,
        site: site.id,
        distances,
        least: Math.min(...distances),
        most: Math.max(...distances),
        isRun: false,
      }
      rows.set(key, row)
      if (isExact) records.add(access, lanes, (order.now[at]! << 5) | at)
      else if (!each.isRow || !checks.checkRow(access, base, row)) checks.check(access)
    }
  }
  checks.giveBack()
  return told
}

describe.each([
  ['words', [4]],
  ['words and vectors', [4, 16]],
  ['bytes and words', [1, 4]],
] as const)('hazards of %s', (_, widths) => {
  const sites = SITES.flatMap(({ width }, site) => ((widths as readonly number[]).includes(width) ? [site] : []))
  test('are those of exact records', () => {
    fc.assert(
      fc.property(steps(sites), sequence => {
        expect(run(sequence, widths, false)).toEqual(run(sequence, widths, true))
      }),
      { numRuns: 2000 },
    )
  })
})
