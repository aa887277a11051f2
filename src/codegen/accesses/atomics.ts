/**
 * Read-modify-write operations of a whole warp: addresses and operands go to the slot, a helper does them lane by lane.
 */
import { userError } from '../../diagnostic.ts'
import type { AtomicRmwInstruction, CmpxchgInstruction } from '../../ir/ir.ts'
import { Op } from '../../wasm/opcodes.ts'
import { countAny, countRegular } from '../counting/counting.ts'
import type { AtomicSpec } from '../helpers/helpersAtomic.ts'
import type { KernelContext } from '../kernelContext.ts'
import { heldAs } from '../operations/operations.ts'
import { GROUPS, type Storage, setBits } from '../values/storage.ts'
import { accessOf, locate, releaseAddress, storeAddresses } from './access.ts'
import { readResults } from './loads.ts'
import { writeValues } from './stores.ts'

export function emitAtomic(context: KernelContext, instruction: AtomicRmwInstruction | CmpxchgInstruction): void {
  const { f, values, helpers, frame, program } = context
  const access = accessOf(instruction)
  const held = heldAs(access.elementType)!
  const { bytes, count } = access.elements
  if (held.kind === 'flag' || (count !== 1 && !(held.kind === 'f16' && count === 2)))
    throw userError(
      'unsupported-atomic',
      `atomic operations on ${access.width * 8}-bit values of this type are not supported`,
      instruction.location,
    )
  const type: AtomicSpec['type'] =
    held.kind === 'f16'
      ? `${held.brain ? 'bf16' : 'f16'}${count === 2 ? 'x2' : ''}`
      : held.kind === 'i32' && bytes < 4
        ? bytes === 1
          ? 'i8'
          : 'i16'
        : held.kind
  const spaces = program.spacesOf(instruction.pointer)
  const isOwn = spaces.size === 1 && (spaces.has('shared') || spaces.has('local'))
  const address = locate(context, instruction.pointer)
  storeAddresses(context, instruction.pointer)
  if (address.kind === 'lanes') countRegular(context, access, address)
  else if (countAny(context, access, true)) return
  releaseAddress(context, address)
  if (instruction.op === 'cmpxchg') {
    writeValues(context, access, instruction.expected, 0)
    writeValues(context, access, instruction.replacement, 1)
  } else writeValues(context, access, instruction.value, 0)
  const operation = instruction.op === 'cmpxchg' ? 'cmpxchg' : instruction.operation
  f.get(frame.slot)
    .get(frame.mask)
    .call(helpers.atomic({ operation, type, isContended: context.mayBeShared && !isOwn }))
  if (values.usersOfValue(instruction).length === 0) return
  const result = values.allocate(instruction)
  readResults(context, access, instruction.op === 'cmpxchg' ? result.slice(0, 1) : result)
  if (instruction.op !== 'cmpxchg') return
  const success = result[1] as Storage
  const isWide = access.elements.bytes === 8
  for (let group = 0; group < GROUPS; group++) {
    for (let half = 0; half < (isWide ? 2 : 1); half++) {
      values.pushVector(result[0]!, held, group, half)
      values.vector(instruction.expected, group, half)
      f.op(isWide ? Op.i64x2_eq : Op.i32x4_eq)
    }
    if (isWide) f.shuffle32(0, 2, 4, 6)
    if (success.kind === 'vectors') f.set(success.locals[group]!)
    else if (success.kind === 'bits') setBits(f, success.local, group)
  }
}
