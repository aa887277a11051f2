/**
 * Emits the instructions of one block. Scalars are emitted where they stand. Computations on lanes are collected and emitted
 * group after group (four lanes at a time through all of them), so that V8 keeps their intermediate values in registers;
 * whatever needs all lanes at once (memory, votes, shuffles) first flushes what was collected.
 */
import { DEVICE_BASE } from '../addressSpace.ts'
import { InternalError, userError } from '../diagnostic.ts'
import { operandsOf } from '../ir/graph.ts'
import type {
  BinaryInstruction,
  Block,
  CallInstruction,
  GepInstruction,
  Instruction,
  LoadInstruction,
  Value,
} from '../ir/ir.ts'
import { alignUp } from '../ir/types.ts'
import { I32, I64 } from '../wasm/builder.ts'
import { Op } from '../wasm/opcodes.ts'
import { emitAtomic } from './atomics.ts'
import { groupAccesses, releaseGroups } from './countGroups.ts'
import { emitExternal, emitShuffle, emitVote } from './crossLane.ts'
import { beginLoad, type DeferredLoad, deferredSpan, endLoad, pushLoaded } from './deferredLoads.ts'
import type { Axis, WarpScalar } from './geometry.ts'
import { classifyCall } from './intrinsics.ts'
import { type KernelContext, knownMask } from './kernelContext.ts'
import { isConstant, type LaneVector } from './laneVector.ts'
import { emitLoad } from './loads.ts'
import { halvesOf, heldAs, operationOf } from './operations.ts'
import { emitScalar } from './scalarOperations.ts'
import { is32Bits, narrowIndex } from './shapes.ts'
import { IMAGES_BYTES, LAUNCH_DYNAMIC_SHARED, LAUNCH_OFFSET, LAUNCH_SHARED_BYTES, LAUNCH_THREADS } from './slot.ts'
import { GROUP_LANES, GROUPS, groupsOf, leafRange, type Storage } from './storage.ts'
import { emitStore } from './stores.ts'
import { emitVector } from './vectorOperations.ts'

export class BlockEmitter {
  private readonly context: KernelContext
  private batch: Instruction[] = []
  private readonly inBatch = new Set<Value>()
  /** The loads in the batch, and how much of the slot's images they may need. */
  private readonly loads = new Map<Instruction, DeferredLoad>()
  private imageBytes = 0

  constructor(context: KernelContext) {
    this.context = context
  }

  /** Everything but phis and the terminator. */
  emitBlock(block: Block): void {
    const groups = groupAccesses(this.context, block)
    this.context.countGroups = groups
    for (const instruction of block.instructions) {
      if (instruction.op === 'phi' || isTerminatorOp(instruction) || this.isHoisted(instruction)) continue
      this.emit(instruction)
      if (!this.inBatch.has(instruction)) this.retireAfter(instruction)
    }
    this.flush()
    releaseGroups(this.context, groups)
  }

  private retireAfter(instruction: Instruction): void {
    const { lifetimes, values } = this.context
    if (!lifetimes) return
    for (const value of lifetimes.afterInstruction(instruction))
      if (values.isStored(value) && !this.inBatch.has(value)) values.retire(value)
  }

  /** Computed once, before the first block: the same for the whole launch. */
  isHoisted(instruction: Instruction): boolean {
    const shape = this.context.shapes.shapeOf(instruction)
    return shape.kind === 'uniform' && shape.invariant && instruction.op !== 'phi' && instruction.type.kind !== 'void'
  }

  /** Emits a hoisted instruction into its scalar. */
  emitHoisted(instruction: Instruction): void {
    this.emit(instruction)
    this.flush()
  }

