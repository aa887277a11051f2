import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CUDA_ERRORS, describeError } from '../../src/runtime/cudaErrors.ts'

test('the header and the table have the same errors', () => {
  const header = readFileSync('include/driver_types.h', 'utf8')
  const list = header.slice(header.indexOf('typedef enum cudaError {'), header.indexOf('} cudaError_t;'))
  const declared = [...list.matchAll(/(cuda\w+) = (\d+)/g)].map(match => [match[1], Number(match[2])])
  const known = Object.entries(CUDA_ERRORS).map(([name, { code }]) => [name, code])
  expect(declared).toEqual(known)
})

test('unknown numbers are told as the real runtime tells them', () => {
  expect(describeError(12345)).toEqual({ name: 'unrecognized error code', text: 'unrecognized error code' })
})
