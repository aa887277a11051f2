/**
 * The programs whose readings there are: those under ../shared/cases, and the public ones where their repositories are at
 * hand. In: folders. Out: for each program its sources, flags and arguments, and what the H200 read, launch by launch.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Device } from '../../src/devices/device.ts'
import { findDevice } from '../../src/devices/devices.ts'
import { readFloatFlag } from '../../src/frontend/building/floatFlags.ts'
import { type FloatMode, floatModeOf } from '../../src/ir/floatMode.ts'
import { type DatasetKernel, datasetProgram } from './kernelDataset.ts'
import { type Task, writeTask } from './taskSet.ts'

export interface Reading {
  readonly kernel: string
  readonly grid: readonly number[]
  readonly block: readonly number[]
  readonly metrics: Readonly<Record<string, number>>
}

export interface FidelityProgram {
  readonly name: string
  /** The card that was read. */
  readonly device: Device
  readonly folder: string
  /** Below `folder`. */
  readonly sources: readonly string[]
  readonly includeDirs: readonly string[]
  readonly defines: readonly string[]
  /** Built with `-rdc=true`. */
  readonly relocatable?: boolean
  /** Built with `-use_fast_math` and the like. */
  readonly floats?: FloatMode | undefined
  readonly args: readonly string[]
  readonly readings: readonly Reading[]
  /** What it may read beside its folder: its repository, where others have its data. */
  readonly readable?: readonly string[]
  /** Writes what is not there yet. */
  readonly write?: () => void
}

interface TruthFile {
  /** As the driver calls it; an H200 where the file does not say. */
  readonly gpu?: string
  /** Of the multiprocessors while the profiler held it (Nsight Compute: the base clock); the device's where the file does not say. */
  readonly clockMHz?: number
  readonly repository?: string
  readonly path?: string
  readonly build?: string
  readonly args?: string
  /** Of a folder: which of its files are compiled; all of them where it does not say. */
  readonly sources?: readonly string[]
  /** Of a data set of kernels: those of which the program is made. */
  readonly kernels?: readonly DatasetKernel[]
  /** Of a data set of programs. */
  readonly task?: Task
  readonly launches: readonly Reading[]
}

const shared = fileURLToPath(new URL('../../../shared/', import.meta.url))

/** The seed and micro programs; arguments as `case` in the readings has them, limits.cu with one launch each. */
const ownPrograms: readonly (readonly [readings: string, source: string, args: readonly string[]])[] = [
  ['aos_soa', 'seeds/aos_soa.cu', []],
  ['smem_square', 'seeds/smem_square.cu', []],
  ['smem_rectangle', 'seeds/smem_rectangle.cu', []],
  ['transpose_1024', 'seeds/transpose.cu', ['1024', '1024']],
  ['transpose_700x1000', 'seeds/transpose.cu', ['700', '1000']],
  ['transpose_4096', 'seeds/transpose.cu', ['4096', '4096']],
  ['limits', 'micro/limits.cu', ['1']],
]

const readTruth = (path: string): TruthFile => JSON.parse(readFileSync(`${shared}truth/h200/${path}.json`, 'utf8'))

function readOn({ gpu = 'H200', clockMHz, launches }: TruthFile): Pick<FidelityProgram, 'device' | 'readings'> {
  const device = findDevice(gpu)
  return { device: clockMHz === undefined ? device : { ...device, clockMHz }, readings: launches }
}

export function listOwnPrograms(): FidelityProgram[] {
  return ownPrograms.map(([readings, source, args]) => ({
    name: readings,
    folder: join(shared, 'cases', dirname(source)),
    sources: [basename(source)],
    includeDirs: [],
    defines: [],
    args,
    ...readOn(readTruth(readings)),
  }))
}

const casesFolder = fileURLToPath(new URL('./cases/', import.meta.url))
const testCasesFolder = fileURLToPath(new URL('../../test/cases/', import.meta.url))

