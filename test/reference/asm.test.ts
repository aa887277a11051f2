/** Inline assembly, at the edges that PTX's manual names. */
import { describe, expect, test } from 'vitest'
import { findPtxInstruction } from '../../src/reference/functions/ptxInstructions.ts'
import { launch, mapKernel } from './launch.ts'

/** Runs the assembly on each input as operand $1 (`$0` is the result); further i32 inputs are constants. */
function asm(text: string, inputs: readonly number[], ...more: number[]): number[] {
  const args = ['i32 %x', ...more.map(value => `i32 ${value | 0}`)]
  const constraints = ['=r', ...args.map(() => 'r')].join(',')
  const body = `%r = call i32 asm "${text}", "${constraints}"(${args.join(', ')})`
  const out = new Uint32Array(inputs.length)
  const result = launch(mapKernel('i32', body), { block: inputs.length, buffers: [out, Uint32Array.from(inputs)] })
  expect(result.fault).toBeUndefined()
  return [...out]
}

describe('bits', () => {
  test('bfe takes fields, with sign or not', () => {
    expect(asm('bfe.u32 $0, $1, $2, $3;', [0x1234_5678], 8, 8)).toEqual([0x56])
    expect(asm('bfe.s32 $0, $1, $2, $3;', [0x0000_8000], 8, 8)).toEqual([0xffff_ff80])
    expect(asm('bfe.u32 $0, $1, $2, $3;', [0xffff_ffff], 28, 16)).toEqual([0xf])
    expect(asm('bfe.s32 $0, $1, $2, $3;', [0x8000_0000], 28, 16)).toEqual([0xffff_fff8])
    expect(asm('bfe.u32 $0, $1, $2, $3;', [0xffff_ffff], 4, 0)).toEqual([0])
    expect(asm('bfe.s32 $0, $1, $2, $3;', [0x8000_0000, 1], 40, 3)).toEqual([0xffff_ffff, 0])
  })

  test('bfi inserts', () => {
    expect(asm('bfi.b32 $0, $1, $2, $3, $4;', [0xab], 0, 8, 8)).toEqual([0xab00])
    expect(asm('bfi.b32 $0, $1, $2, $3, $4;', [0xff], 0x1111_1111, 28, 8)).toEqual([0xf111_1111])
  })

  test('lop3, prmt, popc, brev, clz, bfind, funnel shift', () => {
    expect(asm('lop3.b32 $0, $1, $2, $3, 0x96;', [0b1100], 0b1010, 0b1111)).toEqual([0b1100 ^ 0b1010 ^ 0b1111])
    expect(asm('prmt.b32 $0, $1, $2, 0x3210;', [0x0403_0201], 0)).toEqual([0x0403_0201])
    expect(asm('prmt.b32 $0, $1, $2, 0x7801;', [0x0403_0281], 0x9900_0000)).toEqual([0x99ff_8102])
    expect(asm('popc.b32 $0, $1;', [0xff00_0001])).toEqual([9])
    expect(asm('brev.b32 $0, $1;', [1])).toEqual([0x8000_0000])
    expect(asm('clz.b32 $0, $1;', [1, 0])).toEqual([31, 32])
    expect(asm('bfind.u32 $0, $1;', [0x100, 0])).toEqual([8, 0xffff_ffff])
    expect(asm('shf.l.wrap.b32 $0, $1, $2, $3;', [0x8000_0000], 1, 1)).toEqual([3])
    expect(asm('shf.r.clamp.b32 $0, $1, $2, $3;', [5], 7, 40)).toEqual([7])
  })
})

test('products', () => {
  expect(asm('mad.lo.s32 $0, $1, $2, $3;', [5], -3, 1)).toEqual([-14 >>> 0])
  expect(asm('mul.hi.u32 $0, $1, $2;', [0xffff_ffff], -1)).toEqual([0xffff_fffe])
  expect(
    asm('{ .reg .u64 t; mul.wide.u32 t, $1, $2; shr.u64 t, t, 32; cvt.u32.u64 $0, t; }', [0xffff_ffff], -1),
  ).toEqual([0xffff_fffe])
})

test('carries travel from instruction to instruction', () => {
  const text = '{ .reg .u32 low; add.cc.u32 low, $1, $2; addc.u32 $0, 10, 0; }'
  expect(asm(text, [0xffff_ffff, 1], 1)).toEqual([11, 10])
})

