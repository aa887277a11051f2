/**
 * A program under checks, from its start to its end. In: what the runtime tells (runtime/programChecks.ts). Out: findings, in the order
 * of what happened.
 */
import type { KernelProgram } from '../analysis/prepare.ts'
import type { SourceRange } from '../diagnostic.ts'
import type { Fault, LaunchChecker } from '../launch.ts'
import { hex } from '../runtime/memory/deviceMemory.ts'
import type {
  FailedCall,
  ProgramChecks,
  WatchedAllocation,
  WatchedCopy,
  WatchedLaunch,
} from '../runtime/programChecks.ts'
import { DeviceRanges } from './deviceRanges.ts'
import { type CheckTool, type Finding, Findings, ownPlace } from './findings.ts'
import { bytesText, LaunchChecks } from './launchChecks.ts'
import { TagMemory } from './sharedTags.ts'

export interface CheckOptions {
  readonly tools: ReadonlySet<CheckTool>
  /** Kernels that are looked at, by their mangled names; all without it. */
  readonly selects?: (kernel: string) => boolean
  /** Of the launches of these: how many not to look at first, and how many to look at then. */
  readonly launchSkip?: number
  readonly launchCount?: number
  /** Memory that is never freed is a finding. */
  readonly findsLeaks?: boolean
  /** CUDA calls that fail are findings. */
  readonly findsFailedCalls?: boolean
  /** A bad address ends the kernel and nothing else (compute-sanitizer's --destroy-on-device-error kernel). */
  readonly forgivesKernels?: boolean
}

export class CheckSession implements ProgramChecks {
  readonly findings = new Findings()
  launches = 0
  checkedLaunches = 0
  private readonly options: CheckOptions
  private readonly ranges = new DeviceRanges()
  private readonly memory = new TagMemory()
  private readonly live = new Map<number, { readonly bytes: number; readonly number: number }>()
  private allocations = 0
  private readonly running = new Map<WatchedLaunch, LaunchChecks | undefined>()
  private matching = 0

  constructor(options: CheckOptions) {
    this.options = options
  }

  allocated({ address, bytes, kind }: WatchedAllocation): void {
    const { tools, findsLeaks } = this.options
    this.ranges.add(address, bytes, kind === 'cudaMalloc' && tools.has('initcheck'))
    if (kind !== 'cudaMalloc') return
    this.allocations++
    if (findsLeaks) this.live.set(address, { bytes, number: this.allocations })
  }

  freed(address: number): void {
    this.ranges.remove(address)
    this.live.delete(address)
  }

  wrote(address: number, bytes: number): void {
    this.ranges.wrote(address, bytes)
  }

  launch(launch: WatchedLaunch): LaunchChecker | undefined {
    this.launches++
    const isChosen = this.chooses(launch.program)
    if (isChosen) this.checkedLaunches++
    // What a kernel writes that nobody looks at is not known.
    else this.ranges.forgetUnwritten()
    this.ranges.setOthers(launch.hostRanges)
    const { tools } = this.options
    const checks = isChosen
      ? new LaunchChecks(launch, tools, this.ranges, this.findings, launch.describe, this.memory)
      : undefined
    this.running.set(launch, checks)
    return checks
  }

  private chooses({ kernel }: KernelProgram): boolean {
    const { selects, launchSkip = 0, launchCount = Number.POSITIVE_INFINITY } = this.options
    if (selects && !selects(kernel.name)) return false
    const number = this.matching++
    return number >= launchSkip && number < launchSkip + launchCount
  }

