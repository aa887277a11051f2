/**
 * Operations that vectors have no single instruction for, against the reference interpreter: lanes with operands of their own, lanes
 * that share the last one, and a whole warp's scalar; random and extreme operands.
 */
import { expect, test } from 'vitest'
import { compareExecutors } from './compare.ts'
import { randomWords } from './floatOperands.ts'

const THREADS = 256

interface Operation {
  /** What follows the operands' types and names. */
  readonly call: (a: string, b: string, c: string) => string
  readonly declare?: string
  readonly type: string
  readonly result: string
}

const integers = (bits: number): Operation[] => {
  const type = `i${bits}`
  const instruction = (name: string): Operation => ({
    call: (a, b) => `${name} ${type} ${a}, ${b}`,
    type,
    result: type,
  })
  const intrinsic = (name: string, count: number, suffix = ''): Operation => ({
    call: (...operands) =>
      `call ${type} @llvm.${name}.${type}(${operands.slice(0, count).map(operand => `${type} ${operand}`)}${suffix && `, ${suffix}`})`,
    declare: `declare ${type} @llvm.${name}.${type}(${[...Array.from({ length: count }, () => type), ...(suffix ? ['i1'] : [])]})`,
    type,
    result: type,
  })
  return [
    ...['shl', 'lshr', 'ashr', 'udiv', 'urem', 'sdiv', 'srem'].map(instruction),
    ...['umin', 'umax', 'smin', 'smax', 'uadd.sat', 'usub.sat', 'sadd.sat', 'ssub.sat'].map(name => intrinsic(name, 2)),
    ...['ctpop', 'bitreverse', ...(bits === 8 ? [] : ['bswap'])].map(name => intrinsic(name, 1)),
    ...['ctlz', 'cttz', 'abs'].map(name => intrinsic(name, 1, 'i1 false')),
    ...['fshl', 'fshr'].map(name => intrinsic(name, 3)),
    ...['ucmp', 'scmp'].map(name => ({
      call: (a: string, b: string) => `call i8 @llvm.${name}.i8.${type}(${type} ${a}, ${type} ${b})`,
      declare: `declare i8 @llvm.${name}.i8.${type}(${type}, ${type})`,
      type,
      result: 'i8',
    })),
  ]
}

const FLOATS = { half: 'f16', bfloat: 'bf16', float: 'f32', double: 'f64' }

/** Single classes, and those that isnan, isinf, isfinite, isnormal and their like ask for. */
const classes = (type: keyof typeof FLOATS): Operation[] =>
  [...Array.from({ length: 10 }, (_, bit) => 1 << bit), 3, 516, 504, 264, 0x3c, 0x2c1, 1023, 0].map(mask => ({
    call: a => `call i1 @llvm.is.fpclass.${FLOATS[type]}(${type} ${a}, i32 ${mask})`,
    declare: `declare i1 @llvm.is.fpclass.${FLOATS[type]}(${type}, i32)`,
    type,
    result: 'i1',
  }))

const conversions = (from: string, names: readonly string[], results: readonly string[]): Operation[] =>
  names.flatMap(name =>
    results.map(result => ({ call: (a: string) => `${name} ${from} ${a} to ${result}`, type: from, result })),
  )

const OPERATIONS: Readonly<Record<string, readonly Operation[]>> = {
  i8: integers(8),
  i16: integers(16),
  i32: integers(32),
  i64: integers(64),
  'classes of half': classes('half'),
  'classes of bfloat': classes('bfloat'),
  'classes of float': classes('float'),
  'classes of double': classes('double'),
  'from double': conversions('double', ['fptosi', 'fptoui'], ['i8', 'i16', 'i32', 'i64']),
  'from i64': conversions('i64', ['sitofp', 'uitofp'], ['float', 'double']),
}

const bytesOf = (type: string): number =>
  ({ half: 2, bfloat: 2, float: 4, double: 8 })[type] ?? Math.max(1, Number(type.slice(1)) / 8)