  private emit(instruction: Instruction): void {
    const { shapes, values } = this.context
    if (isDead(instruction, values) || this.context.version?.version.skipped.has(instruction)) return
    switch (instruction.op) {
      case 'load':
        this.flushFor(instruction)
        if (!this.defer(instruction)) emitLoad(this.context, instruction)
        return
      case 'store':
        this.flush()
        return emitStore(this.context, instruction)
      case 'atomicrmw':
      case 'cmpxchg':
        this.flush()
        return emitAtomic(this.context, instruction)
      case 'fence':
        this.flush()
        this.context.f.fence()
        return
      case 'extractvalue':
      case 'extractelement':
        if (this.inBatch.has(instruction.op === 'extractvalue' ? instruction.aggregate : instruction.vector)) {
          this.addToBatch(instruction)
          return
        }
        return this.rename(instruction)
      case 'insertvalue':
      case 'insertelement':
      case 'shufflevector':
        this.flushFor(instruction)
        return this.rename(instruction)
      case 'freeze':
        if (isAggregate(instruction)) {
          this.flushFor(instruction)
          return values.alias(instruction, values.storagesOf(instruction.value))
        }
        break
      case 'alloca':
        return this.alloca(instruction)
      case 'call':
        if (this.emitCall(instruction)) return
    }
    if (shapes.shapeOf(instruction).kind === 'varying') {
      // A bounds check has a shortcut when it stands alone.
      const isAlone = instruction.op === 'icmp' && this.isBoundsCheck(instruction.left, instruction.right)
      if (isAlone) this.flush()
      this.addToBatch(instruction)
      if (isAlone) this.flush()
      return
    }
    this.flushFor(instruction)
    this.emitScalarInstruction(instruction)
  }

  private addToBatch(instruction: Instruction): void {
    this.batch.push(instruction)
    this.inBatch.add(instruction)
  }

  /** Lets a load join the batch, if it can. */
  private defer(instruction: LoadInstruction): boolean {
    const span = deferredSpan(this.context, instruction)
    if (span === undefined) return false
    if (this.imageBytes + span > IMAGES_BYTES) this.flush()
    this.loads.set(instruction, beginLoad(this.context, instruction, this.imageBytes))
    this.imageBytes += alignUp(span, 16)
    this.addToBatch(instruction)
    return true
  }

  private isBoundsCheck(left: Value, right: Value): boolean {
    const kinds = [left, right].map(value => this.context.shapes.shapeOf(value).kind)
    return kinds.includes('linear') && kinds.includes('uniform')
  }

  // ---------------------------------------------------------------- scalars

  private emitScalarInstruction(instruction: Instruction): void {
    const { f, values, shapes, helpers } = this.context
    if (instruction.op === 'gep' && instruction.terms.length === 0 && this.shareBase(instruction)) return
    const storages = values.allocate(instruction)
    const [storage] = storages
    if (storage === undefined) return
    const operands = operandsOf(instruction)
    const isLinear =
      shapes.shapeOf(instruction).kind === 'linear' ||
      operands.some(value => values.storagesOf(value)[0]?.kind === 'linear')
    if (instruction.op === 'gep') this.pushGep(instruction)
    else if (instruction.op === 'addrspacecast') this.pushSpaceCast(instruction.value, instruction)
    else if (isLinear && isPartwise(instruction)) this.pushPartwise(instruction)
    else {
      const operation = operationOf(instruction)
      if (!operation) throw new InternalError(`${instruction.op} has no scalar form`)
      emitScalar(f, helpers, operation, operand => values.scalar(operation.operands[operand]!))
    }
    f.set((storage as Storage & { kind: 'scalar' }).local)
  }

  /** An address at a constant distance from another needs no local of its own. */
  private shareBase(instruction: GepInstruction): boolean {
    const { values } = this.context
    const base = values.storageOf(instruction.base)
    if (base.kind !== 'scalar' && base.kind !== 'linear') return false
    values.alias(instruction, [{ ...base, plus: ((base.plus ?? 0) + instruction.offset) | 0 }])
    return true
  }

  /** Pushes the scalar part of an address. */
  private pushGep({ base, offset, terms }: GepInstruction): void {
    const { f, values } = this.context
    values.scalar(base)
    if (offset !== 0) f.i32(offset | 0).op(Op.i32_add)
    for (const { index, scale } of terms) {
      this.pushIndex(index, value => values.scalar(value))
      if (scale !== 1) f.i32(scale | 0).op(Op.i32_mul)
      f.op(Op.i32_add)
    }
  }

  private pushIndex(index: Value, push: (value: Value) => void): void {
    const { f } = this.context
    const narrow = narrowIndex(index)
    push(narrow)
    const held = heldAs(narrow.type)
    if (held?.kind === 'i64') f.op(Op.i32_wrap_i64)
    else if (held?.kind === 'i32' && held.bits < 32)
      f.i32(32 - held.bits)
        .op(Op.i32_shl)
        .i32(32 - held.bits)
        .op(Op.i32_shr_s)
  }

