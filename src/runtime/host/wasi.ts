/**
 * The operating system of the host program: WASI preview 1 by @bjorn3/browser_wasi_shim, with our own descriptors
 * (wasiFiles.ts), our clock (virtual, see hostClock.ts), seeded random numbers, and what the library leaves out.
 */
import { type Fd, WASI, wasi } from '@bjorn3/browser_wasi_shim'
import type { Diagnostic } from '../../diagnostic.ts'
import { type HostFunctions, ProgramStopped } from '../context.ts'
import { withDeviceFiles } from './deviceFiles.ts'
import { type HostFiles, memoryFiles } from './files.ts'
import type { HostClock } from './hostClock.ts'
import type { HostMemory } from './hostMemory.ts'
import { type TemporaryFiles, withTemporaryFiles } from './temporaryFiles.ts'
import { FolderDescriptor, InputStream, OutputStream } from './wasiFiles.ts'

export interface SystemOptions {
  /** argv, the program's name first. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Up to `capacity` bytes of input; none at its end. Blocks until there is some. */
  readonly stdin: (capacity: number) => Uint8Array
  readonly stdout: (bytes: Uint8Array) => void
  readonly stderr: (bytes: Uint8Array) => void
  /** The working directory. */
  readonly folder: FolderDescriptor
  readonly clock: HostClock
  /** Bytes of the random device. */
  readonly random: () => number
  /** Whether a thread of the program's runs that is not its first one. */
  readonly isInThread?: () => boolean
}

/** Times that a thread sleeps before it is taken for one that waits for what another thread does. */
const MOST_SLEEPS_OF_THREAD = 10_000

export const SLEEPS_FOR_EVER: Diagnostic = {
  code: 'host-thread-waits',
  severity: 'error',
  message: `a host thread went to sleep ${MOST_SLEEPS_OF_THREAD} times: it seems to wait for what another thread does`,
  notes: [
    'host threads run one after another here, each to its end when it is created: what the thread that made it does later, it never sees',
  ],
}

export type SystemFunctions = Record<string, (...args: never[]) => unknown>

/** exit(), from wherever it was called. */
export class ProgramExit extends Error {
  readonly code: number
  constructor(code: number) {
    super(`exit ${code}`)
    this.name = 'ProgramExit'
    this.code = code
  }
}

/** What Linux says of its clocks (clock_getres(2), high-resolution timers). */
const CLOCK_RESOLUTION_NS = 1n

/** The working directory, and what lies outside it that every program has; `files` undefined: a program that opens some finds none. */
export function openWorkingFolder(
  files: HostFiles | undefined,
  random: () => number,
): { folder: FolderDescriptor; temporary: TemporaryFiles } {
  const temporary = withTemporaryFiles(files ?? memoryFiles())
  return { folder: new FolderDescriptor(withDeviceFiles(temporary, random), ''), temporary }
}

/** The imports of module `wasi_snapshot_preview1` for a program with this memory. */
export function createSystem(options: SystemOptions, memory: WebAssembly.Memory): SystemFunctions {
  const { random } = options
  const descriptors: Fd[] = [
    new InputStream(options.stdin),
    new OutputStream(options.stdout),
    new OutputStream(options.stderr),
    options.folder,
  ]
  const env = Object.entries(options.env).map(([name, value]) => `${name}=${value}`)
  const system = new WASI([...options.args], env, descriptors, { debug: false })
  system.inst = { exports: { memory } }
  const view = () => new DataView(memory.buffer)
  let sleepsOfThread = 0
  const noticeSleep = (): void => {
    sleepsOfThread = options.isInThread?.() ? sleepsOfThread + 1 : 0
    if (sleepsOfThread > MOST_SLEEPS_OF_THREAD) throw new ProgramStopped(SLEEPS_FOR_EVER)
  }
  const own: SystemFunctions = {
    proc_exit: (code: number) => {
      throw new ProgramExit(code)
    },
    sched_yield: () => {
      noticeSleep()
      return wasi.ERRNO_SUCCESS
    },
    clock_res_get: (_id: number, out: number) => {
      view().setBigUint64(out, CLOCK_RESOLUTION_NS, true)
      return wasi.ERRNO_SUCCESS
    },
    clock_time_get: (id: number, _precision: bigint, out: number) => {
      const us = id === wasi.CLOCKID_REALTIME ? options.clock.epochUs() : options.clock.elapsedUs()
      view().setBigUint64(out, BigInt(Math.round(us * 1000)), true)
      return wasi.ERRNO_SUCCESS
    },
    random_get: (to: number, length: number) => {
      const bytes = new Uint8Array(memory.buffer, to, length)
      for (let index = 0; index < length; index++) bytes[index] = random()
      return wasi.ERRNO_SUCCESS
    },
    poll_oneoff: (subscriptions: number, events: number, count: number, countOut: number) => {
      noticeSleep()
      return sleep(options.clock, view(), subscriptions, events, count, countOut)
    },
    path_rename: (from: number, fromPath: number, fromLength: number, to: number, toPath: number, toLength: number) => {
      const source = system.fds[from]
      const target = system.fds[to]
      if (!(source instanceof FolderDescriptor) || target === undefined) return wasi.ERRNO_BADF
      const text = (at: number, length: number) =>
        new TextDecoder().decode(new Uint8Array(memory.buffer, at, length).slice())
      return source.path_rename(text(fromPath, fromLength), target, text(toPath, toLength))
    },
  }
  const { proc_exit, ...others } = { ...system.wasiImport, ...own }
  return { proc_exit: proc_exit!, ...mapValues(others, withoutSigns) }
}

