/**
 * Runs a compiled program: host WebAssembly and device IR in, exit code, launches and timeline out. What the program and
 * its kernels print goes to the sinks as it happens, in program order; so do messages about what went wrong.
 */
import type { KernelProgram } from '../analysis/prepare.ts'
import { prepareKernel } from '../analysis/prepare.ts'
import type { Device } from '../devices/device.ts'
import { type Diagnostic, formatDiagnostic, type SourceRange } from '../diagnostic.ts'
import type { Module } from '../ir/ir.ts'
import type { Executor } from '../launch.ts'
import type { AccessModel } from '../trace.ts'
import { allocationCalls } from './calls/cudaAllocation.ts'
import { ArrayTable, arrayCalls, boxCopier } from './calls/cudaArrays.ts'
import { copyCalls } from './calls/cudaCopies.ts'
import { attributeTable, DEFAULT_LIMITS, deviceCalls } from './calls/cudaDevice.ts'
import { errorCalls } from './calls/cudaErrorCalls.ts'
import { launchCalls } from './calls/cudaLaunch.ts'
import { moduleCalls } from './calls/cudaModules.ts'
import { streamCalls } from './calls/cudaStreams.ts'
import { textureCalls } from './calls/cudaTextures.ts'
import { virtualMemoryCalls } from './calls/cudaVirtualMemory.ts'
import { nvrtcCalls, type RunTimeCompiler } from './calls/nvrtc.ts'
import { CudaContext, type DeviceModule, type HostFunctions, outOfTime, ProgramStopped } from './context.ts'
import { CUDA_ERRORS, describeError, errorCode } from './cudaErrors.ts'
import { graphCalls } from './graphs/cudaGraphs.ts'
import { describeUncaught, isThrownByProgram } from './host/exceptions.ts'
import type { HostFiles } from './host/files.ts'
import { type HostInstance, hostMemoryFor, instantiateHost } from './host/host.ts'
import { HostClock } from './host/hostClock.ts'
import { heapCalls } from './host/hostHeap.ts'
import { HostFault, HostMemory, NullWrite } from './host/hostMemory.ts'
import { describeTrap, type HostFailure, type HostFrame, hostFrames, type LineLookup } from './host/hostTraps.ts'
import {
  createSystem,
  folderCalls,
  openWorkingFolder,
  ProgramExit,
  pathCalls,
  randomBytes,
  SLEEPS_FOR_EVER,
} from './host/wasi.ts'
import { sourceLineAt } from './host/wasmLines.ts'
import type { LaunchRecord, TimeModel } from './launchRecord.ts'
import { AddressBook } from './memory/addresses.ts'
import { DeviceMemory } from './memory/deviceMemory.ts'
import { MirroredMemory } from './memory/mirroredMemory.ts'
import { Registry, registrationCalls } from './program/cudaRegistration.ts'
import { deviceFacts } from './program/deviceFacts.ts'
import { DeviceImage } from './program/deviceImage.ts'
import { DeviceSet } from './program/deviceSet.ts'
import { KernelTable } from './program/kernelTable.ts'
import type { ProgramChecks } from './programChecks.ts'
import { bandwidthTimes } from './timeline/bandwidthTimes.ts'
import { StreamTable } from './timeline/streamTable.ts'
import { Timeline, type TimelineEntry } from './timeline/timeline.ts'

