/**
 * What one compilation has compiled already: under the next assumptions (attempts.ts) most sources of a program are the same, and so is
 * what clang makes of them. In: what compiles a source, and what that depends on. Out: the same, once for each.
 */
import type { FileTree } from '../clang/clang.ts'
import type { CompileCache } from '../compiledProgram.ts'
import { withoutFormatStops } from './commandFlags.ts'
import type { HeaderCache } from './precompiledHeaders.ts'
import { type CompiledUnit, type CompileUnit, hasErrors, sourceOf } from './runClang.ts'

/** Bytes of a unit that may be needed once more; larger ones are static arrays, written out. */
const LARGEST_KEPT = 32 * 1024 * 1024

/** Of one compilation: folder and headers of ours are the same in all of it. */
export interface UnitMemory {
  /** The same as `compile`, which nothing else is run by, for sources that open these files; `next`: what it runs behind the command. */
  once(compile: CompileUnit, openedBy: (source: string) => FileTree, next?: readonly string[]): CompileUnit
}

export function createUnitMemory(): UnitMemory {
  const units = new Map<string, Promise<CompiledUnit>>()
  /** Where clang stops at formats: what has none comes out the same as where it goes on, by whose name it is here. */
  const stopping = new Map<string, Promise<CompiledUnit>>()
  const numbers = new Map<string | Uint8Array, number>()
  const numberOf = (text: string | Uint8Array): number => {
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return number
  }
  return {
    once(compile, openedBy, next = []) {
      const withoutStops = async (command: readonly string[], key: string): Promise<CompiledUnit> => {
        const unit = await stopping.get(key)
        return unit && !hasErrors(unit) ? unit : compile(command)
      }
      return async command => {
        const opened = Object.entries(openedBy(sourceOf(command))).map(([path, text]) => [path, numberOf(text)])
        const keyOf = (words: readonly string[]): string => JSON.stringify([words, next, opened])
        const key = keyOf(command)
        const known = units.get(key)
        if (known) return known
        const unit = withoutStops(command, key)
        units.set(key, unit)
        const going = withoutFormatStops(command)
        if (going !== command) stopping.set(keyOf(going), unit)
        const { output } = await unit
        if (output.length > LARGEST_KEPT) {
          units.delete(key)
          stopping.delete(keyOf(going))
        }
        return unit
      }
    },
  }
}

/** The same, whose headers are at hand for as long as this lives: one compilation, whose sources begin with the same ones. */
export function rememberingHeaders(cache: CompileCache): CompileCache {
  const { headers } = cache
  return headers ? { ...cache, headers: remembering(headers) } : cache
}

function remembering(cache: HeaderCache): HeaderCache {
  const made = new Map<string, Uint8Array | 'asked'>()
  return {
    async load(identity) {
      const header = made.get(identity) ?? (await cache.load(identity))
      if (header !== undefined) made.set(identity, header)
      return header
    },
    async store(identity, header) {
      made.set(identity, header)
      await cache.store(identity, header)
    },
  }
}