const READ_TEST_CASES = [
  'machine_branches',
  'machine_tables',
  'machine_ways',
  'machine_apart',
  'machine_ways_back',
  'machine_kept_sums',
  'machine_merged_sums',
  'machine_carried',
  'machine_warp_size',
  'machine_nests',
  'machine_copies',
  'machine_arms',
  'machine_parts',
  'machine_short_arrays',
  'machine_staying_values',
  'machine_curand',
  'machine_neighbours',
  'machine_reread_stores',
  'machine_stored_ways',
  'machine_tested',
  'machine_tiles',
  'machine_lane_loops',
  'machine_cast_elements',
  'machine_raised',
  'machine_sizes',
  'machine_exchanges',
  'machine_shared_apart',
  'machine_assembly',
  'machine_chains',
  'machine_gaps',
  'machine_signs',
  'machine_bounds',
  'machine_members',
  'machine_recurrences',
  'halves',
]

/**
 * Programs of ours that show what the machine and its compiler do: loops, atomics, asynchronous copies, functions of mathematics,
 * branches, tables, printf, cache operators, textures.
 */
export function listMachinePrograms(): FidelityProgram[] {
  return [
    ...[
      'machineCompiler',
      'mathFunctions',
      'tensorCores',
      'asyncCopies',
      'prints',
      'cacheOperators',
      'textures',
      'pipes',
      'compute',
      'rows',
      'stores',
      'rowsBeyondL2',
      'inPlace',
      'mix',
      'volumes',
      'shapes',
      'streams',
      'narrow',
      'signs',
      'beside',
      'anywhere',
      'known',
      'cold',
      'constantTables',
      'tensorTimes',
      'warpPipes',
      'clusters',
      'sameWords',
      'ownLines',
      'wide',
      'sameLines',
      'hotSwaps',
      'dramBatches',
      'serial',
      'blockStarts',
      'partBlocks',
      'products',
      'earlyEnds',
      'doublePipes',
      'mergedBins',
    ].map(name => machineProgram(name, casesFolder)),
    ...['fastMath', 'fastMathQuotients', 'fastMathFlushed'].map(name =>
      machineProgram(name, casesFolder, 'fastMath.cu'),
    ),
    ...READ_TEST_CASES.map(name => machineProgram(name, testCasesFolder)),
  ]
}

function machineProgram(name: string, folder: string, source = `${name}.cu`): FidelityProgram {
  const truth: TruthFile = JSON.parse(readFileSync(`${casesFolder}${name}.json`, 'utf8'))
  const floats = floatsOf((truth.build ?? '').split(' '))
  return { name, folder, sources: [source], includeDirs: [], defines: [], floats, args: [], ...readOn(truth) }
}

/** Short programs of both kinds, for the tests; not the one whose launches take alike long, which have no order. */
export function listQuickPrograms(): FidelityProgram[] {
  const names =
    /^(aos_soa|smem_square|smem_rectangle|transpose_1024|transpose_700x1000|machineCompiler|mathFunctions|machine_(?!curand$)\w+)$/
  return [...listOwnPrograms(), ...listMachinePrograms()].filter(({ name }) => names.test(name))
}

/** Public programs with readings of an H200: their set's name, and the programs below a folder of repositories. */
export interface PublicSet {
  readonly name: string
  /** @param directory has the repositories as folders, by the last part of their names (`cuda-samples`) or the whole (`NVIDIA-cuda-samples`) */
  list(directory: string): FidelityProgram[]
}

const readBeforehand = (name: string): PublicSet => ({
  name,
  list: directory => programsIn(`${shared}truth/h200/${name}/`, directory),
})

/** Our own readings, in a folder beside this file. */
const readByUs = (name: string, folder = name): PublicSet => ({
  name,
  list: directory => programsIn(fileURLToPath(new URL(`./${folder}/`, import.meta.url)), directory),
})

/**
 * No model was fitted to any but the first. The first run of each of the others, by code that knew none of its programs, shows
 * what a new program meets; `docs/fidelity.md` keeps it. Later ones were read after the earlier ones' causes had gone into the code.
 */
