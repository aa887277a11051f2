/**
 * What a program's launches did, kept in a file: kernels, counters and the accesses that the cache replay samples, so that
 * models can be refitted without running anything again. In: an executor to listen to. Out: the same launches, replayed
 * through the present models. What must hold: analysis and code generation are those of the recording; only models changed.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { ANY_AXES } from '../../src/analysis/facts/blockPlaces.ts'
import { inferSpaces } from '../../src/analysis/facts/spaces.ts'
import type { KernelProgram } from '../../src/analysis/prepare.ts'
import type { AccessObserver, Executor, LaunchOutcome, LaunchRequest } from '../../src/launch.ts'
import type { LaunchRecord, ObservedLaunch, TimeModel } from '../../src/runtime/launchRecord.ts'
import type { AccessForm, AccessOp, Space, WarpAccess } from '../../src/trace.ts'

const spaces: readonly Space[] = ['global', 'shared', 'local', 'constant']
const ops: readonly AccessOp[] = ['load', 'store', 'atomic', 'red']
/** Of one access: block, warp, kind with width, mask, then the lanes' addresses, each less the one before it. */
const WORDS = 4 + 32
/** Beside the width. */
const PASSES_L1 = 1 << 16
const AXES_SHIFT = 17
const AXES = ANY_AXES << AXES_SHIFT

const FORM_SHIFT = 21
const FORMS = 7 << FORM_SHIFT
const forms: readonly AccessForm[] = ['increment', 'compare', 'loop', 'copy', 'aggregated', 'floatSum']

/** Nothing, packed. */
const EMPTY_BYTES = 2

interface RecordedLaunch {
  readonly program: Omit<KernelProgram, 'spacesOf'>
  readonly grid: LaunchRequest['grid']
  readonly block: LaunchRequest['block']
  readonly dynamicSharedBytes: number
  readonly parameters: Uint8Array
  readonly outcome: LaunchOutcome
  readonly accesses: Buffer
  /** Equal rows of the block that the accesses of one stand for (src/equalRows.ts). */
  readonly rows?: number
  readonly preferredCarveout?: number | undefined
  /** Where its accesses went. */
  readonly places?: Places
}

export interface Recording {
  readonly launches: readonly RecordedLaunch[]
  readonly problem: string | undefined
}

interface Extent {
  readonly address: number
  readonly bytes: number
}

/** The allocations that accesses were in, and the pages of the host's memory; device addresses. */
interface Places {
  readonly allocations: readonly Extent[]
  readonly hostPages: ReadonlySet<number>
}

const PAGE_BYTES = 4096

class PlaceLog implements Places {
  readonly allocations: Extent[] = []
  readonly hostPages = new Set<number>()
  readonly #launch: ObservedLaunch | undefined
  readonly #seen = new Set<number>()

  constructor(launch: ObservedLaunch | undefined) {
    this.#launch = launch
  }

  add({ mask, addresses }: WarpAccess): void {
    for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) this.#note(addresses[lane]!)
  }

  #note(address: number): void {
    const line = Math.floor(address / 128)
    if (this.#seen.has(line)) return
    this.#seen.add(line)
    if (this.#launch?.isHostMemory?.(address)) this.hostPages.add(Math.floor(address / PAGE_BYTES))
    const found = this.#launch?.allocationAt?.(address)
    if (!found || this.allocations.some(known => known.address === found.address)) return
    this.allocations.push({ address: found.address, bytes: found.bytes })
  }
}

/** As the runtime tells it. */
function memoryOf({ allocations, hostPages }: Places): Pick<ObservedLaunch, 'allocationAt' | 'isHostMemory'> {
  const sorted = [...allocations].sort((a, b) => a.address - b.address)
  return {
    allocationAt: at => sorted.find(({ address, bytes }) => at >= address && at < address + bytes),
    ...(hostPages.size > 0 && { isHostMemory: at => hostPages.has(Math.floor(at / PAGE_BYTES)) }),
  }
}

/** Beyond this a program is not kept: 1 GiB a launch (reading: correlation, of whose long loops a few blocks have 7 GB). */
const MOST_WORDS = 2 ** 28

/** Accesses as they came, packed. */
class AccessLog {
  #words = new Uint32Array(WORDS * 1024)
  #count = 0
  isWhole = true

