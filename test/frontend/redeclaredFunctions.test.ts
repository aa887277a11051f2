/** Device functions that are defined without the word: what is compiled has it, and nothing else changes. */
import { expect, test } from 'vitest'
import { withRedeclaredFunctions } from '../../src/frontend/repairs/redeclaredFunctions.ts'

const compiled = (text: string): unknown => withRedeclaredFunctions({ 'a.cu': text })['a.cu']

test('functions, members, members of templates, functions of namespaces', () => {
  expect(compiled('__device__ int f(int);\nint f(int x) { return x; }')).toBe(
    '__device__ int f(int);\n__device__ int f(int x) { return x; }',
  )
  expect(
    compiled(
      'struct A { __device__ A(); __host__ __device__ int g() const; };\nA::A() {}\nint A::g() const { return 1; }',
    ),
  ).toBe(
    'struct A { __device__ A(); __host__ __device__ int g() const; };\n__device__ A::A() {}\n__host__ __device__ int A::g() const { return 1; }',
  )
  expect(
    compiled('template <class T> class A { __device__ T g(T t); };\ntemplate <class T> T A<T>::g(T t) { return t; }'),
  ).toContain('\ntemplate <class T> __device__ T A<T>::g(T t) { return t; }')
  expect(
    compiled(
      'namespace n { __device__ float g(const float *, unsigned); }\nfloat n::g(const float *p, unsigned i) { return p[i]; }',
    ),
  ).toContain('\n__device__ float n::g(')
})

test('macros that have the word, and definitions for the host of what is declared for both sides', () => {
  const macros = '#define HD __host__ __device__\n#define DEV __device__\n'
  expect(
    compiled(`${macros}HD int f(int);\nDEV int g(int);\nint f(int x) { return x; }\nint g(int x) { return x; }`),
  ).toBe(
    `${macros}HD int f(int);\nDEV int g(int);\n__host__ __device__ int f(int x) { return x; }\n__device__ int g(int x) { return x; }`,
  )
  expect(
    compiled('__device__ int f(int, const float *p);\nint f(const int x, const float *const p) { return x; }'),
  ).toContain('\n__device__ int f(const int x,')
  expect(compiled('__host__ __device__ int f(int);\n__host__ int f(int x) { return x; }')).toBe(
    '__host__ __device__ int f(int);\n__device__ __host__ int f(int x) { return x; }',
  )
})

test('others of the name stay', () => {
  for (const text of [
    '__device__ int f(int);\n__device__ int f(int x) { return x; }\nint f(float x) { return x; }',
    '__device__ int f(int);\n__host__ int f(int x) { return x; }',
    '__device__ int f(const int *);\nint f(int *x) { return *x; }',
    '#define HD __host__ __device__\nHD int f(int);\nHD int f(int x) { return x; }\n__global__ void f(float x) {}',
    'struct A { __device__ int f(int); };\nint f(int x) { return x; }\nstruct B { int f(int x) { return x; } };',
    '__device__ int f(int);\nint g(int x) { if (f(x)) { return 1; } return f(x); }',
    'template <class T, template <class> class P> class A { __device__ T v(); };\ntemplate <class T, template <class> class P> class B { T v() { return 1; } };',
  ])
    expect(compiled(text)).toBe(text)
})

test('a header declares for the sources that include it, not for plain C++', () => {
  const files = {
    'h/a.h': '__device__ int f(int x);',
    'a.cu': '#include "h/a.h"\nint f(int x) { return x; }',
    'b.cu': 'int f(int x) { return x; }',
    'c.cpp': '#include "h/a.h"\nint f(int x) { return x; }',
  }
  expect(withRedeclaredFunctions(files)).toEqual({
    ...files,
    'a.cu': '#include "h/a.h"\n__device__ int f(int x) { return x; }',
  })
})

test('members that are declared without the word and defined with it are on both sides', () => {
  expect(
    compiled(
      'class S { public: S(int *p); void a() const; };\ninline __device__ S::S(int *p) : m(p) {}\n__device__ void S::a() const { }',
    ),
  ).toBe(
    'class S { public: __host__ __device__ S(int *p); __host__ __device__ void a() const; };\n' +
      '__host__ __device__ inline __device__ S::S(int *p) : m(p) {}\n__WARPLENS_REDECLARED__ __device__ void S::a() const { }',
  )
  const files = {
    'a.h': 'template <class T> struct A { T f(T x);\nT f(T *x); };',
    'a.cu': '#include "a.h"\ntemplate <class T> __device__ T A<T>::f(T *y) { return *y; }',
  }
  expect(withRedeclaredFunctions(files)).toEqual({
    'a.h': 'template <class T> struct A { T f(T x);\n__host__ __device__ T f(T *x); };',
    'a.cu': '#include "a.h"\ntemplate <class T> __host__ __device__ __device__ T A<T>::f(T *y) { return *y; }',
  })
})

test('members that have the word, by whatever name, stay', () => {
  for (const text of [
    'struct A { __device__ int f(int); };\n__device__ int A::f(int x) { return x; }',
    '#define DEV __device__\nstruct A { DEV int f(int); };\nDEV int A::f(int x) { return x; }\n__device__ int g(int x) { return A::f(x); }',
    '#define DEV __device__\nstruct A { DEV int f(int); };\n__device__ int A::f(int x) { return x; }',
    'struct A { int f(int); };\nint A::f(int x) { return x; }',
  ])
    expect(compiled(text)).toBe(text)
})
