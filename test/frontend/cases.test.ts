/** Every program under ../shared/cases compiles on both sides and links, unoptimised and optimised. */
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileProgram } from '../../src/frontend/compile.ts'
import { type ClangPool, createClangPool } from '../../src/node/clangPool.ts'
import { ownHeaders, readSources } from '../../src/node/sources.ts'

const CASES = '../shared/cases'
let clang: ClangPool
beforeAll(() => {
  clang = createClangPool()
})
afterAll(() => clang.close())

const programs = ['seeds', 'micro'].flatMap(folder =>
  readdirSync(`${CASES}/${folder}`)
    .filter(name => name.endsWith('.cu'))
    .map(name => `${CASES}/${folder}/${name}`),
)

test.each(programs)('%s', { timeout: 120_000 }, async program => {
  const sources = [program]
  const workingDirectory = process.cwd()
  const files = readSources({ sources, includeDirs: [], includes: [], defines: [], workingDirectory })
  for (const optimize of [0, 2] as const) {
    const result = await compileProgram({ sources, files, headers: ownHeaders(), optimize, workingDirectory }, clang)
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
