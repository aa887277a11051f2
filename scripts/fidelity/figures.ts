/** The committed figures, and what counts as worse. */
import type { Summary } from './summary.ts'

/** By set: `quick` (what the tests run, test/fidelity), `shared`, `machine` (our own about the machine compiler), and the public ones (programs.ts). */
export type Figures = Record<string, Summary>

/** Figures that should be large; all other numbers should be small. */
const largeIsGood = /exact|Equal|Spearman|launches/i
/** Rounding, and what a change elsewhere may move without anybody's fault. */
const SLACK = 0.02

/** One line for each figure of `now` that is worse than in `before`; sets that were not measured are left out. */
export function worseFigures(before: Figures, now: Figures): string[] {
  return Object.keys(now).flatMap(set => compare(set, flatten(before[set] ?? {}), flatten(now[set] ?? {})))
}

function compare(set: string, before: Map<string, number>, now: Map<string, number>): string[] {
  return [...before].flatMap(([name, old]) => {
    const value = now.get(name)
    if (value === undefined) return [`${set} ${name}: missing`]
    const isWorse = largeIsGood.test(name) ? value < old - SLACK : value > old * (1 + SLACK) + SLACK
    return isWorse ? [`${set} ${name}: ${value}, was ${old}`] : []
  })
}

function flatten(value: object, prefix = ''): Map<string, number> {
  const found = new Map<string, number>()
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'number') found.set(prefix + name, inner)
    else if (typeof inner === 'object' && inner !== null)
      for (const [key, number] of flatten(inner, `${prefix}${name}.`)) found.set(key, number)
  }
  return found
}
