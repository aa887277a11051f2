/** Which arguments the copy of the user's files evaluates from right to left. */
import { expect, test } from 'vitest'
import { compileProgram } from '../../src/frontend/compile.ts'
import { withArgumentOrder } from '../../src/frontend/repairs/argumentOrder.ts'
import { createClangPool } from '../../src/node/clangPool.ts'
import { ownHeaders } from '../../src/node/sources.ts'
import { precompiled } from '../precompiled.ts'

const ordered = (text: string): unknown => withArgumentOrder({ 'a.cu': text })?.['a.cu']
const keep = (place: number, argument: string): string =>
  `::__warplens_keep<${place}, decltype((${argument}))>(${argument}), `
const kept = (place: number, argument: string): string => `::__warplens_kept<${place}, decltype((${argument}))>()`

test('those with random numbers, where a call has two or more, in as many lines', () => {
  expect(ordered('f(rand(), 1, // one\n rand() + 2);')).toBe(
    `f((${keep(0, 'rand() + 2')}rand()),  1, ${kept(0, 'rand() + 2')}\n);`,
  )
  expect(ordered('P *p = new P(drand48(), lrand48());')).toBe(
    `P *p = new P((${keep(0, 'lrand48()')}drand48()), ${kept(0, 'lrand48()')});`,
  )
  expect(ordered('f(rand(), 1); g(1, 2); P p{rand(), rand()}; int a = rand() - rand();')).toBeUndefined()
})

test("the program's own functions, variables and macros that give them", () => {
  const call = (name: string): string => `f((${keep(0, name)}${name}), ${kept(0, name)});`
  for (const [definition, name] of [
    ['float unit() { return rand() / 2.f; } float some() { return unit(); }', 'some()'],
    ['std::uniform_real_distribution<float> any(0, 1);', 'any(engine)'],
    ['std::normal_distribution<> d; auto pick = [&](int n) { return d(engine); };', 'pick(3)'],
    ['std::normal_distribution<> d; auto bell = std::bind(d, engine);', 'bell()'],
    ['#define UNIT (rand() / 2.f)\n', 'UNIT'],
  ])
    expect(ordered(`${definition} f(${name}, ${name});`)).toBe(`${definition} ${call(name!)}`)
})

test("what is the device's, a macro's, an assignment or a lambda stays", () => {
  const wrapper = 'void seed() { srand(1); rand(); } '
  expect(
    ordered(`${wrapper}__device__ float rnd(S *s) { return 1; } __device__ void k(S *s) { f(rnd(s), rnd(s)); }`),
  ).toBeUndefined()
  expect(ordered(`${wrapper}\n#define LARGER(a, b) (a > b ? a : b)\nLARGER(rand(), rand());`)).toBeUndefined()
  expect(ordered('void f(int a = rand(), int b = rand());')).toBeUndefined()
  expect(ordered('f([&] { return rand(); }, rand());')).toBeUndefined()
  expect(withArgumentOrder({ 'a.c': 'f(rand(), rand());' })).toBeUndefined()
  expect(ordered('puts("f(rand(), rand())");')).toBeUndefined()
})

test('what cannot be evaluated elsewhere stays as it is, and that is told', { timeout: 120_000 }, async () => {
  const source = `#include <cstdlib>
struct Fixed { int v; explicit Fixed(int v) : v(v) {} Fixed(const Fixed &) = delete; };
static Fixed made() { return Fixed(rand() % 10); }
static int two(const Fixed &a, const Fixed &b) { return a.v * 10 + b.v; }
int main() { return two(made(), made()); }`
  const clang = createClangPool()
  const search = { sources: ['a.cu'], files: { 'a.cu': source }, headers: ownHeaders() }
  const { diagnostics } = await compileProgram(
    { ...search, standard: 'c++17', architecture: 90, optimize: 2 },
    clang,
    precompiled,
  ).finally(() => clang.close())
  expect(diagnostics).toMatchObject([{ code: 'argument-order', severity: 'warning' }])
})
