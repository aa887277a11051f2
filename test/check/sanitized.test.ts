/** The worst that `warplens check` tells of each kernel of cases/sanitized.cu, beside what NVIDIA's compute-sanitizer told on an H200. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { CheckReport } from '../../src/check/model.ts'
import { workshop } from '../cli/harness.ts'

/** Read: CUDA 13.0's compute-sanitizer, `--tool racecheck` and `--tool synccheck`; where nothing is told of a kernel, nothing was. */
const READ: Readonly<Record<string, string>> = {
  treeWithoutBarrier: 'racecheck error',
  tilesWithOneBarrier: 'racecheck error',
  otherValues: 'racecheck error',
  treeOfWarp: 'racecheck warning',
  volatileLastWarp: 'racecheck warning',
  neighbour: 'racecheck error',
  neighbourOfWarp: 'racecheck warning',
  shuffleBetween: 'racecheck warning',
  bytesOfWords: 'racecheck warning',
  transposeWithoutBarrier: 'racecheck error',
  plainHistogram: 'racecheck error',
  scanOfOneArray: 'racecheck error',
  volatileFlag: 'racecheck error',
  lockOfLanes: 'racecheck error',
  oddLanesWait: 'synccheck error',
  lanesElsewhere: 'synccheck error',
  warpsElsewhere: 'synccheck error',
}

/** Told here alone: the programming guide leaves what happens undefined (docs/check.md, "Beside compute-sanitizer"). */
const STRICTER: Readonly<Record<string, string>> = {
  sumAndRead: 'racecheck error',
  plainStoreBesideSum: 'racecheck error',
  halfWarpWaits: 'synccheck error',
  shuffleOfHalf: 'synccheck error',
  twoWarpsWait: 'synccheck error',
}

/** What orders them is a lock, which compute-sanitizer does not see. */
const RIGHT = ['lockOfLanes']

const SEVERITIES = ['error', 'warning', 'info'] as const

const source = readFileSync(join(import.meta.dirname, 'cases', 'sanitized.cu'), 'utf8')
const shop = workshop({ 'sanitized.cu': source })
afterAll(() => shop.remove())

it('tells of each kernel what compute-sanitizer does', async () => {
  const { stdout, stderr } = await shop.run('check', 'sanitized.cu', '--json')
  expect(stdout, stderr).not.toBe('')
  const { findings, launches } = JSON.parse(stdout) as CheckReport
  expect(launches.checked).toBe(33)
  const worst: Record<string, string> = {}
  for (const severity of SEVERITIES.slice(0, 2))
    for (const { kernel, tool, severity: told } of findings)
      if (told === severity) worst[kernel!.replace(/\(.*/, '')] ??= `${tool} ${severity}`
  const expected = Object.entries({ ...READ, ...STRICTER }).filter(([kernel]) => !RIGHT.includes(kernel))
  expect(worst).toEqual(Object.fromEntries(expected))
})
