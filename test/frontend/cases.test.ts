/** Every program under ../shared/cases compiles on both sides and links, unoptimised and optimised. */
import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileProgram } from '../../src/frontend/compile.ts'
import { type ClangPool, createClangPool } from '../../src/node/clangPool.ts'
import { createCompileCache } from '../../src/node/compileCache.ts'
import { ownHeaders, readSources } from '../../src/node/sources.ts'
import { precompiled } from '../precompiled.ts'

const CASES = '../shared/cases'
let clang: ClangPool
beforeAll(() => {
  clang = createClangPool()
})
afterAll(() => clang.close())

/** What test/programs runs is compiled as it is there (programs/cases.ts), so that the run of all tests compiles it once. */
const cache = { ...precompiled, ...createCompileCache() }
const programs = ['seeds', 'micro'].flatMap(folder =>
  readdirSync(`${CASES}/${folder}`)
    .filter(name => name.endsWith('.cu'))
    .map(name => [folder, name] as const),
)

test.each(programs)('%s/%s', { timeout: 120_000 }, async (folder, program) => {
  const sources = [program]
  const workingDirectory = resolve(CASES, folder)
  const search = { sources, includeDirs: [], includes: [], defines: [], workingDirectory }
  const input = { ...search, files: readSources(search), headers: ownHeaders(), standard: 'c++17', architecture: 90 }
  for (const optimize of [0, 2] as const) {
    const result = await compileProgram({ ...input, optimize }, clang, cache)
    expect(WebAssembly.Module.exports(new WebAssembly.Module(result.hostWasm)).map(({ name }) => name)).toContain(
      '_start',
    )
    expect(result.deviceIr.map(({ file }) => file)).toEqual([program])
    const { text } = result.deviceIr[0]!
    expect(text).toMatch(/^define .*ptx_kernel void @/m)
    expect(text).toContain('!DILocation')
    expect(result.diagnostics).toEqual([])
  }
})
