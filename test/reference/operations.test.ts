/** What one lane computes: each instruction at the values where languages and machines differ. */
import { describe, expect, test } from 'vitest'
import { launch, mapKernel } from './launch.ts'

/** Runs `body` once a thread on up to 32 inputs. */
function map32(
  type: 'i32' | 'float',
  body: string,
  inputs: readonly number[],
  declarations = '',
  resultType: string = type,
): number[] {
  const make = (values: readonly number[]) => (type === 'i32' ? Uint32Array.from(values) : Float32Array.from(values))
  const out = resultType === 'i32' ? new Uint32Array(inputs.length) : new Float32Array(inputs.length)
  const result = launch(mapKernel(type, body, declarations, resultType), {
    block: inputs.length,
    buffers: [out, make(inputs)],
  })
  expect(result.fault).toBeUndefined()
  return [...out]
}

function map64(body: string, inputs: readonly bigint[], declarations = ''): bigint[] {
  const out = new BigUint64Array(inputs.length)
  const result = launch(mapKernel('i64', body, declarations), {
    block: inputs.length,
    buffers: [out, BigUint64Array.from(inputs)],
  })
  expect(result.fault).toBeUndefined()
  return [...out]
}

function mapDouble(body: string, inputs: readonly number[], declarations = ''): number[] {
  const out = new Float64Array(inputs.length)
  const result = launch(mapKernel('double', body, declarations), {
    block: inputs.length,
    buffers: [out, Float64Array.from(inputs)],
  })
  expect(result.fault).toBeUndefined()
  return [...out]
}

