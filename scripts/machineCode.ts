/**
 * `npm run machine-code -- FILE.cu...`: how many loads, stores and atomics of each width each kernel has in nvcc's machine code and
 * here, without running it: in seconds for any kernel that compiles by itself. What nvcc's ptxas writes out more often (16 rounds for our four)
 * differs in number and not in what runs; other differences are worth a look. Needs nvcc, and nvdisasm (Debian: nvidia-cuda-toolkit of non-free).
 * Options: `-I DIR`, `--nvdisasm PATH`, `--all` (also kernels that are equal).
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
import { doubtsOf } from '../src/metrics/certainty/doubts.ts'
import { createClangPool } from '../src/node/clangPool.ts'
import { cacheFor } from '../src/node/program.ts'
import { ownHeaders, readSources, searchedFolders } from '../src/node/sources.ts'
import { readCubin } from './machineCode/cubin.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    include: { type: 'string', short: 'I', multiple: true, default: [] },
    nvdisasm: { type: 'string', default: 'nvdisasm' },
    all: { type: 'boolean', default: false },
  },
})

/** `space op bytes`, and how many of them stand in each line of the source. */
type Accesses = Map<string, Map<number, number>>

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

const clang = createClangPool(1)
const folder = mkdtempSync(join(tmpdir(), 'warplens-machine-code-'))
try {
  for (const file of positionals) await compareFile(file)
} finally {
  await clang.close()
  rmSync(folder, { recursive: true })
}

async function compareFile(file: string): Promise<void> {
  const machine = machineAccesses(file)
  if (!machine) return
  try {
    for (const [kernel, { accesses, doubts }] of await ownAccesses(file)) {
      const theirs = machine.get(kernel) ?? ofSamePlainName(machine, kernel)
      if (!theirs) console.log(`${file}: ${kernel}: by another name in nvcc's code`)
      else tell(`${file}: ${kernel}`, theirs, accesses, doubts)
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    console.log(`${file}: ${error.message}`)
  }
}

/** `size_t` and `int64_t` have other letters there; a name that only one kernel has is enough. */
function ofSamePlainName(machine: ReadonlyMap<string, Accesses>, kernel: string): Accesses | undefined {
  const plainName = (name: string): string | undefined => {
    const [, length, rest] = /^_Z(\d+)(.*)$/.exec(name) ?? []
    return rest?.slice(0, Number(length))
  }
  const same = [...machine].filter(([name]) => plainName(name) !== undefined && plainName(name) === plainName(kernel))
  return same.length === 1 ? same[0]![1] : undefined
}

function tell(title: string, theirs: Accesses, ours: Accesses, doubts: readonly string[]): void {
  const sum = (accesses: Accesses, kind: string) => [...(accesses.get(kind)?.values() ?? [])].reduce((a, b) => a + b, 0)
  const kinds = [...new Set([...theirs.keys(), ...ours.keys()])].sort()
  const different = kinds.filter(kind => sum(theirs, kind) !== sum(ours, kind))
  if (different.length === 0 && !values.all) return
  console.log(different.length === 0 ? `${title}: equal` : title)
  for (const kind of different) {
    const lines = (accesses: Accesses) =>
      [...(accesses.get(kind) ?? [])].map(([line, count]) => `${count} in ${line}`).join(', ')
    console.log(`  ${kind}: nvcc ${sum(theirs, kind)} (${lines(theirs)}), here ${sum(ours, kind)} (${lines(ours)})`)
  }
  if (different.length > 0) for (const doubt of new Set(doubts)) console.log(`  labelled: ${doubt}`)
}

function count(accesses: Accesses, kind: string, line: number): void {
  const lines = accesses.get(kind) ?? new Map<number, number>()
  accesses.set(kind, lines.set(line, (lines.get(line) ?? 0) + 1))
}

function widthOf(instruction: string): number {
  const [, suffix] = /\.(128|64|[US]16|[US]8)\b/.exec(instruction) ?? []
  if (suffix === undefined) return 4
  return /^\d/.test(suffix) ? Number(suffix) / 8 : Number(suffix.slice(1)) / 8
}

/** Undefined where nvcc does not compile the file. */
function machineAccesses(file: string): Map<string, Accesses> | undefined {
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

function accessesIn(code: Uint8Array, lines: readonly { address: number; line: number }[]): Accesses {
  const raw = join(folder, 'a.bin')
  writeFileSync(raw, code)
  const text = spawnSync(values.nvdisasm, ['-b', 'SM90', raw], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout
  const accesses: Accesses = new Map()
  for (const [, address = '', instruction = ''] of text.matchAll(
    /\/\*([0-9a-f]{4,})\*\/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)/g,
  )) {
    const kind = KINDS[instruction.split('.')[0]!]
    const place = lines.findLast(each => each.address <= Number.parseInt(address, 16))
    if (kind) count(accesses, `${kind} ${widthOf(instruction)}`, place?.line ?? 0)
  }
  return accesses
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
      for (const ids of program.siteIds.values()) {
        const spaces = Object.entries(ids).filter(([space]) => space !== 'local' && space !== 'constant')
        const [first] = spaces
        if (!first) continue
        const { op, width, location } = program.sites[first[1]]!
        count(accesses, `${spaces.length > 1 ? 'generic' : first[0]} ${op} ${width}`, location?.line ?? 0)
      }
      return [name, { accesses, doubts: doubtsOf(program).map(({ cause }) => cause) }]
    }),
  )
}
