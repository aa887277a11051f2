/** Votes and reductions among members that differ from lane to lane: tiles of a warp, rows of lanes, lanes that are not there. */
import { expect, test } from 'vitest'
import { compareExecutors } from './compare.ts'
import { randomWords } from './floatOperands.ts'

const THREADS = 64

const calls = {
  all: 'call i1 @llvm.nvvm.vote.all.sync(i32 %members, i1 %odd)',
  any: 'call i1 @llvm.nvvm.vote.any.sync(i32 %members, i1 %odd)',
  uni: 'call i1 @llvm.nvvm.vote.uni.sync(i32 %members, i1 %odd)',
  ballot: 'call i32 @llvm.nvvm.vote.ballot.sync(i32 %members, i1 %odd)',
  add: 'call i32 @llvm.nvvm.redux.sync.add(i32 %v, i32 %members)',
  min: 'call i32 @llvm.nvvm.redux.sync.min(i32 %v, i32 %members)',
  umax: 'call i32 @llvm.nvvm.redux.sync.umax(i32 %v, i32 %members)',
  xor: 'call i32 @llvm.nvvm.redux.sync.xor(i32 %v, i32 %members)',
}
type Call = keyof typeof calls

/** Lanes whose number has its second bit set do not take part. */
const kernel = (call: Call): string => `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
${['all', 'any', 'uni'].map(mode => `declare i1 @llvm.nvvm.vote.${mode}.sync(i32, i1)`).join('\n')}
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
${['add', 'min', 'umax', 'xor'].map(name => `declare i32 @llvm.nvvm.redux.sync.${name}(i32, i32)`).join('\n')}
define ptx_kernel void @k(ptr %out, ptr %in, ptr %masks) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr i32, ptr %in, i32 %t
  %v = load i32, ptr %from
  %mask.at = getelementptr i32, ptr %masks, i32 %t
  %members = load i32, ptr %mask.at
  %bit = and i32 %v, 1
  %odd = icmp eq i32 %bit, 1
  %second = and i32 %v, 2
  %on = icmp eq i32 %second, 0
  br i1 %on, label %go, label %end
go:
  %r = ${calls[call]}
  ${['all', 'any', 'uni'].includes(call) ? '%w = zext i1 %r to i32' : '%w = freeze i32 %r'}
  %to = getelementptr i32, ptr %out, i32 %t
  store i32 %w, ptr %to
  br label %end
end:
  ret void
}`

const MEMBERS: Readonly<Record<string, (lane: number) => number>> = {
  'tiles of 8': lane => 0xff << (lane & 24),
  'every fourth': lane => 0x11111111 << (lane & 3),
  'other lanes only': lane => ~(1 << lane),
}

const cases = Object.keys(MEMBERS).flatMap(members => (Object.keys(calls) as Call[]).map(call => ({ members, call })))

test.each(cases)('$call of $members', ({ members, call }) => {
  const masks = Uint32Array.from({ length: THREADS }, (_, thread) => MEMBERS[members]!(thread & 31))
  const next = randomWords(3)
  for (const fill of [next, () => next() & ~2, () => 1]) {
    const buffers = [new Uint32Array(THREADS), Uint32Array.from({ length: THREADS }, fill), masks]
    const shape = { grid: { x: 1, y: 1, z: 1 }, block: { x: THREADS, y: 1, z: 1 } }
    expect(compareExecutors({ ir: kernel(call), ...shape, buffers }).outcome.fault).toBeUndefined()
  }
})
