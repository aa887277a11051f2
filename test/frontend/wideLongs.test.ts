/** What `long` becomes in the copy of the user's files that is compiled. */
import { expect, test } from 'vitest'
import { tellsLongsApart, widenLongs, widenLongsApart } from '../../src/frontend/sizes/wideLongs.ts'

const wide = (text: string): unknown => widenLongs({ 'a.cu': text })?.['a.cu']

test('types, whatever the order of their words, in as many characters', () => {
  expect(wide('long a; unsigned long int b; int long c;')).toBe('__ll a; unsigned __ll int b; int __ll c;')
  expect(wide('x = (long)y + long(z) + sizeof(long);')).toBe('x = (__ll)y + __lf(z) + sizeof(__ll);')
  expect(wide('long long a; long double b; unsigned long long c; double long d; int longer;')).toBeUndefined()
})

test('constants, limits, names of types and functions that go by the width of long', () => {
  expect(wide('1L + 0xFFul + 7lu')).toBe('1LL + 0xFFull + 7llu')
  expect(wide('1LL + 2ull + 1.5L + 1e-5L + x1L + 3u')).toBeUndefined()
  expect(wide('LONG_MAX ULONG_MAX LLONG_MAX')).toBe('LLONG_MAX ULLONG_MAX LLONG_MAX')
  expect(wide('ulong2 a = make_ulong2(1, 2); long4 b;')).toBe('__ull2 a = make___ull2(1, 2); __ll4 b;')
  expect(wide('strtoul(s, 0, 10); labs(x); std::stol(s); __builtin_clzl(x); strtoull(s, 0, 10);')).toBe(
    'strtoull(s, 0, 10); llabs(x); std::stoll(s); __builtin_clzll(x); strtoull(s, 0, 10);',
  )
})

test("ulong is the program's own type where it has one", () => {
  expect(wide('ulong a;')).toBe('__ull a;')
  expect(wide('typedef unsigned long ulong; ulong a;')).toBe('typedef unsigned __ll __uln; __uln a;')
})

test('comments, texts and libraries stay', () => {
  expect(wide('// a long way\nputs("long 1L"); /* 1L */ long a;')).toBe(
    '// a long way\nputs("long 1L"); /* 1L */ __ll a;',
  )
  expect(widenLongs({ '/usr/include/cub/x.cuh': 'long a;' })).toBeUndefined()
})

test('formats that clang cannot see keep what they are written for', () => {
  const wrapper = 'void say(const char *f, ...) { va_list a; va_start(a, f); vprintf(f, a); }'
  expect(wide(`${wrapper} long a; void g() { say("%ld", a); }`)).toBeUndefined()
  expect(wide(`${wrapper} long a; void g() { say("%d", 1); }`)).toContain('__ll a;')
})

test('apart from long long, where the program tells them apart: types, constants, formats, int64_t', () => {
  const apart = (text: string, path = 'a.cu'): unknown => widenLongsApart({ [path]: text })?.[path]
  expect(apart('long int a; unsigned long b; long(c); enum E : long {}; long long d;')).toBe(
    '__la     a; unsigned __la b; __lz(c); enum E : __lf {}; long long d;',
  )
  expect(apart('1L + 2UL; std::int64_t a; uint64_t b; using std::int64_t; ulong c;')).toBe(
    '1_wl + 2_wul;      __i64la a; __u64la_ b; using std::int64_t; __ula c;',
  )
  expect(apart('#if 1L < LONG_MAX\nx = LONG_MAX;')).toBe('#if 1LL < LLONG_MAX\nx = ((__la)LLONG_MAX);')
  expect(apart('printf("%5ld %zu %lux %d", a, b, c, d); long e;')).toBe(
    'printf("%5lld %llu %lux %d", a, b, c, d); __la e;',
  )
  expect(apart('long a = 1L;', 'a.c')).toBe('__ll a = 1LL;')
  expect(apart('long a; enum class E : uint64_t {}; enum : int64_t { x };')).toBe(
    '__la a; enum class E :    __ull {}; enum :    __ll { x };',
  )
})

test('apart, assembly has operands of long long: clang takes no other integers of 64 bits there', () => {
  const apart = (text: string): unknown => widenLongsApart({ 'a.cu': text })?.['a.cu']
  expect(apart('long a; asm("add %0, %1, %2;" : "=l"(a), "+l" (b) : "l"(f(a) + 1), "r"(c)); // "l"(x)')).toBe(
    '__la a; asm("add %0, %1, %2;" : "=l"(__wl_results(a)), "+l" (__wl_results(b)) : "l"(__wl_operand(f(a) + 1)), "r"(c)); // "l"(x)',
  )
})

test('a text tells them apart where it has a function or a specialisation for each', () => {
  const tells = (text: string): boolean => tellsLongsApart({ 'a.cu': text })
  expect(tells('void print(long a) {}\nvoid print(unsigned long a) {}\nvoid print(long long a) {}')).toBe(true)
  expect(tells('template <> struct is<unsigned long> {};\ntemplate <> struct is<unsigned long long> {};')).toBe(true)
  expect(
    tells(
      'template <> inline constexpr bool is<signed long> = 1;\ntemplate <> inline constexpr bool is<signed long long> = 1;',
    ),
  ).toBe(true)
  expect(tells('void print(unsigned long a) {}\nvoid print(long long a) {}')).toBe(false)
  expect(tells('void f(long a) {}\nvoid g(long long a) {}\nint n = max<long>(1, 2) + max<long long>(1, 2);')).toBe(
    false,
  )
})
