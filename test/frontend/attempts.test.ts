/** Which assumptions are tried after errors: each is a compilation of its own, so that none is tried in vain. */
import { expect, test } from 'vitest'
import type { Diagnostic } from '../../src/diagnostic.ts'
import { afterErrors, firstAttempt, likelierAttempt } from '../../src/frontend/building/attempts.ts'
import { APART } from '../../src/frontend/building/plan.ts'

const { input, attempt } = firstAttempt({
  headers: {},
  sources: ['a.cu'],
  files: { 'a.cu': 'void f(long) {}\nvoid f(long long) {}\nsize_t n;\n' },
})
const error = (message: string): Diagnostic => ({
  code: 'compiler',
  severity: 'error',
  message,
  rendered: `a.cu:1:1: error: ${message}\n    1 | void f(long long)`,
})
const isApart = (retry: { readonly input?: { readonly defines?: readonly string[] } }): boolean =>
  retry.input?.defines?.includes(APART) ?? false

test('long is tried apart from long long once: not again with the sizes that come behind it', () => {
  const retries = [...afterErrors([error("redefinition of 'f'")], input, attempt)]
  expect(retries.map(isApart)).toEqual([true, false])
  expect(retries[1]!.attempt).toMatchObject({ apart: undefined })
})

test('other sizes bring no file that is not there', () => {
  const errors = [error("redefinition of 'f'"), error("'helper.h' file not found")]
  expect([...afterErrors(errors, input, attempt)]).toEqual([])
})

test('what tells the two apart in its text is compiled so at once', () => {
  const files = { 'a.cu': 'void f(long a) {}\nvoid f(long long a) {}\nsize_t n;\n' }
  const first = firstAttempt({ headers: {}, sources: ['a.cu'], files })
  expect(likelierAttempt(files, first)?.input).toMatchObject({
    defines: [APART],
    files: { 'a.cu': 'void f(__la a) {}\nvoid f(long long a) {}\n__sz8t n;\n' },
  })
  const withLibcu = { ...files, 'include/cuda/std/__cccl/compiler.h': '' }
  const narrow = likelierAttempt(withLibcu, firstAttempt({ headers: {}, sources: ['a.cu'], files: withLibcu }))
  expect(narrow?.input.files['a.cu']).toContain('size_t n;')
  const others = { 'a.cu': 'void f(long a) {}\nlong long b;\n' }
  expect(likelierAttempt(others, firstAttempt({ headers: {}, sources: ['a.cu'], files: others }))).toBeUndefined()
})

test('Thrust is compiled as C++17 whatever standard is asked for', () => {
  const errors = [error('"Thrust, CUB and libcu++ need C++17, as those of CUDA 13 do: say -std=c++17"')]
  const standards = (standard: string) =>
    [...afterErrors(errors, { ...input, standard }, attempt)].map(each => each.input)
  expect(standards('c++14')).toContainEqual({ standard: 'c++17' })
  expect(standards('c++17')).not.toContainEqual({ standard: 'c++17' })
  const files = { 'a.cu': '', '/usr/include/cub/version.cuh': '' }
  const first = (standard: string) => firstAttempt({ headers: {}, sources: ['a.cu'], files, standard }).input.standard
  expect(['c++11', 'gnu++14', 'c++20'].map(first)).toEqual(['c++17', 'c++17', 'c++20'])
})
