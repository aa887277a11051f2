/**
 * Vectors that LLVM loads as one integer and takes apart by shifts, where a condition chooses between them and constants
 * (`v = i < n ? a[i] : make_uint4(0, 0, 0, 0)`), are vectors of words again. In: a kernel. Out: the same without such loads of more than
 * 64 bits; any other use of so wide an integer stays, for pairIntegers.ts.
 */
import { binary, cast, extractElement, intConstant, type Place, vectorOf } from '../../ir/build.ts'
import type { CastInstruction, Func, Instruction, LoadInstruction } from '../../ir/ir.ts'
import { users } from '../../ir/operands.ts'
import { I32 } from '../../ir/types.ts'
import { isPlainAccess } from '../facts/memoryEffects.ts'
import { replaceValues } from '../rewriting/blocks.ts'

const WORD_BITS = 32
const WIDEST_NUMBER = 64

/** A part of a loaded integer, by its lowest bit. */
interface Part {
  readonly of: CastInstruction
  readonly shift: number
}

export function splitWideIntegers(func: Func): void {
  const usersOf = users(func)
  const made = new Map<Instruction, readonly Instruction[]>()
  const replaced = new Map<Instruction, Instruction>()
  for (const block of func.blocks)
    for (const wide of block.instructions) {
      if (!isWideLoad(wide)) continue
      const shifts = (usersOf.get(wide) ?? []).filter(({ op }) => op === 'lshr')
      const parts = partsOf(wide, usersOf)
      if (!parts) continue
      const words: LoadInstruction = { ...wide, type: vectorOf(I32, wide.type.bits / WORD_BITS) }
      made.set(wide, [words])
      for (const shift of shifts) made.set(shift, [])
      for (const { of, shift } of parts) {
        const taken = takePart(words, of, shift)
        made.set(of, taken)
        replaced.set(of, taken.at(-1)!)
      }
    }
  if (made.size === 0) return
  for (const block of func.blocks) block.instructions = block.instructions.flatMap(each => made.get(each) ?? [each])
  replaceValues(func.blocks, replaced)
}

function isWideLoad(
  instruction: Instruction,
): instruction is LoadInstruction & { readonly type: { readonly kind: 'int'; readonly bits: number } } {
  return (
    instruction.op === 'load' &&
    isPlainAccess(instruction) &&
    instruction.type.kind === 'int' &&
    instruction.type.bits > WIDEST_NUMBER &&
    instruction.type.bits % WORD_BITS === 0
  )
}

/** All that is made of it, where each part lies in one word. */
function partsOf(wide: LoadInstruction, usersOf: ReturnType<typeof users>): Part[] | undefined {
  const parts: Part[] = []
  const addAll = (from: Instruction, shift: number): boolean =>
    (usersOf.get(from) ?? []).every(user => {
      if (user.op === 'lshr' && shift === 0 && user.left === from && user.right.kind === 'int')
        return addAll(user, Number(user.right.value))
      if (user.op !== 'trunc' || user.type.kind !== 'int') return false
      parts.push({ of: user, shift })
      return (shift % WORD_BITS) + user.type.bits <= WORD_BITS
    })
  return addAll(wide, 0) ? parts : undefined
}

function takePart(words: LoadInstruction, part: CastInstruction, shift: number): Instruction[] {
  const place: Place = { block: part.block, location: part.location }
  const word = extractElement(place, words, Math.floor(shift / WORD_BITS), I32)
  const taken = [word]
  const low = shift % WORD_BITS
  if (low > 0) taken.push(binary(place, 'lshr', word, intConstant(I32, low)))
  if (part.type.kind === 'int' && part.type.bits < WORD_BITS) taken.push(cast(place, 'trunc', part.type, taken.at(-1)!))
  return taken
}
