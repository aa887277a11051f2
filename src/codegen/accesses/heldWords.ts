/**
 * Words of shared memory that a warp has just written and still has in locals. In the last rounds of a reduction one warp is left:
 * what it stores at one barrier it loads again behind it, and nobody else writes in between. Such loads take the words from where
 * they came from; the stores are made all the same. For regions (barrierRegions.ts) that follow each other, run by one warp whose
 * lanes and addresses are known while compiling.
 */
import type { Instruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { type FunctionBuilder, V128 } from '../../wasm/builder.ts'
import { isRepeatableCall } from '../flow/suspensionPlan.ts'
import type { Version } from '../flow/versions.ts'
import type { KernelContext } from '../kernelContext.ts'
import { classifyCall } from '../operations/intrinsics.ts'
import { mayBeComputed } from '../operations/nan.ts'
import { heldAs } from '../operations/operations.ts'
import { GROUP_LANES, groupsOf } from '../values/storage.ts'
import { type Access, accessOf } from './access.ts'

const WORD = 4

interface Place {
  readonly local: number
  readonly lane: number
}

/** Four lanes of one or two locals: `lanes` from 4 on are the second's. */
export interface HeldLanes {
  readonly first: number
  readonly second: number
  readonly lanes: readonly [number, number, number, number]
}

export class HeldWords {
  readonly warp: number
  private readonly context: KernelContext
  /** By offset in the block's window. */
  private readonly places = new Map<number, Place>()
  private readonly locals: number[] = []

  constructor(context: KernelContext, warp: number) {
    this.context = context
    this.warp = warp
  }

  /** The version's only warp writes shared memory at known places alone, and always. */
  static suits(context: KernelContext, { first, last, blocks, skipped, assumptions }: Version): boolean {
    if (first !== last || assumptions.size > 0) return false
    return [...blocks].every(
      ([block, { certain }]) =>
        certain &&
        block.instructions.every(instruction => skipped.has(instruction) || suits(context, instruction, first)),
    )
  }

  /** Somebody else may write. */
  forget(): void {
    this.places.clear()
    this.context.f.release(V128, ...this.locals.splice(0))
  }

  /** A store that was made by these lanes. */
  noteStore(access: Access, value: Value, mask: number): void {
    const { f, values, statics, canonical } = this.context
    const offsets = isShared(this.context, access.pointer) ? statics.valueOf(access.pointer, this.warp) : undefined
    if (!offsets) return
    const storage = values.isStored(value) ? values.storageOf(value) : undefined
    const isHeld = storage?.kind === 'vectors' && !storage.temporary && (value === canonical || !mayBeComputed(value))
    for (const group of groupsOf(mask)) {
      const local = isHeld ? f.local(V128) : undefined
      if (isHeld && local !== undefined) {
        f.get(storage.locals[group]!).set(local)
        this.locals.push(local)
      }
      for (let lane = 0; lane < GROUP_LANES; lane++) {
        const at = group * GROUP_LANES + lane
        if (!((mask >>> at) & 1)) continue
        if (local === undefined) this.places.delete(offsets[at]!)
        else this.places.set(offsets[at]!, { local, lane })
      }
    }
  }

  /** Where a group of lanes has what it is about to load; undefined where that is not all in two locals. */
  find(access: Access, group: number, mask: number): HeldLanes | undefined {
    const found = this.findLanes(access, group, mask)
    if (!found) return undefined
    const [first, second, ...more] = new Set(found.flatMap(place => (place ? [place.local] : [])))
    if (first === undefined || more.length > 0) return undefined
    const lanes = found.map((place, lane) => (place ? place.lane + (place.local === first ? 0 : GROUP_LANES) : lane))
    return { first, second: second ?? first, lanes: lanes as [number, number, number, number] }
  }

  private findLanes(access: Access, group: number, mask: number): (Place | undefined)[] | undefined {
    const { elements, elementType, pointer, instruction } = access
    if (!isWord(access) || !isShared(this.context, pointer) || !isPlain(instruction)) return undefined
    const held = heldAs(elementType)
    if (held?.kind !== 'f32' && held?.kind !== 'i32') return undefined
    const offsets = elements.count === 1 ? this.context.statics.valueOf(pointer, this.warp) : undefined
    if (!offsets) return undefined
    const found: (Place | undefined)[] = []
    for (let lane = 0; lane < GROUP_LANES; lane++) {
      const at = group * GROUP_LANES + lane
      const isWanted = ((mask >>> at) & 1) === 1
      const place = isWanted ? this.places.get(offsets[at]!) : undefined
      if (isWanted && !place) return undefined
      found.push(place)
    }
    return found
  }
}

export function pushHeld(f: FunctionBuilder, { first, second, lanes }: HeldLanes): void {
  f.get(first)
  if (lanes.every((lane, index) => lane === index)) return
  f.get(second).shuffle32(...lanes)
}

function suits(context: KernelContext, instruction: Instruction, warp: number): boolean {
  switch (instruction.op) {
    case 'atomicrmw':
    case 'cmpxchg':
    case 'fence':
      return false
    case 'load':
      return isPlain(instruction) && instruction.copiedTo === undefined
    case 'store':
      return isPlain(instruction) && suitsStore(context, instruction, warp)
    case 'call': {
      const kind = classifyCall(instruction)
      return isRepeatableCall(kind) || ['nothing', 'sleep', 'vote', 'shuffle', 'barrier'].includes(kind.kind)
    }
    default:
      return true
  }
}

function suitsStore(context: KernelContext, instruction: StoreInstruction, warp: number): boolean {
  const { program, statics } = context
  const { pointer } = instruction
  if (!program.spacesOf(pointer).has('shared')) return true
  if (!isShared(context, pointer) || !isWord(accessOf(instruction))) return false
  const offsets = statics.valueOf(pointer, warp)
  return offsets?.every(offset => offset % WORD === 0 && offset >= 0 && offset < program.shared.staticBytes) ?? false
}

function isWord({ elements, width }: Access): boolean {
  return elements.count === 1 && width === WORD
}

function isShared({ program }: KernelContext, pointer: Value): boolean {
  const spaces = program.spacesOf(pointer)
  return spaces.size === 1 && spaces.has('shared')
}

function isPlain(instruction: Instruction): boolean {
  return (instruction.op === 'load' || instruction.op === 'store') && !instruction.atomic
}
