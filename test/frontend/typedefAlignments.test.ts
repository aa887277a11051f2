/** Alignment behind the name of a typedef is none of its structure's. */
import { expect, test } from 'vitest'
import { withoutTypedefAlignments } from '../../src/frontend/sizes/typedefAlignments.ts'

const plain = (text: string): unknown => withoutTypedefAlignments({ 'a.cu': text })['a.cu']

test('goes where it is behind the name, and every character keeps its place', () => {
  expect(plain('typedef struct { double a[2]; struct { int b; } c; } site __attribute__((aligned(16)));')).toBe(
    `typedef struct { double a[2]; struct { int b; } c; } site ${' '.repeat('__attribute__((aligned(16)))'.length)};`,
  )
  expect(plain('typedef struct s { int a; } t __align__(8) ;')).toBe(`typedef struct s { int a; } t ${' '.repeat(13)};`)
  expect(plain('typedef struct { int a; } t __attribute__ ((aligned));')).not.toContain('aligned')
})

test("stays where it is the structure's own, or a variable's", () => {
  for (const text of [
    'typedef struct { double a, b; } __attribute__((aligned(16))) site;',
    'typedef struct __align__(16) { double a, b; } site;',
    'struct { double a, b; } site __attribute__((aligned(16)));',
    '// typedef struct { int a; } t __align__(8);',
  ])
    expect(plain(text)).toBe(text)
})
