/**
 * Compiled programs on disk, so that a second run of an unchanged program needs no compiler. One file an entry, named by
 * the SHA-256 of what the result depends on; first 32 bytes the SHA-256 of the rest, so that a torn or damaged file is
 * simply a miss. The least recently used entries go when the folder grows past its limit. No error here stops a compile.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { CompileCache, CompiledProgram } from '../frontend/compile.ts'

const DEFAULT_LIMIT_BYTES = 512 * 1024 * 1024
const SUFFIX = '.program'

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
  const pathOf = (identity: string): string => join(directory, `${sha256(identity).toString('hex')}${SUFFIX}`)
  return {
    async load(identity) {
      const path = pathOf(identity)
      try {
        const entry = await readFile(path)
        const payload = entry.subarray(32)
        if (!sha256(payload).equals(entry.subarray(0, 32))) return undefined
        const now = new Date()
        await utimes(path, now, now)
        const value: unknown = deserialize(payload)
        return isProgram(value) ? value : undefined
      } catch {
        return undefined
      }
    },
    async store(identity, program) {
      const temporary = join(directory, `${randomUUID()}.tmp`)
      try {
        await mkdir(directory, { recursive: true })
        const { hostWasm, deviceIr, diagnostics } = program
        const payload = serialize({ hostWasm, deviceIr, diagnostics } satisfies CompiledProgram)
        await writeFile(temporary, Buffer.concat([sha256(payload), payload]))
        await rename(temporary, pathOf(identity))
        await evict(directory, limitBytes)
      } catch {
        await rm(temporary, { force: true }).catch(() => {})
      }
    },
  }
}

async function evict(directory: string, limitBytes: number): Promise<void> {
  const names = (await readdir(directory)).filter(name => name.endsWith(SUFFIX))
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

function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest()
}
