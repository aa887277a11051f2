/** Arithmetic of four lanes. Each function returns false where one lane after the other has to be computed. */
import type { FunctionBuilder } from '../../wasm/builder.ts'
import { Op, type Opcode } from '../../wasm/opcodes.ts'
import type { Helpers } from '../helpers/helpers.ts'
import type { Held } from './operations.ts'
import { float, half16 } from './vectorFloats.ts'
import { narrow } from './vectorIntegers.ts'
import { binary, type Operands } from './vectorLanes.ts'
import { wide } from './vectorWideIntegers.ts'

const FLAGS: Readonly<Record<string, Opcode>> = {
  and: Op.v128_and,
  or: Op.v128_or,
  xor: Op.v128_xor,
  add: Op.v128_xor,
  sub: Op.v128_xor,
  mul: Op.v128_and,
}

export function compute(
  f: FunctionBuilder,
  helpers: Helpers,
  name: string,
  held: Held,
  half: number,
  operands: Operands,
): boolean {
  switch (held.kind) {
    case 'flag':
      return binary(f, FLAGS[name], half, operands)
    case 'i32':
      return narrow(f, name, held.bits, operands)
    case 'i64':
      return wide(f, name, held.bits, half, operands)
    case 'f32':
    case 'f64':
      return float(f, helpers, name, held.kind === 'f64', half, operands)
    case 'f16':
      return half16(f, helpers, name, held.brain, operands)
  }
}