  /** Shared memory pointers are offsets in the window; as generic pointers they are device addresses. */
  private pushSpaceCast(value: Value, to: Value): void {
    const { f, values, frame } = this.context
    values.scalar(value)
    const from = value.type.kind === 'pointer' ? value.type.space : 0
    const space = to.type.kind === 'pointer' ? to.type.space : 0
    if (from === space || (from !== 3 && space !== 3)) return
    f.get(frame.shared)
      .i32(DEVICE_BASE | 0)
      .op(Op.i32_add)
      .op(from === 3 ? Op.i32_add : Op.i32_sub)
  }

  /** An operation on the scalar parts of linear operands; shapes.ts decided that the lanes follow. */
  private pushPartwise(
    instruction: BinaryInstruction | (Instruction & { op: 'freeze' | 'ptrtoint' | 'inttoptr' | 'select' }),
  ): void {
    const { f, values } = this.context
    switch (instruction.op) {
      case 'freeze':
      case 'ptrtoint':
      case 'inttoptr':
        return values.scalar(instruction.value)
      case 'select':
        values.scalar(instruction.ifTrue)
        values.scalar(instruction.ifFalse)
        values.scalar(instruction.condition)
        f.op(Op.select)
        return
    }
    values.scalar(instruction.left)
    // The constant bits that or and xor change lie below the scalar's: they are in the lanes.
    if (instruction.op === 'or' || instruction.op === 'xor') return
    values.scalar(instruction.right)
    const opcodes = {
      add: Op.i32_add,
      sub: Op.i32_sub,
      mul: Op.i32_mul,
      shl: Op.i32_shl,
      lshr: Op.i32_shr_u,
      udiv: Op.i32_div_u,
      urem: Op.i32_rem_u,
      and: Op.i32_and,
    }
    const opcode = opcodes[instruction.op as keyof typeof opcodes]
    if (opcode === undefined) throw new InternalError(`${instruction.op} of a linear value`)
    f.op(opcode)
  }

  private alloca(instruction: Instruction): void {
    const { f, values, program, frame } = this.context
    const [storage] = values.allocate(instruction)
    f.get(frame.localMemory)
      .get(frame.warp)
      .i32(program.localBytes * 32)
      .op(Op.i32_mul)
      .op(Op.i32_add)
    f.i32((DEVICE_BASE + program.allocaOffsets.get(instruction)!) | 0).op(Op.i32_add)
    f.set((storage as Storage & { kind: 'linear' }).local)
  }

  // ---------------------------------------------------------------- calls

