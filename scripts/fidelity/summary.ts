/** From comparisons to the few figures that are kept in fidelity.json and must not get worse. */
import { type Comparison, exactCounters, type Modelled } from './compare.ts'

export interface Summary {
  readonly launches: number
  /** Launches with all exact counters equal, percent. */
  readonly exactLaunches: number
  /** Launches with all counters equal that the report calls exact, percent. */
  readonly exactWhereLabelled: number
  /** Percent of the launches, by counter. */
  readonly exactByCounter: Readonly<Record<string, number>>
  readonly occupancyLimitsEqual: number
  readonly time: {
    readonly launches: number
    /** Mean absolute percentage error over launches of 10 us and more. */
    readonly meanError: number
    /** Largest factor, either way. */
    readonly worstFactor: number
    readonly shortMeanError: number
    /** Least rank correlation inside a program of five launches of 10 us and more. */
    readonly worstSpearman: number
    readonly meanSpearman: number
  }
  /** Median absolute percentage errors; DRAM over launches that move more than the caches hold. */
  readonly l2ReadMedianError: number
  readonly l2WriteMedianError: number
  readonly dramMedianError: number
  readonly instructionsMeanError: number
  readonly achievedOccupancyMeanError: number
  readonly registersMeanError: number
}

const LONG_NS = 10_000
const CACHES_BYTES = 60 * 2 ** 20

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / Math.max(1, values.length)

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted.length === 0 ? 0 : (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}

const round = (value: number) => Math.round(value * 100) / 100

/** Ranks, equal values sharing the mean of their places. */
function ranks(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b)
  return values.map(value => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2)
}

export function spearman(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranks(a), ranks(b)]
  const [meanX, meanY] = [mean(x), mean(y)]
  const covariance = (p: readonly number[], q: readonly number[], mp: number, mq: number) =>
    p.reduce((sum, value, i) => sum + (value - mp) * (q[i]! - mq), 0)
  return covariance(x, y, meanX, meanY) / Math.sqrt(covariance(x, x, meanX, meanX) * covariance(y, y, meanY, meanY))
}

/** Percent off, of launches where both numbers are there. */
function errors(comparisons: readonly Comparison[], name: Modelled): number[] {
  return comparisons.flatMap(({ modelled }) => {
    const { ours, read } = modelled[name]
    return ours === undefined || read === 0 ? [] : [Math.abs(100 * (ours / read - 1))]
  })
}

export function summarize(comparisons: readonly Comparison[]): Summary {
  const share = (count: number) => round((100 * count) / Math.max(1, comparisons.length))
  const timed = comparisons.filter(({ modelled: { time } }) => time.ours !== undefined && time.read > 0)
  const isLong = ({ modelled }: Comparison) => modelled.time.read >= LONG_NS
  const long = timed.filter(isLong)
  const factors = long.map(({ modelled: { time } }) => Math.max(time.ours! / time.read, time.read / time.ours!))
  const orders = [...new Set(long.map(({ program }) => program))].flatMap(program => {
    const own = long.filter(comparison => comparison.program === program)
    const order = spearman(
      own.map(({ modelled }) => modelled.time.ours!),
      own.map(({ modelled }) => modelled.time.read),
    )
    return own.length < 5 || Number.isNaN(order) ? [] : [order]
  })
  const large = comparisons.filter(
    ({ modelled: { dramRead, dramWrite } }) => dramRead.read + dramWrite.read > CACHES_BYTES,
  )
  return {
    launches: comparisons.length,
    exactLaunches: share(comparisons.filter(({ differences }) => differences.length === 0).length),
    exactWhereLabelled: share(
      comparisons.filter(({ differences }) => !differences.some(d => d.isLabelledExact)).length,
    ),
    exactByCounter: Object.fromEntries(
      exactCounters.map(counter => [
        counter,
        share(comparisons.filter(({ differences }) => !differences.some(d => d.counter === counter)).length),
      ]),
    ),
    occupancyLimitsEqual: round(
      (100 * timed.filter(({ limitsEqual }) => limitsEqual).length) / Math.max(1, timed.length),
    ),
    time: {
      launches: long.length,
      meanError: round(mean(errors(long, 'time'))),
      worstFactor: round(Math.max(1, ...factors)),
      shortMeanError: round(
        mean(
          errors(
            timed.filter(c => !isLong(c)),
            'time',
          ),
        ),
      ),
      worstSpearman: round(Math.min(1, ...orders)),
      meanSpearman: round(orders.length === 0 ? 1 : mean(orders)),
    },
    l2ReadMedianError: round(median(errors(comparisons, 'l2Read'))),
    l2WriteMedianError: round(median(errors(comparisons, 'l2Write'))),
    dramMedianError: round(median([...errors(large, 'dramRead'), ...errors(large, 'dramWrite')])),
    instructionsMeanError: round(mean(errors(comparisons, 'instructions'))),
    achievedOccupancyMeanError: round(mean(errors(comparisons, 'occupancy'))),
    registersMeanError: round(
      mean(comparisons.map(({ registers: { ours, read } }) => Math.abs(100 * (ours / Math.max(1, read) - 1)))),
    ),
  }
}
