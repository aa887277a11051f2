/**
 * `npm run bench`: how fast Warplens is beside the peers that count and those that do not, what counting costs, how cost grows,
 * and what a user waits for. Prints Markdown to standard output and, with --write, to bench/results.md.
 * usage: bench.ts [--rounds N] [--repeats N] [--kernel TEXT] [--only peers,counters,growth,programs,compile] [--note TEXT] [--write]
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findContenders, KERNELS } from './contenders.ts'
import { compileTable, startTable, warmCompiler, wholeRun } from './programTables.ts'
import {
  compare,
  comparisonTable,
  countingTable,
  firstLaunchTable,
  growthTable,
  piecesTable,
  type SpeedOptions,
  scalingTable,
} from './speedTables.ts'

const PARTS = ['peers', 'counters', 'growth', 'programs', 'compile'] as const
type Part = (typeof PARTS)[number]

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    repeats: { type: 'string', default: '5' },
    kernel: { type: 'string', default: '' },
    only: { type: 'string', default: PARTS.join(',') },
    note: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})

/** Launches during which the engine still optimises a kernel: it does so beside them, for some 150 ms where both cores are at work. */
const SETTLE = 15

const SEEDS = join(import.meta.dirname, '../../shared/cases/seeds')
const progress = (text: string): void => console.error(`bench: ${text}`)
const options: SpeedOptions = {
  rounds: Number(values.rounds),
  repeats: Number(values.repeats),
  kernels: KERNELS.filter(({ name }) => name.includes(values.kernel)),
  progress,
}

const started = loadavg()[0]!
const sections: string[] = []
for (const part of values.only.split(',')) sections.push(await write(part))
const text = `# Speed

${machine()}

Rounds are interleaved: each contender runs once a round, in a process of its own, ${values.rounds} rounds of ${values.repeats} launches after the
first; medians over all of them, less what reading the clock takes. \`npm run bench -- --write\` writes this file; \`bench/install-peers.sh\` installs the peers.

${sections.join('\n\n')}
`
console.log(text)
if (values.write) writeFileSync(join(import.meta.dirname, 'results.md'), text)

function write(part: string): string | Promise<string> {
  if (!isPart(part)) throw new Error(`--only ${part}: there are ${PARTS.join(', ')}`)
  switch (part) {
    case 'peers':
      return peers()
    case 'counters':
      return `## What counting and checking cost, one thread, CPU time of a launch\n\nOff: the same kernel with no counting code at all. Checks: all that \`warplens check\` looks for (docs/check.md), with nothing to find; the ratio is to counters off. \`gather\` and \`histogram\` have addresses that are data. Of launches behind the first ${SETTLE}, as above (checks: the second and third launch); \`of the least\` compares the fastest launches of all: what a busy host did to the medians is not in it.\n\n${countingTable({ ...options, settle: SETTLE })}`
    case 'growth':
      return `## Growth, one thread, all counters on\n\nCPU nanoseconds a thread, of launches after the first 16 M threads of a process; arrays of 64 K elements stay in the cache, those of 16 M do not.\n\n${growthTable(findContenders(), options)}\n\nThe same 16 M elements in launches of so many threads, each on its part of the arrays: what a launch costs, without the caches.\n\n${piecesTable(options)}`
    case 'programs':
      return programs()
    case 'compile':
      return compile()
  }
}

function isPart(part: string): part is Part {
  return PARTS.some(known => known === part)
}

function peers(): string {
  const contenders = findContenders()
  const settled = { ...options, settle: SETTLE }
  const one = compare(contenders, 1, settled)
  const peersOfTwo = contenders.filter(({ name }) => name !== 'Oclgrind')
  const two = compare(peersOfTwo, 2, settled)
  return `## Beside the peers, one thread, CPU time of a launch

Warplens with all counters on; C++ and PoCL count nothing. Ratios: how many times faster Warplens is. Oclgrind gets a part of
the problem (one row of work-groups, or a smaller size: \`contenders.ts\`) and is compared by time a thread. All results verified.
Of launches behind the first ${SETTLE}, during which the engine still optimises kernels on another thread, which is CPU time too (see compiling).

${comparisonTable(one, options.kernels)}

### Two threads

Wall time of a launch, how many times faster than with one thread, and CPU time as a multiple of one thread's; of the same launches.

${scalingTable(one, two, options.kernels)}

### Compiling, CPU time

What the first ${SETTLE} launches take beyond later ones, with what was compiled before them; clang's work for Warplens apart (see start-up).

${firstLaunchTable(one, options.kernels)}`
}

async function programs(): Promise<string> {
  progress('npm run build')
  const { status, stderr } = spawnSync('npm', ['run', '--silent', 'build'], {
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '..'),
  })
  if (status !== 0) throw new Error(`npm run build failed: ${stderr}`)
  const start = startTable(options.rounds, progress)
  const warm = await warmCompiler(progress)
  const whole = wholeRun(join(SEEDS, 'transpose.cu'), progress)
  return `## Start-up\n\n${start}\n\n${warm}\n\n## \`warplens profile transpose.cu -- 4096 4096\`: 15 kernels of 16.8 M elements, 15 verifications\n\n${whole}`
}

async function compile(): Promise<string> {
  const seeds = ['transpose.cu', 'smem_square.cu', 'smem_rectangle.cu', 'aos_soa.cu'].map(file => ({
    folder: SEEDS,
    file,
  }))
  const own = { folder: import.meta.dirname, file: 'peers/speed.cu' }
  return `## From IR to ready code, wall time\n\n${await compileTable([...seeds, own], progress)}`
}

function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const memory = Math.round(totalmem() / 2 ** 30)
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    encoding: 'utf8',
    cwd: import.meta.dirname,
  }).stdout.trim()
  const lines = [
    `Machine: ${model}, ${cpus().length} cores, ${memory} GiB, Linux ${release()}; Node ${process.version}; ${new Date().toISOString().slice(0, 10)}, commit ${commit}.`,
    `Load average before and after: ${started.toFixed(1)}, ${loadavg()[0]!.toFixed(1)} (the bench itself makes 1 to 2).`,
  ]
  if (values.note) lines.push(`**${values.note}**`)
  return lines.join('\n')
}
