/**
 * Vectors that are copied (frontend/passes/vectorCopies.ts) become their elements: each element that is used is loaded and stored by itself, and
 * neighbours join again (mergeAccesses.ts), as those of structures' members do; what nothing uses is not loaded. Only where a single
 * element is loaded at all, to go back where it came from, is it left out (`v = a[i]; v.x = v.y = v.z = 0; a[i] = v;`); and of four of
 * which the first alone is not used, all are loaded (machine code of 8 kernels). What was never set is not stored (`float4 v; v.x = v.y = v.z = 0;
 * o[t] = v;`; PTX of 12 kernels).
 * In: a kernel whose vector operations have constant indices (lowerVectors.ts). Out: the same, where only what is no copy is on vectors.
 */
import { buildVector, extractElement, load, offsetPointer, type Place, select, store } from '../../ir/build.ts'
import { reversePostOrder } from '../../ir/graph.ts'
import type {
  Block,
  Func,
  Instruction,
  LoadInstruction,
  PhiInstruction,
  StoreInstruction,
  Type,
  Value,
} from '../../ir/ir.ts'
import { operandsOf, users } from '../../ir/operands.ts'
import { storeBytes } from '../../ir/types.ts'
import { alignAt } from '../facts/address.ts'
import { isPlainAccess } from '../facts/memoryEffects.ts'
import { isSamePlace, MemoryPlaces } from '../facts/places.ts'
import { replaceValues } from '../rewriting/blocks.ts'
import { ASSEMBLY_LOAD } from './assembly/memory.ts'

/** What frontend/passes/vectorCopies.ts calls its loads. */
const COPY = 'wl.copy'
/** In the name of an element of a vector that LLVM moved to where ways meet (returnLoads.ts). */
export const MOVED = '.moved'

/** Smaller ones are words, whatever they hold. */
const MOVED_AS_ONE = 8

const staysWhereItIs = ({ name }: Instruction) => name.startsWith(COPY) || name === ASSEMBLY_LOAD

type Vector = Type & { kind: 'vector' }

export function takeVectorsApart(func: Func): void {
  const isCopied = func.blocks.some(({ instructions }) =>
    instructions.some(
      each =>
        isPlainAccess(each) &&
        (each.op === 'load' ? isVector(each.type) : isVector(each.value.type) && hasGaps(each.value)),
    ),
  )
  if (isCopied) new Parts(func).take()
}

/** Whether some element was never set. */
function hasGaps(value: Value): boolean {
  const set = new Set<number>()
  let whole = value
  for (; whole.kind === 'instruction' && whole.op === 'insertelement'; whole = whole.vector)
    set.add(indexOf(whole.index))
  const { length } = value.type as Vector
  return Array.from({ length }, (_, at) => at).some(
    at =>
      !set.has(at) && (whole.kind === 'undef' || (whole.kind === 'aggregate' && whole.elements[at]!.kind === 'undef')),
  )
}

const isVector = (type: Type): type is Vector =>
  type.kind === 'vector' && [1, 2, 4, 8].includes(storeBytes(type.element))

const placeOf = ({ block, location }: Instruction): Place => ({ block, location })

class Parts {
  readonly #func: Func
  readonly #usersOf: ReadonlyMap<Value, readonly Instruction[]>
  readonly #elements = new Map<Value, readonly Value[]>()
  readonly #replaced = new Map<Value, Value>()
  /** What this makes, which goes if nothing uses it. */
  readonly #made = new Set<Instruction>()
  readonly #stores: StoreInstruction[] = []
  /** Those of a vector together. */
  readonly #loads: (readonly LoadInstruction[])[] = []
  readonly #phis: { readonly whole: PhiInstruction; readonly parts: readonly PhiInstruction[] }[] = []

  constructor(func: Func) {
    this.#func = func
    this.#usersOf = users(func)
  }

