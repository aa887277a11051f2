/** Precompiled headers: which headers a source begins with, when one is made and used, and that a failure of one is none. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import type { HeaderCache } from '../../src/frontend/building/precompiledHeaders.ts'
import { shipHeadersOf } from '../../src/frontend/building/ship.ts'
import { type Clang, type ClangResult, createClang } from '../../src/frontend/clang/clang.ts'
import { type CompileCache, type CompileInput, compileProgram } from '../../src/frontend/compile.ts'
import { isSetting, standardHeadersOf } from '../../src/frontend/sources/standardHeaders.ts'
import { ownHeaders } from '../../src/node/sources.ts'

const standard = (files: Record<string, string>, includeDirs: readonly string[] = []) =>
  standardHeadersOf('a.cu', files, { includeDirs, workingDirectory: '/work' })

test.each<[string, Record<string, string>, readonly string[] | undefined, boolean?]>([
  ['none', { 'a.cu': 'int main() {}' }, []],
  [
    'those of C do not count',
    { 'a.cu': '#include <stdio.h>\n#include <vector>\n# include <map> // x' },
    ['map', 'vector'],
  ],
  [
    'all of them by one name',
    { 'a.cu': '#include <iostream>\n#include <execution>\n#include <bits/stdc++.h>' },
    ['bits/stdc++.h', 'execution'],
  ],
  ['in comments', { 'a.cu': '/*\n#include <vector>\n*/\n// #include <map>\n' }, []],
  [
    'of a guarded header',
    { 'a.cu': '#include "b.h"', 'b.h': '#ifndef _B_H\n#define _B_H\n#include <map>\n#endif' },
    ['map'],
  ],
  ['under a condition', { 'a.cu': '#include <map>\n#ifdef A\n#include <vector>\n#endif' }, ['map', 'vector'], true],
  [
    'guarded twice',
    { 'a.cu': '#include "b.h"', 'b.h': '#pragma once\n#ifndef __B_H__\n#define __B_H__\n#include <map>\n#endif' },
    ['map'],
  ],
  ['after a setting', { 'a.cu': '#define _LIBCPP_HARDENING_MODE 2\n#include <vector>' }, undefined],
  ['after words for others', { 'a.cu': '#ifndef A\n#define __host__\n#endif\n#include <vector>' }, ['vector']],
  ['after our own', { 'a.cu': '#define __CUDACC__\n#include <vector>' }, undefined],
  ['after names of its own', { 'a.cu': '#define __PREFIX cuda\n#define __DO_CUDA\n#include <vector>' }, ['vector']],
  ['after what HIP asks for', { 'a.cu': '#define __HIP_PLATFORM_AMD__\n#include <vector>' }, ['vector']],
  ["after the library's", { 'a.cu': '#define __INT_MAX 2\n#include <vector>' }, undefined],
  ["after another system's", { 'a.cu': '#define _CRT_SECURE_NO_WARNINGS\n#include <vector>' }, ['vector']],
  ['after a constant', { 'a.cu': '#define TILE 32\n#include <vector>' }, ['vector']],
  ['with a part of libcu++', { 'a.cu': '#include <cuda/std/array>\n' }, undefined],
  ['with Thrust set in a way of its own', { 'a.cu': '#define THRUST_DEBUG\n#include <thrust/sort.h>\n' }, undefined],
])('standard headers: %s', (_, files, names, conditional = false) => {
  expect(standard(files)).toEqual(names && { names, conditional, libraries: [] })
})

test('headers of Thrust and CUB', () => {
  const text = '#include <vector>\n#include <thrust/sort.h>\n#include <cub/cub.cuh>\n#include <thrust/sort.h>\n'
  const installed = { '/usr/include/thrust/sort.h': '', '/usr/include/cub/cub.cuh': '' }
  expect(standard({ ...installed, 'a.cu': text })).toMatchObject({
    names: ['vector'],
    libraries: ['thrust/sort.h', 'cub/cub.cuh'],
  })
  expect(standard({ ...installed, 'a.cu': `${text}#include <thrust/missing.h>` })?.libraries).toEqual([])
  expect(standard({ 'a.cu': '#ifdef A\n#include <thrust/sort.h>\n#endif' })).toBeUndefined()
  expect(standard({ 'a.cu': text, 'own/cub/cub.cuh': '' }, ['own'])).toBeUndefined()
})

test('no header of ours or of the libraries has a name that counts as the own of a program', () => {
  const archive = createRequire(import.meta.url)
    .resolve('@yowasp/clang')
    .replace('bundle.js', 'llvm-resources.tar')
  const texts = [readFileSync(archive, 'latin1'), ...Object.values(ownHeaders())].join('\n')
  const names = [...new Set(texts.match(/\b__[A-Z]\w*/g))]
  expect(names.length).toBeGreaterThan(1000)
  expect(names.filter(name => !/^__STDC_/.test(name) && !isSetting(name))).toEqual([])
})

