/**
 * The device's mathematics (include/warplens/math), compiled to WebAssembly as plain C++ by the project's clang, against
 * correctly rounded results: expectations.txt, written by `npm run math:accuracy -- --expectations` from quadruple precision.
 * A line is a function, NVIDIA's documented bound in ulps, the arguments' and the result's bit patterns.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { createClang, type FileTree } from '../../src/frontend/clang/clang.ts'

type Numeric = number | bigint
interface Expectation {
  readonly name: string
  readonly bound: bigint
  readonly arguments: readonly string[]
  /** Bit pattern, or `nan`. */
  readonly result: string
}

const expectations: Expectation[] = readFileSync(new URL('expectations.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => {
    const [name, bound, ...values] = line.split(' ')
    return { name: name!, bound: BigInt(bound!), arguments: values.slice(0, -1), result: values.at(-1)! }
  })
const names = [...new Set(expectations.map(e => e.name))]

/** Bit patterns cross the border as integers: WebAssembly engines may change a NaN's bits. */
function wrapper(name: string): string {
  const first = expectations.find(e => e.name === name)!
  const wide = first.arguments[0]!.length === 16
  const [type, bits] = wide ? ['double', 'unsigned long long'] : ['float', 'unsigned']
  const parameters = first.arguments.map((_, i) => `${bits} x${i}`)
  const values = first.arguments.map((_, i) => `__builtin_bit_cast(${type}, x${i})`)
  return `EXPORT(${name}) ${bits} call_${name}(${parameters}) { return __builtin_bit_cast(${bits}, device::${name}(${values})); }`
}

/** Intrinsics with results to check one by one. */
const INTRINSICS = `
EXPORT(add_up) float call_add_up(float a, float b) { return device::__fadd_ru(a, b); }
EXPORT(add_down) float call_add_down(float a, float b) { return device::__fadd_rd(a, b); }
EXPORT(divide_zero) double call_divide_zero(double a, double b) { return device::__ddiv_rz(a, b); }
EXPORT(divide_up) double call_divide_up(double a, double b) { return device::__ddiv_ru(a, b); }
EXPORT(nearest_int) int call_nearest_int(float a) { return device::__float2int_rn(a); }
EXPORT(double_int) int call_double_int(double a) { return device::__double2int_rz(a); }
EXPORT(fast_exp) float call_fast_exp(float a) { return device::__expf(a); }
EXPORT(quotient) int call_quotient(double a, double b) { int q; device::remquo(a, b, &q); return q; }
EXPORT(exponent) int call_exponent(double a) { int e; device::frexp(a, &e); return e; }
EXPORT(scaled) double call_scaled(double a, int n) { return device::ldexp(a, n); }
`

function headers(): FileTree {
  const folder = new URL('../../include/warplens/math/', import.meta.url)
  return Object.fromEntries(
    readdirSync(folder).map(file => [`math/${file}`, readFileSync(new URL(file, folder), 'utf8')]),
  )
}

let functions: Record<string, (...values: Numeric[]) => Numeric>
beforeAll(async () => {
  const clang = createClang()
  const source = `
#define __host__
#define __device__
#define __forceinline__ inline __attribute__((always_inline))
namespace device {
#include "math/device_math.h"
}
#define EXPORT(name) extern "C" __attribute__((export_name(#name)))
${names.map(wrapper).join('\n')}
${INTRINSICS}`
  const target = '-triple wasm32-unknown-wasip1 -O1 -std=c++17 -ffp-contract=on -Wno-everything'.split(' ')
  const files = { 'test.cpp': source, ...headers() }
  const object = await clang.run(
    ['clang', '-cc1', '-emit-obj', ...target, '-I', '/', '-x', 'c++', 'test.cpp', '-o', '-'],
    files,
  )
  expect(object.stderr).toBe('')
  const libraries = ['-L/usr/lib/wasm32-wasip1', '-lc', '/usr/lib/wasm32-unknown-wasip1/libclang_rt.builtins.a']
  const linked = await clang.run(['wasm-ld', '--no-entry', 'test.o', ...libraries, '-o', '-'], {
    'test.o': object.stdout,
  })
  expect(linked.stderr).toBe('')
  const instance = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(linked.stdout)), {})
  functions = instance.exports as typeof functions
}, 120_000)

