/**
 * Where the values of a kernel live while its code runs, leaf by leaf (aggregates are flattened), and how to get at them:
 * as a scalar, as four lanes, as a bit mask of lanes. The choice follows the value's shape (shapes.ts).
 */
import { DEVICE_BASE } from '../../addressSpace.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { InternalError, userError } from '../../diagnostic.ts'
import { users } from '../../ir/graph.ts'
import type { Constant, Instruction, Value } from '../../ir/ir.ts'
import { SPACE } from '../../ir/types.ts'
import { type FunctionBuilder, I32, V128, type ValueType } from '../../wasm/builder.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { Helpers } from '../helpers/helpers.ts'
import { type Held, halvesOf, heldAs, leavesOf, machineType } from '../operations/operations.ts'
import { emitScalar } from '../operations/scalarOperations.ts'
import { isConstant, type LaneVector } from './laneVector.ts'
import type { Shapes } from './shapes.ts'

export const GROUPS = 8
export const GROUP_LANES = 4

/** The groups of four lanes with a lane in the mask. */
export function groupsOf(mask: number): readonly number[] {
  return Array.from({ length: GROUPS }, (_, group) => group).filter(
    group => ((mask >>> (group * GROUP_LANES)) & 15) !== 0,
  )
}

/** Four lanes on the stack, a flag each in the sign, become their group of the local's bits; the first group begins anew. */
export function setBits(f: FunctionBuilder, local: number, group: number, isFirst = group === 0): void {
  f.op(Op.i32x4_bitmask)
  if (group > 0) f.i32(group * GROUP_LANES).op(Op.i32_shl)
  if (!isFirst) f.get(local).op(Op.i32_or)
  f.set(local)
}

export type Storage =
  /** The local plus a constant: addresses that differ by constants share a local. */
  | { readonly kind: 'scalar'; readonly local: number; readonly plus?: number }
  /** scalar + lanes */
  | { readonly kind: 'linear'; readonly local: number; readonly lanes: LaneVector; readonly plus?: number }
  /** A v128 for each half of each group; a temporary has those of one group only, used again for the next. */
  | { readonly kind: 'vectors'; readonly locals: readonly number[]; readonly temporary: boolean }
  /** A flag as one bit a lane. */
  | { readonly kind: 'bits'; readonly local: number }
  | { readonly kind: 'constant'; readonly constant: Constant; readonly leaf: number }

/** A storage before it has locals. */
export type Form =
  | { readonly kind: 'scalar' | 'bits' | 'vectors'; readonly type: ValueType; readonly held: Held }
  | { readonly kind: 'linear'; readonly type: ValueType; readonly held: Held; readonly lanes: LaneVector }

/** A lane vector's place in the slot, and locals with its least and its greatest lane and with the bits that any lane has. */
export interface LaneTable {
  readonly offset: number
  readonly low: number
  readonly high: number
  readonly bits: number
}

export interface Places {
  readonly slot: number
  /** Start of the block's shared memory window in device memory. */
  readonly shared: number
}

export class Values {
  private stored = new Map<Value, readonly Storage[]>()
  /** Locals allocated since {@link scoped} began, and how many values share them. */
  private scope: Map<number, { readonly type: ValueType; values: number }> | undefined
  private readonly tables = new Map<string, LaneTable & { readonly lanes: LaneVector }>()
  private readonly usersOf: Map<Value, Instruction[]>
  private readonly f: FunctionBuilder
  private readonly helpers: Helpers
  private readonly program: KernelProgram
  private readonly shapes: Shapes
  private readonly symbols: ReadonlyMap<string, number>
  private readonly places: Places
  private readonly firstTable: number

  constructor(
    f: FunctionBuilder,
    helpers: Helpers,
    program: KernelProgram,
    shapes: Shapes,
    symbols: ReadonlyMap<string, number>,
    places: Places,
    firstTable: number,
  ) {
    this.f = f
    this.helpers = helpers
    this.program = program
    this.shapes = shapes
    this.symbols = symbols
    this.places = places
    this.firstTable = firstTable
    this.usersOf = users(program.kernel)
  }

  usersOfValue(value: Value): readonly Instruction[] {
    return this.usersOf.get(value) ?? []
  }

  // ---------------------------------------------------------------- allocation

  /** What {@link allocate} will keep each part of a value in. */
  formsOf(value: Instruction | (Value & { kind: 'parameter' })): readonly Form[] {
    const shape = this.shapes.shapeOf(value)
    return leavesOf(value.type).map((type): Form => {
      const held = this.held(type, value)
      if (shape.kind === 'uniform') return { kind: 'scalar', type: machineType(held), held }
      if (shape.kind === 'linear') return { kind: 'linear', type: I32, held, lanes: shape.lanes }
      if (held.kind === 'flag' && !this.isLaneMask(value)) return { kind: 'bits', type: I32, held }
      return { kind: 'vectors', type: V128, held }
    })
  }