type SystemFunction = SystemFunctions[string]

/** WebAssembly passes addresses of 2 GiB and more as negative numbers. */
const withoutSigns =
  (call: SystemFunction): SystemFunction =>
  (...args: never[]) =>
    call(...(args.map((each: unknown) => (typeof each === 'number' ? each >>> 0 : each)) as never[]))

const mapValues = <T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

/** The working directory's descriptor: the first after the standard streams. */
const WORKING_DIRECTORY = 3

/** What include/warplens/host_paths.h asks: a change of the working directory, and where it is. */
export function folderCalls(host: HostMemory, folder: FolderDescriptor): HostFunctions {
  return {
    __warplens_change_folder: (path: number) => folder.changeTo(host.text(path)),
    // The bytes that it takes, the end among them; nothing is written where they are too many.
    __warplens_folder: (to: number, capacity: number) => {
      const bytes = new TextEncoder().encode(folder.location).length + 1
      if (bytes <= capacity) host.setText(to, folder.location, capacity)
      return bytes
    },
  }
}

/**
 * Which folder's descriptor serves a path, asked by every function of wasi-libc that takes one. Its own answer has lost the
 * leading '/'; this one leaves the path as the program wrote it, for the one folder that there is to make out.
 */
export function pathCalls(host: HostMemory): HostFunctions {
  return {
    __wrap___wasilibc_find_relpath: (path: number, prefix: number, relative: number) => {
      host.setU32(prefix, path)
      host.setU32(relative, path)
      return WORKING_DIRECTORY
    },
  }
}

/** Sleeping moves the virtual clock on and takes no real time. Only clock subscriptions exist without sockets. */
function sleep(
  clock: HostClock,
  view: DataView,
  subscriptions: number,
  events: number,
  count: number,
  countOut: number,
): number {
  if (count !== 1) return wasi.ERRNO_NOTSUP
  const subscription = wasi.Subscription.read_bytes(view, subscriptions)
  if (subscription.eventtype !== wasi.EVENTTYPE_CLOCK) return wasi.ERRNO_NOTSUP
  const isAbsolute = (subscription.flags & wasi.SUBCLOCKFLAGS_SUBSCRIPTION_CLOCK_ABSTIME) !== 0
  const now = subscription.clockid === wasi.CLOCKID_REALTIME ? clock.epochUs() : clock.elapsedUs()
  const us = Number(subscription.timeout) / 1000 - (isAbsolute ? now : 0)
  clock.sleepUs(Math.max(0, us))
  new wasi.Event(subscription.userdata, wasi.ERRNO_SUCCESS, subscription.eventtype).write_bytes(view, events)
  view.setUint32(countOut, 1, true)
  return wasi.ERRNO_SUCCESS
}

/** Marsaglia's xorshift32, a byte a call: runs must repeat. */
export function randomBytes(seed: number): () => number {
  let state = (seed ^ 0x9e37_79b9) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 8) & 0xff
  }
}