  ended(launch: WatchedLaunch, fault: Fault | undefined, notes: readonly string[]): void {
    const checks = this.running.get(launch)
    this.running.delete(launch)
    checks?.giveBack()
    this.ranges.forgetWritten()
    if (!fault || !checks) return
    const { block, thread, address } = fault
    const location = ownPlace(fault.location)
    const kind = FAULTS[fault.kind]
    if (!kind || !this.options.tools.has(kind.tool)) return
    if (fault.kind === 'illegal-address' && checks.hasOutside) return
    const kernel = launch.program.kernel.name
    this.findings.add(
      {
        tool: kind.tool,
        kind: fault.kind,
        severity: 'error',
        message: fault.message,
        kernel,
        ...(location && { location }),
      },
      () => ({
        launch: launch.index,
        block,
        ...(thread && { thread }),
        ...(address !== undefined && { address }),
        notes,
      }),
    )
  }

  isForgiven({ kind }: Fault): boolean {
    return this.options.forgivesKernels === true && FAULTS[kind]?.isOfAccess === true
  }

  copies({ name, rows, rowBytes, range, describe }: WatchedCopy): void {
    if (!this.options.tools.has('initcheck')) return
    const unwritten = rows.map(row => this.ranges.unwrittenOf(row, rowBytes)).filter(({ bytes }) => bytes > 0)
    const [earliest] = unwritten
    if (!earliest) return
    const bytes = unwritten.reduce((sum, row) => sum + row.bytes, 0)
    const message = `uninitialized __global__ memory is copied to the host by ${name}`
    const place = isOfProgram(range) ? { location: range } : {}
    const all = rows.length * rowBytes
    // Programs copy arrays whole of which a kernel has filled a part, and know which.
    const severity = bytes === all ? 'error' : 'info'
    this.findings.add({ tool: 'initcheck', kind: 'uninitialized-copy', severity, message, ...place }, () => ({
      address: earliest.first,
      notes: [`${bytes} of ${bytesText(all)} were never written, the first at`, describe(earliest.first)],
    }))
  }

  callFailed({ name, error, text, range }: FailedCall): void {
    const { tools, findsFailedCalls = true } = this.options
    if (!findsFailedCalls || !tools.has('memcheck')) return
    const place = isOfProgram(range) ? { location: range } : {}
    const message = `program hit ${error} (${text}) on CUDA API call to ${name}`
    this.findings.add({ tool: 'memcheck', kind: 'failed-call', severity: 'error', message, ...place }, () => ({
      notes: [],
    }))
  }

  /** Once, when the program has ended. */
  finish(): readonly Finding[] {
    if (this.options.tools.has('memcheck'))
      for (const [address, { bytes, number }] of this.live) {
        const message = `leaked ${bytesText(bytes)} of device memory`
        this.findings.add({ tool: 'memcheck', kind: 'leak', severity: 'error', message }, () => ({
          address,
          notes: [`at ${hex(address)}, allocation ${number} of the program, which is never freed`],
        }))
      }
    const all = this.findings.all()
    // Who reads what another thread is about to write, with no barrier between, reads what nobody has written yet.
    const isOfHazard = ({ kind, kernel, location }: Finding): boolean =>
      kind === 'uninitialized-shared-read' &&
      all.some(
        ({ hazards, severity, kernel: other, location: later, earlier }) =>
          hazards !== undefined &&
          severity !== 'info' &&
          other === kernel &&
          [later, earlier].some(place => place?.file === location?.file && place?.line === location?.line),
      )
    return all.filter(finding => !isOfHazard(finding))
  }
}

/** A line of our headers says nothing. */
const isOfProgram = (range: SourceRange | undefined): range is SourceRange =>
  range !== undefined && !/^\/(?:usr|inc)\//.test(range.file)

/** Which tool tells of a kernel that was stopped. What the program stops itself is its own affair. */
const FAULTS: Readonly<Partial<Record<Fault['kind'], { readonly tool: CheckTool; readonly isOfAccess?: true }>>> = {
  'illegal-address': { tool: 'memcheck', isOfAccess: true },
  'misaligned-address': { tool: 'memcheck', isOfAccess: true },
  'illegal-instruction': { tool: 'synccheck' },
  deadlock: { tool: 'synccheck' },
}