  /** Returns false for computations of one lane, which are emitted like instructions. */
  private emitCall(call: CallInstruction): boolean {
    const { f, values, frame, shapes, geometry, program } = this.context
    const kind = classifyCall(call)
    const scalar = (push: () => void): true => {
      const [storage] = values.allocate(call)
      push()
      f.set((storage as Storage & { kind: 'scalar' }).local)
      return true
    }
    switch (kind.kind) {
      case 'nothing':
        if (call.type.kind !== 'void') values.allocate(call)
        return true
      case 'fence':
        this.flush()
        f.fence()
        return true
      case 'thread-index':
        this.threadIndex(call, kind.axis)
        return true
      case 'block-dimension':
        return scalar(() => f.i32(geometry.block[kind.axis]))
      case 'block-index':
        return scalar(() => f.get(kind.axis === 'x' ? frame.blockX : kind.axis === 'y' ? frame.blockY : frame.blockZ))
      case 'grid-dimension':
        return scalar(() => f.get(kind.axis === 'x' ? frame.gridX : kind.axis === 'y' ? frame.gridY : frame.gridZ))
      case 'launch-constant':
        return scalar(() => {
          if (kind.register === 'warpsize') f.i32(32)
          else if (kind.register === 'nwarpid') f.i32(geometry.warps)
          else if (kind.register === 'nsmid') f.i32(MULTIPROCESSORS)
          else
            f.i32(LAUNCH_OFFSET).memory(
              Op.i32_load,
              kind.register === 'dynamic-shared' ? LAUNCH_DYNAMIC_SHARED : LAUNCH_SHARED_BYTES,
            )
        })
      case 'warp-scalar':
        if (kind.register === 'warpid') return scalar(() => f.get(frame.warp))
        if (kind.register === 'smid') return scalar(() => f.get(frame.block).i32(MULTIPROCESSORS).op(Op.i32_rem_u))
        this.flush()
        emitExternal(this.context, call, 'warp-scalar')
        return true
      case 'lane-index':
      case 'lane-mask':
        return scalar(() => f.i32(0))
      case 'vote':
        this.flush()
        emitVote(this.context, call, kind)
        return true
      case 'shuffle':
        this.flush()
        emitShuffle(this.context, call, kind)
        return true
      case 'pure':
        if (kind.isNative) return false
        this.flush()
        emitExternal(this.context, call, 'pure')
        return true
      case 'warp':
      case 'print':
      case 'heap':
      case 'child':
      case 'assert':
        this.flush()
        emitExternal(this.context, call, kind.kind)
        return true
      case 'trap':
        this.flush()
        f.op(Op.unreachable)
        return true
      case 'exit':
        throw userError(
          'unsupported-intrinsic',
          'the exit instruction is not supported: return from the kernel',
          call.location,
        )
      case 'barrier':
        // The control flow around a barrier is emitted with its block (controlFlow.ts).
        this.flush()
        return true
      case 'function': {
        const name = call.callee.kind === 'function' ? call.callee.name : 'a function pointer'
        throw userError(
          'unsupported-call',
          `the call of ${name} is not supported yet: recursion and calls through pointers cannot be inlined`,
          call.location,
          [`kernel ${program.kernel.name}, shape ${shapes.shapeOf(call).kind}`],
        )
      }
    }
  }

  private threadIndex(call: CallInstruction, axis: Axis): void {
    const { f, values, frame, geometry } = this.context
    const index = geometry.threadIndex[axis]
    const [storage] = values.allocate(call)
    if (index.kind === 'lanes') {
      this.pushWarpScalar(index.scalar)
      f.set((storage as Storage & { kind: 'scalar' }).local)
      return
    }
    const at = { x: 0, y: 1, z: 2 }[axis] * 128
    ;(storage as Storage & { kind: 'vectors' }).locals.forEach((local, group) => {
      f.get(frame.warp)
        .i32(3 * 128)
        .op(Op.i32_mul)
        .memory(Op.v128_load, LAUNCH_OFFSET + LAUNCH_THREADS + at + group * 16)
        .set(local)
    })
  }

  private pushWarpScalar({ times, modulus, divisor }: WarpScalar): void {
    const { f, frame } = this.context
    if (times === 0) {
      f.i32(0)
      return
    }
    f.get(frame.warp).i32(times).op(Op.i32_mul)
    if (modulus > 0) f.i32(modulus).op(Op.i32_rem_u)
    if (divisor > 1) f.i32(divisor).op(Op.i32_div_u)
  }

  // ---------------------------------------------------------------- aggregates

  /** Parts of aggregates are storage of their own: taking apart and putting together moves nothing. */
  private rename(instruction: Instruction): void {
    const { values } = this.context
    switch (instruction.op) {
      case 'extractvalue': {
        const { first, count } = leafRange(instruction.aggregate.type, instruction.indices)
        values.alias(instruction, values.storagesOf(instruction.aggregate).slice(first, first + count))
        return
      }
      case 'insertvalue': {
        const { first, count } = leafRange(instruction.aggregate.type, instruction.indices)
        const parts = [...values.storagesOf(instruction.aggregate)]
        parts.splice(first, count, ...values.storagesOf(instruction.value))
        values.alias(instruction, parts)
        return
      }
      case 'extractelement': {
        const { first, count } = leafRange(instruction.vector.type, [
          this.constantIndex(instruction.index, instruction),
        ])
        values.alias(instruction, values.storagesOf(instruction.vector).slice(first, first + count))
        return
      }
      case 'insertelement': {
        const { first, count } = leafRange(instruction.vector.type, [
          this.constantIndex(instruction.index, instruction),
        ])
        const parts = [...values.storagesOf(instruction.vector)]
        parts.splice(first, count, ...values.storagesOf(instruction.value))
        values.alias(instruction, parts)
        return
      }
      case 'shufflevector': {
        const parts = [...values.storagesOf(instruction.left), ...values.storagesOf(instruction.right)]
        values.alias(
          instruction,
          instruction.mask.map(index => parts[Math.max(0, index)]!),
        )
      }
    }
  }

