/**
 * What a program's launches did, kept in a file: kernels, counters and the accesses that the cache replay samples, so that
 * models can be refitted without running anything again. In: an executor to listen to. Out: the same launches, replayed
 * through the present models. What must hold: analysis and code generation are those of the recording; only models changed.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { ANY_AXES } from '../../src/analysis/blockPlaces.ts'
import type { KernelProgram } from '../../src/analysis/prepare.ts'
import { inferSpaces } from '../../src/analysis/spaces.ts'
import type { AccessObserver, Executor, LaunchOutcome, LaunchRequest } from '../../src/launch.ts'
import type { LaunchRecord, TimeModel } from '../../src/runtime/launchRecord.ts'
import type { AccessOp, Space, WarpAccess } from '../../src/trace.ts'

const spaces: readonly Space[] = ['global', 'shared', 'local', 'constant']
const ops: readonly AccessOp[] = ['load', 'store', 'atomic', 'red']
/** Of one access: block, warp, kind with width, mask, then the lanes' addresses, each less the one before it. */
const WORDS = 4 + 32
/** Beside the width. */
const PASSES_L1 = 1 << 16
const AXES_SHIFT = 17
const AXES = ANY_AXES << AXES_SHIFT

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
}

export interface Recording {
  readonly launches: readonly RecordedLaunch[]
  readonly problem: string | undefined
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
    { space, op, width, mask, addresses, passesL1, blockAxes = ANY_AXES }: WarpAccess,
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
      (blockAxes << AXES_SHIFT)
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
    const width = (kind & ~(PASSES_L1 | AXES)) >>> 4
    const passesL1 = kind & PASSES_L1 ? ({ passesL1: true } as const) : {}
    const blockAxes = (kind & AXES) >>> AXES_SHIFT
    const access = { space, op, width, mask: words[at + 3]! | 0, addresses, blockAxes, ...passesL1 }
    for (let row = 0; row < rows; row++) observer.record(block, row * warpsOfRow + words[at + 1]!, access)
  }
}

/** Listens to the launches of one program. */
export class Recorder {
  readonly #launches: RecordedLaunch[] = []
  #isWhole = true

  listening(executor: Executor): Executor {
    return {
      execute: request => {
        const log = new AccessLog()
        const { observer } = request
        const heard: AccessObserver | undefined = observer && {
          wants: block => observer.wants(block),
          record(block, warp, access) {
            if (access.space === 'global' || access.space === 'local') log.add(block, warp, access)
            observer.record(block, warp, access)
          },
        }
        const outcome = executor.execute(heard ? { ...request, observer: heard } : request)
        this.#isWhole &&= log.isWhole
        const { spacesOf, ...program } = request.program
        const { grid, block, dynamicSharedBytes } = request
        const parameters = request.parameters.slice()
        this.#launches.push({ program, grid, block, dynamicSharedBytes, parameters, outcome, accesses: log.packed() })
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
    ({ program: kept, grid, block, dynamicSharedBytes, parameters, outcome, accesses, rows = 1 }, index) => {
      const program = programs.get(kept.kernel) ?? { ...kept, spacesOf: inferSpaces(kept.kernel) }
      programs.set(kept.kernel, program)
      const observer = times.observeLaunch?.({
        program,
        grid,
        block,
        dynamicSharedBytes,
        parameters: parameters ?? new Uint8Array(0),
      })
      const key = [program.kernel.name, grid.x, grid.y, grid.z, block.x, block.y, block.z, dynamicSharedBytes].join()
      const own = accesses.length > EMPTY_BYTES ? accesses : (shown.get(key) ?? accesses)
      shown.set(key, own)
      if (observer) replayAccesses(own, observer, rows, Math.ceil(block.x / 32))
      const kernel = program.kernel.name
      const sharedBytes = { static: program.shared.staticBytes, dynamic: dynamicSharedBytes }
      const record: LaunchRecord = { index, kernel, program, grid, block, sharedBytes, stream: 0, outcome, wallMs: 0 }
      times.kernelUs(record)
      return record
    },
  )
}
