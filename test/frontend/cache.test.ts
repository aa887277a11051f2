/** The cache of compiled programs: hits without a compiler, misses on any change, damage ignored, old entries dropped. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { shipUnitsOf } from '../../src/frontend/building/ship.ts'
import type { Clang } from '../../src/frontend/clang/clang.ts'
import { CLANG_VERSION } from '../../src/frontend/clang/clang.ts'
import { type CompileInput, compileProgram } from '../../src/frontend/compile.ts'
import {
  createCodeCache,
  createCompileCache,
  createUnitCache,
  defaultCacheDirectory,
  shippedFirst,
} from '../../src/node/compileCache.ts'

let directory: string
let runs: number
/** Of sources of ours, which come compiled with the package. */
let ownRuns: number
const clang: Clang = {
  async run(args) {
    if (args.some(arg => /\/warplens\/host_\w+\.c(?:pp)?$/.test(arg))) ownRuns++
    else runs++
    const object = args.some(arg => /^[bc]\.cpp$/.test(arg)) ? '' : '__main_void'
    return {
      exitCode: 0,
      stdout: new TextEncoder().encode(args.includes('-fcuda-is-device') ? 'ir' : object),
      stderr: '',
    }
  },
}
const input: CompileInput = { sources: ['k.cu'], files: { 'k.cu': 'int main() {}' }, headers: {} }

beforeEach(() => {
  runs = 0
  ownRuns = 0
  directory = mkdtempSync(join(tmpdir(), 'warplens-cache-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const entries = () => readdirSync(directory).map(name => join(directory, name))

test('the second compilation runs nothing and gives the same program', async () => {
  const cache = createCompileCache(directory)
  const first = await compileProgram(input, clang, cache)
  expect(runs).toBe(4)
  const second = await compileProgram(input, clang, cache)
  expect(runs).toBe(4)
  expect(second.timings.cached).toBe(true)
  expect(new Uint8Array(second.hostWasm)).toEqual(first.hostWasm)
  expect(second.deviceIr).toEqual(first.deviceIr)
})

test.each<[string, Partial<CompileInput>, more?: number]>([
  ['source', { files: { 'k.cu': 'int main() { }' } }],
  ['header', { headers: { 'a.h': '' } }],
  // Nothing goes through LLVM's passes then.
  ['optimisation', { optimize: 0 }, 3],
  ['definition', { defines: ['A'] }],
  ['working directory', { workingDirectory: '/elsewhere' }],
])('a different %s is a different program', async (_, change, more = 4) => {
  const cache = createCompileCache(directory)
  await compileProgram(input, clang, cache)
  await compileProgram({ ...input, ...change }, clang, cache)
  expect(runs).toBe(4 + more)
})

test('of a program of several sources, those that a change reaches are compiled again', async () => {
  const cache = { ...createCompileCache(directory), units: createUnitCache(directory) }
  const files = {
    'k.cu': '#include "inc/../a.h"\n__device__ int d;\nint main() {}',
    'b.cpp': '#include "a.h"',
    'c.cpp': '',
    'a.h': '',
  }
  const runsOf = async (change: Record<string, string>, more: Partial<CompileInput> = {}): Promise<number> => {
    const before = runs
    const sources = ['k.cu', 'b.cpp', 'c.cpp']
    await compileProgram({ ...input, sources, files: { ...files, ...change }, ...more }, clang, cache)
    return runs - before
  }
  expect(await runsOf({})).toBe(6)
  expect(await runsOf({ 'c.cpp': 'int c;' })).toBe(2)
  expect(await runsOf({ 'k.cu': '__device__ int d;\nint main() { }' })).toBe(4)
  expect(await runsOf({ 'a.h': 'int a;' })).toBe(5)
  expect(await runsOf({}, { headers: { 'h.h': '' } })).toBe(6)
})

test('what programs are linked with is shipped, for programs of any folder', async () => {
  const shipped = createUnitCache(directory)
  await shipUnitsOf({}, clang, shipped)
  const made = entries().length
  expect(ownRuns).toBe(made)
  const cache = { load: async () => undefined, store: async () => {}, units: shippedFirst(shipped) }
  const rests = [
    '',
    'throw 1;',
    'qsort();',
    'setjmp(b);',
    'filesystem::f(); throw 1;',
    'thread_local int t;',
    'pthread_exit(0);',
  ]
  for (const workingDirectory of ['/work', '/home/me']) {
    for (const rest of rests) {
      const files = { 'k.cu': `int main() { ${rest} }` }
      await compileProgram({ ...input, files, workingDirectory }, clang, cache)
    }
  }
  expect(ownRuns).toBe(made)
  // Each time the device side, its passes, the host side and the linker.
  expect(runs).toBe(2 * rests.length * 4)
  expect(entries()).toHaveLength(made)
})

test('a damaged entry is compiled again', async () => {
  const cache = createCompileCache(directory)
  await compileProgram(input, clang, cache)
  const [path] = entries()
  const bytes = readFileSync(path!)
  bytes[bytes.length - 3]! ^= 1
  writeFileSync(path!, bytes)
  await compileProgram(input, clang, cache)
  expect(runs).toBe(8)
  writeFileSync(path!, '')
  await compileProgram(input, clang, cache)
  expect(runs).toBe(12)
})

test("the engine's code is kept by identity; damage is a miss", async () => {
  const cache = createCodeCache('program', directory)
  await cache.store(Buffer.from('code'))
  expect(await cache.load()).toEqual(Buffer.from('code'))
  expect(await createCodeCache('another', directory).load()).toBeUndefined()
  const [path] = entries()
  const bytes = readFileSync(path!)
  bytes[bytes.length - 1]! ^= 1
  writeFileSync(path!, bytes)
  expect(await cache.load()).toBeUndefined()
})

test('the least recently used entry goes first', async () => {
  const cache = createCompileCache(directory, 1)
  await compileProgram(input, clang, cache)
  expect(entries()).toEqual([])
  const roomy = createCompileCache(directory)
  await compileProgram(input, clang, roomy)
  const [old] = entries()
  utimesSync(old!, 1, 1)
  const size = readFileSync(old!).length
  await compileProgram({ ...input, optimize: 0 }, clang, createCompileCache(directory, size + 10))
  expect(entries()).toHaveLength(1)
  expect(entries()).not.toContain(old)
})

test('a folder that cannot be written does not stop a compilation', async () => {
  const file = join(directory, 'file')
  writeFileSync(file, '')
  const result = await compileProgram(input, clang, createCompileCache(join(file, 'below')))
  expect(result.deviceIr).toHaveLength(1)
})

test('WARPLENS_CACHE_DIR wins', () => {
  expect(defaultCacheDirectory({ WARPLENS_CACHE_DIR: '/x', XDG_CACHE_HOME: '/y' })).toBe('/x')
  expect(defaultCacheDirectory({ XDG_CACHE_HOME: '/y' })).toBe(join('/y', 'warplens'))
})

test('the clang version of the key is the installed one', () => {
  const manifest: unknown = JSON.parse(readFileSync('node_modules/@yowasp/clang/package.json', 'utf8'))
  expect(manifest).toMatchObject({ version: CLANG_VERSION })
})