test('a sum under a predicate leaves the carry where it does not hold', () => {
  const setUp = '.reg .pred p; .reg .u32 t; setp.eq.u32 p, $1, 1; add.cc.u32 t, $2, 1;'
  const text = (sum: string) => `{ ${setUp} ${sum} addc.u32 $0, 10, 0; }`
  expect(asm(text('@p add.cc.u32 t, 1, 1;'), [1, 0], -1)).toEqual([10, 11])
  expect(asm(text('@!p add.cc.u32 t, $2, 1;'), [1, 0], 0)).toEqual([10, 10])
  expect(asm(text('@!p add.cc.u32 t, 1, 1;'), [1, 0], -1)).toEqual([11, 10])
})

test('predicates select', () => {
  const text = '{ .reg .pred p; setp.gt.s32 p, $1, 3; selp.u32 $0, 7, 8, p; }'
  expect(asm(text, [4, 3, 0xffff_ffff])).toEqual([7, 8, 8])
})

test('packing', () => {
  const text = '{ .reg .b64 t; .reg .b32 a, b; mov.b64 t, {$1, $2}; mov.b64 {a, b}, t; sub.u32 $0, a, b; }'
  expect(asm(text, [9], 4)).toEqual([5])
})

test('special registers and tied operands', () => {
  const out = new Uint32Array(64)
  const laneid =
    '%l = call i32 asm sideeffect "mov.u32 $0, %laneid;", "=r"()\n%r = call i32 asm "add.u32 $0, $0, $1;", "=r,r,0"(i32 %x, i32 %l)'
  launch(mapKernel('i32', laneid), { block: 64, buffers: [out, new Uint32Array(64).fill(100)] })
  expect([...out.slice(30, 34)]).toEqual([130, 131, 100, 101])
})

test('floats', () => {
  const out = new Float32Array(1)
  const body = '%r = call float asm "fma.rz.f32 $0, $1, $1, 0f3F800000;", "=f,f"(float %x)'
  launch(mapKernel('float', body), { block: 1, buffers: [out, Float32Array.of(3)] })
  expect(out[0]).toBe(10)
})

test('barriers to the compiler do nothing; what is not known is refused by name', () => {
  expect(asm('', [5]).length).toBe(1)
  const refused = (text: string) => {
    const body = `call void asm sideeffect "${text}", "r,r,~{memory}"(ptr %out, i32 %x)\n%r = add i32 %x, 0`
    return () => launch(mapKernel('i32', body), { buffers: [new Uint32Array(32), new Uint32Array(32)] })
  }
  expect(refused('bra.uni $0;')).toThrow(/inline assembly "bra.uni %0" is not supported/)
  expect(refused('wgmma.fence.sync.aligned;')).toThrow(/inline assembly "wgmma.fence.sync.aligned" is not supported/)
  expect(refused('mov.u32 $1, 3; mbarrier.inval.shared.b64 [$1]; membar.gl;')).toThrow(
    /"mbarrier.inval.shared.b64 \[%1\]" is/,
  )
  expect(refused('mma.sync.aligned.m8n8k4.row.col.f32.f16 {$0}, {$1};')).toThrow(/"mma.sync.*" is not supported/)
})

test('products of bytes stop at the limits, with .satfinite in front of the types or behind them', () => {
  const product = (types: string) =>
    asm(
      `{ .reg .s32 d, e; mma.sync.aligned.m8n8k16.row.col.${types} {d, e}, {$1}, {$1}, {$2, $2}; mov.b32 $0, e; }`,
      Array<number>(32).fill(0x7f7f_7f7f),
      0x7fff_ff00,
    )
  const most = Array<number>(32).fill(0x7fff_ffff)
  expect(product('satfinite.s32.s8.s8.s32')).toEqual(most)
  expect(product('s32.s8.s8.s32.satfinite')).toEqual(most)
  expect(product('s32.s8.s8.s32')).not.toEqual(most)
})

