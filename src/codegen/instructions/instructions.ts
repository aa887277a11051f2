/**
 * Emits the instructions of one block. Scalars are emitted where they stand. Computations on lanes are collected and emitted
 * group after group (four lanes at a time through all of them), so that V8 keeps their intermediate values in registers;
 * whatever needs all lanes at once (memory, votes, shuffles) first flushes what was collected.
 */
import { operandsOf } from '../../ir/graph.ts'
import type { Block, Instruction, LoadInstruction, Value } from '../../ir/ir.ts'
import { alignUp } from '../../ir/types.ts'
import { emitAtomic } from '../accesses/atomics.ts'
import { beginLoad, type DeferredLoad, deferredSpan, endLoad } from '../accesses/deferredLoads.ts'
import { emitLoad } from '../accesses/loads.ts'
import { emitStore } from '../accesses/stores.ts'
import { groupAccesses, releaseGroups } from '../counting/countGroups.ts'
import { type KernelContext, knownMask } from '../kernelContext.ts'
import { classifyCall } from '../operations/intrinsics.ts'
import { IMAGES_BYTES } from '../slot.ts'
import { groupsOf } from '../values/storage.ts'
import { isAggregate, isExtraction, rename } from './aggregateInstructions.ts'
import { isBetterInTurn } from './batchOrder.ts'
import { openShortcut } from './boundsShortcut.ts'
import { emitCall } from './callInstructions.ts'
import { LaneBatch } from './laneInstructions.ts'
import { alloca, emitScalarInstruction } from './scalarInstructions.ts'

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
        return rename(this.context, instruction)
      case 'insertvalue':
      case 'insertelement':
      case 'shufflevector':
        this.flushFor(instruction)
        return rename(this.context, instruction)
      case 'freeze':
        if (isAggregate(instruction)) {
          this.flushFor(instruction)
          return values.alias(instruction, values.storagesOf(instruction.value))
        }
        break
      case 'alloca':
        return alloca(this.context, instruction)
      case 'call':
        if (emitCall(this.context, instruction, () => this.flush())) return
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
    emitScalarInstruction(this.context, instruction)
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
    const inTurn = isBetterInTurn(this.context, batch, this.loads)
    for (const instruction of batch)
      if (isExtraction(instruction)) rename(this.context, instruction)
      else values.allocate(instruction, !inTurn && isLocal(instruction))
    const opened = openShortcut(this.context, batch)
    const groups = groupsOf(knownMask(this.context) ?? -1)
    const lanes = new LaneBatch(this.context, members, groups[0]!, this.loads)
    const computed = batch.filter(instruction => !isExtraction(instruction))
    if (inTurn) for (const instruction of computed) lanes.emitInstruction(instruction, groups)
    else for (const group of groups) for (const instruction of computed) lanes.emitGroup(instruction, group)
    for (let level = 0; level < opened; level++) this.context.f.end()
    for (const instruction of batch)
      if (!inTurn && isLocal(instruction)) {
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
}

function isTerminatorOp({ op }: Instruction): boolean {
  return op === 'br' || op === 'condbr' || op === 'switch' || op === 'ret' || op === 'unreachable'
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
