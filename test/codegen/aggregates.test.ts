/** Structures and vectors as values: chosen between and computed with, also where they are read member by member afterwards. */
import { expect, test } from 'vitest'
import { compareExecutors } from './compare.ts'

test('a choice between two structures is one a member', () => {
  const { buffers } = compareExecutors({
    ir: `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
%half = type { i16 }
%pair = type { %half, %half, double }
define ptx_kernel void @k(ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %short = trunc i32 %tid to i16
  %number = uitofp i32 %tid to double
  %odd = and i32 %tid, 1
  %c = icmp eq i32 %odd, 0
  %a = insertvalue %pair undef, i16 %short, 0, 0
  %b = insertvalue %pair %a, i16 7, 1, 0
  %first = insertvalue %pair %b, double %number, 2
  %second = insertvalue %pair %first, i16 9, 0, 0
  %chosen = select i1 %c, %pair %first, %pair %second
  %x = extractvalue %pair %chosen, 0, 0
  %inner = extractvalue %pair %chosen, 1
  %y = extractvalue %half %inner, 0
  %d = extractvalue %pair %chosen, 2
  %i = fptoui double %d to i32
  %wx = zext i16 %x to i32
  %wy = zext i16 %y to i32
  %s = shl i32 %wy, 8
  %t = or i32 %wx, %s
  %u = shl i32 %i, 16
  %v = or i32 %t, %u
  %to = getelementptr i32, ptr %out, i32 %tid
  store i32 %v, ptr %to, align 4
  ret void
}`,
    grid: { x: 1, y: 1, z: 1 },
    block: { x: 40, y: 1, z: 1 },
    buffers: [new Uint32Array(40)],
  })
  const expected = Uint32Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? i : 9) | (7 << 8) | (i << 16))
  expect(new Uint32Array(buffers[0]!.buffer)).toEqual(expected)
})

test('choices and computations of vectors are one an element', () => {
  const { buffers } = compareExecutors({
    ir: `declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare <4 x i32> @llvm.umin.v4i32(<4 x i32>, <4 x i32>)
define ptx_kernel void @k(ptr %out, ptr %in) {
  %swap = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr <4 x i32>, ptr %in, i32 %tid
  %a = load <4 x i32>, ptr %at, align 16
  %b = insertelement <4 x i32> %a, i32 %tid, i32 2
  %odd = and i32 %tid, 1
  %c = icmp eq i32 %odd, 0
  %chosen = select i1 %c, <4 x i32> %a, <4 x i32> %b
  %u = icmp eq i32 %swap, 0
  %same = select i1 %u, <4 x i32> %chosen, <4 x i32> zeroinitializer
  %sum = add <4 x i32> %same, <i32 1, i32 2, i32 3, i32 4>
  %least = call <4 x i32> @llvm.umin.v4i32(<4 x i32> %sum, <4 x i32> <i32 1000, i32 1000, i32 1000, i32 90>)
  %large = icmp ugt <4 x i32> %least, <i32 50, i32 50, i32 50, i32 50>
  %result = select <4 x i1> %large, <4 x i32> %least, <4 x i32> zeroinitializer
  %to = getelementptr <4 x i32>, ptr %out, i32 %tid
  store <4 x i32> %result, ptr %to, align 16
  ret void
}`,
    grid: { x: 1, y: 1, z: 1 },
    block: { x: 40, y: 1, z: 1 },
    buffers: [new Uint32Array(160), Uint32Array.from({ length: 160 }, (_, i) => i)],
  })
  const expected = Uint32Array.from({ length: 160 }, (_, i) => {
    const [tid, element] = [i >> 2, i & 3]
    const value = Math.min((element === 2 && tid % 2 === 1 ? tid : i) + element + 1, element === 3 ? 90 : 1000)
    return value > 50 ? value : 0
  })
  expect(new Uint32Array(buffers[0]!.buffer)).toEqual(expected)
})
