/** Fused multiply-adds, by the machine's instruction and by our own arithmetic: one rounding, as the reference interpreter has it. */
import { setFlagsFromString } from 'node:v8'
import { expect, test } from 'vitest'
import { forgetNativeFma, hasNativeFma } from '../../src/codegen/operations/nativeFma.ts'
import { compareExecutors } from './compare.ts'
import { loadThree, randomWords } from './floatOperands.ts'

const THREADS = 1024

const kernel = (type: 'float' | 'double'): string => `
target triple = "nvptx-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare ${type} @llvm.fma.${type === 'float' ? 'f32' : 'f64'}(${type}, ${type}, ${type})
define ptx_kernel void @k(ptr %out, ptr %in) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
${loadThree(type, THREADS)}
  %r = call ${type} @llvm.fma.${type === 'float' ? 'f32' : 'f64'}(${type} %a, ${type} %b, ${type} %c)
  %uniform = load ${type}, ptr %in
  %s = call ${type} @llvm.fma.${type === 'float' ? 'f32' : 'f64'}(${type} %uniform, ${type} %uniform, ${type} %uniform)
  %po = getelementptr ${type}, ptr %out, i32 %tid
  store ${type} %r, ptr %po
  %ps = getelementptr ${type}, ptr %po, i32 ${THREADS}
  store ${type} %s, ptr %ps
  ret void
}`

/** Any bits, near cancellations, sums that lie between two singles, subnormals and special values. */
function operands(type: 'float' | 'double', seed: number): Uint32Array {
  const next = randomWords(seed)
  const numbers = Array.from({ length: 3 * THREADS }, () => 0)
  const any = (): number => {
    const words = Uint32Array.of(next(), next())
    return type === 'float' ? new Float32Array(words.buffer)[0]! : new Float64Array(words.buffer)[0]!
  }
  const round = (value: number): number => (type === 'float' ? Math.fround(value) : value)
  const special = [0, -0, Infinity, -Infinity, NaN, 2 ** -149, -(2 ** -126), 1, 2 ** 127]
  for (let thread = 0; thread < THREADS; thread++) {
    const kind = thread % 5
    let [a, b, c] = [any(), any(), any()]
    if (kind === 1) c = round(-a * b)
    else if (kind === 2) {
      a = 1 + (next() % 4096) / 4096
      b = 1 + (next() % 4096) / 4096
      c = ((next() % 3) - 1) * 2 ** -((next() % 60) + 1)
    } else if (kind === 3) {
      a = round(2 ** -((next() % 80) + 60) * (1 + (next() % 8388608) / 8388608))
      b = round(2 ** -((next() % 20) + 1) * (1 + (next() % 8388608) / 8388608))
      c = round(2 ** -((next() % 40) + 110))
    } else if (kind === 4) {
      a = special[next() % special.length]!
      b = special[next() % special.length]!
      c = special[next() % special.length]!
    }
    numbers[thread] = a
    numbers[THREADS + thread] = b
    numbers[2 * THREADS + thread] = c
  }
  const typed = type === 'float' ? Float32Array.from(numbers) : Float64Array.from(numbers)
  return new Uint32Array(typed.buffer)
}

setFlagsFromString('--experimental-wasm-relaxed-simd')
forgetNativeFma()

const ways = (['float', 'double'] as const).flatMap(type =>
  (['native', 'emulated'] as const).map(multiplyAdd => ({ type, multiplyAdd })),
)

test.each(ways)('$type, $multiplyAdd', ({ type, multiplyAdd }) => {
  // A processor without the instruction: there is nothing to compare.
  if (multiplyAdd === 'native' && !hasNativeFma()) return
  for (const seed of [1, 2, 3]) {
    const input = operands(type, seed)
    const buffers = [new Uint32Array((input.length / 3) * 2), input]
    const block = { x: THREADS, y: 1, z: 1 }
    const { outcome } = compareExecutors(
      { ir: kernel(type), grid: { x: 1, y: 1, z: 1 }, block, buffers },
      { multiplyAdd },
    )
    expect(outcome.fault).toBeUndefined()
  }
})
