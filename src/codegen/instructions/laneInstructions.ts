/** Computations on lanes, four at a time: one instruction of a batch (instructions.ts) for one group of lanes. */
import { DEVICE_BASE } from '../../addressSpace.ts'
import { InternalError } from '../../diagnostic.ts'
import { operandsOf } from '../../ir/graph.ts'
import type { GepInstruction, Instruction, Value } from '../../ir/ir.ts'
import { SPACE } from '../../ir/types.ts'
import { Op } from '../../wasm/opcodes.ts'
import { type DeferredLoad, pushLoaded, wordsOf } from '../accesses/deferredLoads.ts'
import type { KernelContext } from '../kernelContext.ts'
import { halvesOf, heldAs, operationOf } from '../operations/operations.ts'
import { emitVector } from '../operations/vectorOperations.ts'
import { narrowIndex } from '../values/shapes.ts'
import { GROUPS, type Storage, setBits } from '../values/storage.ts'
import { pushIndex } from './scalarInstructions.ts'

export class LaneBatch {
  private readonly context: KernelContext
  private readonly current: ReadonlySet<Value>
  /** The first group of lanes that the batch is computed for. */
  private readonly firstGroup: number
  private readonly loads: ReadonlyMap<Instruction, DeferredLoad>

  constructor(
    context: KernelContext,
    members: ReadonlySet<Value>,
    firstGroup: number,
    loads: ReadonlyMap<Instruction, DeferredLoad>,
  ) {
    this.context = context
    this.current = members
    this.firstGroup = firstGroup
    this.loads = loads
  }

  emitGroup(instruction: Instruction, group: number): void {
    const { f, values, helpers } = this.context
    const storage = values.storageOf(instruction)
    const load = this.loads.get(instruction)
    if (load) {
      this.emitLoadGroup(load, values.storagesOf(instruction), group)
      return
    }
    const halves = halvesOf(heldAs(instruction.type)!)
    if (instruction.op === 'gep') {
      this.pushGepLanes(instruction, group)
      this.keep(storage, group, 0)
      return
    }
    if (instruction.op === 'addrspacecast') {
      this.pushSpaceCastLanes(instruction.value, instruction, group)
      this.keep(storage, group, 0)
      return
    }
    const operation = operationOf(instruction)
    if (!operation) throw new InternalError(`${instruction.op} has no form for lanes`)
    if (storage.kind === 'bits' && this.combineBits(instruction, storage.local, group)) return
    for (let half = 0; half < halves; half++) {
      emitVector(f, helpers, operation, half, {
        vector: (operand, which) => values.vector(operation.operands[operand]!, group, which),
        isUniform: operand => values.isUniform(operation.operands[operand]!),
        scalar: operand => values.scalar(operation.operands[operand]!),
      })
      this.keep(storage, group, half)
    }
  }

  /** All groups of one instruction; of a load, what several of them read once. */
  emitInstruction(instruction: Instruction, groups: readonly number[]): void {
    const load = this.loads.get(instruction)
    if (!load) {
      for (const group of groups) this.emitGroup(instruction, group)
      return
    }
    const { f, values } = this.context
    const halves = halvesOf(heldAs(load.access.elementType)!)
    const known = new Map<string, number>()
    values.storagesOf(instruction).forEach((storage, leaf) => {
      if (storage.kind !== 'vectors') throw new InternalError('a load of lanes into a scalar')
      for (const group of groups)
        for (let half = 0; half < halves; half++) {
          const words = wordsOf(load, leaf, group, half)
          const twin = words === undefined ? undefined : known.get(words)
          if (twin === undefined) pushLoaded(this.context, load, leaf, group, half)
          else f.get(twin)
          this.keep(storage, group, half)
          if (words !== undefined && twin === undefined) known.set(words, storage.locals[group * halves + half]!)
        }
    })
  }

  emitLoadGroup(load: DeferredLoad, storages: readonly Storage[], group: number): void {
    const halves = halvesOf(heldAs(load.access.elementType)!)
    storages.forEach((storage, leaf) => {
      for (let half = 0; half < halves; half++) {
        pushLoaded(this.context, load, leaf, group, half)
        this.keep(storage, group, half)
      }
    })
  }

