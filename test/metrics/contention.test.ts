/**
 * Many warps at few addresses against an H200's times: atomics and stores in global memory (scripts/fidelity/cases/hotAddresses.cu), loops of
 * compare-and-swaps (contendedSwaps.cu).
 */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { StoredLines, type StoreTime } from '../../src/metrics/caches/storedLines.ts'
import { parseReport } from '../../src/report/schema.ts'
import { workshop } from '../cli/harness.ts'

interface Reading {
  readonly kernel: string
  readonly blocks: number
  readonly threads: number
  readonly ns: number
}

const read = (name: string) => readFileSync(new URL(`../../scripts/fidelity/cases/${name}`, import.meta.url), 'utf8')
const names = ['hotAddresses', 'contendedSwaps']
const shop = workshop(Object.fromEntries(names.map(name => [`${name}.cu`, read(`${name}.cu`)])))
afterAll(() => shop.remove())

/** Factors between prediction and reading, the smallest first, of kernels whose names begin so. */
async function factorsOf(program: string): Promise<(kernel: RegExp) => number[]> {
  const readings: Reading[] = JSON.parse(read(`${program}.json`))
  await shop.run('profile', `${program}.cu`, '-o', 'r.json')
  const { launches } = parseReport(readFileSync(`${shop.folder}/r.json`, 'utf8'), 'r.json')
  expect(launches.map(({ grid, block }) => [grid[0], block[0]])).toEqual(
    readings.map(({ blocks, threads }) => [blocks, threads]),
  )
  return kernel =>
    launches
      .flatMap(({ metrics }, index) => {
        if (!kernel.test(readings[index]!.kernel)) return []
        const factor = metrics['gpu__time_duration.sum']!.value! / readings[index]!.ns
        return [Math.max(factor, 1 / factor)]
      })
      .sort((a, b) => a - b)
}

const part = (factors: readonly number[], share: number) => factors[Math.floor(share * factors.length)]!

test('atomics at few addresses: half within 5 %, nine of ten within 25 %, none off by more than 1.7; stores 1.2, 2, 2.1', async () => {
  const factors = await factorsOf('hotAddresses')
  const atomics = factors(/red|atom|largest/)
  expect(atomics.length).toBe(68)
  expect(part(atomics, 0.5)).toBeLessThan(1.05)
  expect(part(atomics, 0.9)).toBeLessThan(1.25)
  expect(atomics.at(-1)).toBeLessThan(1.7)
  const stores = factors(/store/)
  expect(part(stores, 0.5)).toBeLessThan(1.2)
  expect(part(stores, 0.9)).toBeLessThan(2)
  expect(stores.at(-1)).toBeLessThan(2.1)
}, 300_000)

test('loops of compare-and-swaps: half within 18 %, those in shared memory nine of ten within 45 %', async () => {
  const factors = await factorsOf('contendedSwaps')
  expect(part(factors(/global/), 0.5)).toBeLessThan(1.15)
  const shared = factors(/shared/)
  expect(part(shared, 0.5)).toBeLessThan(1.18)
  expect(part(shared, 0.9)).toBeLessThan(1.45)
}, 300_000)

const once: StoreTime = {
  now: 0,
  within: 96,
  warp: 0,
  waits: 0,
  warps: 1,
  warpsPerBlock: 1,
  together: 1,
  block: 0,
  storesBefore: 8,
  lines: 1,
}

/** Stores of each of so many warps in turn to `lines` lines of its own, four times: the share that leaves by itself. */
function shareSent(warps: number, lines: number): number {
  const stored = new StoredLines(1)
  let [sent, all] = [0, 0]
  for (let round = 0; round < 4; round++)
    for (let warp = 0; warp < warps; warp++) {
      const touched = Int32Array.from({ length: lines }, (_, line) => warp * lines + line)
      const time: StoreTime = { ...once, now: ++all, within: 1.5 * warps, warp, warps, lines: 4 * lines }
      stored.begin(0, touched, 0, lines, time)
      touched.forEach(
        (line, index) => void (stored.add(0, index, { line, sectors: 1, words: 1 << round }, time) === 0 && sent++),
      )
    }
  return sent / (all * lines)
}

test('lines wait while there is room for them: 16 of one warp, 6 of four each, 4 of 16 each (stores.json, tile)', () => {
  for (const share of [shareSent(1, 16), shareSent(4, 6), shareSent(16, 4)]) expect(share).toBeLessThan(0.4)
  for (const share of [shareSent(4, 12), shareSent(16, 12), shareSent(64, 8)]) expect(share).toBeGreaterThan(0.9)
})

test('stores of one warp to a line leave together until it waits for L2; of a block’s 8 warps three do', () => {
  const time: StoreTime = { ...once, warps: 64, warpsPerBlock: 8 }
  const lines = new StoredLines(1)
  let words = 1
  const leaves = (change: Partial<StoreTime>) =>
    lines.add(0, 0, { line: 7, sectors: 1, words }, Object.assign(time, { now: time.now + 1 }, change)) === 0
  const leavesNext = () => {
    words *= 2
    return leaves({})
  }
  expect(leaves({})).toBe(true)
  expect([leavesNext(), leavesNext(), leavesNext()]).toEqual([false, false, false])
  const others = Array.from({ length: 7 }, (_, warp) => leaves({ warp: warp + 1 }))
  expect(others.filter(left => left).length).toBe(2)
  expect(leaves({ now: 500 })).toBe(true)
})

test('a warp does not store over what waits of its own; warps in step leave together (sameWords.cu)', () => {
  const lines = new StoredLines(1)
  const time: StoreTime = { ...once, warps: 8, warpsPerBlock: 8, together: 8, lines: 4 }
  let sent = 0
  for (let round = 0; round < 16; round++)
    for (let warp = 0; warp < 2; warp++) {
      Object.assign(time, { now: time.now + 1, warp })
      if (lines.add(0, 0, { line: 7, sectors: 1, words: 1 }, time) === 0) sent++
    }
  expect(sent).toBe(16)
})
