/** Programs of several sources: whose errors are told and when, and what is compiled again where assumptions change. */
import { expect, test } from 'vitest'
import { UserError } from '../../src/diagnostic.ts'
import { inOrder } from '../../src/frontend/building/inOrder.ts'
import type { Clang, ClangResult, FileTree } from '../../src/frontend/clang/clang.ts'
import { type CompileCache, type CompileInput, compileProgram } from '../../src/frontend/compile.ts'
import { mayHaveDeviceCode } from '../../src/frontend/sources/deviceCode.ts'
import { collectFiles, readerOf } from '../../src/frontend/sources/includes.ts'
import { resolvePath } from '../../src/frontend/sources/paths.ts'
import { readModule } from '../../src/ir/read.ts'
import { ownHeaders } from '../../src/node/sources.ts'

/** What each of these commands ran for: `device k.cu`. `says`: errors and warnings of a source's text. */
function scripted(says: (text: string, args: readonly string[]) => string | undefined) {
  const runs: string[] = []
  const textOf = (source: string, files: FileTree): string => {
    const { roots } = JSON.parse(String(files['overlay.json'])) as {
      roots: { name: string; 'external-contents': string }[]
    }
    const stored = roots.find(({ name }) => name === `/work/${source}`)?.['external-contents'] ?? ''
    return String(files[stored] ?? '')
  }
  const run = async (args: readonly string[], files: FileTree): Promise<ClangResult> => {
    const result = { exitCode: 0, stdout: new TextEncoder().encode('ir'), stderr: '' }
    if (args.includes('ir') || args.some(arg => /\/warplens\/host_\w+\.c(?:pp)?$/.test(arg))) return result
    if (args[0] === 'wasm-ld') {
      runs.push('link')
      const stderr = says('', args) ?? ''
      return stderr === '' ? result : { ...result, exitCode: 1, stderr }
    }
    const source = args[args.indexOf('-x') + 2] ?? ''
    const side = args.includes('-fcuda-is-device') ? 'device' : 'host'
    runs.push(`${side} ${source}`)
    const text = textOf(source, files)
    const stderr = says(text, args)?.replaceAll('FILE', source) ?? ''
    const object = side === 'host' && /\bmain\b/.test(text) ? '__main_void' : 'ir'
    const isWrong = / error: /.test(stderr)
    return { exitCode: isWrong ? 1 : 0, stdout: new TextEncoder().encode(isWrong ? '' : object), stderr }
  }
  return { runs, run } satisfies Clang & { runs: string[] }
}

/** Every source has something for the device. */
const program = (files: Record<string, string>): CompileInput => ({
  sources: Object.keys(files),
  files: Object.fromEntries(Object.entries(files).map(([name, text]) => [name, `${text} // __device__`])),
  headers: {},
})

const wrong = (text: string): string | undefined =>
  /\bwrong\b/.test(text) ? "FILE:1:1: error: unknown type name 'wrong'\n" : undefined

async function toldOf(input: CompileInput, clang: Clang, cache?: CompileCache): Promise<string[]> {
  const error = await compileProgram(input, clang, cache).catch((thrown: unknown) => thrown)
  if (!(error instanceof UserError)) throw new Error(`no error: ${String(error)}`)
  return error.diagnostics.map(({ range, message }) => `${range?.file}: ${message}`)
}

test('an error is told without waiting for the sources behind it', async () => {
  const clang = scripted(wrong)
  const others = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`${index}.cu`, `int f${index};`]))
  const told = await toldOf(
    program({ 'a.cu': 'int main() {}', 'b.cu': 'wrong b;', ...others, 'z.cu': 'wrong z;' }),
    clang,
  )
  expect(told).toEqual(["b.cu: unknown type name 'wrong'"])
  expect(clang.runs.slice(0, 4).sort()).toEqual(['device a.cu', 'device b.cu', 'host a.cu', 'host b.cu'])
  // Those that had begun.
  expect(clang.runs.length).toBeLessThan(9)
})