export interface RunOptions {
  readonly hostModule: WebAssembly.Module
  /** The bytes of `hostModule`, whose debug information puts lines into messages about crashes. */
  readonly hostWasm?: Uint8Array
  /** The device side of all files, linked. */
  readonly module: DeviceModule
  readonly device: Device
  readonly executor: Executor
  readonly model: AccessModel
  /** argv[0]. */
  readonly programName: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Up to `capacity` bytes; none at the end. The default is at its end from the start. */
  readonly stdin?: (capacity: number) => Uint8Array
  readonly stdout: (bytes: Uint8Array) => void
  readonly stderr: (bytes: Uint8Array) => void
  readonly files?: HostFiles
  /** What NVRTC compiles with; without it a program that does is stopped. */
  readonly compileAtRunTime?: RunTimeCompiler
  /** Texts of the program's own files, by the names of reports. */
  readonly sources?: ReadonlyMap<string, string>
  readonly onLaunch?: (record: LaunchRecord) => void
  /** Whether the result lists the launches (default); without, a program of many launches needs less memory. */
  readonly keepLaunches?: boolean
  /** Predicted times; without one, a simple estimate by bandwidth. */
  readonly times?: TimeModel
  readonly registersOf?: (program: KernelProgram, threads?: number) => number
  /** A kernel's name for people; the mangled one without it. */
  readonly displayName?: (mangled: string) => string
  /** The same in full, with parameters: the sides know kernels of lambdas in main by it. */
  readonly fullName?: (mangled: string) => string
  /** Device memory, in bytes; no more than the device has. */
  readonly memoryBytes?: number
  /** Simulated devices, all of the same kind; default 1. */
  readonly deviceCount?: number
  readonly timeLimitMs?: number
  /** Stops a host program that makes no call in which we could stop it. */
  readonly watch?: HostWatch
  readonly seed?: number
  /** Finds mistakes of the program while it runs: kernels are what the program says, nothing joined as the GPU's compiler does. */
  readonly checks?: ProgramChecks
}

/** Runs `body`, and gives up on it after so many ms: then false. The stack of `body` is gone without its `finally` blocks. */
export type HostWatch = (limitMs: number, body: () => void) => boolean

export interface RunResult {
  /** The program's own; 128 + signal for one that crashed. */
  readonly exitCode: number
  readonly launches: readonly LaunchRecord[]
  readonly timeline: readonly TimelineEntry[]
  /** Texts of the files that were compiled while the program ran, by the names of reports. */
  readonly sources: ReadonlyMap<string, string>
  /** Why the program failed, where we know better than its exit code; it was already said on stderr. */
  readonly failure?: Diagnostic
  /** The failure is a kernel's, and the program knows of it (`CudaContext.failureSeen`): its exit code is its answer. */
  readonly failureSeen?: true
}

/** A kernel's registers while nobody estimates them: what nvcc gives to simple kernels. */
const ASSUMED_REGISTERS = 32
const FAILED = 3
/** What the calls' own limit needs to end a program in order: it knows more, for example a kernel's line. */
const HOST_GRACE_MS = 3000
/** Those of a call, and the host program's below them. */
const MOST_FRAMES = 40
const ABORTED = 134
const SEGMENTATION_FAULT = 139