  /** Allocates the locals of a value, `temporary` ones for one group only. */
  allocate(value: Instruction | (Value & { kind: 'parameter' }), temporary = false): readonly Storage[] {
    const storages = this.formsOf(value).map((form): Storage => {
      if (form.kind === 'vectors') {
        const locals = this.f.many(V128, halvesOf(form.held) * (temporary ? 1 : GROUPS))
        if (!temporary) this.note(V128, locals)
        return { kind: 'vectors', locals, temporary }
      }
      const local = this.f.local(form.type)
      this.note(form.type, [local])
      return form.kind === 'linear' ? { kind: 'linear', local, lanes: form.lanes } : { kind: form.kind, local }
    })
    this.stored.set(value, storages)
    return storages
  }

  /** Emits code whose values nobody reads afterwards: their locals are free again. Values made before are there inside. */
  scoped(emit: () => void): void {
    const { stored, scope } = this
    this.stored = new Map(stored)
    const made: NonNullable<typeof scope> = new Map()
    this.scope = made
    emit()
    for (const [local, { type }] of made) this.f.release(type, local)
    this.scope = scope
    this.stored = stored
  }

  private note(type: ValueType, locals: readonly number[]): void {
    for (const local of locals) this.scope?.set(local, { type, values: 1 })
  }

  /** Nobody reads the value any more: locals that it does not share are free again. Only in {@link scoped} code. */
  retire(value: Value): void {
    for (const storage of this.stored.get(value) ?? [])
      for (const local of localsOf(storage)) {
        const shared = this.scope?.get(local)
        if (!shared || --shared.values > 0) continue
        this.scope?.delete(local)
        this.f.release(shared.type, local)
      }
    this.stored.delete(value)
  }

  /** Gives the locals of temporaries back. */
  releaseTemporary(value: Value): void {
    for (const storage of this.stored.get(value) ?? [])
      if (storage.kind === 'vectors' && storage.temporary) this.f.release(V128, ...storage.locals)
    this.stored.delete(value)
  }

  /** Nobody reads the value any more. */
  forget(value: Value): void {
    this.stored.delete(value)
  }

  /** Lets a value share the storage of others: element extraction and insertion cost nothing. */
  alias(value: Value, storages: readonly Storage[]): void {
    for (const storage of storages)
      for (const local of localsOf(storage)) {
        const shared = this.scope?.get(local)
        if (shared) shared.values++
      }
    this.stored.set(value, storages)
  }

  isStored(value: Value): boolean {
    return this.stored.has(value)
  }

  private held(type: Value['type'], value: Value): Held {
    const held = heldAs(type)
    if (held) return held
    const location = value.kind === 'instruction' ? value.location : undefined
    throw userError('unsupported-type', `integers of more than 64 bits but 128 are not supported`, location)
  }

  /** Flags that only select between lanes are kept as lane masks; those that branch, vote or are combined with such, as bits. */
  private isLaneMask(value: Value): boolean {
    const reads = this.usersOfValue(value)
    return (
      reads.length > 0 &&
      reads.every(
        user =>
          (user.op === 'select' &&
            user.condition === value &&
            user.ifTrue !== value &&
            user.ifFalse !== value &&
            !isFlag(user)) ||
          user.op === 'zext' ||
          user.op === 'sext' ||
          user.op === 'uitofp' ||
          user.op === 'sitofp',
      )
    )
  }

  // ---------------------------------------------------------------- access

  storagesOf(value: Value): readonly Storage[] {
    const known = this.stored.get(value)
    if (known) return known
    if (value.kind === 'instruction')
      throw new InternalError(`value ${value.name} (${value.op}) is read before it is made`)
    if (value.kind === 'parameter') throw new InternalError(`parameter ${value.name} has no storage`)
    return leavesOf(value.type).map((_, leaf) => ({ kind: 'constant', constant: value, leaf }))
  }

  storageOf(value: Value, leaf = 0): Storage {
    const storage = this.storagesOf(value)[leaf]
    if (!storage) throw new InternalError('a value has fewer parts than asked for')
    return storage
  }

  isUniform(value: Value, leaf = 0): boolean {
    const { kind } = this.storageOf(value, leaf)
    return kind === 'scalar' || kind === 'constant'
  }

  /** Pushes the scalar of a uniform value, or the scalar part of a linear one. */
  scalar(value: Value, leaf = 0): void {
    this.pushScalar(this.storageOf(value, leaf))
  }