test('sources that may include what is not there come first', async () => {
  const include = (line: string) => `#include ${line}\nint x;`
  const runsOf = async (line: string, more: Record<string, string> = {}): Promise<string[]> => {
    const clang = scripted(() => undefined)
    const files = { 'a.cu': 'int main() {}', 'b.cu': 'int b;', 'src/c.cu': include(line) }
    const rest = program({ ...files, ...more })
    const sources = Object.keys(files)
    await compileProgram({ ...rest, sources, headers: { 'cuda/std/array': '' } }, clang)
    return clang.runs.slice(0, 2).map(run => run.replace(/^\w+ /, ''))
  }
  for (const absent of ['"absent.h"', '<absent/absent.h>', '<mpi.h>'])
    expect(await runsOf(absent)).toContain('src/c.cu')
  for (const known of ['<vector>', '<sys/time.h>', '<cuda/std/array>', '<unistd.h>'])
    expect(await runsOf(known)).not.toContain('src/c.cu')
  expect(await runsOf('"../own/own.h"', { 'own/own.h': '' })).not.toContain('src/c.cu')
})

test('which error is told does not depend on which comes first', async () => {
  const slow = scripted(wrong)
  const clang: Clang = {
    async run(args, files) {
      const result = await slow.run(args, files)
      for (let turn = 0; args.includes('a.cu') && turn < 50; turn++) await undefined
      return result
    },
  }
  const told = await toldOf(program({ 'a.cu': 'wrong a;', 'b.cu': 'wrong b;', 'c.cu': 'int main() {}' }), clang)
  expect(told).toEqual(["a.cu: unknown type name 'wrong'"])
})

test('under other assumptions only what they change is compiled again, and what had errors first', async () => {
  // What hideClang.ts hides, in a source that does not compile with it.
  const clang = scripted(text => (/\b__CUDA__\b/.test(text) ? "FILE:1:1: error: unknown type name 'x'\n" : undefined))
  const files = { 'a.cu': 'int main() {}', 'b.cu': '#ifdef __CUDA__\nx\n#endif\n', 'c.cu': 'int c;' }
  await compileProgram(program(files), clang)
  expect(clang.runs.slice(4, 6).sort()).not.toContain('device a.cu')
  expect(clang.runs.toSorted()).toEqual([
    'device a.cu',
    'device b.cu',
    'device b.cu',
    'device c.cu',
    'host a.cu',
    'host b.cu',
    'host b.cu',
    'host c.cu',
    'link',
  ])
})

test('assumptions that do not help the source with the error are given up with it', async () => {
  const clang = scripted(wrong)
  const files = { 'a.cu': '#ifdef __CUDA__\n#endif\nint main() {}', 'b.cu': 'wrong b;', 'c.cu': 'int c;' }
  expect(await toldOf(program(files), clang)).toEqual(["b.cu: unknown type name 'wrong'"])
  expect(clang.runs.filter(run => run.endsWith('b.cu'))).toHaveLength(2)
})

/** Says what clang says of each line with `%d`, which has the fix. */
const formatsOf = (text: string, args: readonly string[]): string | undefined => {
  const kind = args.includes('-Werror=format') ? ['error', '-Werror,-Wformat'] : ['warning', '-Wformat']
  const told = text.split('\n').flatMap((row, index) => {
    const at = row.search(/%l?d/) + 1
    if (at === 0) return []
    const place = `${index + 1}:${at}`
    const heading = `FILE:${place}: ${kind[0]}: format specifies type 'int' but the argument has type 'long long' [${kind[1]}]\n`
    const fix = `fix-it:"FILE":{${place}-${index + 1}:${at + 2}}:"%lld"\n`
    return [row.includes('%d') ? heading + (row.includes('MACRO') ? '' : fix) : '']
  })
  return told.length > 0 ? told.join('') : undefined
}

test('formats are mended source by source, and what has none that does not fit is compiled once', async () => {
  const clang = scripted(formatsOf)
  const files = {
    'a.cu': 'int main() {}',
    'b.cu': 'void b() { printf("%d", x); }',
    'c.cu': 'int c;',
    'd.cu': 'void d() {\n  printf("%d", x); }',
  }
  const { diagnostics } = await compileProgram(program(files), clang)
  expect(diagnostics).toEqual([])
  for (const [source, runs] of Object.entries({ 'a.cu': 1, 'b.cu': 2, 'c.cu': 1, 'd.cu': 2 }))
    expect([source, clang.runs.filter(run => run === `host ${source}`).length]).toEqual([source, runs])
})

