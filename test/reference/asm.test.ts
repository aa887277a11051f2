/** Inline assembly, at the edges that PTX's manual names. */
import { describe, expect, test } from 'vitest'
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

test('barriers to the compiler do nothing; what is not known is refused by its text', () => {
  expect(asm('', [5]).length).toBe(1)
  const refused = (text: string) => {
    const body = `call void asm sideeffect "${text}", "r,r,~{memory}"(ptr %out, i32 %x)\n%r = add i32 %x, 0`
    return () => launch(mapKernel('i32', body), { buffers: [new Uint32Array(32), new Uint32Array(32)] })
  }
  expect(refused('bra.uni $0;')).toThrow(/inline assembly "bra.uni \$0;" is not supported/)
  expect(refused('wgmma.fence.sync.aligned;')).toThrow(/inline assembly "wgmma.fence.sync.aligned;" is not supported/)
  expect(refused('mma.sync.aligned.m8n8k4.row.col.f32.f16 {$0}, {$1};')).toThrow(/"mma.sync.*" is not supported/)
})
