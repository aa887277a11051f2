/** Code that is compiled at run time: options, the text that programs hold, and what stops. test/cases/host_nvrtc.cu runs it all. */
import { afterAll, describe, expect, it } from 'vitest'
import { readNvrtcOptions } from '../../src/frontend/building/nvrtcOptions.ts'
import { foreignCode, printDeviceCode, readDeviceCode } from '../../src/runtime/program/deviceCode.ts'
import { RunTimeSources } from '../../src/runtime/program/runTimeSources.ts'
import { closeClang, recorder, runSource } from './programs.ts'

afterAll(closeClang)

describe('options', () => {
  it('are read behind =, behind the name and as the next one', () => {
    const options = [
      '-DN=4',
      '--define-macro=M',
      '-I',
      'folder',
      '--include-path=other',
      '-arch=sm_80',
      '--std=c++14',
      '-UN',
    ]
    expect(readNvrtcOptions(options)).toEqual({
      defines: ['N=4', 'M'],
      undefines: ['N'],
      includeDirs: ['folder', 'other'],
      includes: [],
      standard: 'c++14',
      architecture: 80,
      isReal: true,
      deviceByDefault: false,
      floats: undefined,
      warnings: [],
    })
  })

  it('that change numbers are told of, others of the machine compiler passed over', () => {
    const options = [
      '--use_fast_math',
      '--prec-sqrt=true',
      '-maxrregcount=32',
      '-lineinfo',
      '--ptxas-options',
      '-v',
      '-default-device',
      '--gpu-architecture=compute_90a',
    ]
    expect(readNvrtcOptions(options)).toMatchObject({
      floats: { ftz: true, precDiv: false, precSqrt: true, fmad: true, fastFunctions: true },
      warnings: ['-maxrregcount=32'],
      deviceByDefault: true,
      architecture: 90,
      isReal: false,
    })
  })

  it.each(['--no-such-option', '--std=c++98', '-arch=best'])('%s is none', option => {
    expect(readNvrtcOptions([option])).toEqual({ unknown: option })
  })
})

describe('device code as text', () => {
  const text = `target triple = "nvptx-nvidia-cuda"
@table = addrspace(1) externally_initialized global [3 x i32] zeroinitializer, align 4
define dso_local ptx_kernel void @_Z1kPi(ptr %p) {
  ret void
}
`
  const code = { ir: [{ file: 'k.cu', text }], files: { 'k.cu': '// é\n__global__ void k(int *p) {}\n' } }

  it('shows its kernels and variables, is plain ASCII and comes back', () => {
    const text = printDeviceCode(code, 90)
    expect(text).toContain('.visible .global .align 4 .b8 table[12];')
    expect(text).toContain('.entry _Z1kPi(')
    expect(text).toMatch(/^[\t\n\x20-\x7e]*$/)
    expect(readDeviceCode(`${text}behind it`)).toEqual(code)
    expect(readDeviceCode(text.slice(0, -30))).toBeUndefined()
  })

  it.each([
    ['a cubin', '\x7fELF\x02', ''],
    ['a fatbin', '\x50\xed\x55\xba', ''],
    ['PTX', '//', '// comment\n.version 7.0\n.target sm_70\n'],
    [undefined, 'nothi', 'nothing'],
  ])('of others is %s', (what, start, text) => {
    expect(
      foreignCode(
        Uint8Array.from(start, letter => letter.charCodeAt(0)),
        text,
      ),
    ).toBe(what)
  })
})

it('two texts of one name have two', () => {
  const sources = new RunTimeSources(new Map([['saxpy.cu', 'main']]))
  expect([
    sources.nameFor('saxpy.cu', 'a'),
    sources.nameFor('saxpy.cu', 'a'),
    sources.nameFor('saxpy.cu', 'b'),
  ]).toEqual(['saxpy.cu#2', 'saxpy.cu#2', 'saxpy.cu#3'])
})

it('a program that compiles where nothing can be waited for is stopped at its line', { timeout: 60_000 }, async () => {
  const program = `#include <nvrtc.h>
int main() {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, "", 0, 0, 0, 0);
  return nvrtcCompileProgram(program, 0, 0);
}
`
  const { result } = await runSource(program, recorder())
  expect(result.failure).toMatchObject({
    code: 'unsupported-run-time-compilation',
    range: { file: 'test.cu', line: 5 },
  })
  expect(result.exitCode).toBe(3)
})
