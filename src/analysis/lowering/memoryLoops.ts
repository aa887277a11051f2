/**
 * memcpy, memmove and memset of a size that is large or known only at run time become loops, as the machine's compiler makes
 * them: pieces as wide as the alignments allow, then single bytes. Small constant sizes are splitAccesses.ts's.
 */
import { binary, branch, cast, intConstant, jump, load, type Place, store, vectorOf } from '../../ir/build.ts'
import type { Block, CallInstruction, Func, Instruction, PhiInstruction, Type, Value } from '../../ir/ir.ts'
import { I1, I32 } from '../../ir/types.ts'
import { cutAt } from '../rewriting/blocks.ts'

/** Longer constant sizes are loops. */
export const MOST_UNROLLED_BYTES = 4096

const I8: Type = { kind: 'int', bits: 8 }

export function isMemoryIntrinsic(name: string): boolean {
  return /^llvm\.mem(cpy|move|set)\./.test(name)
}

export function expandMemoryLoops(func: Func): void {
  for (let at = 0; at < func.blocks.length; at++) {
    const block = func.blocks[at]!
    const call = block.instructions.find(needsLoop)
    if (call) func.blocks.splice(at + 1, 0, ...replaceCall(block, call))
  }
}

function needsLoop(instruction: Instruction): instruction is CallInstruction {
  if (
    instruction.op !== 'call' ||
    instruction.callee.kind !== 'function' ||
    !isMemoryIntrinsic(instruction.callee.name)
  )
    return false
  const length = instruction.args[2]!
  if (length.kind === 'zero') return false
  return length.kind !== 'int' || length.value > MOST_UNROLLED_BYTES
}

/** Cuts the block at the call; returns the new blocks in the order of their text. */
function replaceCall(block: Block, call: CallInstruction): Block[] {
  const after = cutAt(call, `${block.name}.copied`)
  const copy = new CopyWriter(block, call)
  copy.write(after)
  return [...copy.added, after]
}

class CopyWriter {
  readonly added: Block[] = []
  private block: Block
  private readonly call: CallInstruction
  private readonly isSet: boolean
  private readonly width: number

  constructor(block: Block, call: CallInstruction) {
    this.block = block
    this.call = call
    this.isSet = this.name.startsWith('llvm.memset')
    const aligns = call.argumentAligns ?? []
    this.width = Math.min(16, aligns[0] ?? 1, this.isSet ? 16 : (aligns[1] ?? 1))
  }

  private get name(): string {
    return this.call.callee.kind === 'function' ? this.call.callee.name : ''
  }

  private get place(): Place {
    return { block: this.block, location: this.call.location }
  }

  write(after: Block): void {
    const { width } = this
    const [destination, source, size] = this.call.args as [Value, Value, Value]
    const bytes = this.asWord(size)
    const pieces = width === 1 ? bytes : this.add(binary(this.place, 'lshr', bytes, intConstant(I32, Math.log2(width))))
    const rest = this.add(binary(this.place, 'and', bytes, intConstant(I32, width - 1)))
    const tail = this.add(binary(this.place, 'sub', bytes, rest))
    const forward = (): void => {
      this.loop(pieces, index => this.piece(index, width, undefined))
      if (width > 1) this.loop(rest, index => this.piece(index, 1, tail))
      this.branch(after)
    }
    if (!this.name.startsWith('llvm.memmove')) return forward()
    // The source is overwritten before it is read only where it starts below the destination and reaches into it.
    const distance = this.add(binary(this.place, 'sub', this.addressOf(destination), this.addressOf(source)))
    const overlaps = this.compare('ult', distance, bytes)
    const [up, down] = [this.makeBlock('up'), this.makeBlock('down')]
    this.add(branch(this.place, overlaps, down, up))
    this.open(up)
    forward()
    this.open(down)
    if (width > 1) this.loop(rest, index => this.piece(this.fromEnd(rest, index), 1, tail))
    this.loop(pieces, index => this.piece(this.fromEnd(pieces, index), width, undefined))
    this.branch(after)
  }