export const publicSets: readonly PublicSet[] = [
  readBeforehand('public'),
  readByUs('heldOut', 'readings'),
  readByUs('unseen'),
  readByUs('unseen2'),
  // Two suites: Rodinia and the exercises of the OLCF's CUDA training series.
  readByUs('unseen3'),
  // Books and a course: Learn CUDA Programming, CUDA Programming (Fan Zheyong), CoffeeBeforeArch's.
  readByUs('unseen4'),
  // HeCBench's programs of which none was known, and five tutorials and courses.
  readByUs('unseen5'),
  // Two diaries of a hundred days, NPB, Chai, simulators' microbenchmarks, lectures.
  readByUs('unseen6'),
  // 130 more of HeCBench and of the CUDA samples.
  readByUs('unseen7'),
  // llm.c's kernels one by one, NVIDIA's blog, four courses; SHOC, Parboil, ISPASS and their kind.
  readByUs('unseen8'),
  // Tasks like ComputeEval's (CUDABeaver), parallel101, a laboratory and a healthcare course, moderngpu's tests, three tutorials.
  readByUs('unseen9'),
  // 310 kernels of LS-CAT, each of another repository, 20 to a program.
  readByUs('unseen10'),
  // Suites, courses and books of which none was known: Altis, XSBench and RSBench, ParRes' kernels, BabelStream's like, Ansorge's book.
  readByUs('unseen11'),
  // 120 more kernels of LS-CAT, of repositories that are in no other set, 16 to a program.
  readByUs('unseen12'),
  readByUs('unseen13'),
  // A study of a hundred and fifty kernels, and programs for robots: images, point clouds, filters, planners.
  readByUs('unseen14'),
  // Four courses, two diaries of a hundred days, answers of language models to a textbook's questions (AkshDesai04/CUDA).
  readByUs('unseen15'),
  // A sample of courses and collections of examples that are in no other set.
  readByUs('unseen16'),
  // Courses, diaries of a hundred days, tutorials on kernels: 37 repositories that are in no other set.
  readByUs('unseen17'),
  // As unseen17, of 38 more repositories; read on an H100.
  readByUs('unseen18'),
  // Courses, laboratories and studies of optimising kernels, eight repositories that are in no other set; read on an H100.
  readByUs('unseen19'),
  // Courses and a collection of kernels of language models, six repositories that are in no other set; read on an H100.
  readByUs('unseen20'),
  readByUs('unseen22'),
  // Applications and laboratories: sorts, scans, hash tables, attention, a password cracker, a swarm; read on an H100.
  readByUs('unseen23'),
  // CUDABench: a hundred tasks that language models are asked for, one size of each; read on an H100.
  readByUs('unseen24'),
  // Kernels by language models for eight tasks of Perfcodebench (products, sums, scans, histograms, transposes), and courses; read on an H200.
  readByUs('unseen25'),
  // 113 more kernels by language models for Perfcodebench's tasks, read on an H200.
  readByUs('unseen26'),
  // Applications from 90 repositories (transforms, solvers, searches, swarms, grids, hashes), read on an H100.
  readByUs('unseen27'),
  // Programs of 42 repositories: the CUDA Handbook, Pannotia's kind, TeaLeaf, courses, kernels by the hundred days; read on an H100.
  readByUs('unseen28'),
  // Programs of 27 repositories: tensor cores by fragments, solvers, hashes, scans, transposes, courses; read on an H200.
  readByUs('unseen29'),
  // Courses in many small programs (atomics, scans, profiling, streams, searches, merges) of 15 repositories; read on an H200.
  readByUs('unseen30'),
  // Applications of 15 repositories (searches of graphs, scans, ciphers, stencils, flows); read on an H200.
  readByUs('unseen31'),
  // Course work and labs of 17 repositories (sparse products, scans, sums, transposes, cellular automata, old SDK samples); read on an H200.
  readByUs('unseen32'),
  // Reductions, sorts, hashes, tensor cores, SHOC's kind and microbenchmarks of 30 repositories; read on an H200.
  readByUs('unseen33'),
  // Courses, labs, benchmarks of tensor cores and of memories, a lattice Boltzmann solver, Hetero-Mark, 20 repositories; read on an H200.
  readByUs('unseen34'),
  // Courses: books' chapters in small programs (transposes, reductions, scans, convolutions, streams) of ten repositories; read on an H200.
  readByUs('unseen35'),
  // Diaries of a hundred days, courses, microbenchmarks and kernels of networks of 14 repositories; read on an H200.
  readByUs('unseen36'),
  // HeCBench's programs that no other set has (those whose data is in the repository or not needed); read on an H200.
  readByUs('unseen37'),
  // A course that ends in a small language model, operators of language models: three repositories that are in no other set; read on an H200.
  readByUs('unseen38'),
  // A language model's course and libraries' examples, NeoRodinia, GARDENIA's graph programs, benchmarks of memories; read on an H200.
  readByUs('unseen39'),
  // Ten repositories of courses and collections of kernels (reductions, products of matrices, sorts, textbook examples); read on an H200.
  readByUs('unseen40'),
  // Eleven repositories of university courses and exercises, HeteroBench and GPGPU-Sim's LULESH; read on an H200.
  readByUs('unseen41'),
  // Courses and exercises of 15 repositories (reductions, scans, sorts, histograms, convolutions, products); read on an H200.
  readByUs('unseen42'),
  // GraphBIG, courses and exercises of seven repositories (Oxford's practicals, attention, sorts, sparse products); read on an H200.
  readByUs('unseen43'),
  // Built with -use_fast_math: programs of HeCBench, llm.c; and three of two other repositories, without it; read on an H200.
  readByUs('unseen44'),
]

