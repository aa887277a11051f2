/** The formatter of device printf against what C prints. */
import { expect, test } from 'vitest'
import { addressOf } from '../../src/addressSpace.ts'
import { formatPrintf } from '../../src/runtime/launches/printf.ts'

type Argument = { readonly i: number } | { readonly ll: bigint } | { readonly f: number } | { readonly s: string }

/** Lays format, strings and arguments out as the device has them. */
function printf(format: string, ...args: readonly Argument[]): string {
  const view = new DataView(new ArrayBuffer(4096))
  let free = 2048
  const text = (value: string): number => {
    const at = free
    const bytes = new TextEncoder().encode(`${value}\0`)
    new Uint8Array(view.buffer).set(bytes, at)
    free += bytes.length
    return at
  }
  const formatAt = text(format)
  let at = 64
  for (const arg of args) {
    const bytes = 'll' in arg || 'f' in arg ? 8 : 4
    at = Math.ceil(at / bytes) * bytes
    if ('i' in arg) view.setInt32(at, arg.i, true)
    else if ('ll' in arg) view.setBigInt64(at, arg.ll, true)
    else if ('f' in arg) view.setFloat64(at, arg.f, true)
    else view.setUint32(at, addressOf(text(arg.s)), true)
    at += bytes
  }
  return formatPrintf(view, addressOf(formatAt), addressOf(64))
}

test('integers', () => {
  expect(printf('%d %i %u', { i: -5 }, { i: 7 }, { i: -1 })).toBe('-5 7 4294967295')
  expect(printf('[%5d|%-5d|%05d|%+d|% d]', { i: 42 }, { i: 42 }, { i: -42 }, { i: 42 }, { i: 42 })).toBe(
    '[   42|42   |-0042|+42| 42]',
  )
  expect(printf('%x %X %#x %o %#o', { i: 255 }, { i: 255 }, { i: 255 }, { i: 8 }, { i: 8 })).toBe('ff FF 0xff 10 010')
  expect(printf('%.3d|%5.3d|%.0d', { i: 7 }, { i: 7 }, { i: 0 })).toBe('007|  007|')
  expect(printf('%*d|%-*d', { i: 4 }, { i: 1 }, { i: 4 }, { i: 2 })).toBe('   1|2   ')
  expect(printf('%hhd %hd', { i: 300 }, { i: 70000 })).toBe('44 4464')
})

test('ties and what is nearly one', () => {
  expect(printf('%.1f %.1f %.2f %.3f', { f: 0.25 }, { f: 0.75 }, { f: 0.125 }, { f: 0.0625 })).toBe(
    '0.2 0.8 0.12 0.062',
  )
  expect(printf('%.1f %.1f %.1f', { f: 0.5 }, { f: 0.35 }, { f: 0.25 + 2 ** -50 })).toBe('0.5 0.3 0.3')
})

test('what is no conversion stands for itself, and takes nothing', () => {
  expect(printf('100%, %5y|%d%%|%', { i: 7 })).toBe('100%, %5y|7%|%')
  expect(printf('é%c%s', { i: 0xc3 }, { s: '\u00a9' })).toMatch(/^é.©$/)
})

test('a format that changes where it lies is read again', () => {
  expect(printf('%d', { i: 1 })).toBe('1')
  expect(printf('%x', { i: 255 })).toBe('ff')
  expect(printf('%x!', { i: 255 })).toBe('ff!')
})

test('long is 4 bytes, long long 8 and aligned', () => {
  expect(printf('%ld %lld %lu', { i: -1 }, { ll: -(2n ** 40n) }, { i: -1 })).toBe('-1 -1099511627776 4294967295')
  expect(printf('%d %llu', { i: 1 }, { ll: -1n })).toBe('1 18446744073709551615')
  expect(printf('%zu %p', { i: 12 }, { i: 0x1234 })).toBe('12 0x1234')
  expect(printf('%p', { i: 0 })).toBe('(nil)')
})

test('fixed point rounds the exact value, ties to even', () => {
  expect(printf('%f %.2f %.0f %.0f %.0f', { f: Math.PI }, { f: 2.675 }, { f: 0.5 }, { f: 1.5 }, { f: 2.5 })).toBe(
    '3.141593 2.67 0 2 2',
  )
  expect(printf('%.1f %f', { f: 1e22 }, { f: -0 })).toBe('10000000000000000000000.0 -0.000000')
  expect(printf('%8.3f|%-8.3f|%08.3f|%+.1f|%#.0f', { f: 3.25 }, { f: 3.25 }, { f: -3.25 }, { f: 1 }, { f: 1 })).toBe(
    '   3.250|3.250   |-003.250|+1.0|1.',
  )
})

test('scientific and general', () => {
  expect(printf('%e %.3e %E', { f: 12345.678 }, { f: 0.00012345 }, { f: 0 })).toBe(
    '1.234568e+04 1.234e-04 0.000000E+00',
  )
  expect(printf('%.0e %e', { f: 9.5 }, { f: 9.9999999e99 })).toBe('1e+01 1.000000e+100')
  expect(printf('%.17e', { f: 1e23 })).toBe('9.99999999999999916e+22')
  expect(printf('%g %g %g %g %g', { f: 100000 }, { f: 1e6 }, { f: 0.0001 }, { f: 0.00001 }, { f: 0.5 })).toBe(
    '100000 1e+06 0.0001 1e-05 0.5',
  )
  expect(printf('%.3g %#g %G %g', { f: 1234.5 }, { f: 1 }, { f: 1e-10 }, { f: 0 })).toBe('1.23e+03 1.00000 1E-10 0')
})

test('hexadecimal floats, infinities, NaN', () => {
  expect(printf('%a %a %.1a %A', { f: 1 }, { f: 0.1 }, { f: 1.96875 }, { f: -255.5 })).toBe(
    '0x1p+0 0x1.999999999999ap-4 0x2.0p+0 -0X1.FFP+7',
  )
  expect(printf('%a', { f: 0 })).toBe('0x0p+0')
  expect(printf('%f %F %5.1f|%05f', { f: Infinity }, { f: -Infinity }, { f: NaN }, { f: Infinity })).toBe(
    'inf -INF   nan|  inf',
  )
})

test('text', () => {
  expect(printf('%s|%5s|%-5s|%.2s|%c|%%', { s: 'abc' }, { s: 'abc' }, { s: 'abc' }, { s: 'abc' }, { i: 65 })).toBe(
    'abc|  abc|abc  |ab|A|%',
  )
  expect(printf('grüße %s', { s: '→' })).toBe('grüße →')
  expect(printf('%s', { i: 0 })).toBe('(null)')
  expect(printf('100%, %y')).toBe('100%, %y')
  expect(printf('ends with %')).toBe('ends with %')
})
