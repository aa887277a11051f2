/** Places where 4-byte `long` and pointers change what a program does are told with their line. */
import { expect, test } from 'vitest'
import { parseClangMessages } from '../../src/frontend/messages/clangMessages.ts'
import { findDataModelHazards } from '../../src/frontend/sizes/dataModel.ts'

const linesOf = (text: string): (number | undefined)[] =>
  findDataModelHazards({ 'a.cu': text }).map(({ range }) => range?.line)

test('sizes that are printed, asserted or compared with 8', () => {
  expect(linesOf('int main() {\n  printf("%zu",\n    sizeof( void * ));\n}')).toEqual([3])
  expect(linesOf('std::cout << sizeof(long) << sizeof(unsigned long);')).toEqual([1])
  expect(linesOf('static_assert(sizeof(Node*) == 8, "");\nbool x = 8 == sizeof(size_t);')).toEqual([1, 2])
  expect(findDataModelHazards({ 'a.cu': 'printf("", sizeof(long));' })[0]).toMatchObject({
    code: 'data-model',
    severity: 'warning',
    message: 'sizeof(long) is 4 here, and 8 on a machine with a GPU',
  })
})

test('sizes that only measure memory, or are the same everywhere, are no hazard', () => {
  expect(linesOf('x = malloc(n * sizeof(float *)); printf("%d", n);')).toEqual([])
  expect(linesOf('printf("%zu", sizeof(long long) + sizeof(int) + sizeof(double) + sizeof(x));')).toEqual([])
  expect(linesOf('// printf sizeof(long)\nprintf("sizeof(long) is %d", 8);')).toEqual([])
  expect(findDataModelHazards({ '/usr/include/cub/x.cuh': 'assert(sizeof(long) == 8);' })).toEqual([])
})

test('an assertion that fails for this reason says so', () => {
  const [error] = parseClangMessages(
    "a.cu:1:15: error: static assertion failed due to requirement 'sizeof(void *) == 8'\n    1 | static_assert(sizeof(void *) == 8);\n",
  )
  expect(error?.notes?.join()).toContain('pointers have 4 bytes')
  const [other] = parseClangMessages('a.cu:1:15: error: static assertion failed\n    1 | static_assert(N == 8);\n')
  expect(other?.notes).toBeUndefined()
})