function programsIn(readings: string, directory: string): FidelityProgram[] {
  const files = readdirSync(readings).map(file => readings + file)
  return files.flatMap(file => {
    const truth: TruthFile = JSON.parse(readFileSync(file, 'utf8'))
    const root = rootOf(directory, truth.repository ?? '')
    const path = join(root, truth.path ?? '')
    if (!existsSync(path)) {
      process.stderr.write(`${file}: not below ${directory}\n`)
      return []
    }
    if (truth.kernels) return [datasetProgramOf(basename(file, '.json'), path, truth)]
    if (truth.task) return [taskProgramOf(basename(file, '.json'), path, truth.task, truth)]
    const isFolder = statSync(path).isDirectory()
    const flags = (truth.build ?? '').split(' ')
    const folder = isFolder ? path : dirname(path)
    return [
      {
        name: basename(file, '.json'),
        folder,
        sources: truth.sources ?? (isFolder ? sourcesIn(path) : [basename(path)]),
        includeDirs: flagsOf(flags, '-I').map(dir =>
          includeDir(root, isFolder ? (truth.path ?? '') : dirname(truth.path!), dir),
        ),
        defines: flagsOf(flags, '-D'),
        relocatable: flags.some(flag => flag === '-rdc=true' || flag === '-dc'),
        floats: floatsOf(flags),
        args: (truth.args ?? '').split(' ').filter(arg => arg !== ''),
        readable: [root],
        ...readOn(truth),
      },
    ]
  })
}

/** Repositories of one name have their owners' before it: `luatil-100-days-of-cuda`. */
function rootOf(directory: string, repository: string): string {
  const ofOwner = join(directory, repository.replace('/', '-'))
  return existsSync(ofOwner) ? ofOwner : join(directory, basename(repository))
}

/** Written anew below the system's folder of temporary files. */
function datasetProgramOf(name: string, dataset: string, truth: TruthFile): FidelityProgram {
  const folder = join(tmpdir(), 'warplens-fidelity')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.cu`), datasetProgram(dataset, truth.kernels ?? []))
  return { name, folder, sources: [`${name}.cu`], includeDirs: [], defines: [], args: [], ...readOn(truth) }
}

/** Written below the system's folder of temporary files when it is run. */
function taskProgramOf(name: string, dataset: string, task: Task, truth: TruthFile): FidelityProgram {
  const folder = join(tmpdir(), 'warplens-fidelity', name)
  const write = () => writeTask(dataset, task, folder)
  return { name, folder, sources: ['bench.cu'], includeDirs: [], defines: [], args: [], ...readOn(truth), write }
}

const sourcesIn = (folder: string) => readdirSync(folder).filter(name => /\.(cu|cpp)$/.test(name))

const floatsOf = (flags: readonly string[]) => floatModeOf(Object.assign({}, ...flags.map(readFloatFlag)))

const flagsOf = (flags: readonly string[], prefix: string) =>
  flags.filter(flag => flag.startsWith(prefix)).map(flag => flag.slice(prefix.length))

/** Relative to the program's folder (`.`, `../common`), to the repository, or to its folder or the part of it that the program is in. */
function includeDir(root: string, path: string, dir: string): string {
  if (dir.startsWith('.')) return join(root, path, dir)
  const places = [join(root, dir), join(root, path, dir)]
  return places.find(place => existsSync(place)) ?? join(root, path.split('/')[0]!, dir)
}
