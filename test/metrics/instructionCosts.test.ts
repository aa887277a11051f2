/** Instructions that ptxas makes of arithmetic, counted in machine code of nvcc 13.0 for 9.0 (nvdisasm). */
import { expect, test } from 'vitest'
import { prepareKernel } from '../../src/analysis/prepare.ts'
import { readModule } from '../../src/ir/read.ts'
import { issueCosts } from '../../src/metrics/instructions/instructionCosts.ts'
import { intrinsicFactor } from '../../src/metrics/instructions/integerIntrinsics.ts'
import { libraryFactor } from '../../src/metrics/instructions/mathCosts.ts'

/** Of the instructions with these names. */
function costsOf(names: readonly string[], body: string): number[] {
  const program = prepareKernel(readModule(`define ptx_kernel void @k(${body}`, 'k.cu'), 'k')
  const costs = issueCosts(program)
  const all = program.kernel.blocks.flatMap(({ instructions }) => instructions)
  return names.map(name => {
    const found = all.find(instruction => instruction.name === name)
    if (!found) throw new Error(`no %${name}`)
    return costs.get(found)!
  })
}

test('what is computed again costs nothing, a further division by the same number half', () => {
  const body = `ptr %a, i32 %x, i32 %y, i32 %w) {
  %first = srem i32 %x, %w
  %again = srem i32 %x, %w
  %other = srem i32 %y, %w
  %quotient = sdiv i32 %y, %w
  %p = xor i32 %first, %again
  %q = add i32 %p, %other
  %r = mul i32 %q, %quotient
  store i32 %r, ptr %a, align 4
  ret void
}`
  expect(costsOf(['first', 'again', 'other', 'quotient'], body)).toEqual([22, 0, 12, 2])
})

test('a choice costs nothing where what it chooses is computed for it under its condition, but of doubles', () => {
  const body = `ptr %a, ptr %b, float %c) {
  %x = load float, ptr %a, align 4
  %y = load float, ptr %b, align 4
  %p = fcmp ogt float %x, 0.0
  %scaled = fmul float %x, %c
  %leaky = select i1 %p, float %x, float %scaled
  %sum = fadd float %leaky, %y
  %difference = fsub float %leaky, %y
  %either = select i1 %p, float %sum, float %difference
  %product = fmul float %either, %c
  %constant = select i1 %p, float %product, float 0.0
  %more = fmul float %constant, %c
  %wantedAgain = select i1 %p, float %more, float %constant
  %r = fadd float %wantedAgain, %constant
  %wide = fpext float %r to double
  %doubled = fadd double %wide, %wide
  %ofDoubles = select i1 %p, double %doubled, double %wide
  store double %ofDoubles, ptr %a, align 8
  ret void
}`
  const names = ['leaky', 'either', 'constant', 'wantedAgain', 'ofDoubles']
  expect(costsOf(names, body)).toEqual([0, 0, 1, 1, 2])
})

test('a divisor that LLVM froze for each of its quotients is inverted once', () => {
  const body = `ptr %a, i32 %x, i32 %y, i32 %w) {
  %w1 = freeze i32 %w
  %first = sdiv i32 %x, %w1
  %w2 = freeze i32 %w
  %second = sdiv i32 %y, %w2
  %r = mul i32 %first, %second
  store i32 %r, ptr %a, align 4
  ret void
}`
  expect(costsOf(['first', 'second'], body)).toEqual([24, 12])
})

test('the highest and the lowest bit of words and of 64 bits', () => {
  const body = `ptr %a, i32 %x, i64 %y) {
  %high = call i32 @llvm.ctlz.i32(i32 %x, i1 false)
  %low = call i32 @llvm.cttz.i32(i32 %x, i1 false)
  %highest = call i64 @llvm.ctlz.i64(i64 %y, i1 false)
  %lowest = call i64 @llvm.cttz.i64(i64 %y, i1 false)
  %r = mul i32 %high, %low
  %s = mul i64 %highest, %lowest
  store i32 %r, ptr %a, align 4
  store i64 %s, ptr %a, align 8
  ret void
}
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.cttz.i32(i32, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
`
  expect(costsOf(['high', 'low', 'highest', 'lowest'], body)).toEqual([2, 2, 6, 9])
})