describe('parts of words', () => {
  test('bytes and halves summed as products', () => {
    const signs = [0x80ff_0102]
    expect(asm('dp4a.u32.u32 $0, $1, $2, $3;', signs, 0x0102_0304, 5)).toEqual([8 + 3 + 0xff * 2 + 0x80 + 5])
    expect(asm('dp4a.s32.u32 $0, $1, $2, $3;', signs, 0x0102_0304, 5)).toEqual([(8 + 3 - 2 - 128 + 5) >>> 0])
    expect(asm('dp4a.u32.s32 $0, $1, $2, $3;', [0xff00_0000], 0xff00_0000, 0)).toEqual([-255 >>> 0])
    expect(asm('dp2a.lo.s32.s32 $0, $1, $2, $3;', [0xffff_0002], 0x7f01_0203, 100)).toEqual([2 * 3 - 2 + 100])
    expect(asm('dp2a.hi.u32.u32 $0, $1, $2, $3;', [0xffff_0002], 0x0203_0000, 1)).toEqual([2 * 3 + 0xffff * 2 + 1])
  })

  test('products of 24 bits', () => {
    expect(asm('mul24.lo.u32 $0, $1, $2;', [0xff12_3456], 0x654321)).toEqual([Math.imul(0x123456, 0x654321) >>> 0])
    expect(asm('mul24.hi.u32 $0, $1, $2;', [0xffffff], 0xffffff)).toEqual([0xfffffe00])
    expect(asm('mad24.lo.s32 $0, $1, $2, $3;', [0xffffff], 7, 10)).toEqual([3])
    expect(asm('mul24.hi.s32 $0, $1, $2;', [0x800000], 0x7fffff)).toEqual([0xc000_0080])
  })

  test('sums that stop at the limits, and two of 16 bits in a word', () => {
    expect(asm('add.sat.s32 $0, $1, $2;', [0x7fff_fff0, 5], 100)).toEqual([0x7fff_ffff, 105])
    expect(asm('sub.sat.s32 $0, $1, $2;', [0x8000_0010, 5], 100)).toEqual([0x8000_0000, -95 >>> 0])
    expect(asm('add.u16x2 $0, $1, $2;', [0xffff_0001], 0x0001_ffff)).toEqual([0])
    expect(asm('min.s16x2 $0, $1, $2;', [0x8000_0001], 0x7fff_ffff)).toEqual([0x8000_ffff])
    expect(asm('max.u16x2 $0, $1, $2;', [0x8000_0001], 0x7fff_ffff)).toEqual([0x8000_ffff])
  })

  test('video instructions of one value', () => {
    expect(asm('vadd.u32.u32.u32.add $0, $1, $2, $3;', [5], 6, 7)).toEqual([18])
    expect(asm('vadd.u32.u32.u32.sat $0, $1, $2;', [0xffff_fff0], 100)).toEqual([0xffff_ffff])
    expect(asm('vsub.s32.u32.u32 $0, $1, $2;', [3], 5)).toEqual([-2 >>> 0])
    expect(asm('vabsdiff.u32.u32.u32.max $0, $1, $2, $3;', [3, 300], 5, 20)).toEqual([20, 295])
    expect(asm('vmin.s32.s32.s32 $0, $1, $2;', [0xffff_fff0], 5)).toEqual([0xffff_fff0])
    expect(asm('vshl.u32.u32.u32.clamp.add $0, $1, $2, $3;', [3], 4, 1)).toEqual([49])
    expect(asm('vshl.u32.u32.u32.clamp $0, $1, $2;', [3], 40)).toEqual([0])
    expect(asm('vshr.u32.u32.u32.wrap $0, $1, $2;', [0x100], 36)).toEqual([0x10])
  })

  test('video instructions of two and four values', () => {
    expect(asm('vadd4.u32.u32.u32 $0, $1, $2, $3;', [0xff01_7f10], 0x0102_0304, 0)).toEqual([0x0003_8214])
    expect(asm('vadd4.u32.u32.u32.sat $0, $1, $2, $3;', [0xff01_7f10], 0x0102_0304, 0)).toEqual([0xff03_8214])
    expect(asm('vsub4.s32.s32.s32.sat $0, $1, $2, $3;', [0x8000_0005], 0x0100_0006, 0)).toEqual([0x8000_00ff])
    expect(asm('vabsdiff4.u32.u32.u32.add $0, $1, $2, $3;', [0xff01_7f10], 0x0102_0304, 9)).toEqual([
      0xfe + 1 + 0x7c + 0xc + 9,
    ])
    expect(asm('vmax2.s32.s32.s32 $0, $1, $2, $3;', [0xffff_0003], 0x0001_0002, 0)).toEqual([0x0001_0003])
  })

  test('masks, extension and bytes by mode', () => {
    expect(asm('bmsk.clamp.b32 $0, $1, $2;', [4, 30, 32, 0], 8)).toEqual([0xff0, 0xc000_0000, 0, 0xff])
    expect(asm('bmsk.clamp.b32 $0, $1, $2;', [4], 32)).toEqual([0xffff_fff0])
    expect(asm('bmsk.wrap.b32 $0, $1, $2;', [36], 8)).toEqual([0xff0])
    expect(asm('szext.wrap.s32 $0, $1, $2;', [0x1f8, 0x7], 4)).toEqual([0xffff_fff8, 7])
    expect(asm('szext.clamp.u32 $0, $1, $2;', [0x1f8], 40)).toEqual([0x1f8])
    expect(asm('szext.clamp.u32 $0, $1, $2;', [0x1f8], 0)).toEqual([0])
    expect(asm('prmt.b32.f4e $0, $1, $2, $3;', [0x4433_2211], 0x8877_6655, 1)).toEqual([0x5544_3322])
    expect(asm('prmt.b32.rc16 $0, $1, $2, $3;', [0x4433_2211], 0, 3)).toEqual([0x4433_4433])
    expect(asm('prmt.b32.ecr $0, $1, $2, $3;', [0x4433_2211], 0, 6)).toEqual([0x3333_2211])
  })

  test('two numbers packed into the lower part of a word, at the limits of their type', () => {
    const inputs = [300, -300 >>> 0, 5]
    expect(asm('cvt.pack.sat.s8.s32.b32 $0, $1, $2, $3;', inputs, -7, 0x1234_5678)).toEqual([
      0x5678_7ff9, 0x5678_80f9, 0x5678_05f9,
    ])
    expect(asm('cvt.pack.sat.u8.s32.b32 $0, $1, $2, 0;', inputs, -7)).toEqual([0xff00, 0, 0x500])
    expect(asm('cvt.pack.sat.s4.s32.b32 $0, $1, $2, $3;', inputs, -2, 0xabcd)).toEqual([
      0xab_cd7e, 0xab_cd8e, 0xab_cd5e,
    ])
    expect(asm('cvt.pack.sat.u2.s32.b32 $0, $1, $2, $3;', [2, 9], 1, 1)).toEqual([0b1_1001, 0b1_1101])
    expect(asm('cvt.pack.sat.u16.s32 $0, $1, $2;', [70_000, 3], -1)).toEqual([0xffff_0000, 0x3_0000])
    expect(asm('cvt.pack.sat.s16.s32 $0, $1, $2;', [70_000, 3], -40_000)).toEqual([0x7fff_8000, 0x3_8000])
  })

  test('choices by sign, signs, comparisons as values, kinds of floats', () => {
    const [one, negative, nan, denormal, infinity] = [0x3f80_0000, 0xbf80_0000, 0x7fc0_0000, 0x8000_0001, 0x7f80_0000]
    const floats = [one, negative, nan, denormal, infinity]
    expect(asm('slct.s32.s32 $0, $2, $3, $1;', [0, 5, 0xffff_ffff], 7, 8)).toEqual([7, 7, 8])
    expect(asm('slct.u32.f32 $0, $2, $3, $1;', floats, 7, 8)).toEqual([7, 8, 8, 8, 7])
    expect(asm('slct.ftz.u32.f32 $0, $2, $3, $1;', floats, 7, 8)).toEqual([7, 8, 8, 7, 7])
    expect(asm('copysign.f32 $0, $1, $2;', [negative, one], 0x4000_0000)).toEqual([0xc000_0000, 0x4000_0000])
    expect(asm('set.lt.u32.s32 $0, $1, $2;', [0xffff_ffff, 5], 3)).toEqual([0xffff_ffff, 0])
    expect(asm('set.gt.f32.f32 $0, $1, $2;', floats, 0)).toEqual([one, 0, 0, 0, one])
    const isKind = (kind: string) =>
      asm(`{ .reg .pred p; testp.${kind}.f32 p, $1; selp.u32 $0, 1, 0, p; }`, floats).join('')
    expect(['finite', 'infinite', 'number', 'notanumber', 'normal', 'subnormal'].map(isKind)).toEqual([
      '11010',
      '00001',
      '11011',
      '00100',
      '11000',
      '00010',
    ])
  })
})