  private fromEnd(count: Value, index: Value): Value {
    const last = this.add(binary(this.place, 'sub', count, intConstant(I32, 1)))
    return this.add(binary(this.place, 'sub', last, index))
  }

  /** Moves piece `index` of `width` bytes, counted from `start`. */
  private piece(index: Value, width: number, start: Value | undefined): void {
    const type: Type = width === 1 ? I8 : width <= 4 ? { kind: 'int', bits: width * 8 } : vectorOf(I32, width / 4)
    const [destination, source] = this.call.args as [Value, Value]
    const value = this.isSet
      ? this.splat(type)
      : this.add(load(this.place, type, this.at(source, index, width, start), width))
    this.add(store(this.place, value, this.at(destination, index, width, start), width))
  }

  private at(base: Value, index: Value, scale: number, start: Value | undefined): Value {
    const terms = [{ index, scale }, ...(start ? [{ index: start, scale: 1 }] : [])]
    return this.add({
      kind: 'instruction',
      op: 'gep',
      type: base.type,
      name: '',
      ...this.place,
      base,
      offset: 0,
      terms,
    })
  }

  /** The byte that memset writes, in each byte of a piece. */
  private splat(type: Type): Value {
    const byte = this.call.args[1]!
    if (type.kind === 'int' && type.bits === 8) return byte
    const wide = this.add(cast(this.place, 'zext', I32, byte))
    const word = this.add(binary(this.place, 'mul', wide, intConstant(I32, 0x01010101)))
    if (type.kind === 'int') return type.bits === 32 ? word : this.add(cast(this.place, 'trunc', type, word))
    let vector: Value = { kind: 'undef', type }
    for (let index = 0; index < (type.kind === 'vector' ? type.length : 0); index++)
      vector = this.add({
        kind: 'instruction',
        op: 'insertelement',
        type,
        name: '',
        ...this.place,
        vector,
        value: word,
        index: intConstant(I32, index),
      })
    return vector
  }

  /** Runs `body` for 0 to `count` - 1; the writer goes on behind the loop. */
  private loop(count: Value, body: (index: Value) => void): void {
    const before = this.block
    const inside = this.makeBlock('loop')
    const behind = this.makeBlock('behind')
    const some = this.compare('ne', count, intConstant(I32, 0))
    this.add(branch(this.place, some, inside, behind))
    this.open(inside)
    const phi: PhiInstruction = {
      kind: 'instruction',
      op: 'phi',
      type: I32,
      name: '',
      ...this.place,
      incoming: [{ value: intConstant(I32, 0), block: before }],
    }
    this.add(phi)
    body(phi)
    const next = this.add(binary(this.place, 'add', phi, intConstant(I32, 1)))
    phi.incoming.push({ value: next, block: inside })
    const more = this.compare('ult', next, count)
    this.add(branch(this.place, more, inside, behind))
    this.open(behind)
  }

  private asWord(size: Value): Value {
    if (size.kind === 'int') return intConstant(I32, size.value)
    return size.type.kind === 'int' && size.type.bits > 32 ? this.add(cast(this.place, 'trunc', I32, size)) : size
  }

  private addressOf(pointer: Value): Value {
    return this.add(cast(this.place, 'ptrtoint', I32, pointer))
  }

  private compare(predicate: 'ult' | 'ne', left: Value, right: Value): Value {
    return this.add({ kind: 'instruction', op: 'icmp', type: I1, name: '', ...this.place, predicate, left, right })
  }

  private branch(target: Block): void {
    this.add(jump(this.place, target))
  }

  private add<T extends Instruction>(instruction: T): T {
    this.block.instructions.push(instruction)
    return instruction
  }

  private makeBlock(what: string): Block {
    return { name: `${this.call.block.name}.${what}`, instructions: [] }
  }

  private open(block: Block): void {
    this.added.push(block)
    this.block = block
  }
}