test('a quotient by warpSize is a division by something unknown', () => {
  const body = `ptr %a, i32 %x) {
  %size = load i32, ptr @__warplens_warp_size, align 4
  %quotient = sdiv i32 %x, %size
  %plain = sdiv i32 %x, 10
  %r = mul i32 %quotient, %plain
  store i32 %r, ptr %a, align 4
  ret void
}
@__warplens_warp_size = external constant i32, align 4
`
  expect(costsOf(['quotient', 'plain'], body)).toEqual([24, 3])
})

test('warpSize is inverted once for its quotients', () => {
  const body = `ptr %a, i32 %x, i32 %y) {
  %size = load i32, ptr @__warplens_warp_size, align 4
  %row = udiv i32 %x, %size
  %rows = udiv i32 %y, %size
  %lane = urem i32 %x, %size
  %p = mul i32 %row, %rows
  %r = add i32 %p, %lane
  store i32 %r, ptr %a, align 4
  ret void
}
@__warplens_warp_size = external constant i32, align 4
`
  expect(costsOf(['row', 'rows', 'lane'], body)).toEqual([18, 8, 2])
})

test('what only another branch has computed is computed here as well', () => {
  const body = `ptr %a, i32 %x, i32 %w) {
  %c = icmp eq i32 %x, 3
  br i1 %c, label %left, label %right
left:
  %l = udiv i32 %x, %w
  store i32 %l, ptr %a, align 4
  br label %end
right:
  %r = udiv i32 %x, %w
  %s = add i32 %r, 1
  store i32 %s, ptr %a, align 4
  br label %end
end:
  %e = udiv i32 %x, %w
  %f = mul i32 %e, %e
  store volatile i32 %f, ptr %a, align 4
  ret void
}`
  expect(costsOf(['l', 'r', 'e'], body)).toEqual([18, 18, 18])
})

test('logic of three operands is one instruction, not where somebody else asks for a part of it', () => {
  const body = `ptr %a, i32 %x, i32 %y, i32 %z) {
  %p = and i32 %x, %y
  %q = xor i32 %p, %z
  %s = or i32 %q, %x
  %t = xor i32 %s, %y
  %u = add i32 %t, %q
  store i32 %u, ptr %a, align 4
  ret void
}`
  // p with q, s with t; q stays, since u asks for it too.
  expect(costsOf(['p', 'q', 's', 't'], body)).toEqual([0, 1, 0, 1])
})

test('64 bits: products of two words, halves that are shifted out', () => {
  const body = `ptr %a, i32 %x, i32 %y, i64 %z) {
  %wx = zext i32 %x to i64
  %wy = zext i32 %y to i64
  %product = mul i64 %wx, %wy
  %long = mul i64 %product, %z
  %high = lshr i64 %long, 33
  %low = lshr i64 %long, 13
  %mixed = xor i64 %high, %z
  %r = add i64 %mixed, %low
  store i64 %r, ptr %a, align 8
  ret void
}`
  expect(costsOf(['wx', 'product', 'long', 'high', 'low', 'mixed'], body)).toEqual([0, 1, 4, 1, 2, 1])
})

test('64 bits: what a product takes along, and what it does not', () => {
  const body = `ptr %a, i32 %x, i32 %y, i64 %z) {
  %wx = zext i32 %x to i64
  %wy = zext i32 %y to i64
  %product = mul i64 %wx, %wy
  %added = add i64 %product, %z
  %half = mul i64 %added, %wx
  %word = add i64 %half, %wy
  %long = mul i64 %word, %z
  %less = sub i64 %long, %added
  store i64 %less, ptr %a, align 8
  ret void
}`
  expect(costsOf(['product', 'added', 'half', 'word', 'long', 'less'], body)).toEqual([1, 0, 3, 1, 4, 2])
})

test('64 bits whose upper half is empty are one word, its upper half alone is a register: a round of Philox, as LLVM has it', () => {
  const body = `ptr %a, i64 %x, i64 %y) {
  %p = mul i64 %x, %y
  %q = mul i64 %y, 3528531795
  %low = and i64 %p, 4294967295
  %high = lshr i64 %q, 32
  %mixed = xor i64 %low, %high
  %keyed = xor i64 %mixed, 3041713960
  %next = mul nuw i64 %keyed, 3528531795
  %r = add i64 %next, %mixed
  store i64 %r, ptr %a, align 8
  ret void
}`
  expect(costsOf(['low', 'high', 'mixed', 'keyed', 'next'], body)).toEqual([0, 0, 1, 1, 1])
})