/** @throws UserError for what the program uses and we do not support (an intrinsic, too much constant memory). */
export function runProgram(options: RunOptions): RunResult {
  const { device, module, stderr } = options
  const host = new HostMemory(hostMemoryFor(options.hostModule))
  const memory = new DeviceMemory(Math.min(device.memoryBytes, options.memoryBytes ?? device.memoryBytes))
  if (options.checks) {
    memory.watcher = options.checks
    memory.isGuarded = true
  }
  const mirrored = new MirroredMemory(memory, host)
  const addresses = new AddressBook(memory, host)
  const timeline = new Timeline()
  const clock = new HostClock(timeline)
  const prepareFrom = (from: Module, kernel: string): KernelProgram =>
    prepareKernel(from, kernel, { asMachine: options.checks === undefined })
  const programs = new Map<string, KernelProgram>()
  let instance: HostInstance | undefined
  const running = (): HostInstance => {
    if (instance === undefined)
      throw new ProgramStopped({
        code: 'host-not-started',
        severity: 'error',
        message: 'a CUDA call came before the program had started',
      })
    return instance
  }
  const facts = deviceFacts(options.deviceCount ?? 1, DEFAULT_LIMITS, attributeTable(device, memory.capacityBytes))
  const image = new DeviceImage(module, memory, mirrored, addresses, facts)
  const context = new CudaContext({
    device,
    module,
    memory,
    host,
    timeline,
    clock,
    image,
    devices: new DeviceSet(options.deviceCount ?? 1, memory, image, timeline),
    executor: options.executor,
    model: options.model,
    times: options.times ?? bandwidthTimes(device),
    prepareFrom,
    checks: options.checks,
    prepare: name => {
      const program = programs.get(name) ?? prepareFrom(module, name)
      programs.set(name, program)
      return program
    },
    registersOf: options.registersOf ?? (() => ASSUMED_REGISTERS),
    displayName: options.displayName ?? (mangled => mangled),
    fullName: options.fullName ?? (mangled => mangled),
    deadline: performance.now() + (options.timeLimitMs ?? Number.POSITIVE_INFINITY),
    onLaunch: options.onLaunch ?? (() => undefined),
    keepLaunches: options.keepLaunches ?? true,
    printDevice: text => {
      running().flush()
      options.stdout(new TextEncoder().encode(text))
    },
    warn: text => {
      if (instance) flushQuietly(instance)
      stderr(new TextEncoder().encode(`${text}\n`))
    },
    callSite: ({ stack }) => ownLine(hostFrames(stack ?? ''), lookupIn(options.hostWasm)),
    callHost: (pointer, ...args) => running().call(pointer, ...args),
    hostMalloc: bytes => running().malloc(bytes),
    hostFree: address => running().free(address),
    files: options.files,
    compileAtRunTime: options.compileAtRunTime,
    sources: options.sources ?? new Map(),
  })
  const random = randomBytes(options.seed ?? 0)
  const { folder, temporary } = openWorkingFolder(options.files, random)
  const system = createSystem(
    {
      args: [options.programName, ...options.args],
      env: options.env ?? {},
      stdin: options.stdin ?? (() => new Uint8Array(0)),
      stdout: options.stdout,
      stderr,
      folder,
      clock,
      random,
      isInThread: () => running().isInThread(),
    },
    host.memory,
  )
  instance = instantiateHost(
    options.hostModule,
    host.memory,
    { ...cudaCalls(context, mirrored, addresses), ...folderCalls(host, folder) },
    system,
  )
  const end = runToEnd(instance, memory, context, options)
  if (end.diagnostic !== undefined) context.parts.warn(formatDiagnostic(end.diagnostic))
  const lost = temporary.left()
  if (lost.length > 0) context.parts.warn(lostFiles(lost))
  const failure = context.failure ?? end.diagnostic
  return {
    exitCode: end.exitCode,
    launches: context.launches,
    timeline: timeline.entries,
    sources: context.sources.loaded,
    ...(failure && { failure }),
    ...(end.diagnostic === undefined && context.failureSeen && { failureSeen: true }),
  }
}

function lostFiles([first, ...others]: readonly string[]): string {
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  return `warning: ${first}${more} went with the program, whose /tmp is in memory: it writes files that stay below the working directory`
}

/** All imports of module `env`, by topic. */
function cudaCalls(context: CudaContext, mirrored: MirroredMemory, addresses: AddressBook): HostFunctions {
  const { host, timeline } = context.parts
  const registry = new Registry(context)
  const streams = new StreamTable(timeline)
  const kernels = new KernelTable(context, registry)
  const arrays = new ArrayTable()
  const boxCopy = boxCopier(context, arrays, addresses)
  const launches = { kernels, registry, streams, addresses, arrays, mirrored }
  return withFailuresTold(
    context,
    () => registry.launching?.stack,
    behindNullChecks(host, {
      ...registrationCalls(context, registry),
      ...errorCalls(context),
      ...deviceCalls(context),
      ...allocationCalls(context, { addresses, mirrored, streams }),
      ...virtualMemoryCalls(context),
      ...copyCalls(context, { addresses, registry, streams }),
      ...arrayCalls(context, arrays, { addresses, streams }),
      ...textureCalls(context, { arrays, addresses, registry, mirrored }),
      ...streamCalls(context, streams),
      ...launchCalls(context, launches),
      ...moduleCalls(context, kernels),
      ...nvrtcCalls(context),
      ...graphCalls(context, { launches, streams, addresses, boxCopy: words => boxCopy(words, true) }),
      ...heapCalls(() => host.memory.buffer.byteLength),
      ...pathCalls(host),
    }),
  )
}

