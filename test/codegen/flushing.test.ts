/** Subnormal numbers under `-ftz=true`: generated code against the reference interpreter, where values are lanes', uniform, or come round a loop. */
import { expect, test } from 'vitest'
import { floatModeOf } from '../../src/ir/floatMode.ts'
import { compareExecutors } from './compare.ts'

const LANES = 64

const kernel = (operation: string): string => `
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.sqrt.f32(float)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.fabs.f32(float)
define ptx_kernel void @k(ptr %out, ptr %in, i32 %bits) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr float, ptr %in, i32 %t
  %x = load float, ptr %at
  %next = xor i32 %t, 1
  %there = getelementptr float, ptr %in, i32 %next
  %y = load float, ptr %there
  %same = load float, ptr %in
  %given = bitcast i32 %bits to float
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %more, %round ]
  %s = phi float [ %given, %entry ], [ %sum, %round ]
  ${operation}
  %sum = fadd float %s, %r
  %more = add i32 %i, 1
  %again = icmp ult i32 %more, 3
  br i1 %again, label %round, label %end
end:
  %to = getelementptr float, ptr %out, i32 %t
  store float %sum, ptr %to
  %second = getelementptr float, ptr %to, i32 ${LANES}
  store float %r, ptr %second
  %third = getelementptr float, ptr %to, i32 ${2 * LANES}
  store float %x, ptr %third
  ret void
}`

const OPERATIONS = [
  '%r = fmul float %x, %y',
  '%r = fmul float %same, %given',
  '%r = fdiv float %x, %y',
  '%r = fdiv float 1.0, %x',
  '%r = fneg float %x',
  '%r = call float @llvm.sqrt.f32(float %x)',
  '%r = call float @llvm.minnum.f32(float %x, float %y)',
  '%r = call float @llvm.fabs.f32(float %same)',
  '%p = phi float [ %x, %entry ], [ %q, %round ]\n  %q = phi float [ %given, %entry ], [ %p, %round ]\n  %r = fmul float %q, 2.0',
  '%c = fcmp oeq float %x, 0.0\n  %r = select i1 %c, float %y, float %x',
  '%w = fpext float %x to double\n  %p = fmul double %w, 1.0e-5\n  %r = fptrunc double %p to float',
]
const modes = [
  { ftz: true },
  { useFastMath: true },
  { useFastMath: true, ftz: false },
  { precDiv: false, precSqrt: false },
] as const

/** A third of them subnormal, zeros, infinities and NaNs among the others. */
function inputs(seed: number): Uint32Array {
  let state = seed >>> 0
  return Uint32Array.from({ length: LANES }, (_, lane) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    if (lane % 3 === 0) return (state & 0x807fffff) >>> 0
    if (lane % 16 === 1) return [0, 0x80000000, 0x7f800000, 0x7fc00000][(lane >> 4) & 3]!
    return lane % 3 === 1 ? ((state & 0x83ffffff) | 0x00800000) >>> 0 : state
  })
}

test.each(
  modes.flatMap(choices => OPERATIONS.map(operation => [JSON.stringify(choices), operation, choices] as const)),
)('%s %s', (_, operation, choices) => {
  for (const seed of [1, 2, 3])
    for (const bits of [0x00000005, 0x80400000, 0x3f800000]) {
      const input = inputs(seed)
      const floats = floatModeOf(choices)!
      const { buffers } = compareExecutors({
        ir: kernel(operation),
        grid: { x: 1, y: 1, z: 1 },
        block: { x: LANES, y: 1, z: 1 },
        buffers: [new Uint32Array(3 * LANES), input],
        values: [bits],
        floats,
      })
      const isSubnormal = (word: number) => (word & 0x7f800000) === 0 && (word & 0x7fffffff) !== 0
      const [sums, copied] = [buffers[0]!.subarray(0, LANES), buffers[0]!.subarray(2 * LANES)]
      if (floats.ftz) expect([...sums].filter(isSubnormal)).toEqual([])
      expect([...copied], `seed ${seed}`).toEqual([...input])
    }
})