  private constantIndex(index: Value, { location }: Instruction): number {
    const constant = this.context.shapes.constantOf(index)
    if (constant === undefined)
      throw userError('unsupported-vector-index', 'an index into a vector must be a constant', location)
    return constant
  }

  // ---------------------------------------------------------------- lanes

  private flushFor(instruction: Instruction): void {
    if (operandsOf(instruction).some(value => this.inBatch.has(value))) this.flush()
  }

  flush(): void {
    const { batch } = this
    if (batch.length === 0) return
    this.batch = []
    this.inBatch.clear()
    const { values } = this.context
    const members = new Set<Instruction>(batch)
    const isLocal = (instruction: Instruction): boolean =>
      !this.isBits(instruction) &&
      values
        .usersOfValue(instruction)
        .every(user => members.has(user) && user.op !== 'phi' && (!isExtraction(user) || isLocal(user)))
    for (const instruction of batch)
      if (isExtraction(instruction)) this.rename(instruction)
      else values.allocate(instruction, isLocal(instruction))
    this.current = members
    const opened = this.openShortcut(batch)
    const groups = groupsOf(knownMask(this.context) ?? -1)
    this.firstGroup = groups[0]!
    for (const group of groups)
      for (const instruction of batch) if (!isExtraction(instruction)) this.emitGroup(instruction, group)
    for (let level = 0; level < opened; level++) this.context.f.end()
    this.current = new Set()
    for (const instruction of batch)
      if (isLocal(instruction)) {
        if (isExtraction(instruction)) values.forget(instruction)
        else values.releaseTemporary(instruction)
      }
    for (const instruction of batch) this.retireAfter(instruction)
    for (const load of this.loads.values()) endLoad(this.context, load)
    this.loads.clear()
    this.imageBytes = 0
  }

  private isBits({ type }: Instruction): boolean {
    return type.kind === 'int' && type.bits === 1
  }

  /**
   * A comparison of a linear value with a scalar usually holds for all lanes or for none (the bounds check of most kernels):
   * when it is alone in the batch, look at the least and greatest lane's value before looking at all. Returns how many blocks
   * the code for all lanes now stands in.
   */
  private openShortcut(batch: readonly Instruction[]): number {
    const [only] = batch
    if (batch.length !== 1 || only?.op !== 'icmp') return 0
    const { f, values } = this.context
    const result = values.storageOf(only)
    if (result.kind !== 'bits' || !is32Bits(only.left.type)) return 0
    const left = values.storageOf(only.left)
    const right = values.storageOf(only.right)
    const swapped = right.kind === 'linear'
    const line = swapped ? right : left
    const bound = swapped ? only.left : only.right
    if (line.kind !== 'linear' || !values.isUniform(bound)) return 0
    const predicate = swapped ? SWAPPED[only.predicate] : only.predicate
    if (!predicate || predicate === 'eq' || predicate === 'ne') return 0
    const isSigned = predicate.startsWith('s')
    const extend = isSigned ? Op.i64_extend_i32_s : Op.i64_extend_i32_u
    const [low, high, limit] = f.many(I64, 3) as [number, number, number]
    this.pushExtreme(line.lanes, 'low')
    f.op(Op.i64_extend_i32_s)
    values.pushScalar(line)
    f.op(extend).op(Op.i64_add).set(low)
    this.pushExtreme(line.lanes, 'high')
    f.op(Op.i64_extend_i32_s)
    values.pushScalar(line)
    f.op(extend).op(Op.i64_add).set(high)
    values.scalar(bound)
    f.op(extend).set(limit)
    // No lane wraps around: then the extremes bound all lanes.
    const [least, most] = isSigned ? [-(2n ** 31n), 2n ** 31n - 1n] : [0n, 2n ** 32n - 1n]
    const compare = { lt: Op.i64_lt_s, le: Op.i64_le_s, gt: Op.i64_gt_s, ge: Op.i64_ge_s }[
      predicate.slice(1) as 'lt' | 'le' | 'gt' | 'ge'
    ]
    const isLess = predicate[1] === 'l'
    const inRange = f.local(I32)
    f.get(low).i64(least).op(Op.i64_ge_s).get(high).i64(most).op(Op.i64_le_s).op(Op.i32_and).set(inRange)
    // All: the extreme nearest to failing holds. None: the one nearest to holding fails.
    f.get(inRange)
      .get(isLess ? high : low)
      .get(limit)
      .op(compare)
      .op(Op.i32_and)
      .if()
    f.i32(-1).set(result.local)
    f.else()
    f.get(inRange)
      .get(isLess ? low : high)
      .get(limit)
      .op(compare)
      .op(Op.i32_eqz)
      .op(Op.i32_and)
      .if()
    f.i32(0).set(result.local)
    f.else()
    f.release(I64, low, high, limit)
    f.release(I32, inRange)
    return 2
  }

