/**
 * The committed figures hold: short programs with readings of an H200, run as `npm run fidelity -- --quick --check` does.
 * The other sets of scripts/fidelity/figures.json need the public repositories or more time.
 */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { type Comparison, compareLaunch } from '../../scripts/fidelity/compare.ts'
import { type Figures, worseFigures } from '../../scripts/fidelity/figures.ts'
import { listQuickPrograms } from '../../scripts/fidelity/programs.ts'
import { runFidelityProgram } from '../../scripts/fidelity/runProgram.ts'
import { summarize } from '../../scripts/fidelity/summary.ts'
import { createClangPool } from '../../src/node/clangPool.ts'

const clang = createClangPool()
const compared: Comparison[] = []
const before: Figures = JSON.parse(
  readFileSync(new URL('../../scripts/fidelity/figures.json', import.meta.url), 'utf8'),
)

afterAll(() => clang.close())

test.each(listQuickPrograms())(
  '$name runs to its last reading',
  async program => {
    const { launches, problem } = await runFidelityProgram(program, { clang, jobs: 1, timeLimitMs: 300_000 })
    expect(problem).toBeUndefined()
    expect(launches.length).toBeGreaterThanOrEqual(program.readings.length)
    compared.push(...program.readings.map((_, index) => compareLaunch(program, index, launches[index]!)))
  },
  300_000,
)

test('no figure is worse than the committed one', () => {
  expect(worseFigures(before, { quick: summarize(compared) })).toEqual([])
})
