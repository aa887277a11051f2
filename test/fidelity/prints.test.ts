/** What printf adds to the counters: 51 launches with other formats, arguments and lanes, beside their readings of an H200. */
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { compareLaunch } from '../../scripts/fidelity/compare.ts'
import { listMachinePrograms } from '../../scripts/fidelity/programs.ts'
import { runFidelityProgram } from '../../scripts/fidelity/runProgram.ts'
import { findDevice } from '../../src/devices/devices.ts'
import { createClangPool } from '../../src/node/clangPool.ts'

const clang = createClangPool()

afterAll(() => clang.close())

test('all but the loads of strings are equal', async () => {
  const program = listMachinePrograms().find(({ name }) => name === 'prints')!
  const { launches } = await runFidelityProgram(program, { clang, jobs: 1, timeLimitMs: 100_000 })
  expect(launches).toHaveLength(program.readings.length)
  const compared = program.readings.map((_, index) => compareLaunch(program, index, launches[index]!))
  const differing = compared.filter(({ differences }) => differences.length > 0)
  expect(differing.map(({ kernel }) => kernel)).toEqual(['P_str', 'P_str2'])
  expect(differing.flatMap(({ differences }) => differences).some(({ isLabelledExact }) => isLabelledExact)).toBe(false)
  for (const { modelled, kernel } of compared)
    expect(modelled.l2Write.ours! / modelled.l2Write.read, kernel).toBeGreaterThan(0.6)
})

test('on an H100 one lane of a warp stores three words more a call', async () => {
  const device = findDevice('H100')
  const read: { launches: { metrics: Record<string, number> }[] } = JSON.parse(
    readFileSync(new URL('../../scripts/fidelity/cases/printsH100.json', import.meta.url), 'utf8'),
  )
  const program = { ...listMachinePrograms().find(({ name }) => name === 'prints')!, device }
  const { launches } = await runFidelityProgram(program, { clang, jobs: 1, timeLimitMs: 100_000 })
  const stores = (suffix: string) => `l1tex__t_${suffix}_pipe_lsu_mem_global_op_st.sum`
  for (const name of [stores('requests'), stores('sectors')])
    expect(launches.map(({ report }) => report.metrics[name]!.value)).toEqual(
      read.launches.map(({ metrics }) => metrics[name]),
    )
})
