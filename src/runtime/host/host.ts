/**
 * The host program's instance: its memory, its start, its end. Host memory begins at 0 and is no larger than needed: while it stays
 * below DEVICE_BASE, as most programs' does, a host access to a device address traps.
 */
import { InternalError } from '../../diagnostic.ts'
import { LINKED_BINARY } from '../../frontend/building/hostImports.ts'
import type { HostFunction, HostFunctions } from '../context.ts'
import { isThrownByProgram } from './exceptions.ts'
import type { SystemFunctions } from './wasi.ts'

const MAXIMUM_PAGES = 65536
/** 16 MiB: more than the stack and the data of most programs. */
const FIRST_GUESS_PAGES = 256

/**
 * Memory large enough for the module's import. The JavaScript API does not tell the size that a module asks for, so sizes
 * are tried; a WASI command has no start function, so instantiating runs nothing.
 */
export function hostMemoryFor(module: WebAssembly.Module): WebAssembly.Memory {
  const { env: functions = {}, ...others } = stubs(module)
  for (let initial = FIRST_GUESS_PAGES; ; initial *= 2) {
    const memory = () => new WebAssembly.Memory({ initial, maximum: MAXIMUM_PAGES })
    try {
      new WebAssembly.Instance(module, { ...others, env: { ...functions, memory: memory() } })
      return memory()
    } catch (error) {
      if (initial >= MAXIMUM_PAGES || !isMemoryTooSmall(error)) throw error
    }
  }
}

function stubs(module: WebAssembly.Module): Record<string, Record<string, HostFunction>> {
  const imports: Record<string, Record<string, HostFunction>> = {}
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === 'function') (imports[from] ??= {})[name] = () => 0
  }
  return imports
}

function isMemoryTooSmall(error: unknown): boolean {
  return error instanceof Error && /memory/i.test(error.message)
}

export interface HostInstance {
  start(): void
  malloc(bytes: number): number
  free(address: number): void
  /** Writes out what the C library still buffers. */
  flush(): void
  /** Calls a function pointer of the program. */
  call(pointer: number, ...args: number[]): number
  /** The exception that the program threw last; undefined for one that cannot throw. Addresses are of its memory. */
  thrown(): { readonly typeName: number; readonly text: number } | undefined
  /** Whether the stack has grown beyond its room. */
  isStackUsedUp(): boolean
  /** Whether a thread runs that is not the program's first one. */
  isInThread(): boolean
}

type Imports = Record<string, (...args: never[]) => unknown>

/** Exports of include/warplens/host_exceptions.cpp. */
const THROWN_TYPE = '__warplens_uncaught_type'
const THROWN_TEXT = '__warplens_uncaught_text'
/** Export of include/warplens/host_threads.c. */
const THREADS = '__warplens_threads'

/** The stack lies below, and is large enough. */
const STACK_FOR_FLUSHING = 1 << 20

/** A module with one exported function `t` that executes `unreachable`. */
const TRAP = [
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0],
  ...[3, 2, 1, 0],
  ...[7, 5, 1, 1, 0x74, 0, 0],
  ...[10, 5, 1, 3, 0, 0x00, 0x0b],
]

/**
 * exit(), a time limit and our other ways to end a program are JavaScript errors. The destructors and `noexcept` of a program
 * that throws would catch those (WebAssembly's `catch_all`); no code catches a trap. So such an error is kept, and a trap
 * takes its place until the program has ended.
 */
class Stops {
  #error: unknown
  readonly #trap = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(TRAP))).exports.t

  guard(functions: Imports): Imports {
    return Object.fromEntries(Object.entries(functions).map(([name, body]) => [name, this.#guarded(body)]))
  }

  #guarded(body: (...args: never[]) => unknown): (...args: never[]) => unknown {
    return (...args) => {
      try {
        return body(...args)
      } catch (error) {
        if (isThrownByProgram(error)) throw error
        this.#error ??= error
        if (typeof this.#trap === 'function') this.#trap()
        throw error
      }
    }
  }

  during(start: () => unknown): void {
    try {
      start()
    } catch (error) {
      throw this.#error ?? error
    }
  }
}

/** Throws an InternalError where the module lacks what the link line exports, or wants what nobody provides. */
export function instantiateHost(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  calls: HostFunctions,
  system: SystemFunctions,
): HostInstance {
  const provided = { ...calls }
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const linked = calls[LINKED_BINARY]
    if (linked && name.startsWith(LINKED_BINARY)) provided[name] = linked
    const isKnown = kind !== 'function' || (from === 'env' ? name in provided : name in system)
    if (!isKnown) throw new InternalError(`the host program imports ${from}.${name}, which the runtime does not have`)
  }
  const throws = WebAssembly.Module.exports(module).some(({ name }) => name === THROWN_TYPE)
  const stops = new Stops()
  const guarded = <T extends Imports>(functions: T): Imports => (throws ? stops.guard(functions) : functions)
  const { exports } = new WebAssembly.Instance(module, {
    env: { ...guarded(provided), memory },
    wasi_snapshot_preview1: guarded(system),
  })
  const exported = (name: string): ((...args: number[]) => unknown) => {
    const value = exports[name]
    if (typeof value !== 'function') throw new InternalError(`the host program does not export ${name}`)
    return (...args) => value(...args)
  }
  // Where the linker wraps it (host_heap.h), the export takes the wrapper's name.
  const wrapped = (name: string) => exported(`__wrap_${name}` in exports ? `__wrap_${name}` : name)
  const malloc = wrapped('malloc')
  const free = wrapped('free')
  const table = exports.__indirect_function_table
  const stackPointer = exports.__stack_pointer
  const isStackUsedUp = (): boolean => stackPointer instanceof WebAssembly.Global && Number(stackPointer.value) < 0
  return {
    start: () => stops.during(exported('_start')),
    malloc: bytes => Number(malloc(bytes)) >>> 0,
    free: address => void free(address),
    flush: () => {
      // Nothing of what lies there is needed any more.
      if (isStackUsedUp() && stackPointer instanceof WebAssembly.Global) stackPointer.value = STACK_FOR_FLUSHING
      if (typeof exports.fflush === 'function') exports.fflush(0)
    },
    call: (pointer, ...args) => {
      const target = table instanceof WebAssembly.Table && pointer < table.length ? table.get(pointer) : null
      if (target === null) throw new WebAssembly.RuntimeError('null function')
      return Number(target(...args) ?? 0)
    },
    thrown: () => {
      if (!throws) return undefined
      return { typeName: Number(exported(THROWN_TYPE)()) >>> 0, text: Number(exported(THROWN_TEXT)()) >>> 0 }
    },
    isStackUsedUp,
    isInThread: () => THREADS in exports && exported(THREADS)() !== 0,
  }
}
