/**
 * The first two tables: Warplens beside its peers, and what counting costs. Contenders take turns round by round, so that a
 * machine that changes its pace changes it for all; every number is a median over all launches of all rounds.
 */
import { type BenchKernel, type Contender, type ContenderName, runWarplens } from './contenders.ts'
import { digits, geometricMean, type Measurement, median, table } from './measurement.ts'

export interface SpeedOptions {
  readonly rounds: number
  /** Launches a round, after the first. */
  readonly repeats: number
  readonly kernels: readonly BenchKernel[]
  /** Told what is being measured. */
  readonly progress: (text: string) => void
  /** Launches left out before those that are compared: optimising a kernel takes the engine some of them. Default 0. */
  readonly settle?: number
}

/** All launches of one contender on one kernel. */
interface Sum {
  readonly cpuMs: number
  readonly wallMs: number
  /** CPU nanoseconds a CUDA thread. */
  readonly perThread: number
  /** CPU time of compiling: what the launches of the first round up to the settled ones took beyond a settled one. */
  readonly compileMs: number
}

function summarize(runs: readonly Measurement[], settle = 0): Sum {
  const settled = runs.map(run => settledOf(run, settle))
  const cpuMs = median(settled.flatMap(run => run.cpuMs))
  const first = runs[0]!
  const early = first.cpuMs.slice(0, first.cpuMs.length - settled[0]!.cpuMs.length)
  return {
    cpuMs,
    wallMs: median(settled.flatMap(run => run.wallMs)),
    perThread: (cpuMs * 1e6) / first.threads,
    compileMs: [first.firstMs, ...early].reduce((sum, ms) => sum + Math.max(0, ms - cpuMs), first.compileMs),
  }
}

/** By kernel, then contender. */
export type Comparison = ReadonlyMap<string, ReadonlyMap<ContenderName, Sum>>

export function compare(contenders: readonly Contender[], threads: number, options: SpeedOptions): Comparison {
  const { settle = 0 } = options
  const runs = new Map(options.kernels.map(({ name }) => [name, new Map<ContenderName, Measurement[]>()]))
  for (let round = 0; round < options.rounds; round++)
    for (const kernel of options.kernels)
      for (const contender of contenders) {
        options.progress(
          `round ${round + 1} of ${options.rounds}, ${threads} threads: ${kernel.name}, ${contender.name}`,
        )
        const known = runs.get(kernel.name)!
        known.set(contender.name, [
          ...(known.get(contender.name) ?? []),
          contender.run(kernel, options.repeats + settle, threads),
        ])
      }
  return new Map(
    [...runs].map(([name, of]) => [
      name,
      new Map([...of].map(([contender, all]) => [contender, summarize(all, settle)])),
    ]),
  )
}

/** Who launches less often, Oclgrind, has nothing to settle. */
function settledOf(all: Measurement, settle: number): Measurement {
  if (all.cpuMs.length <= settle) return all
  return { ...all, cpuMs: all.cpuMs.slice(settle), wallMs: all.wallMs.slice(settle) }
}

/** One thread: CPU milliseconds of a launch, ratios over CPU time a thread. */
export function comparisonTable(comparison: Comparison, kernels: readonly BenchKernel[]): string {
  const peers = ['C++ -O3', 'PoCL', 'Oclgrind'] as const
  const ratios = new Map(peers.map(peer => [peer, [] as number[]]))
  const rows = kernels.map(({ name, size }) => {
    const of = comparison.get(name)!
    const ours = of.get('Warplens')!
    const ratio = (peer: ContenderName): string => {
      const theirs = of.get(peer)
      if (!theirs) return '-'
      const value = theirs.perThread / ours.perThread
      ratios.get(peer as (typeof peers)[number])?.push(value)
      return digits(value)
    }
    const ms = (contender: ContenderName): string => digits(of.get(contender)?.cpuMs ?? Number.NaN)
    return [
      `${name} ${size}`,
      ms('C++ -O3'),
      ms('PoCL'),
      digits(of.get('Oclgrind')?.perThread ?? Number.NaN),
      ms('Warplens'),
      digits(ours.perThread),
      ratio('C++ -O3'),
      ratio('PoCL'),
      ratio('Oclgrind'),
    ]
  })
  const means = peers.map(peer => digits(geometricMean(ratios.get(peer)!)))
  rows.push(['geometric mean', '', '', '', '', '', ...means])
  return table(
    [
      'Kernel, size',
      'C++ -O3, ms',
      'PoCL, ms',
      'Oclgrind, ns a thread',
      'Warplens, ms',
      'ns a thread',
      'of C++',
      'of PoCL',
      'of Oclgrind',
    ],
    rows,
  )
}

/** CPU milliseconds of compiling one kernel, as the launches up to the settled ones show it. */
export function firstLaunchTable(comparison: Comparison, kernels: readonly BenchKernel[]): string {
  const contenders = ['PoCL', 'Warplens'] as const
  const rows = kernels.map(({ name }) => [
    name,
    ...contenders.map(contender => digits(comparison.get(name)!.get(contender)?.compileMs ?? Number.NaN)),
  ])
  return table(['Kernel', ...contenders.map(contender => `${contender}, ms`)], rows)
}