  add(
    block: number,
    warp: number,
    { space, op, width, mask, addresses, form, passesL1, blockAxes = ANY_AXES }: WarpAccess,
  ): void {
    const at = this.#count * WORDS
    if (at >= MOST_WORDS) {
      this.isWhole = false
      return
    }
    this.#count++
    if (at === this.#words.length) {
      const larger = new Uint32Array(2 * at)
      larger.set(this.#words)
      this.#words = larger
    }
    const words = this.#words
    words[at] = block
    words[at + 1] = warp
    words[at + 2] =
      spaces.indexOf(space) |
      (ops.indexOf(op) << 2) |
      (width << 4) |
      (passesL1 ? PASSES_L1 : 0) |
      (blockAxes << AXES_SHIFT) |
      ((form ? 1 + forms.indexOf(form) : 0) << FORM_SHIFT)
    words[at + 3] = mask
    let before = 0
    for (let lane = 0; lane < 32; lane++) {
      const address = (mask >>> lane) & 1 ? addresses[lane]! : before
      words[at + 4 + lane] = address - before
      before = address
    }
  }

  packed(): Buffer {
    return deflateRawSync(new Uint8Array(this.#words.buffer, 0, this.#count * WORDS * 4), { level: 1 })
  }
}

function replayAccesses(packed: Buffer, observer: AccessObserver, rows: number, warpsOfRow: number): void {
  const bytes = inflateRawSync(packed)
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
  const addresses = new Uint32Array(32)
  let current = -1
  for (let at = 0; at < words.length; at += WORDS) {
    const block = words[at]!
    if (block !== current && !observer.wants(block)) return
    current = block
    let address = 0
    for (let lane = 0; lane < 32; lane++) addresses[lane] = address = (address + words[at + 4 + lane]!) >>> 0
    const kind = words[at + 2]!
    const [space, op] = [spaces[kind & 3]!, ops[(kind >>> 2) & 3]!]
    const width = (kind & ~(PASSES_L1 | AXES | FORMS)) >>> 4
    const passesL1 = kind & PASSES_L1 ? ({ passesL1: true } as const) : {}
    const blockAxes = (kind & AXES) >>> AXES_SHIFT
    const form = forms[((kind & FORMS) >>> FORM_SHIFT) - 1]
    const access = {
      space,
      op,
      width,
      mask: words[at + 3]! | 0,
      addresses,
      blockAxes,
      ...passesL1,
      ...(form && { form }),
    }
    for (let row = 0; row < rows; row++) observer.record(block, row * warpsOfRow + words[at + 1]!, access)
  }
}

/** Listens to the launches of one program. */
export class Recorder {
  readonly #launches: RecordedLaunch[] = []
  #isWhole = true
  #next: ObservedLaunch | undefined

  /** Before each launch. */
  expect(launch: ObservedLaunch): void {
    this.#next = launch
  }

  listening(executor: Executor): Executor {
    return {
      execute: request => {
        const log = new AccessLog()
        const places = new PlaceLog(this.#next)
        const preferredCarveout = this.#next?.preferredCarveout
        this.#next = undefined
        const { observer } = request
        const heard: AccessObserver | undefined = observer && {
          wants: block => observer.wants(block),
          record(block, warp, access) {
            if (access.space === 'global' || access.space === 'local') log.add(block, warp, access)
            if (access.space === 'global') places.add(access)
            observer.record(block, warp, access)
          },
        }
        const outcome = executor.execute(heard ? { ...request, observer: heard } : request)
        this.#isWhole &&= log.isWhole
        const { spacesOf, ...program } = request.program
        const { grid, block, dynamicSharedBytes } = request
        const parameters = request.parameters.slice()
        const { allocations, hostPages } = places
        this.#launches.push({
          program,
          grid,
          block,
          dynamicSharedBytes,
          parameters,
          outcome,
          accesses: log.packed(),
          preferredCarveout,
          places: { allocations, hostPages },
        })
        return outcome
      },
    }
  }

  /** @param records of the same launches, as the runtime has them: with all rows of their blocks */
  save(directory: string, name: string, problem: string | undefined, records: readonly LaunchRecord[]): void {
    if (!this.#isWhole) return
    mkdirSync(directory, { recursive: true })
    const launches = this.#launches.map((launch, index): RecordedLaunch => {
      const record = records[index]
      if (record?.kernel !== launch.program.kernel.name) return launch
      const { block, outcome } = record
      return { ...launch, block, outcome, rows: (block.y * block.z) / (launch.block.y * launch.block.z) }
    })
    const recording = serialized({ launches, problem })
    if (recording) writeFileSync(join(directory, `${name}.bin`), recording)
  }
}

/** Undefined where a kernel's values hang together so deeply that V8 cannot write them (reading: hec-ert). */
function serialized(recording: Recording): Buffer | undefined {
  try {
    return serialize(recording)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

export function readRecording(directory: string, name: string): Recording | undefined {
  const path = join(directory, `${name}.bin`)
  return existsSync(path) ? deserialize(readFileSync(path)) : undefined
}

/** Shows the launches to the model of times, as the runtime would. */
export function replayLaunches({ launches }: Recording, times: TimeModel): LaunchRecord[] {
  const programs = new Map<object, KernelProgram>()
  // A launch like one before may not have been shown: its accesses are that one's.
  const shown = new Map<string, Buffer>()
  return launches.map(
    (
      {
        program: kept,
        grid,
        block,
        dynamicSharedBytes,
        parameters,
        outcome,
        accesses,
        rows = 1,
        preferredCarveout,
        places,
      },
      index,
    ) => {
      const program = programs.get(kept.kernel) ?? { ...kept, spacesOf: inferSpaces(kept.kernel) }
      programs.set(kept.kernel, program)
      const observer = times.observeLaunch?.({
        program,
        grid,
        block,
        dynamicSharedBytes,
        preferredCarveout,
        parameters,
        ...(places && memoryOf(places)),
      })
      const key = [program.kernel.name, grid.x, grid.y, grid.z, block.x, block.y, block.z, dynamicSharedBytes].join()
      const own = accesses.length > EMPTY_BYTES ? accesses : (shown.get(key) ?? accesses)
      shown.set(key, own)
      if (observer) replayAccesses(own, observer, rows, Math.ceil(block.x / 32))
      const kernel = program.kernel.name
      const sharedBytes = { static: program.shared.staticBytes, dynamic: dynamicSharedBytes }
      const record: LaunchRecord = {
        index,
        kernel,
        program,
        grid,
        block,
        sharedBytes,
        preferredCarveout,
        stream: 0,
        outcome,
        children: [],
        wallMs: 0,
      }
      times.kernelUs(record)
      return record
    },
  )
}
