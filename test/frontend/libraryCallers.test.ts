/** C++ sources that call a library whose kernels are ours are compiled on both sides; others on the host's alone. */
import { expect, test } from 'vitest'
import type { Clang } from '../../src/frontend/clang/clang.ts'
import { compileProgram } from '../../src/frontend/compile.ts'

async function sidesOf(files: Readonly<Record<string, string>>, sources: readonly string[]): Promise<string[]> {
  const sides: string[] = []
  const clang: Clang = {
    async run(args) {
      // One command reads a source; another takes the device side through LLVM's passes. Our own sources come with every program.
      const isOwn = args.some(arg => /\/warplens\/host_\w+\.c(?:pp)?$/.test(arg))
      if (args[0] !== 'wasm-ld' && !args.includes('ir') && !isOwn)
        sides.push(args.includes('-fcuda-is-device') ? 'device' : 'host')
      return { exitCode: 0, stdout: new TextEncoder().encode('__main_void'), stderr: '' }
    },
  }
  await compileProgram({ sources, files, headers: {} }, clang)
  return sides.sort()
}

test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
  ['itself', { 'a.cpp': '#include <cublas_v2.h>\n' }, ['device', 'host']],
  ['the first interface', { 'a.cc': '# include "cublas.h"\n' }, ['device', 'host']],
  [
    "through the user's header",
    { 'a.cpp': '#include "own.h"\n', 'own.h': '#include <cublasLt.h>\n' },
    ['device', 'host'],
  ],
  ['and cuFFT beside it', { 'a.cpp': '#include <cufftXt.h>\n' }, ['device', 'host']],
  ['and cuSPARSE beside it', { 'a.cpp': '#include <cusparse_v2.h>\n' }, ['device', 'host']],
  ['not at all', { 'a.cpp': '#include <vector>\n' }, ['host']],
  ['elsewhere', { 'a.cpp': '#include <vector>\n', 'own.h': '#include <cublasLt.h>\n' }, ['host']],
  ['from C', { 'a.c': '#include <cublas_v2.h>\n' }, ['host']],
  [
    'from C, and calls it',
    { 'a.c': '#include <cublas_v2.h>\nint f() { return cublasCreate(0); }\n' },
    ['device', 'host'],
  ],
  ['from C, and talks of a call', { 'a.c': '#include <cublas_v2.h>\n// cublasCreate(0)\n' }, ['host']],
  ['and cuSOLVER beside it', { 'a.cpp': '#include <cusolverDn.h>\n' }, ['device', 'host']],
])('a source that includes cuBLAS %s', async (_, files, expected) => {
  expect(await sidesOf(files, [Object.keys(files)[0]!])).toEqual(expected)
})
