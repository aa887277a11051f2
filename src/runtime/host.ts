/**
 * The host program's instance: its memory, its start, its end. Host memory stays below DEVICE_BASE, so that a host access
 * to a device address traps.
 */
import { DEVICE_BASE } from '../addressSpace.ts'
import { InternalError } from '../diagnostic.ts'
import type { HostFunction, HostFunctions } from './context.ts'
import type { SystemFunctions } from './wasi.ts'

const PAGE_BYTES = 65536
const MAXIMUM_PAGES = DEVICE_BASE / PAGE_BYTES
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
}

/** Throws an InternalError where the module lacks what the link line exports, or wants what nobody provides. */
export function instantiateHost(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  calls: HostFunctions,
  system: SystemFunctions,
): HostInstance {
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const isKnown = kind !== 'function' || (from === 'env' ? name in calls : name in system)
    if (!isKnown) throw new InternalError(`the host program imports ${from}.${name}, which the runtime does not have`)
  }
  const { exports } = new WebAssembly.Instance(module, { env: { ...calls, memory }, wasi_snapshot_preview1: system })
  const exported = (name: string): ((...args: number[]) => unknown) => {
    const value = exports[name]
    if (typeof value !== 'function') throw new InternalError(`the host program does not export ${name}`)
    return (...args) => value(...args)
  }
  // Where the linker wraps it (host_heap.h), the export takes the wrapper's name.
  const malloc = exported('__wrap_malloc' in exports ? '__wrap_malloc' : 'malloc')
  const free = exported('free')
  const table = exports.__indirect_function_table
  return {
    start: () => void exported('_start')(),
    malloc: bytes => Number(malloc(bytes)) >>> 0,
    free: address => void free(address),
    flush: () => {
      if (typeof exports.fflush === 'function') exports.fflush(0)
    },
    call: (pointer, ...args) => {
      const target = table instanceof WebAssembly.Table && pointer < table.length ? table.get(pointer) : null
      if (target === null) throw new WebAssembly.RuntimeError('null function')
      return Number(target(...args) ?? 0)
    },
  }
}
