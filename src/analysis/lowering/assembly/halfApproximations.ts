/**
 * PTX's approximations of functions in 16 bits (`ex2.approx.f16x2`, `tanh.approx.bf16`), which FlashInfer's kernels have: those of floats, rounded.
 * What PTX promises of them (2^-9.9 and 2^-10.987, of bfloat16 2^-7 and 2^-8) is coarser. Source: PTX ISA, "Half Precision Floating-Point
 * Instructions".
 */
import { cast, extractElement, vectorOf } from '../../../ir/build.ts'
import type { Value } from '../../../ir/ir.ts'
import { I32 } from '../../../ir/types.ts'
import { pair } from './conversions.ts'
import { type Emitter, ptxType } from './emitter.ts'
import type { PtxStatement } from './text.ts'

const FUNCTIONS: ReadonlySet<string> = new Set(['ex2', 'tanh'])

export function lowerHalfApproximation(emitter: Emitter, { opcode, operands }: PtxStatement): Value | undefined {
  const [name = '', approx, ...modifiers] = opcode
  const [, typeName, two] = /^(b?f16)(x2)?$/.exec(modifiers.at(-1) ?? '') ?? []
  if (!FUNCTIONS.has(name) || approx !== 'approx' || typeName === undefined || operands.length !== 2) return undefined
  const type = ptxType(typeName)!
  const float = ptxType('f32')!
  const { place } = emitter
  const flush = modifiers.includes('ftz') ? ['ftz'] : []
  const approximate = (half: Value): Value => {
    const wide = emitter.add(cast(place, 'fpext', float, half))
    return emitter.add(
      cast(place, 'fptrunc', type, emitter.instruction([name, 'approx', ...flush, 'f32'], float, [wide])),
    )
  }
  if (two === undefined) return approximate(emitter.read(operands[1], type))
  const both = emitter.add(cast(place, 'bitcast', vectorOf(type, 2), emitter.read(operands[1], I32)))
  const [low, high] = [0, 1].map(lane => approximate(emitter.add(extractElement(place, both, lane, type))))
  return pair(emitter, low!, high!)
}