/** Each operation on lanes, with the last operand the block's, and on what is the block's alone; results one behind the other. */
function kernel(operations: readonly Operation[]): string {
  const declares = new Set(operations.flatMap(({ declare }) => declare ?? []))
  const { type } = operations[0]!
  const step = Math.max(1, bytesOf(type))
  const load = (
    name: string,
    base: string,
    index: number,
  ): string => `  %p.${name} = getelementptr i8, ptr ${base}, i32 ${index}
  %${name} = load ${type}, ptr %p.${name}, align ${step}`
  const lines = operations.flatMap(({ call, result }, at) =>
    [call('%a', '%b', '%c'), call('%a', '%u', '%u'), call('%u', '%v', '%w')].flatMap((text, way) => {
      const name = `r${at}.${way}`
      const stored =
        result === 'i1' ? [`  %${name}.w = zext i1 %${name} to i32`, 'i32', `%${name}.w`] : ['', result, `%${name}`]
      return [
        `  %${name} = ${text}`,
        stored[0]!,
        `  %o.${name} = getelementptr i8, ptr %to, i32 ${(at * 3 + way) * THREADS * 8}`,
        `  store ${stored[1]} ${stored[2]}, ptr %o.${name}, align 8`,
      ]
    }),
  )
  return `
target triple = "nvptx-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
${[...declares].join('\n')}
define ptx_kernel void @k(ptr %out, ptr %in) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %byte = mul i32 %tid, 8
  %offset = mul i32 %block, ${operations.length * 3 * THREADS * 8}
  %blocks = getelementptr i8, ptr %out, i32 %offset
  %to = getelementptr i8, ptr %blocks, i32 %byte
  %own = getelementptr i8, ptr %in, i32 %byte
  %shared.byte = mul i32 %block, 8
  %shared = getelementptr i8, ptr %in, i32 %shared.byte
${load('a', '%own', 0)}
${load('b', '%own', THREADS * 8)}
${load('c', '%own', THREADS * 16)}
${load('u', '%shared', 0)}
${load('v', '%shared', THREADS * 8)}
${load('w', '%shared', THREADS * 16)}
${lines.filter(line => line !== '').join('\n')}
  ret void
}`
}

/** Small numbers, their negatives, powers of two and their neighbours, whole doubles, and any bits. */
function operands(seed: number): Uint32Array {
  const next = randomWords(seed)
  const words = new Uint32Array(THREADS * 6)
  const special = [
    0, 1, -1, 0x7fffffff, 0x80000000, 0x7f800000, 0xff800000, 0x7f800001, 0x7fc00000, 0x7ff00000, 0xfff00000,
    0x00100000,
  ]
  for (let at = 0; at < words.length; at += 2) {
    const kind = next() % 6
    if (kind === 0) words.set([next() % 40, 0], at)
    else if (kind === 1) words.set([-(next() % 40), -1], at)
    else if (kind === 2) words.set([special[next() % special.length]!, special[next() % special.length]!], at)
    else if (kind === 3) words.set([2 ** (next() % 32) + (next() % 3) - 1, 2 ** (next() % 32) + (next() % 3) - 1], at)
    else if (kind === 4)
      words.set(new Uint32Array(Float64Array.of((next() | 0) * 2 ** ((next() % 40) - 10)).buffer), at)
    else words.set([next(), next()], at)
  }
  return words
}

test.each(Object.entries(OPERATIONS))('%s', (_, operations) => {
  const blocks = 3
  for (let first = 0; first < operations.length; first += 6) {
    const some = operations.slice(first, first + 6)
    const buffers = [new Uint32Array(blocks * some.length * 3 * THREADS * 2), operands(first + 7)]
    const grid = { x: blocks, y: 1, z: 1 }
    const { outcome } = compareExecutors({ ir: kernel(some), grid, block: { x: THREADS, y: 1, z: 1 }, buffers })
    expect(outcome.fault).toBeUndefined()
  }
})