/** Where the runtime is called, writes through null pointers come to light that nothing else stops in WebAssembly. */
function behindNullChecks(host: HostMemory, calls: HostFunctions): HostFunctions {
  const checked = ([name, call]: [string, HostFunctions[string]]): [string, HostFunctions[string]] => {
    if (!name.startsWith('cuda')) return [name, call]
    const behind = (...args: never[]): number | bigint | undefined => {
      host.checkNull()
      return call(...args)
    }
    return [name, behind]
  }
  return Object.fromEntries(Object.entries(calls).map(checked))
}

/** What gives an error that is no failure of the call's own, or no error at all. */
const ANSWERS = new Set(['cudaGetLastError', 'cudaPeekAtLastError', 'cudaGetErrorName', 'cudaGetErrorString'])

/** What no call fails with: it is asked for, or there is nothing to do (Compute Sanitizer, "Excluded Errors"). */
const STATES: ReadonlySet<number> = new Set(
  (
    ['cudaSuccess', 'cudaErrorNotReady', 'cudaErrorPeerAccessAlreadyEnabled', 'cudaErrorPeerAccessNotEnabled'] as const
  ).map(errorCode),
)

/** Calls that fail are told to whoever checks the program; those that fail for what a kernel did before are not. */
function withFailuresTold(
  context: CudaContext,
  launchSite: () => Error | undefined,
  calls: HostFunctions,
): HostFunctions {
  const { checks, callSite } = context.parts
  if (!checks) return calls
  const told = ([name, call]: [string, HostFunctions[string]]): [string, HostFunctions[string]] => {
    if (!name.startsWith('cuda') || ANSWERS.has(name)) return [name, call]
    const watched = (...args: never[]): number | bigint | undefined => {
      // Of `kernel<<<...>>>(...)` the call itself is in a function that clang makes at the kernel's own line.
      const launching = name.startsWith('cudaLaunchKernel') ? launchSite() : undefined
      const result = call(...args)
      if (typeof result !== 'number' || STATES.has(result) || context.hasFault) return result
      const { name: error, text } = describeError(result)
      if (error in CUDA_ERRORS) checks.callFailed({ name, error, text, range: callSite(launching ?? new Error()) })
      return result
    }
    return [name, watched]
  }
  return Object.fromEntries(Object.entries(calls).map(told))
}

interface ProgramEnd {
  readonly exitCode: number
  readonly diagnostic?: Diagnostic
}

function runToEnd(
  instance: HostInstance,
  memory: DeviceMemory,
  context: CudaContext,
  { hostWasm: wasm, watch, timeLimitMs }: RunOptions,
): ProgramEnd {
  const lineAt = lookupIn(wasm)
  const usualFrames = Error.stackTraceLimit
  Error.stackTraceLimit = MOST_FRAMES
  try {
    const start = () => instance.start()
    if (watch === undefined || timeLimitMs === undefined) start()
    else if (!watch(timeLimitMs + HOST_GRACE_MS, start)) throw outOfTime()
    return atExit(0, context.parts.host)
  } catch (error) {
    if (error instanceof ProgramExit) return atExit(error.code, context.parts.host)
    if (error instanceof NullWrite) return nullWrite(ownLine(hostFrames(error.stack ?? ''), lineAt))
    if (error instanceof ProgramStopped)
      return { exitCode: FAILED, diagnostic: whereStopped(error, context, lineAt, instance) }
    if (isThrownByProgram(error)) return { exitCode: ABORTED, diagnostic: uncaught(instance, context.parts.host) }
    const state = { usesDevice: memory.usedBytes > 0, isStackUsedUp: instance.isStackUsedUp() }
    const failure = error instanceof HostFault ? badPointer(error) : describeTrap(error, state, lineAt)
    if (failure === undefined) throw error
    return failure
  } finally {
    Error.stackTraceLimit = usualFrames
    flushQuietly(instance)
    context.parts.timeline.synchronizeDevice()
  }
}

