/** Structures as values: chosen between, also where they are read member by member afterwards. */
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