test('a folder of the user may have a file of that name', () => {
  expect(standard({ 'a.cu': '#include <vector>', 'own/vector': '' }, ['own'])).toBeUndefined()
})

function memory(): HeaderCache & { readonly kept: Map<string, Uint8Array | 'asked'> } {
  const kept = new Map<string, Uint8Array | 'asked'>()
  return {
    kept,
    load: async identity => kept.get(identity),
    store: async (identity, header) => void kept.set(identity, header),
  }
}

/** Keeps headers, but no programs. */
const onlyHeaders = (headers: HeaderCache): CompileCache => ({
  load: async () => undefined,
  store: async () => {},
  headers,
})

const input = (text: string): CompileInput => ({ sources: ['a.cu'], files: { 'a.cu': text }, headers: { 'h.h': '' } })

function scripted(fails: (args: readonly string[]) => string | undefined): Clang & { readonly runs: string[] } {
  const runs: string[] = []
  return {
    runs,
    async run(args): Promise<ClangResult> {
      // Our own libraries, which come compiled with the package.
      if (args.some(arg => /\/warplens\/host_\w+\.c(?:pp)?$/.test(arg)))
        return { exitCode: 0, stdout: new Uint8Array(0), stderr: '' }
      const isReading = args.includes('-fcuda-is-device') && !args.includes('ir')
      const side = isReading ? 'device' : args.includes('ir') ? 'passes' : args[0] === 'wasm-ld' ? 'link' : 'host'
      const how = args.includes('-emit-pch') ? ' make' : args.includes('-include-pch') ? ' use' : ''
      runs.push(side + how)
      const stderr = fails(args)
      const isMain = args.some(arg => /^a\.(?:cu|cpp)$/.test(arg))
      const object = isMain ? '__main_void' : ''
      const stdout = new TextEncoder().encode(side === 'device' || side === 'passes' ? 'ir' : object)
      return stderr === undefined ? { exitCode: 0, stdout, stderr: '' } : { exitCode: 1, stdout, stderr }
    },
  }
}

test('the first program reads its headers, the second makes them, the third uses them; other flags are other headers', async () => {
  const cache = onlyHeaders(memory())
  const runsOf = async (program: CompileInput): Promise<string[]> => {
    const clang = scripted(() => undefined)
    await compileProgram(program, clang, cache)
    return clang.runs.sort()
  }
  expect(await runsOf(input('int main() {}'))).toEqual(['device', 'host', 'link', 'passes'])
  expect(await runsOf(input('int main() { }'))).toEqual([
    'device make',
    'device use',
    'host make',
    'host use',
    'link',
    'passes',
  ])
  expect(await runsOf(input('int main() {  }'))).toEqual(['device use', 'host use', 'link', 'passes'])
  expect(await runsOf({ ...input('int main() { }'), defines: ['A'] })).toContain('device use')
  expect(await runsOf({ ...input('int main() {}'), defines: ['_A'] })).toEqual(['device', 'host', 'link', 'passes'])
  expect(await runsOf({ ...input('int main() {}'), headers: { 'h.h': 'int a;' } })).toEqual([
    'device',
    'host',
    'link',
    'passes',
  ])
})

test('shipped headers serve every program, under any condition, but those of many other headers', async () => {
  const headers = memory()
  await shipHeadersOf(
    input('').headers,
    scripted(() => undefined),
    headers,
  )
  const runsOf = async (text: string): Promise<string[]> => {
    const clang = scripted(() => undefined)
    await compileProgram(input(text), clang, onlyHeaders(headers))
    return clang.runs.sort()
  }
  const shipped = ['device use', 'host use', 'link', 'passes']
  expect(await runsOf('#include <vector>\nint main() {}')).toEqual(shipped)
  expect(await runsOf('#ifdef A\n#include <map>\n#endif\nint main() {}')).toEqual(shipped)
  expect(await runsOf('#include <map>\n#ifdef A\n#include <regex>\n#endif\nint main() {}')).toEqual(shipped)
  expect(await runsOf('#include <thrust/sort.h>\nint main() {}')).toEqual(shipped)
  const many = 'any bitset complex deque filesystem future list locale regex'.split(' ')
  const including = (names: readonly string[]) => `${names.map(name => `#include <${name}>\n`).join('')}int main() {}`
  expect(await runsOf(including(many.slice(1)))).toEqual(shipped)
  expect(await runsOf(including(many))).toEqual(['device', 'host', 'link', 'passes'])
  expect(await runsOf(including(['bits/stdc++.h']))).toEqual(['device', 'host', 'link', 'passes'])
  expect(await runsOf('#define __A\nint main() {}')).toEqual(['device', 'host', 'link', 'passes'])
})

