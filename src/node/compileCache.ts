/**
 * Compiled programs on disk, so that a second run of an unchanged program needs no compiler, what its sources compile to and
 * precompiled headers, so that a changed one needs less of it, and V8's code for Warplens itself (start.ts). One file an entry, named by the SHA-256 of what the result depends on; first 32 bytes the
 * SHA-256 of the rest, so that a torn or damaged file is simply a miss. Of each kind the least recently used entries go when
 * they grow past its limit. No error here stops a compile.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { HeaderCache } from '../frontend/building/precompiledHeaders.ts'
import type { Unit, UnitCache } from '../frontend/building/unitCache.ts'
import type { CompileCache, CompiledProgram } from '../frontend/compile.ts'

const DEFAULT_LIMIT_BYTES = 512 * 1024 * 1024
const DEFAULT_HEADER_LIMIT_BYTES = 256 * 1024 * 1024
const DEFAULT_UNIT_LIMIT_BYTES = 128 * 1024 * 1024
const CODE_LIMIT_BYTES = 16 * 1024 * 1024

/** `WARPLENS_CACHE_DIR`, else the user's cache folder (`XDG_CACHE_HOME`, `LOCALAPPDATA`, ~/.cache) with our name. */
export function defaultCacheDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  const { WARPLENS_CACHE_DIR, XDG_CACHE_HOME, LOCALAPPDATA } = environment
  return WARPLENS_CACHE_DIR || join(XDG_CACHE_HOME || LOCALAPPDATA || join(homedir(), '.cache'), 'warplens')
}

/** A cache in `directory`, which is made on the first store. */
export function createCompileCache(
  directory: string = defaultCacheDirectory(),
  limitBytes: number = DEFAULT_LIMIT_BYTES,
): CompileCache {
  const { load, store } = valuesOf(entriesOf(directory, '.program', limitBytes), isProgram)
  return {
    load,
    store: (identity, { hostWasm, deviceIr, diagnostics }) => store(identity, { hostWasm, deviceIr, diagnostics }),
  }
}

/** What single sources compile to, in the same folder. */
export function createUnitCache(
  directory: string = defaultCacheDirectory(),
  limitBytes: number = DEFAULT_UNIT_LIMIT_BYTES,
): UnitCache {
  return valuesOf(entriesOf(directory, '.unit', limitBytes), isUnit)
}

/** Entries that are values of one kind; whatever else lies there is a miss. */
function valuesOf<Value>(entries: Entries, isValue: (value: unknown) => value is Value) {
  return {
    async load(identity: string): Promise<Value | undefined> {
      try {
        const payload = await entries.load(identity)
        const value: unknown = payload && deserialize(payload)
        return isValue(value) ? value : undefined
      } catch {
        return undefined
      }
    },
    store: (identity: string, value: Value): Promise<void> => entries.store(identity, serialize(value)),
  }
}

/** Precompiled headers in the same folder; an empty one says that somebody asked. */
export function createHeaderCache(
  directory: string = defaultCacheDirectory(),
  limitBytes: number = DEFAULT_HEADER_LIMIT_BYTES,
): HeaderCache {
  return headersOf(entriesOf(directory, '.headers', limitBytes))
}

/** Those that come with the package, in a folder that is only read: damage is not looked for (20 MB, 0.05 s for each side of a program). */
export function createShippedHeaderCache(directory: string): HeaderCache {
  return headersOf(entriesOf(directory, '.headers', DEFAULT_HEADER_LIMIT_BYTES, false))
}

function headersOf(entries: Entries): HeaderCache {
  return {
    async load(identity) {
      const header = await entries.load(identity)
      return header?.length === 0 ? 'asked' : header
    },
    store(identity, header) {
      return entries.store(identity, header === 'asked' ? new Uint8Array(0) : header)
    },
  }
}

/** V8's code for one text. */
export interface CodeCache {
  load(): Promise<Buffer | undefined>
  store(code: Buffer): Promise<void>
}

/** `identity` says which text, and for which engine. */
export function createCodeCache(identity: string, directory: string = defaultCacheDirectory()): CodeCache {
  const entries = entriesOf(directory, '.code', CODE_LIMIT_BYTES)
  return { load: () => entries.load(identity), store: code => entries.store(identity, code) }
}

/** A {@link HeaderCache} or a {@link UnitCache}. */
interface Cache<Value> {
  load(identity: string): Promise<Value | undefined>
  store(identity: string, value: Value): Promise<void>
}

/** What was `shipped` first, which is only read, then what is `kept`. */
export function shippedFirst<Value>(shipped: Cache<Value>, kept?: Cache<Value>): Cache<Value> {
  return {
    load: async identity => (await shipped.load(identity)) ?? (await kept?.load(identity)),
    store: async (identity, value) => kept?.store(identity, value),
  }
}

interface Entries {
  load(identity: string): Promise<Buffer | undefined>
  store(identity: string, payload: Uint8Array): Promise<void>
}

function entriesOf(directory: string, suffix: string, limitBytes: number, isChecked = true): Entries {
  const pathOf = (identity: string): string => join(directory, `${sha256(identity).toString('hex')}${suffix}`)
  return {
    async load(identity) {
      const path = pathOf(identity)
      try {
        const entry = await readFile(path)
        const payload = entry.subarray(32)
        if (!isChecked) return payload
        if (!sha256(payload).equals(entry.subarray(0, 32))) return undefined
        const now = new Date()
        await utimes(path, now, now).catch(() => {}) // a folder that is only read
        return payload
      } catch {
        return undefined
      }
    },
    async store(identity, payload) {
      const temporary = join(directory, `${randomUUID()}.tmp`)
      try {
        await mkdir(directory, { recursive: true })
        await writeFile(temporary, Buffer.concat([sha256(payload), payload]))
        await rename(temporary, pathOf(identity))
        await evict(directory, suffix, limitBytes)
      } catch {
        await rm(temporary, { force: true }).catch(() => {})
      }
    },
  }
}

async function evict(directory: string, suffix: string, limitBytes: number): Promise<void> {
  const names = (await readdir(directory)).filter(name => name.endsWith(suffix))
  const entries = await Promise.all(
    names.map(async name => {
      const { size, mtimeMs } = await stat(join(directory, name))
      return { name, size, mtimeMs }
    }),
  )
  let total = entries.reduce((sum, { size }) => sum + size, 0)
  for (const { name, size } of entries.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= limitBytes) return
    await rm(join(directory, name), { force: true })
    total -= size
  }
}

function isProgram(value: unknown): value is CompiledProgram {
  return (
    typeof value === 'object' && value !== null && 'hostWasm' in value && 'deviceIr' in value && 'diagnostics' in value
  )
}

function isUnit(value: unknown): value is Unit {
  return typeof value === 'object' && value !== null && 'output' in value && 'messages' in value
}

function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest()
}
