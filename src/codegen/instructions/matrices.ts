/**
 * Matrix instructions: fragments whose words lie lane beside lane (analysis/lowering/interleaveFragments.ts) are worked on in place by
 * one helper call; others are collected from the lanes' own memory before and given back behind.
 */
import { isInterleaved } from '../../analysis/lowering/interleaveFragments.ts'
import { type MatrixCall, wordBytes, wordsOfA, wordsOfB, wordsOfSum } from '../../analysis/lowering/matrixKinds.ts'
import type { CallInstruction, Value } from '../../ir/ir.ts'
import { I32 } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import { locate, releaseAddress, storeAddresses } from '../accesses/access.ts'
import { type KernelContext, knownMask } from '../kernelContext.ts'
import { OPERAND_BYTES, OPERANDS } from '../slot.ts'

export function emitMatrix(context: KernelContext, call: CallInstruction, matrix: MatrixCall): void {
  const { f, frame, helpers } = context
  trapUnlessAllLanes(context)
  const counts = wordCounts(matrix)
  const bytes = wordBytes(matrix)
  const places = call.args.map((pointer, operand) => {
    const at = f.local(I32)
    if (isInterleaved(pointer)) pushFragment(context, pointer)
    else
      f.get(frame.slot)
        .i32(OPERANDS + operand * OPERAND_BYTES)
        .op(Op.i32_add)
    f.set(at)
    return at
  })
  const move = (operand: number, isLoad: boolean): void => {
    const pointer = call.args[operand]!
    if (isInterleaved(pointer)) return
    storeAddresses(context, pointer)
    f.get(frame.slot)
      .get(places[operand]!)
      .call(helpers.moveWords({ bytes, count: counts[operand]!, isLoad }))
  }
  for (let operand = 1; operand < places.length; operand++) move(operand, true)
  if (matrix.kind === 'product') {
    f.get(frame.slot)
    for (const place of places) f.get(place)
    f.call(helpers.matrixProduct(matrix.product))
  } else f.get(places[0]!).get(places[1]!).call(helpers.matrixTranspose)
  move(0, false)
  f.release(I32, ...places)
}

/** Words of each lane, an operand each: the result first. */
function wordCounts(matrix: MatrixCall): readonly number[] {
  if (matrix.kind === 'transpose') return [1, 1]
  const { product } = matrix
  return [wordsOfSum(product), wordsOfA(product), wordsOfB(product), wordsOfSum(product)]
}

/** What fewer lanes would do has no meaning; the reference interpreter says so when the block runs again. */
function trapUnlessAllLanes(context: KernelContext): void {
  const { f, frame } = context
  const known = knownMask(context)
  if (known === -1) return
  if (known === undefined) f.get(frame.mask).i32(-1).op(Op.i32_ne).if().op(Op.unreachable).end()
  else f.op(Op.unreachable)
}

/** Pushes where the first lane's first word lies: an offset in device memory. */
function pushFragment(context: KernelContext, pointer: Value): void {
  const { f, values } = context
  const address = locate(context, pointer)
  if (address.kind === 'lanes') f.get(address.base).i32(address.lanes.constant[0]!).op(Op.i32_add)
  else {
    values.vector(pointer, 0)
    f.lane(Op.i32x4_extract_lane, 0).i32(0x7fff_ffff).op(Op.i32_and)
  }
  releaseAddress(context, address)
}