test("a program's first source reads common headers, its second makes them for all that are left", async () => {
  const clang = scripted(() => undefined)
  const [a, b, c] = [
    '#include <map>\nint main() {}',
    '#include <vector>\n',
    '#ifdef A\n#include <string>\n#endif\nint f();',
  ]
  const files = { 'a.cpp': a, 'b.cpp': b, 'c.cpp': c }
  await compileProgram({ ...input(''), sources: Object.keys(files), files }, clang, onlyHeaders(memory()))
  expect(clang.runs.sort()).toEqual(['host', 'host make', 'host use', 'host use', 'link'])
})

test('sources that begin alike make one header for each side', async () => {
  const headers = memory()
  const clang = scripted(() => undefined)
  const alike = (end: string): CompileInput => {
    const files = { 'a.cu': `int main() {}${end} // __device__`, 'b.cu': `__device__ int f();${end}` }
    return { ...input(''), sources: ['a.cu', 'b.cu'], files }
  }
  await compileProgram(alike(''), clang, onlyHeaders(headers))
  clang.runs.length = 0
  await compileProgram(alike(' '), clang, onlyHeaders(headers))
  expect(clang.runs.filter(run => run.endsWith('make')).length).toBeLessThanOrEqual(2)
  expect(clang.runs.filter(run => run.endsWith('use')).length).toBe(4)
})

test.each([
  ['a damaged one', "fatal error: malformed or corrupted precompiled file: 'x'\n", true],
  [
    'one that runs out of files',
    "/usr/include/c++/v1/tuple:14:1: fatal error: cannot open file 'x': Out of memory\n",
    true,
  ],
  [
    'a name that one of its headers has',
    "a.cu:1:5: error: redefinition of 'x'\n/usr/include/c++/v1/map:9:7: note: previous definition is here\n",
    true,
  ],
  [
    "a name that may be a header's",
    "a.cu:1:5: error: use of undeclared identifier 'y'\na.cu:2:5: error: reference to 'x' is ambiguous\na.cu:1:7: note: candidate found by name lookup is 'x'\n/usr/include/c++/v1/map:9:7: note: candidate found by name lookup is 'std::x'\n",
    true,
  ],
  ['a mistake of the program', "a.cu:1:5: error: use of undeclared identifier 'x'\n", false],
  [
    'a name that the program has twice',
    "a.cu:2:5: error: redefinition of 'undeclared'\na.cu:1:5: note: previous definition is here\n/usr/include/c++/v1/map:1:1: warning: w\n",
    false,
  ],
  [
    'a name that kernels always have',
    "a.cu:2:5: error: redefinition of 'undeclared'\n/inc/warplens/device_atomic.h:1:5: note: previous definition is here\n",
    false,
  ],
])('%s', async (_, message, again) => {
  const headers = memory()
  const good = scripted(() => undefined)
  await compileProgram(input('int main() {}'), good, onlyHeaders(headers))
  await compileProgram(input('int main() { }'), good, onlyHeaders(headers))
  const clang = scripted(args => (args.includes('-include-pch') ? message : undefined))
  const result = compileProgram(input('int main() {   }'), clang, onlyHeaders(headers))
  if (again) await result
  else await expect(result).rejects.toThrow(/undeclared/)
  expect(clang.runs.includes('device')).toBe(again)
})

test('a program is the same with and without, a header behind the common ones included', {
  timeout: 120_000,
}, async () => {
  const clang = createClang()
  const text =
    '#include <algorithm>\n#include <ratio>\n__global__ void k(int *p) { p[threadIdx.x] = std::max(1, p[0]); }\nint main() { k<<<1, 1>>>(nullptr); }\n'
  const program: CompileInput = { ...input(text), headers: ownHeaders(), optimize: 0 }
  const headers = memory()
  const plain = await compileProgram(program, clang, onlyHeaders(headers))
  const quick = await compileProgram(program, clang, onlyHeaders(headers))
  expect([...headers.kept.values()].map(header => header !== 'asked' && header.length > 1e6)).toEqual([true, true])
  // Functions may come in another order, and so may the numbers of what they refer to.
  const linesOf = ({ deviceIr }: typeof plain) =>
    deviceIr[0]!.text
      .replace(/[!#]\d+/g, '')
      .split('\n')
      .sort()
  expect(linesOf(quick)).toEqual(linesOf(plain))
})

test("a name that only the shipped headers have is the program's own", { timeout: 120_000 }, async () => {
  const clang = createClang()
  const text = '#include <cstdio>\nusing namespace std;\nint map[4];\nint main() { map[0] = 1; return map[0]; }\n'
  const headers = memory()
  const program: CompileInput = { ...input(text), headers: ownHeaders() }
  await shipHeadersOf(program.headers, clang, headers)
  const { diagnostics } = await compileProgram(program, clang, onlyHeaders(headers))
  expect(diagnostics).toEqual([])
})