  pushScalar(storage: Storage): void {
    switch (storage.kind) {
      case 'scalar':
      case 'linear':
        this.f.get(storage.local)
        if (storage.plus) this.f.i32(storage.plus).op(Op.i32_add)
        return
      case 'bits':
        this.f.get(storage.local)
        return
      case 'constant':
        this.constant(storage.constant, storage.leaf)
        return
      case 'vectors':
        throw new InternalError('lanes were asked for as a scalar')
    }
  }

  /** Pushes four lanes as a v128 (one half of them for 64-bit types; a lane mask for flags). */
  vector(value: Value, group: number, half = 0, leaf = 0): void {
    this.pushVector(this.storageOf(value, leaf), this.held(leavesOf(value.type)[leaf]!, value), group, half)
  }

  pushVector(storage: Storage, held: Held, group: number, half: number): void {
    const { f } = this
    switch (storage.kind) {
      case 'vectors':
        f.get(storage.locals[(storage.temporary ? 0 : group * halvesOf(held)) + half]!)
        return
      case 'linear':
        this.pushScalar(storage)
        f.op(Op.i32x4_splat)
        this.lanes(storage.lanes, group)
        f.op(Op.i32x4_add)
        return
      case 'bits':
        this.laneMask(() => f.get(storage.local), group)
        return
      default:
        this.splat(storage, held)
    }
  }

  private splat(storage: Storage, held: Held): void {
    const { f } = this
    if (held.kind === 'flag') {
      f.i32(0)
      this.pushScalar(storage)
      f.op(Op.i32_sub).op(Op.i32x4_splat)
      return
    }
    this.pushScalar(storage)
    f.op(
      held.kind === 'i64'
        ? Op.i64x2_splat
        : held.kind === 'f64'
          ? Op.f64x2_splat
          : held.kind === 'i32'
            ? Op.i32x4_splat
            : Op.f32x4_splat,
    )
  }

  /** Pushes a mask of 32-bit lanes from one bit a lane. */
  laneMask(bits: () => void, group: number): void {
    const lane = (index: number): number => 1 << (group * GROUP_LANES + index)
    bits()
    this.f
      .op(Op.i32x4_splat)
      .v128([lane(0), lane(1), lane(2), lane(3)])
      .op(Op.v128_and)
    this.f.v128([lane(0), lane(1), lane(2), lane(3)]).op(Op.i32x4_eq)
  }

  /** Pushes a flag as one bit a lane; bits of inactive lanes are meaningless. */
  bits(value: Value, leaf = 0): void {
    const { f } = this
    const storage = this.storageOf(value, leaf)
    switch (storage.kind) {
      case 'bits':
        f.get(storage.local)
        return
      case 'vectors':
        storage.locals.forEach((local, group) => {
          f.get(local).op(Op.i32x4_bitmask)
          if (group > 0)
            f.i32(group * GROUP_LANES)
              .op(Op.i32_shl)
              .op(Op.i32_or)
        })
        return
      default:
        f.i32(0)
        this.pushScalar(storage)
        f.op(Op.i32_sub)
    }
  }

  // ---------------------------------------------------------------- lane vectors

  /** Pushes four lanes of a lane vector. */
  lanes(lanes: LaneVector, group: number): void {
    const at = group * GROUP_LANES
    if (isConstant(lanes)) {
      this.group(lanes.constant, group)
    } else this.f.get(this.places.slot).memory(Op.v128_load, this.table(lanes).offset + at * 4)
  }

  /** The table of a lane vector that a launch computes once. */
  table(lanes: LaneVector): LaneTable {
    const known = this.tables.get(lanes.key)
    if (known) return known
    const made = {
      lanes,
      offset: this.firstTable + this.tables.size * 128,
      // Set before the first block: locals that no other code has used, or uses again.
      low: this.f.fresh(I32),
      high: this.f.fresh(I32),
      bits: this.f.fresh(I32),
    }
    this.tables.set(lanes.key, made)
    return made
  }

  /** Where the tables end. */
  get end(): number {
    return this.firstTable + this.tables.size * 128
  }