  private pushExtreme(lanes: LaneVector, which: 'low' | 'high'): void {
    const { f, values } = this.context
    if (isConstant(lanes)) f.i32(which === 'low' ? Math.min(...lanes.constant) : Math.max(...lanes.constant))
    else f.get(values.table(lanes)[which])
  }

  private emitGroup(instruction: Instruction, group: number): void {
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

  private emitLoadGroup(load: DeferredLoad, storages: readonly Storage[], group: number): void {
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

  private current = new Set<Value>()
  /** The first group of four lanes that the batch at hand is computed for. */
  private firstGroup = 0

  /** Pops a v128 into its place; a lane mask becomes four bits. */
  private keep(storage: Storage, group: number, half: number): void {
    const { f } = this.context
    if (storage.kind === 'bits') {
      f.op(Op.i32x4_bitmask)
      if (group > 0) f.i32(group * GROUP_LANES).op(Op.i32_shl)
      if (group !== this.firstGroup) f.get(storage.local).op(Op.i32_or)
      f.set(storage.local)
    } else if (storage.kind === 'vectors') {
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
        this.pushIndex(index, value => values.scalar(value))
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
    if (from === space || (from !== 3 && space !== 3)) return
    f.get(frame.shared)
      .i32(DEVICE_BASE | 0)
      .op(Op.i32_add)
      .op(Op.i32x4_splat)
      .op(from === 3 ? Op.i32x4_add : Op.i32x4_sub)
  }
}

/** As the reference interpreter reports it (reference/specialRegisters.ts). */
const MULTIPROCESSORS = 132

const SWAPPED: Readonly<Record<string, 'ult' | 'ule' | 'ugt' | 'uge' | 'slt' | 'sle' | 'sgt' | 'sge' | 'eq' | 'ne'>> = {
  ult: 'ugt',
  ule: 'uge',
  ugt: 'ult',
  uge: 'ule',
  slt: 'sgt',
  sle: 'sge',
  sgt: 'slt',
  sge: 'sle',
  eq: 'eq',
  ne: 'ne',
}

/** Taking an aggregate apart costs nothing: the part is storage of the whole. */
function isExtraction({ op }: Instruction): boolean {
  return op === 'extractvalue' || op === 'extractelement'
}

function isAggregate({ type }: Value): boolean {
  return type.kind === 'vector' || type.kind === 'struct' || type.kind === 'array'
}

function isTerminatorOp({ op }: Instruction): boolean {
  return op === 'br' || op === 'condbr' || op === 'switch' || op === 'ret' || op === 'unreachable'
}

function isPartwise(instruction: Instruction): instruction is BinaryInstruction {
  return [
    'add',
    'sub',
    'mul',
    'shl',
    'lshr',
    'udiv',
    'urem',
    'and',
    'or',
    'xor',
    'freeze',
    'ptrtoint',
    'inttoptr',
    'select',
  ].includes(instruction.op)
}

/** A result that nobody reads, made by something without effect. */
function isDead(instruction: Instruction, values: KernelContext['values']): boolean {
  if (values.usersOfValue(instruction).length > 0) return false
  switch (instruction.op) {
    case 'store':
    case 'atomicrmw':
    case 'cmpxchg':
    case 'fence':
    case 'load':
      return false
    case 'call':
      return classifyCall(instruction).kind === 'pure'
    default:
      return true
  }
}
