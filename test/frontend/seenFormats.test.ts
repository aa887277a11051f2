/** Functions around vprintf and its kind: clang is told which argument is a format, where that is sure. */
import { expect, test } from 'vitest'
import { withSeenFormats, writesUnseenFormats } from '../../src/frontend/sizes/seenFormats.ts'

const compiled = (text: string): unknown => withSeenFormats({ 'a.cu': text })['a.cu']
const body = '{ va_list a; va_start(a, f); vprintf(f, a); }'

test('definitions and declarations, members, functions of C', () => {
  expect(compiled(`void say(const char *f, ...);\nvoid g();\nvoid say(const char *f, ...) ${body}`)).toBe(
    `__attribute__((format(printf, 1, 2))) void say(const char *f, ...);\nvoid g();\n__attribute__((format(printf, 1, 2))) void say(const char *f, ...) ${body}`,
  )
  expect(compiled(`struct A { int n; void say(int l, const char *f, ...) const ${body} };`)).toContain(
    '; __attribute__((format(printf, 3, 4))) void say(',
  )
  expect(compiled(`class A { public: static void say(char const *f, ...) ${body} };`)).toContain(
    '__attribute__((format(printf, 1, 2))) static void say(',
  )
  expect(compiled(`extern "C" int get(const char f[], ...) { if (x) { return vscanf(f, a); } }`)).toContain(
    'extern "C" __attribute__((format(scanf, 1, 2))) int get(',
  )
})

test('what is not seen is told, and stays as it is', () => {
  for (const text of [
    'void say(const char *f, va_list a) { vprintf(f, a); }',
    'void say(std::string f, ...) { vprintf(f.c_str(), a); }',
    `void A::say(const char *f, ...) ${body}`,
    '#define SAY(f, ...) vprintf(f, a)',
  ]) {
    expect(compiled(text)).toBe(text)
    expect(writesUnseenFormats(text)).toBe(true)
  }
  expect(writesUnseenFormats(String(compiled(`void say(const char *f, ...) ${body}`)))).toBe(false)
  expect(writesUnseenFormats('void g() { printf("vprintf(f, a)"); }')).toBe(false)
  const two = `void say(const char *f, ...) ${body} struct A { void say(const char *f, ...) ${body} };`
  expect(compiled(two)).toBe(two)
  expect(
    compiled(`void say(const char *f, ...) ${body} void say(int, ...); void say(int l, const char *f, ...);`),
  ).toBe(
    `__attribute__((format(printf, 1, 2))) void say(const char *f, ...) ${body} void say(int, ...); void say(int l, const char *f, ...);`,
  )
  const macro = `#define say(f, ...) tell(f, __VA_ARGS__)\n`
  expect(compiled(`${macro}void g();\nvoid (say)(const char *f, ...) ${body}`)).toContain(macro)
})