const product = (flags: string) => `ptr %a, ptr %b, i32 %n, i32 %q) {
  %row = getelementptr float, ptr %a, i32 %q
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %s = phi float [ 0.0, %0 ], [ %sum, %loop ]
  %below = mul ${flags} i32 %k, %n
  %place = getelementptr float, ptr %row, i32 %below
  %v = load float, ptr %place, align 4
  %sum = fadd float %s, %v
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %end, label %loop
end:
  store float %sum, ptr %b, align 4
  ret void
}`

test('an index without sign that may wrap takes a sum and a product a load, one with a sign is counted up', () => {
  expect(costsOf(['place'], product('nuw nsw'))).toEqual([1])
  expect(costsOf(['place'], product(''))).toEqual([2])
})

test('quotients of 64 bits: of indices the short way, of hashes the long one (`copy_strided` of eppie: 46 instructions in all)', () => {
  const body = `ptr %a, i32 %x, i64 %n) {
  %wide = sext i32 %x to i64
  %row = mul i64 %wide, 32
  %index = srem i64 %row, %n
  %loaded = load i64, ptr %a, align 8
  %hash = srem i64 %loaded, %n
  %r = add i64 %index, %hash
  store i64 %r, ptr %a, align 8
  ret void
}`
  expect(costsOf(['index', 'hash'], body)).toEqual([26, 89])
})

test('a short loop of arithmetic counts its rounds once for four', () => {
  const loop = (step: string) => `ptr %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi i32 [ 1, %entry ], [ %w, %loop ]
  ${step}
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  store i32 %w, ptr %a, align 4
  ret void
}`
  expect(costsOf(['next', 'more'], loop('%w = mul i32 %v, 1664525'))).toEqual([0.25, 0.25])
  const sum = (index: string) => `%p = getelementptr inbounds i32, ptr %a, i32 ${index}
  %x = load i32, ptr %p, align 4
  %w = add i32 %v, %x`
  expect(costsOf(['next', 'more', 'p'], loop(sum('%i')))).toEqual([0.25, 0.25, 0.25])
  // Rows of 1,024 words: nvcc counts their index apart, and ptxas leaves the loop as it is.
  expect(costsOf(['next', 'more', 'p'], loop(`%row = mul nsw i32 %i, 1024\n  ${sum('%row')}`))).toEqual([1, 1, 1])
})

test('intrinsics stand for an instruction or a few: by their names in the headers', () => {
  const at = (file: string, scope: string) => ({ file: `/inc/warplens/${file}`, line: 1, column: 1, scope })
  const call = { file: 'a.cu', line: 3, column: 1, scope: 'kernel' }
  expect(intrinsicFactor({ ...at('device_integer.h', '__dp4a'), inlinedAt: call })).toBe(1 / 19)
  expect(intrinsicFactor({ ...at('device_simd.h', '__vcmpges4'), inlinedAt: call })).toBe(5 / 22)
  expect(intrinsicFactor(call)).toBe(1)
  expect([libraryFactor('__fadd_rz'), libraryFactor('__float2int_rd')]).toEqual([1 / 30, 1 / 8])
})

test('two maxima are one instruction, a sum with a minimum too; a maximum with a minimum is two', () => {
  const body = `ptr %a, i32 %x, i32 %y, i32 %z) {
  %larger = call i32 @llvm.smax.i32(i32 %x, i32 %y)
  %largest = call i32 @llvm.smax.i32(i32 %larger, i32 %z)
  %sum = add i32 %largest, %y
  %least = call i32 @llvm.umin.i32(i32 %sum, i32 %z)
  %low = call i32 @llvm.smin.i32(i32 %least, i32 255)
  %clamped = call i32 @llvm.smax.i32(i32 %low, i32 0)
  store i32 %clamped, ptr %a, align 4
  ret void
}
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)`
  expect(costsOf(['larger', 'largest', 'sum', 'least', 'low', 'clamped'], body)).toEqual([0, 1, 0, 1, 1, 1])
})