  take(): void {
    for (const block of reversePostOrder(this.#func)) this.#takeIn(block)
    for (const { whole, parts } of this.#phis)
      for (const { value, block } of whole.incoming) {
        const elements = this.#elementsBefore(value, block)
        for (const [at, part] of parts.entries()) part.incoming.push({ value: elements[at]!, block })
      }
    replaceValues(this.#func.blocks, this.#replaced)
    this.#dropUnused()
    this.#dropKept()
  }

  #takeIn(block: Block): void {
    const phis: Instruction[] = []
    const rest: Instruction[] = []
    const behindPhis: Instruction[] = []
    for (const instruction of block.instructions) {
      const out = instruction.op === 'phi' ? phis : rest
      if (!this.#takeApart(instruction, out)) out.push(instruction)
      const elements = this.#elements.get(instruction)
      if (elements && (this.#usersOf.get(instruction) ?? []).some(user => !this.#isTaken(user))) {
        const made: Instruction[] = []
        this.#replaced.set(instruction, buildVector(placeOf(instruction), elements, made))
        for (const each of made) this.#made.add(each)
        ;(instruction.op === 'phi' ? behindPhis : rest).push(...made)
      }
    }
    block.instructions = [...phis, ...behindPhis, ...rest]
  }

  /** Whether this takes the instruction apart. */
  #isTaken(instruction: Instruction): boolean {
    switch (instruction.op) {
      case 'load':
        return isVector(instruction.type) && isPlainAccess(instruction) && !instruction.copiedTo
      case 'store':
        return isVector(instruction.value.type) && isPlainAccess(instruction) && !instruction.copied
      case 'extractelement':
        return isVector(instruction.vector.type) && instruction.index.kind === 'int'
      case 'insertelement':
        return isVector(instruction.type) && instruction.index.kind === 'int'
      case 'shufflevector':
        return isVector(instruction.type) && isVector(instruction.left.type)
      case 'select':
        return isVector(instruction.type) && instruction.condition.type.kind === 'int'
      case 'phi':
      case 'freeze':
        return isVector(instruction.type)
      default:
        return false
    }
  }

  /** `out` gets what stands in its place. */
  #takeApart(instruction: Instruction, out: Instruction[]): boolean {
    if (!this.#isTaken(instruction)) return false
    const place = placeOf(instruction)
    const add = <Made extends Instruction>(made: Made): Made => {
      this.#made.add(made)
      out.push(made)
      return made
    }
    const partsOf = (value: Value) => this.#partsOf(value, place, add)
    switch (instruction.op) {
      case 'load': {
        const { element, length } = instruction.type as Vector
        const bytes = storeBytes(instruction.type)
        const loads = Array.from({ length }, (_, at) => {
          const offset = at * storeBytes(element)
          const pointer = add(offsetPointer(place, instruction.pointer, offset))
          const part = add(load(place, element, pointer, alignAt(instruction.align, offset)))
          // As scalar replacement names the members of a copy; LLVM names a load anew that it moves to where ways meet.
          part.name = `${instruction.name}${staysWhereItIs(instruction) ? '' : MOVED}.copyload`
          part.hasSourceType = true
          if (bytes >= MOVED_AS_ONE) part.vector = { bytes, offset }
          if (instruction.narrowed) part.narrowed = true
          return part
        })
        this.#loads.push(loads)
        this.#elements.set(instruction, loads)
        return true
      }
      case 'store': {
        const bytes = storeBytes(instruction.value.type)
        for (const [at, value] of partsOf(instruction.value).entries()) {
          if (value.kind === 'undef') continue
          const offset = at * storeBytes(value.type)
          const pointer = offsetPointer(place, instruction.pointer, offset)
          const part = store(place, value, pointer, alignAt(instruction.align, offset))
          part.hasSourceType = true
          if (bytes >= MOVED_AS_ONE) part.vector = { bytes, offset }
          if (instruction.narrowed) part.narrowed = true
          out.push(pointer, part)
          this.#stores.push(part)
        }
        return true
      }
      case 'extractelement':
        this.#replaced.set(instruction, partsOf(instruction.vector)[indexOf(instruction.index)]!)
        return true
      case 'insertelement': {
        const parts = [...partsOf(instruction.vector)]
        parts[indexOf(instruction.index)] = this.#now(instruction.value)
        this.#elements.set(instruction, parts)
        return true
      }
      case 'shufflevector': {
        const all = [...partsOf(instruction.left), ...partsOf(instruction.right)]
        const { element } = instruction.type as Vector
        this.#elements.set(
          instruction,
          instruction.mask.map(from => all[from] ?? { kind: 'undef', type: element }),
        )
        return true
      }
      case 'select': {
        const [first, second] = [partsOf(instruction.ifTrue), partsOf(instruction.ifFalse)]
        const condition = this.#now(instruction.condition)
        this.#elements.set(
          instruction,
          first.map((value, at) => add(select(place, condition, value, second[at]!))),
        )
        return true
      }
      case 'freeze': {
        const parts = partsOf(instruction.value).map(value =>
          add({ kind: 'instruction', op: 'freeze', type: value.type, name: '', ...place, value }),
        )
        this.#elements.set(instruction, parts)
        return true
      }
      case 'phi': {
        const { element, length } = instruction.type as Vector
        const parts = Array.from({ length }, (): PhiInstruction => {
          const part: PhiInstruction = {
            kind: 'instruction',
            op: 'phi',
            type: element,
            name: '',
            ...place,
            incoming: [],
          }
          return add(part)
        })
        this.#phis.push({ whole: instruction, parts })
        this.#elements.set(instruction, parts)
        return true
      }
      default:
        return false
    }
  }

  #now(value: Value): Value {
    let now = value
    for (;;) {
      const next = this.#replaced.get(now)
      if (next === undefined) return now
      now = next
    }
  }

  #partsOf(value: Value, place: Place, add: (made: Instruction) => Instruction): readonly Value[] {
    const known = this.#elements.get(value)
    if (known) return known
    const { element, length } = value.type as Vector
    return Array.from({ length }, (_, at): Value => {
      if (value.kind === 'aggregate') return value.elements[at]!
      if (value.kind === 'undef' || value.kind === 'zero') return { kind: value.kind, type: element }
      return add(extractElement(place, value, at, element))
    })
  }