  /** Emits the computation of all lane tables; their scalars must have been computed. */
  emitTables(): void {
    const { f } = this
    const [low, high, bits] = f.many(V128, 3)
    const value = f.local(V128)
    for (const { lanes, offset, low: lowest, high: highest, bits: all } of this.tables.values()) {
      for (let group = 0; group < GROUPS; group++) {
        this.group(lanes.constant, group)
        for (const term of lanes.terms) {
          term.scale.forEach((factor, index) => {
            this.scalar(factor)
            if (index > 0) f.op(Op.i32_mul)
          })
          f.op(Op.i32x4_splat)
          this.group(term.lanes, group)
          f.op(Op.i32x4_mul).op(Op.i32x4_add)
        }
        f.set(value)
        f.get(this.places.slot)
          .get(value)
          .memory(Op.v128_store, offset + group * 16)
        for (const [extreme, opcode] of [
          [low, Op.i32x4_min_s],
          [high, Op.i32x4_max_s],
          [bits, Op.v128_or],
        ] as const) {
          if (group === 0) f.get(value).set(extreme)
          else f.get(extreme).get(value).op(opcode).set(extreme)
        }
      }
      for (const [extreme, opcode, into] of [
        [low, Op.i32x4_min_s, lowest],
        [high, Op.i32x4_max_s, highest],
        [bits, Op.v128_or, all],
      ] as const) {
        f.get(extreme).get(extreme).get(extreme).shuffle32(2, 3, 0, 1).op(opcode).tee(extreme)
        f.get(extreme).get(extreme).shuffle32(1, 0, 3, 2).op(opcode).lane(Op.i32x4_extract_lane, 0).set(into)
      }
    }
    f.release(V128, low, high, bits, value)
  }

  private group(vector: Int32Array, group: number): void {
    const at = group * GROUP_LANES
    this.f.v128([vector[at]!, vector[at + 1]!, vector[at + 2]!, vector[at + 3]!])
  }

  // ---------------------------------------------------------------- constants

  private constant(constant: Constant, leaf: number): void {
    const { f } = this
    const held = this.held(leavesOf(constant.type)[leaf]!, constant)
    switch (constant.kind) {
      case 'aggregate': {
        let rest = leaf
        for (const element of constant.elements) {
          const count = leavesOf(element.type).length
          if (rest < count) return this.constant(element, rest)
          rest -= count
        }
        throw new InternalError('an aggregate constant has fewer leaves than its type')
      }
      case 'int':
        if (held.kind === 'i64') f.i64(constant.value)
        else f.i32(Number(BigInt.asIntN(32, constant.value)))
        return
      case 'float':
        if (held.kind === 'f64') f.f64Bits(constant.bits)
        else f.f32Bits(held.kind === 'f32' ? Number(constant.bits) : singleBits(constant.value))
        return
      case 'address':
        return this.address(constant)
      case 'expression':
        return this.expression(constant)
      default:
        if (held.kind === 'i64') f.i64(0n)
        else if (held.kind === 'f64') f.f64Bits(0n)
        else if (held.kind === 'f32' || held.kind === 'f16') f.f32Bits(0)
        else f.i32(0)
    }
  }

  private address({ target, offset, type }: Constant & { kind: 'address' }): void {
    const { f } = this
    if (target.kind === 'global' && target.space === SPACE.shared) {
      const at = this.program.shared.offsets.get(target)
      if (at === undefined) throw new InternalError(`shared variable ${target.name} has no place`)
      if (type.kind === 'pointer' && type.space === SPACE.shared) f.i32(at + offset)
      else
        f.get(this.places.shared)
          .i32((DEVICE_BASE + at + offset) | 0)
          .op(Op.i32_add)
      return
    }
    const address = this.symbols.get(target.name)
    if (address === undefined)
      throw userError('undefined-symbol', `device symbol ${target.name} is declared but defined nowhere`)
    f.i32((address + offset) | 0)
  }

  private expression(constant: Constant & { kind: 'expression' }): void {
    emitScalar(this.f, this.helpers, { name: constant.op, type: constant.type, operands: constant.operands }, operand =>
      this.constant(constant.operands[operand]!, 0),
    )
  }
}

function localsOf(storage: Storage): readonly number[] {
  if (storage.kind === 'vectors') return storage.temporary ? [] : storage.locals
  return storage.kind === 'constant' ? [] : [storage.local]
}

function isFlag(value: Value): boolean {
  return value.type.kind === 'int' && value.type.bits === 1
}

function singleBits(value: number): number {
  return new Uint32Array(Float32Array.of(value).buffer)[0]!
}

/** The first leaf and the number of leaves of the part of an aggregate that the indices select. */
export function leafRange(type: Value['type'], indices: readonly number[]): { first: number; count: number } {
  let first = 0
  let part = type
  for (const index of indices) {
    if (part.kind === 'struct') {
      for (const field of part.fields.slice(0, index)) first += leavesOf(field).length
      part = part.fields[index]!
    } else if (part.kind === 'array' || part.kind === 'vector') {
      first += index * leavesOf(part.element).length
      part = part.element
    } else throw new InternalError('an index into a scalar')
  }
  return { first, count: leavesOf(part).length }
}
