/**
 * Whether this engine's `relaxed_madd` is an exact fused multiply-add. The relaxed SIMD proposal lets it round once or twice,
 * always the same way on one machine; engines round once where the processor has such an instruction. Asked by running it.
 */
import { F32, F64, ModuleBuilder } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'

let known: boolean | undefined

/** True: `f32x4.relaxed_madd` and `f64x2.relaxed_madd` may stand for CUDA's `fma`. False where the engine has neither. */
export function hasNativeFma(): boolean {
  known ??= probe()
  return known
}

/** Asks again: an engine's flags were changed. */
export function forgetNativeFma(): void {
  known = undefined
}

/** Operands for which rounding, overflow or underflow of the product alone would show, and the fused result. */
const SINGLES: readonly (readonly [number, number, number, number])[] = [
  [1 + 2 ** -12, 1 + 2 ** -12, -(1 + 2 ** -11), 2 ** -24],
  [1 + 2 ** -23, 1 - 2 ** -23, -1, -(2 ** -46)],
  [2 ** -75, 2 ** -75, 2 ** -149, 2 ** -148],
  [2 ** 64, 2 ** 64, -(2 ** 127), 2 ** 127],
]
const DOUBLES: readonly (readonly [number, number, number, number])[] = [
  [1 + 2 ** -27, 1 + 2 ** -27, -(1 + 2 ** -26), 2 ** -54],
  [1 + 2 ** -52, 1 - 2 ** -52, -1, -(2 ** -104)],
  [2 ** 512, 2 ** 512, -(2 ** 1023), 2 ** 1023],
]

function probe(): boolean {
  const module = new ModuleBuilder()
  const single = module.function([F32, F32, F32], [F32], 'single')
  for (const operand of [0, 1, 2]) single.get(operand).op(Op.f32x4_splat)
  single.op(Op.f32x4_relaxed_madd).lane(Op.f32x4_extract_lane, 0)
  const double = module.function([F64, F64, F64], [F64], 'double')
  for (const operand of [0, 1, 2]) double.get(operand).op(Op.f64x2_splat)
  double.op(Op.f64x2_relaxed_madd).lane(Op.f64x2_extract_lane, 0)
  const bytes = module.finish({ initialPages: 1, maximumPages: 1 })
  if (!WebAssembly.validate(bytes)) return false
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } })
  const call = (name: string, operands: readonly number[]): unknown => {
    const found = exports[name]
    return typeof found === 'function' ? found(...operands) : undefined
  }
  return (
    SINGLES.every(([a, b, c, expected]) => call('single', [a, b, c]) === expected) &&
    DOUBLES.every(([a, b, c, expected]) => call('double', [a, b, c]) === expected)
  )
}