/** Numbers at the edges, and some in between: as what a field, a count and a selector may be. */
const EDGES = [0n, 1n, 7n, 8n, 31n, 32n, 33n, 63n, 64n, 255n, 256n, 0x7801n, 0x7fff_ffffn, 0x8000_0000n, 0xffff_ffffn]
const WIDE_EDGES = [0x1234_5678_9abc_def0n, 0x7fff_ffff_ffff_ffffn, 0x8000_0000_0000_0000n, 0xffff_ffff_ffff_ffffn]

describe('what is written as other instructions computes what the table says', () => {
  const fields = [
    'bfe.u32',
    'bfe.s32',
    'bfe.u64',
    'bfe.s64',
    'bfi.b32',
    'bfi.b64',
    'bfind.u32',
    'bfind.s32',
    'bfind.u64',
  ]
  const found = ['bfind.s64', 'bfind.shiftamt.u32', 'bfind.shiftamt.s32', 'bfind.shiftamt.u64', 'bfind.shiftamt.s64']
  const words = ['shf.l.wrap.b32', 'shf.r.wrap.b32', 'shf.l.clamp.b32', 'shf.r.clamp.b32', 'prmt.b32']
  const divided = ['div.u32', 'div.s32', 'rem.u32', 'rem.s32', 'div.u64', 'div.s64', 'rem.u64', 'rem.s64']
  const others = ['abs.s32', 'abs.s64', 'cnot.b32', 'cnot.b64', 'sad.u32', 'sad.s32', 'sad.u64', 'sad.s64']
  const products = ['mul.hi.u64', 'mul.hi.s64', 'mad.hi.u64', 'mad.hi.s64']
  test.each([...fields, ...found, ...words, ...divided, ...others, ...products])('%s', opcode => {
    const count = [1, 2, 3, 4].find(sources => findPtxInstruction(opcode, sources))!
    const isWide = opcode.endsWith('64')
    const values = isWide ? [...EDGES, ...WIDE_EDGES] : EDGES
    // Every value as the first operand, beside combinations of others that differ from case to case.
    for (let round = 0; round < values.length; round += 3) {
      const rest = Array.from(
        { length: count - 1 },
        (_, index) => values[(round * (2 * index + 3) + index) % values.length]!,
      )
      const expected = values.map(value => findPtxInstruction(opcode, count)!([value, ...rest], { carry: 0n }))
      expect({ rest, results: assemblyOf(opcode, values, rest, isWide) }).toEqual({ rest, results: expected })
    }
  })
})