describe('integers', () => {
  test('wrap', () => {
    expect(map32('i32', '%r = mul i32 %x, %x', [0xffff_ffff, 0x1_0001, 0x8000_0000])).toEqual([1, 0x2_0001, 0])
    expect(map64('%r = mul i64 %x, %x', [0xffff_ffff_ffff_ffffn, 1n << 32n])).toEqual([1n, 0n])
    expect(
      map32('i32', '%n = trunc i32 %x to i8\n%s = add i8 %n, %n\n%r = sext i8 %s to i32', [0x40, 0x7f, 0x80]),
    ).toEqual([0xffff_ff80, 0xffff_fffe, 0])
  })

  test('divide by zero gives all ones, the remainder is the dividend', () => {
    expect(map32('i32', '%r = udiv i32 7, %x', [0, 2])).toEqual([0xffff_ffff, 3])
    expect(map32('i32', '%r = urem i32 7, %x', [0, 4])).toEqual([7, 3])
    expect(map32('i32', '%r = sdiv i32 -7, %x', [0, 2])).toEqual([0xffff_ffff, -3 >>> 0])
    expect(map32('i32', '%r = srem i32 -7, %x', [0, 4])).toEqual([-7 >>> 0, -3 >>> 0])
    expect(map64('%r = udiv i64 7, %x', [0n])).toEqual([0xffff_ffff_ffff_ffffn])
    expect(map32('i32', '%r = sdiv i32 -2147483648, %x', [0xffff_ffff])).toEqual([0x8000_0000])
    expect(map64('%r = sdiv i64 -9223372036854775808, %x', [0xffff_ffff_ffff_ffffn])).toEqual([1n << 63n])
  })

  test('shifts clamp', () => {
    expect(map32('i32', '%r = shl i32 1, %x', [0, 31, 32, 33])).toEqual([1, 0x8000_0000, 0, 0])
    expect(map32('i32', '%r = lshr i32 -1, %x', [31, 32, 0xffff_ffff])).toEqual([1, 0, 0])
    expect(map32('i32', '%r = ashr i32 -8, %x', [1, 31, 32, 99])).toEqual([
      -4 >>> 0,
      0xffff_ffff,
      0xffff_ffff,
      0xffff_ffff,
    ])
    expect(map64('%r = ashr i64 -8, %x', [1n, 64n, 1n << 40n])).toEqual([-4n, -1n, -1n].map(x => BigInt.asUintN(64, x)))
  })

  test('compare with and without sign', () => {
    expect(map32('i32', '%c = icmp slt i32 %x, 1\n%r = zext i1 %c to i32', [0xffff_ffff, 1, 0])).toEqual([1, 0, 1])
    expect(map32('i32', '%c = icmp ult i32 %x, 1\n%r = zext i1 %c to i32', [0xffff_ffff, 1, 0])).toEqual([0, 0, 1])
    expect(map32('i32', '%c = icmp ugt i32 %x, 1\n%r = sext i1 %c to i32', [2, 1])).toEqual([0xffff_ffff, 0])
  })

  test('bit counting, reversing, funnel shifts', () => {
    const declarations = `declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)`
    const one = (call: string, inputs: readonly number[]) =>
      map32('i32', `%r = call i32 @llvm.${call}`, inputs, declarations)
    expect(one('ctpop.i32(i32 %x)', [0, 0xff, 0xffff_ffff])).toEqual([0, 8, 32])
    expect(one('ctlz.i32(i32 %x, i1 false)', [0, 1, 0x8000_0000])).toEqual([32, 31, 0])
    expect(one('cttz.i32(i32 %x, i1 false)', [0, 8, 0x8000_0000])).toEqual([32, 3, 31])
    expect(one('bitreverse.i32(i32 %x)', [1, 0x0000_00f0])).toEqual([0x8000_0000, 0x0f00_0000])
    expect(one('bswap.i32(i32 %x)', [0x1234_5678])).toEqual([0x7856_3412])
    expect(one('fshl.i32(i32 %x, i32 -1, i32 36)', [0x1000_0001])).toEqual([0x0000_001f])
    expect(one('fshr.i32(i32 %x, i32 -1, i32 4)', [0x1])).toEqual([0x1fff_ffff])
    expect(one('fshr.i32(i32 %x, i32 7, i32 32)', [0x1])).toEqual([7])
  })

  test('saturation, overflow, minimum and maximum', () => {
    const declarations = `declare i32 @llvm.sadd.sat.i32(i32, i32)
declare i32 @llvm.usub.sat.i32(i32, i32)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1)`
    const one = (call: string, inputs: readonly number[]) =>
      map32('i32', `%r = call i32 @llvm.${call}`, inputs, declarations)
    expect(one('sadd.sat.i32(i32 %x, i32 1)', [0x7fff_ffff, 5])).toEqual([0x7fff_ffff, 6])
    expect(one('usub.sat.i32(i32 %x, i32 9)', [8, 10])).toEqual([0, 1])
    expect(one('smax.i32(i32 %x, i32 0)', [0xffff_ffff, 3])).toEqual([0, 3])
    expect(one('umin.i32(i32 %x, i32 5)', [0xffff_ffff, 3])).toEqual([5, 3])
    expect(one('abs.i32(i32 %x, i1 false)', [0xffff_ffff, 0x8000_0000])).toEqual([1, 0x8000_0000])
    const overflow = `%p = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %x, i32 3)
  %o = extractvalue { i32, i1 } %p, 1
  %r = zext i1 %o to i32`
    expect(map32('i32', overflow, [0x5555_5555, 0x5555_5556], declarations)).toEqual([0, 1])
  })
})