/** Distance in units of the last place between two bit patterns of one width: numbers in order, -0 and 0 the same. */
function distance(a: bigint, b: bigint, bits: bigint): bigint {
  const position = (pattern: bigint) => (pattern >> (bits - 1n) ? -(pattern & ((1n << (bits - 1n)) - 1n)) : pattern)
  const difference = position(a) - position(b)
  return difference < 0n ? -difference : difference
}

test.each(names)('%s', name => {
  for (const e of expectations.filter(candidate => candidate.name === name)) {
    const bits = BigInt(e.arguments[0]!.length * 4)
    const values = e.arguments.map(pattern => (bits === 64n ? BigInt(`0x${pattern}`) : Number.parseInt(pattern, 16)))
    const got = BigInt.asUintN(Number(bits), BigInt(functions[name]!(...values)))
    const infinity = bits === 64n ? 0x7ffn << 52n : 0xffn << 23n
    const where = `${name}(${e.arguments}) = ${got.toString(16)}, not ${e.result}`
    if (e.result === 'nan') {
      expect((got & ((1n << (bits - 1n)) - 1n)) > infinity, where).toBe(true)
      continue
    }
    const want = BigInt(`0x${e.result}`)
    expect(distance(got, want, bits) <= e.bound, where).toBe(true)
    // distance() takes both zeros for the same.
    if (want === 0n || want === 1n << (bits - 1n)) expect(got, where).toBe(want)
  }
})

test('directed rounding moves to the right neighbour', () => {
  const tiny = 2 ** -60
  expect(functions.add_up!(1, tiny)).toBe(1 + 2 ** -23)
  expect(functions.add_down!(1, tiny)).toBe(1)
  expect(functions.add_down!(1, -tiny)).toBe(1 - 2 ** -24)
  expect(functions.add_down!(1, -1)).toBe(-0)
  expect(functions.add_up!(3e38, 3e38)).toBe(Number.POSITIVE_INFINITY)
  expect(functions.add_down!(Math.fround(3e38), Math.fround(3e38))).toBe(3.4028234663852886e38)
  expect(functions.divide_zero!(1, 3)).toBe(1 / 3)
  expect(functions.divide_up!(1, 3)).toBe(1 / 3 + 2 ** -54)
  expect(functions.divide_up!(5e-324, 3)).toBe(5e-324)
  expect(functions.divide_zero!(5e-324, 1.5)).toBe(0)
})

test('conversions round and saturate as cvt does', () => {
  expect([2.5, 3.5, -2.5, 1e20, -1e20, Number.NaN].map(x => functions.nearest_int!(x))).toEqual([
    2, 4, -2, 2147483647, -2147483648, 0,
  ])
  expect([2.9, -2.9, 1e20, Number.NaN].map(x => functions.double_int!(x))).toEqual([2, -2, 2147483647, -2147483648])
})

test('numbers are taken apart and put together exactly', () => {
  expect(functions.quotient!(7, 2)).toBe(4)
  expect(functions.quotient!(-29, 3)).toBe(-2)
  expect(functions.exponent!(5e-324)).toBe(-1073)
  expect(functions.scaled!(1, -1074)).toBe(5e-324)
  expect(functions.scaled!(5e-324, 2097)).toBe(2 ** 1023)
  expect(functions.scaled!(1.5, -1074)).toBe(1e-323)
})

test('the fast exponential keeps to 2 + |1.173 x| ulp', () => {
  for (const x of [-80, -3.25, -0.5, 0, 0.1, 1, 7.75, 80]) {
    const want = Math.exp(x)
    const ulp = 2 ** (Math.floor(Math.log2(want)) - 23)
    expect(Math.abs(Number(functions.fast_exp!(x)) - want) / ulp).toBeLessThanOrEqual(
      2.5 + Math.floor(Math.abs(1.173 * x)),
    )
  }
})