test('formats that cannot be mended are told of, of all sources, and those of others mended all the same', async () => {
  const clang = scripted(formatsOf)
  const files = {
    'a.cu': 'int main() { printf(MACRO "%d", x); }',
    'b.cu': 'void b() { printf("%d", x); }',
    'c.cu': 'void c() { printf(MACRO "%d", x); }',
    'd.cu': 'int d;',
  }
  const { diagnostics } = await compileProgram(program(files), clang)
  expect(diagnostics.map(({ severity, range }) => [severity, range?.file])).toEqual([
    ['warning', 'a.cu'],
    ['warning', 'c.cu'],
  ])
  // b.cu is under way when a.cu stops, made, and made again with other formats.
  for (const [source, runs] of Object.entries({ 'a.cu': 2, 'b.cu': 3, 'c.cu': 1, 'd.cu': 1 }))
    expect([source, clang.runs.filter(run => run === `host ${source}`).length]).toEqual([source, runs])
})

test('what does not link is compiled again only where a variable of the device is missing that another file may have', async () => {
  const files = { 'a.cu': 'extern __device__ int far[2];\nvoid absent();\nint main() { absent(); }' }
  const lacking = (symbol: string) =>
    scripted((text, args) =>
      text === '' && args[0] === 'wasm-ld' ? `wasm-ld: error: /object/0.o: undefined symbol: ${symbol}\n` : undefined,
    )
  const clang = lacking('absent()')
  expect((await toldOf(program(files), clang))[0]).toMatch(/undefined function absent\(\)/)
  expect(clang.runs.toSorted()).toEqual(['device a.cu', 'host a.cu', 'link'])
  const other = lacking('far')
  expect((await toldOf(program(files), other))[0]).toMatch(/undefined function far,/)
  expect(other.runs.filter(run => run === 'link')).toHaveLength(2)
})

test("of a source that nothing of is the device's, only the host's side is compiled", async () => {
  const clang = scripted(() => undefined)
  const files = {
    'a.cu': '#include "k.h"\nint main() { k(); }',
    'b.cu': '#include <vector>\nint b;',
    'c.cu': '#include <cublas_v2.h>\nint c;',
    'd.cu': '#include "d.h"\nSIDE void d();',
    'k.h': '__global__ void k();',
    'd.h': '#define SIDE __attribute__((device))',
  }
  const sources = Object.keys(files).filter(name => name.endsWith('.cu'))
  const { deviceIr } = await compileProgram({ sources, files, headers: {} }, clang)
  expect(deviceIr.map(({ file }) => file)).toEqual(sources)
  expect(readModule(deviceIr[1]!.text, 'b.cu').functions).toEqual([])
  const devices = clang.runs.filter(run => run.startsWith('device')).sort()
  expect(devices).toEqual(['device a.cu', 'device c.cu', 'device d.cu'])
  await compileProgram({ sources, files, headers: {}, defines: ['KERNEL=__global__'] }, clang)
  expect(clang.runs).toContain('device b.cu')
})

test('our headers with kernels, but for those that every source begins with, are known to have them', () => {
  const headers = ownHeaders()
  const root = '/inc'
  const read = readerOf(headers, root)
  const kernelsOf = (name: string): string[] =>
    Object.entries(collectFiles({ sources: [name], includeDirs: [root], workingDirectory: root, read }))
      .filter(([, text]) => /__global__/.test(String(text)))
      .map(([path]) => resolvePath(root, path))
  const common = kernelsOf('warplens/runtime.h')
  const names = Object.keys(headers).filter(name => !name.startsWith('warplens/'))
  const having = names.filter(name => kernelsOf(name).some(path => !common.includes(path)))
  expect(having.length).toBeGreaterThan(3)
  const unknown = having.filter(name => !mayHaveDeviceCode({ 'a.cu': `#include <${name}>\n` }, []))
  expect(unknown).toEqual([])
})

test('jobs end in order, whichever is done first, and no more than wanted run at a time', async () => {
  let running = 0
  let most = 0
  const begun: number[] = []
  const run = async (turns: number): Promise<number> => {
    begun.push(turns)
    most = Math.max(most, ++running)
    for (let turn = 0; turn < turns; turn++) await undefined
    running--
    return turns
  }
  expect(await inOrder([30, 1, 20, 2, 3], 2, run, () => false)).toEqual([30, 1, 20, 2, 3])
  expect(most).toBe(2)
  expect(await inOrder([], 2, run, () => false)).toEqual([])
  begun.length = 0
  expect(await inOrder([30, 1, 20, 2], 2, run, turns => turns < 10)).toEqual([30, 1])
  expect(begun).toEqual([30, 1])
  const failing = inOrder(
    [1, 0, 2],
    2,
    turns => (turns === 0 ? Promise.reject(new Error('zero')) : run(turns)),
    () => false,
  )
  await expect(failing).rejects.toThrow('zero')
})
