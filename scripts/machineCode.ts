/**
 * `npm run machine-code -- FILE.cu...`: how many loads, stores and atomics of each width each kernel has in nvcc's machine code and
 * here, without running it: in seconds for any kernel that compiles by itself. What nvcc's ptxas writes out more often (16 rounds for our four)
 * differs in number and not in what runs (machineCode/rounds.ts); other differences are worth a look. Needs nvcc, and nvdisasm (Debian:
 * nvidia-cuda-toolkit of non-free). Options: `-I DIR`, `--nvdisasm PATH`, `--all` (also kernels that are equal), `--summary` (only those that
 * differ, and at the end how many agree, and of those that are called exact).
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareKernel } from '../src/analysis/prepare.ts'
import { readDeviceSide } from '../src/deviceSide.ts'
import { UserError } from '../src/diagnostic.ts'
import { compileProgram } from '../src/frontend/compile.ts'
import { type Doubt, doubtsOf, isDoubtful } from '../src/metrics/certainty/doubts.ts'
import { createClangPool } from '../src/node/clangPool.ts'
import { cacheFor } from '../src/node/program.ts'
import { ownHeaders, readSources, searchedFolders } from '../src/node/sources.ts'
import { readCubin } from './machineCode/cubin.ts'
import { addTo, compareCounts, type KernelCounts, type LoopCounts } from './machineCode/rounds.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    include: { type: 'string', short: 'I', multiple: true, default: [] },
    nvdisasm: { type: 'string', default: 'nvdisasm' },
    all: { type: 'boolean', default: false },
    summary: { type: 'boolean', default: false },
  },
})

/** `space op bytes`, and how many of them stand in each line of the source. */
type Accesses = Map<string, Map<number, number>>

interface Side {
  readonly accesses: Accesses
  readonly counts: KernelCounts
}

const summary = { kernels: 0, agree: 0, exact: 0, exactAndAgree: 0 }

/** SASS: the memory and the operation of each instruction. */
const KINDS: Readonly<Record<string, string>> = {
  LDG: 'global load',
  LDGSTS: 'global load',
  STG: 'global store',
  LDS: 'shared load',
  LDSM: 'shared load',
  STS: 'shared store',
  LD: 'generic load',
  ST: 'generic store',
  ATOM: 'generic atomic',
  ATOMG: 'global atomic',
  RED: 'global red',
  REDG: 'global red',
  ATOMS: 'shared atomic',
}

/** SASS: operations on floats that the IR has, too. */
const FLOATS = /^(?:[FDH]ADD2?|[FDH]MUL2?|[FDH]FMA2?|[FDH]SETP2?)$/

const clang = createClangPool(1)
const folder = mkdtempSync(join(tmpdir(), 'warplens-machine-code-'))
try {
  for (const file of positionals) await compareFile(file)
  const { kernels, agree, exact, exactAndAgree } = summary
  if (values.summary)
    console.log(`${agree} of ${kernels} kernels agree; ${exactAndAgree} of ${exact} that are called exact`)
} finally {
  await clang.close()
  rmSync(folder, { recursive: true })
}

