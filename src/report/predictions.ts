/** Predicted time of each launch, what limits it, and how near the other limits are: rows for the pages. All modelled. */
import { launchRows } from './launchRows.ts'
import type { LaunchReport } from './model.ts'
import { shownNames } from './shownNames.ts'

/** Limiters by the words that people use. */
const names: Readonly<Record<string, string>> = {
  issue: 'instruction issue',
  integers: 'integer pipe',
  multiplies: 'integer products',
  doubles: 'double precision',
  specials: 'special functions',
  tensor: 'tensor cores',
  constants: 'constant cache',
  l1AndShared: 'L1 and shared',
  textures: 'texture unit',
  l2: 'L2',
  stores: 'store lines',
  atomics: 'atomics',
  atomicContention: 'one hot atomic',
  dram: 'DRAM',
  hostLink: 'bus to the host',
  blockStart: 'block start',
  latency: 'latency',
  launch: 'launch',
}

export const predictionHeads = ['#', 'kernel', 'time', 'limiter', 'others, of the limiter'] as const

export const limiterName = (limiter: string): string => names[limiter] ?? limiter

/** `~12.6 us`, three digits at least. */
export function microseconds(us: number): string {
  const [value, unit] = us >= 1000 ? [us / 1000, 'ms'] : [us, 'us']
  return `~${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ${unit}`
}

/** Rows of the launches that have a prediction. */
export function predictionRows(launches: readonly LaunchReport[]): string[][] {
  const shown = shownNames(launches)
  return launchRows(
    launches.flatMap(({ index, name, prediction }) => {
      if (prediction === undefined) return []
      const { us, limiter, limitersUs } = prediction
      const longest = limitersUs[limiter] ?? us
      const others = Object.entries(limitersUs)
        .filter(([other, time]) => other !== limiter && time >= 0.2 * longest)
        .sort(([, a], [, b]) => b - a)
        .slice(0, 3)
        .map(([other, time]) => `${limiterName(other)} ${((100 * time) / longest).toFixed(0)}%`)
      return [{ index, cells: [shown(name), microseconds(us), limiterName(limiter), others.join(', ')] }]
    }),
  )
}
