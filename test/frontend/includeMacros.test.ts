/** Files that a program includes through macros: every definition of the macro counts, also one that is found late. */
import { expect, it } from 'vitest'
import { collectFiles } from '../../src/frontend/sources/includes.ts'

const withoutDot = (path: string) => path.replace(/^\.\//, '')

/** What main.cu of these files includes. */
const collected = (files: Record<string, string>) =>
  collectFiles({
    sources: ['main.cu'],
    includeDirs: ['.'],
    workingDirectory: '/work',
    read: path => files[withoutDot(path)],
  })

it('follows every value of a macro, as configuration headers choose by compiler', () => {
  const files: Record<string, string> = {
    'main.cu': '#include "select.h"\n#include COMPILER_CONFIG\n',
    'select.h':
      '#if defined(__GNUC__)\n#define COMPILER_CONFIG "gcc.h"\n#else\n#define COMPILER_CONFIG "other.h"\n#endif\n',
    'gcc.h': '#define LATE "late.h"\n#include NEXT\n',
    'other.h': '#define NEXT <next.h>\n',
    'next.h': '#include LATE\n',
    'late.h': '',
    'unused.h': '',
  }
  const names = Object.keys(collected(files)).map(withoutDot)
  expect(names.sort()).toEqual(['gcc.h', 'late.h', 'main.cu', 'next.h', 'other.h', 'select.h'])
})

it('follows a macro that makes the name of its arguments and other macros', () => {
  const files: Record<string, string> = {
    'main.cu':
      '#define FOLDER cuda\n#define BACKEND(kind, header)  \\\n  <lib/FOLDER/kind/header>\n#include BACKEND(impl, platform.h)\n',
    'lib/cuda/impl/platform.h': '#include NAME()\n#define NAME() "nothing.h"\n',
    'lib/cuda/impl/nothing.h': '',
  }
  const names = Object.keys(collected(files)).map(withoutDot)
  expect(names).toEqual(['main.cu', 'lib/cuda/impl/platform.h', 'lib/cuda/impl/nothing.h'])
})

it('follows what a macro makes a string of, by itself and by another', () => {
  const files: Record<string, string> = {
    'main.cu':
      '#define TEXT(a) #a\n#define STRING(a) TEXT(a)\n#define CASE jet_flow\n#define ORDER 2nd_order // not the 4th\n' +
      '#define CONSTANTS STRING(CASE/constants.h)\n#define TWICE(a) a(a)\n#include CONSTANTS\n#include STRING(CASE/ORDER/steps.h)\n' +
      '#include TWICE(other.h)\n',
    'jet_flow/constants.h': '',
    'jet_flow/2nd_order/steps.h': '',
    'other.h': '',
  }
  const names = Object.keys(collected(files)).map(withoutDot)
  expect(names).toEqual(['main.cu', 'jet_flow/constants.h', 'jet_flow/2nd_order/steps.h'])
})

it('reads the first line of a file with a byte order mark', () => {
  const files: Record<string, string> = { 'main.cu': '\uFEFF#include <first.h>\n', 'first.h': '' }
  expect(Object.values(collected(files))).toEqual(['#include <first.h>\n', ''])
})
