/**
 * What a warp keeps in memory from one region to the next. In: the values that regions save and read again. Out: a place for each, behind the
 * mask of waiting lanes, and the code that writes and reads them there; what has no place is computed again (recomputed.ts).
 */
import { isBarrier } from '../../analysis/execution/splitBarriers.ts'
import { operandsOf, terminatorOf } from '../../ir/graph.ts'
import type { Instruction, Value } from '../../ir/ir.ts'
import { alignUp } from '../../ir/types.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { BlockEmitter } from '../instructions/instructions.ts'
import type { KernelContext } from '../kernelContext.ts'
import { halvesOf } from '../operations/operations.ts'
import { type Form, GROUPS } from '../values/storage.ts'
import type { BarrierRegion } from './barrierRegions.ts'
import { moveOpcodes } from './barriers.ts'
import type { Version } from './versions.ts'

/** Lanes of the warp that wait at the block's barrier stand before its values. */
const SAVED_HEADER_BYTES = 16
const VECTOR_BYTES = 16

export class SavedValues {
  private readonly context: KernelContext
  private readonly emitter: BlockEmitter
  /** Local: start of the warp's memory. */
  private readonly savedWarp: number
  /** Where each value's parts are kept, from the start of the warp's memory. */
  private readonly places = new Map<Instruction, readonly number[]>()
  readonly bytesPerWarp: number

  constructor(context: KernelContext, emitter: BlockEmitter, regions: readonly BarrierRegion[], savedWarp: number) {
    this.context = context
    this.emitter = emitter
    this.savedWarp = savedWarp
    let end = SAVED_HEADER_BYTES
    for (const value of new Set(regions.flatMap(({ saved }) => [...saved.values()].flat()))) {
      const places: number[] = []
      for (const form of context.values.formsOf(value)) {
        if (form.kind === 'vectors') end = alignUp(end, VECTOR_BYTES)
        places.push(end)
        end += form.kind === 'vectors' ? VECTOR_BYTES * GROUPS * halvesOf(form.held) : 8
      }
      this.places.set(value, places)
    }
    this.bytesPerWarp = alignUp(end, VECTOR_BYTES)
  }

  save(value: Instruction): void {
    const { f, values } = this.context
    values.formsOf(value).forEach((form, leaf) => {
      const at = this.places.get(value)![leaf]!
      if (form.kind === 'vectors') {
        const halves = halvesOf(form.held)
        for (let group = 0; group < GROUPS; group++)
          for (let half = 0; half < halves; half++) {
            f.get(this.savedWarp)
            values.vector(value, group, half, leaf)
            f.memory(Op.v128_store, at + (group * halves + half) * VECTOR_BYTES)
          }
        return
      }
      f.get(this.savedWarp)
      if (form.kind === 'bits') values.bits(value, leaf)
      else values.scalar(value, leaf)
      f.memory(moveOpcodes(form.type).store, at)
    })
  }

  restore(value: Instruction): void {
    const { f, values } = this.context
    if (!this.places.has(value)) return this.recompute(value)
    const forms: readonly Form[] = values.formsOf(value)
    values.allocate(value).forEach((storage, leaf) => {
      const at = this.places.get(value)![leaf]!
      if (storage.kind === 'vectors')
        for (const [index, local] of storage.locals.entries())
          f.get(this.savedWarp)
            .memory(Op.v128_load, at + index * VECTOR_BYTES)
            .set(local)
      else if (storage.kind !== 'constant')
        f.get(this.savedWarp).memory(moveOpcodes(forms[leaf]!.type).load, at).set(storage.local)
    })
  }

  /** What no region keeps follows from the warp's place in the grid (recomputed.ts). */
  private recompute(value: Instruction): void {
    const { emitter, context } = this
    if (context.values.isStored(value)) return
    for (const operand of operandsOf(value))
      if (operand.kind === 'instruction' && !emitter.isHoisted(operand)) this.recompute(operand)
    emitter.emitHoisted(value)
  }
}

/** What the blocks of a version read, on their edges too. */
export function readBy(region: BarrierRegion, version: Version): ReadonlySet<Value> {
  const read = new Set<Value>()
  for (const block of version.blocks.keys())
    for (const instruction of block.instructions) {
      if (instruction.op === 'phi') {
        for (const { block: from, value } of instruction.incoming) if (version.blocks.has(from)) read.add(value)
        // Lanes on another way keep what the phi was.
        read.add(instruction)
      } else if (isBarrier(instruction)) {
        for (const value of region.saved.get(instruction) ?? []) read.add(value)
        for (const value of operandsOf(instruction)) read.add(value)
      } else if (
        !version.skipped.has(instruction) &&
        !(version.decided.has(block) && instruction === terminatorOf(block))
      )
        for (const value of operandsOf(instruction)) read.add(value)
    }
  return read
}
