/** The size of a pointer, which is 4 here and 8 on a machine with a GPU, is told where a program asks for it by a variable's name. */
import { expect, test } from 'vitest'
import { findPointerSizes } from '../../src/frontend/sizes/pointerSizes.ts'

const linesOf = (text: string): (number | undefined)[] =>
  findPointerSizes({ 'a.cu': text }).map(({ range }) => range?.line)

test('parameters and variables that are pointers', () => {
  expect(linesOf('void f(float *a, int n) {\n  for (int i = 0; i < sizeof(a); i++) g(i);\n}')).toEqual([2])
  expect(linesOf('void f() {\n  double *d, *e;\n  cudaMalloc(&d, n * sizeof(e));\n}')).toEqual([3])
  expect(linesOf('void f(const float *__restrict__ a) {\n  int n = sizeof a / sizeof *a;\n}')).toEqual([2])
  expect(findPointerSizes({ 'a.cu': 'void f(float *a) { g(sizeof(a)); }' })[0]).toMatchObject({
    code: 'pointer-size',
    severity: 'warning',
    message: 'sizeof(a) is the size of a pointer, 4 here and 8 on a machine with a GPU',
  })
})

test('arrays, values, pointers that are copied themselves, and names of elsewhere are no hazard', () => {
  expect(linesOf('void f() { float a[4]; g(sizeof(a)); }')).toEqual([])
  expect(linesOf('void f(float *a) {}\nvoid h() { Pair a; g(sizeof(a)); }')).toEqual([])
  expect(linesOf('void f(float *a) { cudaMemcpyToSymbol(head, &a, sizeof(a)); }')).toEqual([])
  expect(linesOf('void f(float *a) { { double a = 2; g(sizeof(a)); } }')).toEqual([])
  expect(linesOf('typedef int (*call)(int);\nvoid f() { g(sizeof(call), sizeof(int)); }')).toEqual([])
  expect(linesOf('void f(float *a) { g(sizeof(a[0]), sizeof(*a)); }')).toEqual([])
  expect(linesOf('void f(int x, int a) { int y = x * a; g(sizeof(a)); }')).toEqual([])
})