  /** Flags as bits are combined all lanes at once, with the first group. */
  private combineBits(instruction: Instruction, local: number, group: number): boolean {
    const { f, values } = this.context
    const bitsReady = operandsOf(instruction).every(
      value => value.type.kind === 'int' && value.type.bits === 1 && this.isReady(value),
    )
    if (!bitsReady) return false
    const opcodes = { and: Op.i32_and, or: Op.i32_or, xor: Op.i32_xor }
    switch (instruction.op) {
      case 'and':
      case 'or':
      case 'xor':
        if (group !== this.firstGroup) return true
        values.bits(instruction.left)
        values.bits(instruction.right)
        f.op(opcodes[instruction.op]).set(local)
        return true
      case 'select':
        if (group !== this.firstGroup) return true
        values.bits(instruction.condition)
        values.bits(instruction.ifTrue)
        f.op(Op.i32_and)
        values.bits(instruction.condition)
        f.i32(-1).op(Op.i32_xor)
        values.bits(instruction.ifFalse)
        f.op(Op.i32_and).op(Op.i32_or).set(local)
        return true
      case 'freeze':
        if (group !== this.firstGroup) return true
        values.bits(instruction.value)
        f.set(local)
        return true
      default:
        return false
    }
  }

  /** All of the value's lanes are known before the batch at hand. */
  private isReady(value: Value): boolean {
    return value.kind !== 'instruction' || !this.current.has(value)
  }

  /** Pops a v128 into its place; a lane mask becomes four bits. */
  private keep(storage: Storage, group: number, half: number): void {
    const { f } = this.context
    if (storage.kind === 'bits') setBits(f, storage.local, group, group === this.firstGroup)
    else if (storage.kind === 'vectors') {
      const halves = storage.temporary ? storage.locals.length : storage.locals.length / GROUPS
      f.set(storage.locals[(storage.temporary ? 0 : group * halves) + half]!)
    } else throw new InternalError('lanes cannot be kept in a scalar')
  }

  private pushGepLanes({ base, offset, terms }: GepInstruction, group: number): void {
    const { f, values } = this.context
    // Scalars first: one splat for all of them.
    const scalarTerms = terms.filter(({ index }) => values.isUniform(narrowIndex(index)))
    const laneTerms = terms.filter(({ index }) => !values.isUniform(narrowIndex(index)))
    values.vector(base, group)
    if (offset !== 0 || scalarTerms.length > 0) {
      f.i32(offset | 0)
      for (const { index, scale } of scalarTerms) {
        pushIndex(this.context, index, value => values.scalar(value))
        if (scale !== 1) f.i32(scale | 0).op(Op.i32_mul)
        f.op(Op.i32_add)
      }
      f.op(Op.i32x4_splat).op(Op.i32x4_add)
    }
    for (const { index, scale } of laneTerms) {
      this.pushIndexLanes(narrowIndex(index), group)
      const log2 = Math.log2(scale)
      if (scale > 1 && Number.isInteger(log2)) f.i32(log2).op(Op.i32x4_shl)
      else if (scale !== 1)
        f.i32(scale | 0)
          .op(Op.i32x4_splat)
          .op(Op.i32x4_mul)
      f.op(Op.i32x4_add)
    }
  }

  private pushIndexLanes(index: Value, group: number): void {
    const { f, values } = this.context
    const held = heldAs(index.type)
    values.vector(index, group)
    if (held?.kind === 'i64') {
      values.vector(index, group, 1)
      f.shuffle32(0, 2, 4, 6)
    } else if (held?.kind === 'i32' && held.bits < 32)
      f.i32(32 - held.bits)
        .op(Op.i32x4_shl)
        .i32(32 - held.bits)
        .op(Op.i32x4_shr_s)
  }

  private pushSpaceCastLanes(value: Value, to: Value, group: number): void {
    const { f, values, frame } = this.context
    values.vector(value, group)
    const from = value.type.kind === 'pointer' ? value.type.space : 0
    const space = to.type.kind === 'pointer' ? to.type.space : 0
    if (from === space || (from !== SPACE.shared && space !== SPACE.shared)) return
    f.get(frame.shared)
      .i32(DEVICE_BASE | 0)
      .op(Op.i32_add)
      .op(Op.i32x4_splat)
      .op(from === SPACE.shared ? Op.i32x4_add : Op.i32x4_sub)
  }
}