/** The instruction's results for each value as its first operand; bfe and bfi take their last two operands in 32 bits. */
function assemblyOf(opcode: string, values: readonly bigint[], rest: readonly bigint[], isWide: boolean): bigint[] {
  const counts = opcode.startsWith('bfe') ? 0 : opcode.startsWith('bfi.') ? 1 : rest.length
  const types = [isWide, ...rest.map((_, index) => isWide && index < counts)]
  const result = isWide && !opcode.startsWith('bfind') ? 'i64' : 'i32'
  const constraints = types.map(wide => (wide ? 'l' : 'r'))
  const args = types.map(
    (wide, index) => `${wide ? 'i64' : 'i32'} ${index === 0 ? '%x' : signed(rest[index - 1]!, wide)}`,
  )
  const operands = [...types, true].map((_, index) => `$${index}`).join(', ')
  const constraint = [result === 'i64' ? '=l' : '=r', ...constraints].join(',')
  const body = `%r = call ${result} asm "${opcode} ${operands};", "${constraint}"(${args.join(', ')})`
  const input = isWide ? BigUint64Array.from(values) : Uint32Array.from(values, Number)
  const out = result === 'i64' ? new BigUint64Array(values.length) : new Uint32Array(values.length)
  const outcome = launch(mapKernel(isWide ? 'i64' : 'i32', body, '', result), {
    block: values.length,
    buffers: [out, input],
  })
  expect(outcome.fault).toBeUndefined()
  return Array.from<number | bigint, bigint>(out, BigInt)
}

function signed(value: bigint, wide: boolean): bigint {
  return BigInt.asIntN(wide ? 64 : 32, value)
}