async function compareFile(file: string): Promise<void> {
  const machine = machineAccesses(file)
  if (!machine) return
  try {
    for (const [kernel, { doubts, ...ours }] of await ownAccesses(file)) {
      const theirs = machine.get(kernel) ?? ofSamePlainName(machine, kernel)
      if (!theirs) console.log(`${file}: ${kernel}: by another name in nvcc's code`)
      else tell(`${file}: ${kernel}`, theirs, ours, doubts)
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    console.log(`${file}: ${error.message}`)
  }
}

/** `size_t` and `int64_t` have other letters there; a name that only one kernel has is enough. */
function ofSamePlainName(machine: ReadonlyMap<string, Side>, kernel: string): Side | undefined {
  const plainName = (name: string): string | undefined => {
    const [, length, rest] = /^_Z(\d+)(.*)$/.exec(name) ?? []
    return rest?.slice(0, Number(length))
  }
  const same = [...machine].filter(([name]) => plainName(name) !== undefined && plainName(name) === plainName(kernel))
  return same.length === 1 ? same[0]![1] : undefined
}

function tell(title: string, { accesses: theirs, counts }: Side, ours: Side, doubts: readonly Doubt[]): void {
  const likeness = compareCounts(counts, ours.counts)
  const sum = (accesses: Accesses, kind: string) => [...(accesses.get(kind)?.values() ?? [])].reduce((a, b) => a + b, 0)
  const kinds = [...new Set([...theirs.keys(), ...ours.accesses.keys()])].sort()
  const different = kinds.filter(kind => sum(theirs, kind) !== sum(ours.accesses, kind))
  const isExact = !kinds.some(kind => isDoubtful(doubts, metricOf(kind)))
  summary.kernels++
  if (likeness !== 'different') summary.agree++
  if (isExact) summary.exact++
  if (isExact && likeness !== 'different') summary.exactAndAgree++
  if (values.summary ? likeness !== 'different' : different.length === 0 && !values.all) return
  console.log(
    different.length === 0 ? `${title}: equal` : likeness === 'alike' ? `${title}: alike but for rounds` : title,
  )
  for (const kind of different) {
    const lines = (accesses: Accesses) =>
      [...(accesses.get(kind) ?? [])].map(([line, count]) => `${count} in ${line}`).join(', ')
    console.log(
      `  ${kind}: nvcc ${sum(theirs, kind)} (${lines(theirs)}), here ${sum(ours.accesses, kind)} (${lines(ours.accesses)})`,
    )
  }
  if (different.length > 0)
    for (const cause of new Set(doubts.map(each => each.cause))) console.log(`  labelled: ${cause}`)
}

/** `global load 4`: a counter of it. */
function metricOf(kind: string): string {
  const [space, op] = kind.split(' ')
  return `smsp__inst_executed_op_${space}_${op === 'load' ? 'ld' : op === 'store' ? 'st' : 'atom'}.sum`
}

function count(accesses: Accesses, kind: string, line: number): void {
  const lines = accesses.get(kind) ?? new Map<number, number>()
  accesses.set(kind, lines.set(line, (lines.get(line) ?? 0) + 1))
}

function widthOf(instruction: string): number {
  const [, suffix] = /\.F?(128|64|[US]16|[US]8)\b/.exec(instruction) ?? []
  if (suffix === undefined) return 4
  return /^\d/.test(suffix) ? Number(suffix) / 8 : Number(suffix.slice(1)) / 8
}

/** Undefined where nvcc does not compile the file. */
function machineAccesses(file: string): Map<string, Side> | undefined {
  const cubin = join(folder, 'a.cubin')
  const includes = values.include.flatMap(each => ['-I', each])
  const flags = ['-cubin', '-lineinfo', '-O3', '-std=c++17', '-arch=sm_90', '-w', ...includes]
  const compiled = spawnSync('nvcc', [...flags, file, '-o', cubin], { encoding: 'utf8' })
  if (compiled.status !== 0) {
    console.log(`${file}: nvcc: ${(compiled.stderr ?? String(compiled.error)).trim().split('\n')[0]}`)
    return undefined
  }
  return new Map(readCubin(readFileSync(cubin)).map(({ name, code, lines }) => [name, accessesIn(code, lines)]))
}

function accessesIn(code: Uint8Array, lines: readonly { address: number; line: number }[]): Side {
  const raw = join(folder, 'a.bin')
  writeFileSync(raw, code)
  const text = spawnSync(values.nvdisasm, ['-b', 'SM90', raw], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout
  const instructions = [...text.matchAll(/\/\*([0-9a-f]{4,})\*\/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)([^;\n]*)/g)].map(
    ([, address = '', name = '', operands = '']) => ({
      address: Number.parseInt(address, 16),
      operation: name.split('.')[0]!,
      name,
      target: Number.parseInt(/0x([0-9a-f]+)\s*$/.exec(operands)?.[1] ?? '', 16),
    }),
  )
  const ways = instructions
    .filter(({ operation, target, address }) => operation === 'BRA' && target < address)
    .map(({ target, address }) => ({ first: target, last: address }))
  const accesses: Accesses = new Map()
  const counts = countsOf(ways)
  for (const { address, operation, name } of instructions) {
    if (FLOATS.test(operation)) counts.addFloats(address, operation.includes('FMA') ? 2 : 1)
    const kind = KINDS[operation]
    if (!kind) continue
    const place = lines.findLast(each => each.address <= address)
    count(accesses, `${kind} ${widthOf(name)}`, place?.line ?? 0)
    counts.addAccess(address, `${kind} ${widthOf(name)}`)
  }
  return { accesses, counts }
}

/** Counts by the innermost of some loops; `first` and `last` are places of the code. Loops of one first place are one. */
function countsOf(found: readonly { readonly first: number; readonly last: number }[]) {
  const ends = new Map<number, number>()
  for (const { first, last } of found) ends.set(first, Math.max(last, ends.get(first) ?? 0))
  const loops = [...ends].map(([first, last]) => ({
    first,
    last,
    accesses: new Map<string, number>(),
    floats: 0,
    isOuter: [...ends].some(([start, end]) => start >= first && end <= last && end - start < last - first),
  }))
  loops.sort((a, b) => a.last - a.first - (b.last - b.first))
  const innermost = (at: number) => loops.find(({ first, last }) => first <= at && at <= last)
  const straight = new Map<string, number>()
  return {
    straight,
    loops: loops satisfies LoopCounts[],
    addAccess: (at: number, kind: string) => addTo(innermost(at)?.accesses ?? straight, kind),
    addFloats: (at: number, floats: number) => {
      const loop = innermost(at)
      if (loop) loop.floats += floats
    },
  }
}

async function ownAccesses(file: string) {
  const workingDirectory = resolve(dirname(file))
  const sources = [basename(file)]
  const options = {
    includeDirs: values.include.map(each => resolve(each)),
    defines: [],
    includes: [],
    standard: 'c++17',
    optimize: 2,
    architecture: 90,
    cache: true,
    workingDirectory,
    environment: process.env,
  } as const
  const search = { ...options, includeDirs: searchedFolders(options).folders, sources }
  const files = readSources(search)
  const input = { ...search, files, headers: ownHeaders(), deviceOnly: true }
  const { deviceIr } = await compileProgram(input, clang, cacheFor(options))
  const { module } = readDeviceSide(deviceIr, files, workingDirectory)
  const kernels = module.functions.filter(({ isKernel, blocks }) => isKernel && blocks.length > 0)
  return new Map(
    kernels.map(({ name }) => {
      const program = prepareKernel(module, name)
      const accesses: Accesses = new Map()
      const counts = countsOf(program.loops)
      const places = new Map(program.kernel.blocks.map((block, index) => [block, index]))
      for (const block of program.kernel.blocks)
        for (const { op } of block.instructions)
          if (/^(?:fadd|fsub|fmul|fma|fcmp)$/.test(op)) counts.addFloats(places.get(block)!, op === 'fma' ? 2 : 1)
      for (const [instruction, ids] of program.siteIds) {
        const spaces = Object.entries(ids).filter(([space]) => space !== 'local' && space !== 'constant')
        const [first] = spaces
        if (!first) continue
        const { op, width, location } = program.sites[first[1]]!
        const kind = `${spaces.length > 1 ? 'generic' : first[0]} ${op} ${width}`
        count(accesses, kind, location?.line ?? 0)
        counts.addAccess(places.get(instruction.block)!, kind)
      }
      return [name, { accesses, counts, doubts: doubtsOf(program) }]
    }),
  )
}
