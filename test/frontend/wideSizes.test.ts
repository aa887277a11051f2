/** What `size_t` becomes in the copy of the user's files that is compiled. */
import { expect, test } from 'vitest'
import { sizesAsWritten, widenSizes } from '../../src/frontend/sizes/wideSizes.ts'

const wide = (text: string): unknown => widenSizes({ 'a.cu': text })?.['a.cu']

test('the type, by every name of its namespace, in as many characters', () => {
  expect(wide('size_t a; const std::size_t *b; f<::size_t>(size_t(1)); x = cuda::std::size_t{2};')).toBe(
    '__sz8t a; const      __sz8t *b; f<  __sz8t>(__sz8t(1)); x =            __sz8t{2};',
  )
  expect(wide('using std::size_t; size_t a;')).toBe('using std::size_t; __sz8t a;')
  expect(wide('T::size_t a; x.size_t; x->size_t; my_size_t b; size_type c;')).toBeUndefined()
  expect(wide('std::numeric_limits<size_t>::max() == SIZE_MAX')).toBe('std::numeric_limits<__sz8t>::max() == __szmax_')
})

test('products with sizeof have 64 bits, sizes alone stay', () => {
  expect(wide('cudaMalloc(&p, n * sizeof(float)); m = sizeof(int[2]) * n;')).toBe(
    'cudaMalloc(&p, n * __szof(float)); m = __szof(int[2]) * n;',
  )
  expect(wide('a = sizeof(x); b = sizeof(x) / sizeof(x[0]); f(sizeof(T) *); sizeof...(T) * 2;')).toBeUndefined()
  expect(wide('#if 2 * sizeof(x)\n#endif')).toBeUndefined()
})

test('sizes of containers are factors of 64 bits', () => {
  expect(wide('n = v.size() * w->at(3).length() * m[i].size() - u.size();')).toBe(
    'n = __warplens_wide(v.size()) * __warplens_wide(w->at(3).length()) * __warplens_wide(m[i].size()) - u.size();',
  )
  expect(wide('int n = -3 * (int)v.size(), m = (int)v.size() * 2; v.resize(v.size(), 1);')).toBe(
    'int n = -3 * (int)v.size(), m = (int)__warplens_wide(v.size()) * 2; v.resize(v.size(), 1);',
  )
  expect(wide('n = v.size() + w.size(); f(v.size(), *w.begin()); // v.size() * 2')).toBeUndefined()
})

test('comments, texts and libraries stay', () => {
  expect(wide('// size_t\nputs("size_t"); size_t a;')).toBe('// size_t\nputs("size_t"); __sz8t a;')
  expect(widenSizes({ '/usr/include/cub/x.cuh': 'size_t a;' })).toBeUndefined()
})

test('operators keep the type that the language gives their parameters', () => {
  expect(wide('void *operator new(size_t n) { size_t a; }')).toBe('void *operator new(size_t n) { __sz8t a; }')
  expect(wide('void operator delete [] (void *p, std::size_t n); void *p = ::operator new((size_t)n);')).toBe(
    'void operator delete [] (void *p, std::size_t n); void *p = ::operator new((__sz8t)n);',
  )
  expect(wide('size_t operator""_n(const char *text, size_t n) { return n; }')).toBe(
    '__sz8t operator""_n(const char *text, size_t n) { return n; }',
  )
  expect(wide('auto operator "" _w(const wchar_t*, std::size_t n, size_t m);')).toBe(
    'auto operator "" _w(const wchar_t*, std::size_t n, __sz8t m);',
  )
})

test('programs that rely on 4 bytes where clang sees nothing keep them', () => {
  expect(wide('typedef unsigned size_t; size_t a;')).toBeUndefined()
  expect(wide('#include <cub/cub.cuh>\nsize_t bytes;')).toBeUndefined()
  expect(wide('size_t at = s.find(x); if (at != -1) f();')).toBeUndefined()
  expect(wide('size_t at = s.find(x); if (at == (std::size_t)-1) f();')).toBeUndefined()
  expect(wide('size_t at; while ((at = s.find(x)) != -1) f();')).toBeUndefined()
  expect(wide('size_t where() { return s.find(x); } void g() { if (where() == -1) f(); }')).toBeUndefined()
  expect(wide('size_t at[2]; at[0] = s.find(x); if (at[0] != -1) f();')).toBeUndefined()
  expect(wide('size_t at = s.find(x); while ((option = getopt(n, v, "a")) != -1) f();')).toContain('__sz8t at')
  expect(wide('size_t n = va_arg(list, size_t);')).toBeUndefined()
  const wrapper = 'void say(const char *f, ...) { va_list a; va_start(a, f); vprintf(f, a); }'
  expect(wide(`${wrapper} size_t a; void g() { say("%zu", a); }`)).toBeUndefined()
  expect(wide(`${wrapper} size_t a; void g() { say("%d", 1); }`)).toContain('__sz8t a;')
})

test('C programs that hand on the address of a size keep 4 bytes', () => {
  const text = 'size_t free, total = 0; f(&total); int n = a & b;'
  expect(widenSizes({ 'a.c': text })).toBeUndefined()
  expect(widenSizes({ 'a.c': text.replace('&total', 'total') })).toBeDefined()
  expect(widenSizes({ 'a.cu': text })).toBeDefined()
})

test("clang's words for it are the user's", () => {
  expect(sizesAsWritten("no known conversion from '__sz8t *' to '__szof'")).toBe(
    "no known conversion from 'size_t *' to 'sizeof'",
  )
})

test("parameters that are deduced from the library's arrays keep its type", () => {
  const fill = 'template <class T, size_t N> void fill(std::array<T, N> &a) { size_t i; }'
  expect(wide(fill)).toBe(fill.replace('size_t i', '__sz8t i'))
  expect(wide('template <size_t M, std::size_t N> auto f(array<array<int, M>, N> a); size_t b;')).toBe(
    'template <size_t M, std::size_t N> auto f(array<array<int, M>, N> a); __sz8t b;',
  )
  expect(wide('template <size_t N> struct S<bitset<N>> { size_t a; };')).toContain('template <size_t N>')
  expect(wide('template <size_t N> struct S { std::array<int, N> a; };')).toContain('template <__sz8t N>')
  expect(wide('template <size_t M, size_t N> void f(int (&a)[N], array<int, M> b);')).toBe(
    'template <size_t M, __sz8t N> void f(int (&a)[N], array<int, M> b);',
  )
})