function atExit(exitCode: number, host: HostMemory): ProgramEnd {
  try {
    host.checkNull()
    return { exitCode }
  } catch (error) {
    if (error instanceof NullWrite) return nullWrite(undefined)
    throw error
  }
}

/** @param range of the call in front of which it was */
function nullWrite(range: SourceRange | undefined): ProgramEnd {
  const diagnostic: Diagnostic = {
    code: 'host-null-write',
    severity: 'error',
    message: `the host program wrote through a null pointer (segmentation fault)${range ? ', somewhere in front of this call' : ''}`,
    notes: ['an array that was never allocated, or a pointer that says that something is not there'],
    ...(range && { range }),
  }
  return { exitCode: SEGMENTATION_FAULT, diagnostic }
}

const ONE_AFTER_ANOTHER =
  'it struck in a thread of the host program: they run one after another, each to its end when it is created, and waiting for what a later one does never ends'

/** What stopped the program with the host's line where that was in a call; a time limit's message with the launches so far, too. */
function whereStopped(
  error: ProgramStopped,
  context: CudaContext,
  lineAt: LineLookup,
  instance: HostInstance,
): Diagnostic {
  const { diagnostic } = error
  const isThread = diagnostic.code === SLEEPS_FOR_EVER.code
  const isTimeout = diagnostic.code === 'timeout'
  const isCall = diagnostic.code.startsWith('unsupported-')
  if (!(isTimeout || isThread || isCall) || diagnostic.range !== undefined) return diagnostic
  const range = ownLine(hostFrames(error.stack ?? ''), lineAt)
  if (!isTimeout) return { ...diagnostic, ...(range && { range }) }
  const { launchCount, lastKernel } = context
  const ended = `${launchCount} kernel ${launchCount === 1 ? 'launch' : 'launches'} had ended`
  const phase =
    lastKernel === undefined
      ? 'no kernel had been launched: the time went to the host program'
      : `${ended}, the last of ${context.parts.displayName(lastKernel)}; the limit struck while the host program ran`
  const notes = [...(diagnostic.notes ?? []), phase, ...(instance.isInThread() ? [ONE_AFTER_ANOTHER] : [])]
  return { ...diagnostic, notes, ...(range && { range }) }
}

const lookupIn =
  (wasm: Uint8Array | undefined): LineLookup =>
  offset =>
    wasm && sourceLineAt(wasm, offset)

/** The innermost line of the program's own, else of a library's. */
function ownLine(frames: readonly HostFrame[], lineAt: LineLookup): SourceRange | undefined {
  const lines = frames.flatMap(({ offset }) => lineAt(offset) ?? [])
  return lines.find(({ file }) => !/^\/(?:usr|inc)\//.test(file)) ?? lines[0]
}

function uncaught(instance: HostInstance, host: HostMemory): Diagnostic {
  const { typeName, text } = instance.thrown() ?? { typeName: 0, text: 0 }
  if (typeName === 0) return { code: 'uncaught-jump', severity: 'error', message: 'longjmp without its setjmp' }
  return describeUncaught({ typeName: host.text(typeName), text: text === 0 ? undefined : host.text(text) })
}

function badPointer(fault: HostFault): HostFailure {
  const message = `the host program handed ${fault.message.replace('no host memory at', 'a pointer to')} to a CUDA call, where ${fault.bytes} bytes of host memory were expected`
  return { exitCode: SEGMENTATION_FAULT, diagnostic: { code: 'host-bad-pointer', severity: 'error', message } }
}

/** A crashed program still shows what it had printed, where its C library is in a state to do so. */
function flushQuietly(instance: HostInstance): void {
  try {
    instance.flush()
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error
  }
}