/** Two threads against one: wall time, which is what the second thread is for, and CPU time, which shows what it costs. */
export function scalingTable(one: Comparison, two: Comparison, kernels: readonly BenchKernel[]): string {
  const contenders = ['C++ -O3', 'PoCL', 'Warplens'] as const
  const rows = kernels.map(({ name }) => [
    name,
    ...contenders.flatMap(contender => {
      const before = one.get(name)?.get(contender)
      const after = two.get(name)?.get(contender)
      if (!before || !after) return ['-', '-', '-']
      return [digits(after.wallMs), digits(before.wallMs / after.wallMs), digits(after.cpuMs / before.cpuMs)]
    }),
  ])
  return table(['Kernel', ...contenders.flatMap(name => [`${name}, wall ms`, 'times faster', 'CPU of one'])], rows)
}

/** Kernels whose addresses are data; only Warplens runs them. */
const DATA_DEPENDENT = [
  { name: 'gather', size: 1 << 22 },
  { name: 'histogram', size: 1 << 22 },
]

/** Of those with checks on, which take much longer. */
const CHECKED_LAUNCHES = 2

/** What counting and checking cost: CPU milliseconds of a launch with no counting code, with all counters, and with all checks. */
export function countingTable(options: SpeedOptions): string {
  const { settle = 0 } = options
  const kernels = [...options.kernels, ...DATA_DEPENDENT]
  const runs = kernels.map(kernel => ({
    kernel,
    on: [] as Measurement[],
    off: [] as Measurement[],
    checked: [] as Measurement[],
  }))
  for (let round = 0; round < options.rounds; round++)
    for (const { kernel, on, off, checked } of runs) {
      options.progress(`round ${round + 1} of ${options.rounds}, counters: ${kernel.name}`)
      off.push(runWarplens(kernel, options.repeats + settle, 1, { counters: false }))
      on.push(runWarplens(kernel, options.repeats + settle, 1))
      checked.push(runWarplens(kernel, CHECKED_LAUNCHES, 1, { checks: true }))
    }
  const rows = runs.map(({ kernel, on, off, checked }) => {
    const counted = summarize(on, settle).cpuMs
    const bare = summarize(off, settle).cpuMs
    const watched = summarize(checked).cpuMs
    const least = (runs: readonly Measurement[]): number => Math.min(...runs.flatMap(({ cpuMs }) => cpuMs))
    return [
      `${kernel.name} ${kernel.size}`,
      digits(bare),
      digits(counted),
      digits(counted / bare),
      digits(least(on) / least(off)),
      digits(watched),
      digits(watched / bare),
    ]
  })
  return table(
    ['Kernel, size', 'counters off, ms', 'counters on, ms', 'ratio', 'of the least', 'checks on, ms', 'ratio'],
    rows,
  )
}

const GROWTH = [
  { name: 'vecadd', threadsOf: (size: number) => size, sizes: [16, 18, 20, 22, 24].map(bits => 2 ** bits) },
  { name: 'reduce', threadsOf: (size: number) => size, sizes: [16, 18, 20, 22, 24].map(bits => 2 ** bits) },
  { name: 'transpose_naive', threadsOf: (size: number) => size ** 2, sizes: [256, 512, 1024, 2048, 4096] },
  { name: 'mandel', threadsOf: (size: number) => size ** 2, sizes: [256, 512, 1024, 2048, 4096] },
] as const

/** What can be done in pieces (peers/speed.cu), 16 M threads each. */
const IN_PIECES = [
  { name: 'vecadd', size: 2 ** 24 },
  { name: 'reduce', size: 2 ** 24 },
  { name: 'transpose_naive', size: 4096 },
] as const

/** Threads that a process runs before its launches are measured: by then V8 has optimised the kernel and what launches it. */
const WARM_THREADS = 2 ** 24

/**
 * CPU nanoseconds a thread, from 64 K to 16 M threads; C++ (where it is among the contenders) beside it, since what leaves the
 * caches costs more for everybody.
 */
export function growthTable(contenders: readonly Contender[], options: SpeedOptions): string {
  const compared = contenders.filter(({ name }) => name === 'Warplens' || name === 'C++ -O3')
  const rows = GROWTH.flatMap(({ name, sizes, threadsOf }) =>
    compared.map(contender => {
      const costs = sizes.map(size => {
        const runs = Array.from({ length: options.rounds }, () => {
          options.progress(`growth: ${name} ${size}, ${contender.name}`)
          const warm = Math.ceil(WARM_THREADS / threadsOf(size))
          const run = contender.run({ name, size }, warm + options.repeats, 1)
          return { ...run, cpuMs: run.cpuMs.slice(warm) }
        })
        return summarize(runs).perThread
      })
      return [`${name}, ${contender.name}`, ...costs.map(digits), digits(costs.at(-1)! / costs[0]!)]
    }),
  )
  return table(['ns a thread', '64 K', '256 K', '1 M', '4 M', '16 M', '16 M of 64 K'], rows)
}

/** Rounds of pieces until V8 has optimised all that launches them, some 3,000 launches of 256 K threads. */
const PIECES_SETTLE = 45

/** The same with arrays of one size: 16 M threads in one launch and in up to 256, each on its part of them. */
export function piecesTable(options: SpeedOptions): string {
  const settle = PIECES_SETTLE
  const rows = IN_PIECES.map(kernel => {
    const costs = [256, 64, 16, 4, 1].map(pieces => {
      const runs = Array.from({ length: options.rounds }, () => {
        options.progress(`growth: ${kernel.name} in ${pieces} launches`)
        return runWarplens(kernel, options.repeats + settle, 1, { pieces })
      })
      return summarize(runs, settle).perThread
    })
    return [kernel.name, ...costs.map(digits), digits(costs.at(-1)! / costs[0]!)]
  })
  return table(['threads of a launch', '64 K', '256 K', '1 M', '4 M', '16 M', '16 M of 64 K'], rows)
}