  /** At a block's end. */
  #elementsBefore(value: Value, block: Block): readonly Value[] {
    const made: Instruction[] = []
    const parts = this.#partsOf(value, { block, location: undefined }, each => {
      this.#made.add(each)
      made.push(each)
      return each
    })
    block.instructions.splice(block.instructions.length - 1, 0, ...made)
    return parts
  }

  #dropUnused(): void {
    const { blocks } = this.#func
    const used = new Set<Instruction>()
    const pending = blocks.flatMap(({ instructions }) => instructions.filter(each => !this.#made.has(each)))
    for (let next = pending.pop(); next; next = pending.pop())
      for (const operand of operandsOf(next))
        if (operand.kind === 'instruction' && this.#made.has(operand) && !used.has(operand)) {
          used.add(operand)
          pending.push(operand)
        }
    for (const loads of this.#loads)
      if (loads.length === 4 && loads.every((each, at) => used.has(each) !== (at === 0)))
        for (const whole of [loads[0]!, loads[0]!.pointer]) if (whole.kind === 'instruction') used.add(whole)
    for (const block of blocks)
      block.instructions = block.instructions.filter(each => !this.#made.has(each) || used.has(each))
  }

  /** The single element of a load that is used, and only to be stored where it was. */
  #dropKept(): void {
    const usersNow = users(this.#func)
    const single = new Set<Value>()
    for (const loads of this.#loads) {
      const left = loads.filter(each => (usersNow.get(each)?.length ?? 0) > 0)
      if (left.length === 1 && usersNow.get(left[0]!)!.length === 1) single.add(left[0]!)
    }
    if (single.size === 0) return
    const places = new MemoryPlaces(this.#func)
    const gone = new Set<Instruction>()
    for (const each of this.#stores) {
      const { value, pointer, block } = each
      if (!single.has(value) || value.kind !== 'instruction' || value.op !== 'load' || value.block !== block) continue
      if (!isSamePlace(places.of(value.pointer), places.of(pointer))) continue
      gone.add(each).add(value)
    }
    for (const block of this.#func.blocks) block.instructions = block.instructions.filter(each => !gone.has(each))
  }
}

const indexOf = (index: Value): number => (index.kind === 'int' ? Number(index.value) : 0)