describe('floats', () => {
  test('single operations round to single', () => {
    const inputs = [0.1, 1e-30, 3e38, -0]
    expect(map32('float', '%r = fadd float %x, 1.0', inputs)).toEqual(inputs.map(x => Math.fround(Math.fround(x) + 1)))
    expect(map32('float', '%r = fmul float %x, %x', inputs)).toEqual(inputs.map(x => Math.fround(Math.fround(x) ** 2)))
    expect(map32('float', '%r = fdiv float 1.0, %x', inputs)).toEqual(inputs.map(x => Math.fround(1 / Math.fround(x))))
    expect(map32('float', '%r = frem float %x, 3.0', [7.5, -7.5])).toEqual([1.5, -1.5])
    expect(map32('float', '%r = fneg float %x', [0, 2])).toEqual([-0, -2])
  })

  test('fma rounds once, as a contracted product and sum does', () => {
    const a = 1 + 2 ** -12
    const body = `%p = fmul contract float %x, %x\n%r = fadd contract float %p, 0x3C00000000000000`
    expect(map32('float', body, [a])).toEqual([1 + 2 ** -11 + 2 ** -23])
    const apart = `%p = fmul float %x, %x\n%r = fadd float %p, 0x3C00000000000000`
    expect(map32('float', apart, [a])).toEqual([1 + 2 ** -11])
    const fma = 'declare double @llvm.fma.f64(double, double, double)'
    const b = 1 + 2 ** -27
    const call = '%r = call double @llvm.fma.f64(double %x, double %x, double -1.0)'
    expect(mapDouble(call, [b], fma)).toEqual([2 ** -26 + 2 ** -54])
  })

  test('convert to integers: toward zero, saturating, NaN by the rule of PTX', () => {
    const inputs = [1.9, -1.9, 3e9, -3e9, 1e20, NaN]
    const signed = map32('float', '%r = fptosi float %x to i32', inputs, '', 'i32')
    expect(signed.map(x => x | 0)).toEqual([1, -1, 2147483647, -2147483648, 2147483647, 0])
    expect(map32('float', '%r = fptoui float %x to i32', inputs, '', 'i32')).toEqual([
      1, 0, 3000000000, 0, 0xffff_ffff, 0,
    ])
    const bytes = '%b = fptoui float %x to i8\n%r = zext i8 %b to i32'
    expect(map32('float', bytes, [255.5, 256, -1, 300], '', 'i32')).toEqual([255, 0, 0, 44])
    const wide = '%d = bitcast i64 %x to double\n%r = fptosi double %d to i64'
    expect(map64(wide, [0x7ff8_0000_0000_0000n, 0x43e0_0000_0000_0000n])).toEqual([1n << 63n, (1n << 63n) - 1n])
  })

  test('convert from integers with one rounding', () => {
    expect(map32('i32', '%r = sitofp i32 %x to float', [0xffff_ffff, 16777217], '', 'float')).toEqual([-1, 16777216])
    expect(map32('i32', '%r = uitofp i32 %x to float', [0xffff_ffff], '', 'float')).toEqual([4294967296])
    // 2^60 + 2^36 + 1: the bit below a tie must not be lost on the way through double.
    const body = '%f = sitofp i64 %x to float\n%d = fpext float %f to double\n%r = bitcast double %d to i64'
    const [bits] = map64(body, [(1n << 60n) + (1n << 36n) + 1n])
    expect(new Float64Array(BigUint64Array.of(bits!).buffer)[0]).toBe(2 ** 60 + 2 ** 37)
  })

  test('comparisons know NaN', () => {
    const ordered = (predicate: string) =>
      map32('float', `%c = fcmp ${predicate} float %x, 1.0\n%r = zext i1 %c to i32`, [0.5, 1, 2, NaN], '', 'i32')
    expect(ordered('olt')).toEqual([1, 0, 0, 0])
    expect(ordered('ult')).toEqual([1, 0, 0, 1])
    expect(ordered('une')).toEqual([1, 0, 1, 1])
    expect(ordered('ord')).toEqual([1, 1, 1, 0])
    expect(ordered('uno')).toEqual([0, 0, 0, 1])
  })

  test('minimum and maximum prefer numbers to NaN, and tell zeros apart', () => {
    const declarations = 'declare float @llvm.minnum.f32(float, float)\ndeclare float @llvm.maxnum.f32(float, float)'
    expect(map32('float', '%r = call float @llvm.minnum.f32(float %x, float 0.0)', [NaN, -0, 1], declarations)).toEqual(
      [0, -0, 0],
    )
    expect(map32('float', '%r = call float @llvm.maxnum.f32(float %x, float 0.0)', [NaN, -0, 1], declarations)).toEqual(
      [0, 0, 1],
    )
  })

  test('results that are NaN are the canonical one; moving a NaN keeps its bits', () => {
    const add = '%f = bitcast i32 %x to float\n%s = fadd float %f, 1.0\n%r = bitcast float %s to i32'
    expect(map32('i32', add, [0xffc0_1234])).toEqual([0x7fff_ffff])
    const move =
      '%f = bitcast i32 %x to float\n%c = fcmp ord float %f, %f\n%s = select i1 %c, float 0.0, float %f\n%r = bitcast float %s to i32'
    expect(map32('i32', move, [0x7f80_1234])).toEqual([0x7f80_1234])
  })

  test('half rounds once', () => {
    const body = `%h = fptrunc float %x to half
  %s = fmul half %h, %h
  %r = fpext half %s to float`
    expect(map32('float', body, [1.0009765625, 300, 2 ** -13])).toEqual([1.001953125, Infinity, 0])
    expect(
      mapDouble('%h = fptrunc double %x to half\n%r = fpext half %h to double', [1 + 2 ** -11 + 2 ** -40]),
    ).toEqual([1 + 2 ** -10])
  })

  test('NVVM arithmetic with a direction', () => {
    const declarations = `declare float @llvm.nvvm.add.rz.f(float, float)
declare float @llvm.nvvm.add.rp.f(float, float)
declare float @llvm.nvvm.div.rm.f(float, float)
declare float @llvm.nvvm.sqrt.rn.ftz.f(float)
declare float @llvm.nvvm.saturate.f(float)
declare i32 @llvm.nvvm.f2i.rp(float)`
    const tiny = '0x3E00000000000000'
    expect(map32('float', `%r = call float @llvm.nvvm.add.rz.f(float %x, float ${tiny})`, [1], declarations)).toEqual([
      1,
    ])
    expect(map32('float', `%r = call float @llvm.nvvm.add.rp.f(float %x, float ${tiny})`, [1], declarations)).toEqual([
      1 + 2 ** -23,
    ])
    expect(map32('float', '%r = call float @llvm.nvvm.div.rm.f(float 1.0, float %x)', [3], declarations)).toEqual([
      Math.fround(1 / 3) - 2 ** -25,
    ])
    expect(map32('float', '%r = call float @llvm.nvvm.sqrt.rn.ftz.f(float %x)', [2, 1e-40], declarations)).toEqual([
      Math.fround(Math.SQRT2),
      0,
    ])
    expect(map32('float', '%r = call float @llvm.nvvm.saturate.f(float %x)', [-1, 0.5, 3, NaN], declarations)).toEqual([
      0, 0.5, 1, 0,
    ])
    expect(map32('float', '%r = call i32 @llvm.nvvm.f2i.rp(float %x)', [1.2, -1.2], declarations, 'i32')).toEqual([
      2,
      -1 >>> 0,
    ])
  })
})

test('vectors and structures', () => {
  const body = `%v0 = insertelement <2 x i32> zeroinitializer, i32 %x, i32 0
  %v1 = insertelement <2 x i32> %v0, i32 7, i32 1
  %v2 = add <2 x i32> %v1, <i32 1, i32 2>
  %v3 = shufflevector <2 x i32> %v2, <2 x i32> %v1, <2 x i32> <i32 1, i32 2>
  %a = extractelement <2 x i32> %v3, i32 0
  %b = extractelement <2 x i32> %v3, i32 1
  %s0 = insertvalue { i32, i32 } zeroinitializer, i32 %a, 0
  %s1 = insertvalue { i32, i32 } %s0, i32 %b, 1
  %c = extractvalue { i32, i32 } %s1, 0
  %d = extractvalue { i32, i32 } %s1, 1
  %r = add i32 %c, %d`
  expect(map32('i32', body, [10])).toEqual([19])
  const pack = `%v = bitcast i32 %x to <4 x i8>
  %e = extractelement <4 x i8> %v, i32 2
  %r = zext i8 %e to i32`
  expect(map32('i32', pack, [0x1234_5678])).toEqual([0x34])
})
