/**
 * Fragments of matrices are registers of a warp on the machine; here they are variables whose address the matrix
 * instructions get (matrixKinds.ts). In: a kernel whose accesses are no wider than their alignment. Out: such variables lie
 * word by word, the 32 lanes of a word together, so that a word is eight vectors; what accesses them is rewritten, and they
 * are no memory that is counted. Variables whose address goes elsewhere (unoptimised code keeps it in other variables) stay
 * as they are; the operands of one instruction are all interleaved, or none.
 */
import {
  binary,
  cast,
  extractElement,
  insertElement,
  intConstant,
  load,
  offsetPointer,
  type Place,
  store,
} from '../../ir/build.ts'
import { operandsOf, users } from '../../ir/graph.ts'
import type { AllocaInstruction, CallInstruction, Func, Instruction, Type, Value } from '../../ir/ir.ts'
import { I32, storeBytes } from '../../ir/types.ts'
import { decompose } from '../facts/address.ts'
import { replaceValues } from '../rewriting/blocks.ts'
import { fragmentsOf, matrixCallOf, wordBytes } from './matrixKinds.ts'

const LANES = 32

export function interleaveFragments(kernel: Func): void {
  const chosen = chooseVariables(kernel)
  if (chosen.size === 0) return
  for (const [variable, word] of chosen) variable.interleaved = word
  const replaced = new Map<Value, Value>()
  for (const block of kernel.blocks) {
    const out: Instruction[] = []
    for (const instruction of block.instructions) {
      const place: Place = { block, location: instruction.location }
      const rewriter = new Rewriter(place, out)
      const matrix = matrixCallOf(instruction)
      if (matrix && instruction.op === 'call')
        instruction.args = instruction.args.map(pointer => rewriter.pointerTo(pointer))
      else if (instruction.op === 'load' && isInterleaved(instruction.pointer)) {
        replaced.set(instruction, rewriter.load(instruction.pointer, instruction.type))
        continue
      } else if (instruction.op === 'store' && isInterleaved(instruction.pointer)) {
        rewriter.store(instruction.pointer, instruction.value)
        continue
      }
      out.push(instruction)
    }
    block.instructions = out
  }
  replaceValues(kernel.blocks, replaced)
  removeUnread(kernel)
}

/** Whether a pointer goes to a variable whose words lie lane beside lane. */
export function isInterleaved(pointer: Value): boolean {
  return variableOf(pointer)?.interleaved !== undefined
}

function variableOf(pointer: Value): AllocaInstruction | undefined {
  const { root } = decompose(pointer)
  return root.kind === 'instruction' && root.op === 'alloca' ? root : undefined
}

/** The variables to interleave, with the bytes of a word. */
function chooseVariables(kernel: Func): Map<AllocaInstruction, 4 | 8> {
  const calls: { call: CallInstruction; word: 4 | 8 }[] = []
  for (const block of kernel.blocks)
    for (const instruction of block.instructions) {
      const matrix = matrixCallOf(instruction)
      if (matrix && instruction.op === 'call') calls.push({ call: instruction, word: wordBytes(matrix) })
    }
  const chosen = new Map<AllocaInstruction, 4 | 8>()
  if (calls.length === 0) return chosen
  const usersOf = users(kernel)
  const refused = new Set<AllocaInstruction>()
  for (const { call, word } of calls)
    for (const pointer of fragmentsOf(call)) {
      const variable = variableOf(pointer)
      if (!variable || refused.has(variable)) continue
      const before = chosen.get(variable)
      if (before === word) continue
      if (before === undefined && isOnlyAccessed(variable, word, usersOf)) chosen.set(variable, word)
      else {
        refused.add(variable)
        chosen.delete(variable)
      }
    }
  for (let changed = true; changed; ) {
    changed = false
    for (const { call } of calls) {
      const variables = fragmentsOf(call).map(variableOf)
      if (variables.every(variable => variable && chosen.has(variable))) continue
      for (const variable of variables) if (variable && chosen.delete(variable)) changed = true
    }
  }
  return chosen
}

/** Nothing is done with the variable's address but loads and stores that stay inside of words, and matrix instructions. */
function isOnlyAccessed(
  variable: AllocaInstruction,
  word: number,
  usersOf: ReadonlyMap<Value, Instruction[]>,
): boolean {
  const isFine = (pointer: Value): boolean =>
    (usersOf.get(pointer) ?? []).every(user => {
      switch (user.op) {
        case 'gep':
          return user.base === pointer && isFine(user)
        case 'freeze':
        case 'bitcast':
        case 'addrspacecast':
          return isFine(user)
        case 'load':
          return !user.volatile && !user.atomic && staysInWords(user.type, word)
        case 'store':
          return user.value !== pointer && !user.volatile && !user.atomic && staysInWords(user.value.type, word)
        case 'call':
          return (
            matrixCallOf(user) !== undefined ||
            (user.callee.kind === 'function' && /^llvm\.lifetime\./.test(user.callee.name))
          )
        default:
          return false
      }
    })
  return isFine(variable)
}

function staysInWords(type: Type, word: number): boolean {
  if (type.kind === 'vector') return staysInWords(type.element, word)
  if (type.kind !== 'int' && type.kind !== 'float' && type.kind !== 'pointer') return false
  const bytes = storeBytes(type)
  return bytes <= word ? word % bytes === 0 : type.kind === 'int' && bytes % word === 0
}

/** Writes accesses of interleaved variables. */
class Rewriter {
  readonly #place: Place
  readonly #out: Instruction[]

  constructor(place: Place, out: Instruction[]) {
    this.#place = place
    this.#out = out
  }

  #add<T extends Instruction>(instruction: T): T {
    this.#out.push(instruction)
    return instruction
  }

  /** Where byte `plus` behind a pointer lies now. Pointers to other variables are left alone. */
  pointerTo(pointer: Value, plus = 0): Value {
    const variable = variableOf(pointer)
    const word = variable?.interleaved
    if (!variable || word === undefined) return pointer
    const { offset, terms } = decompose(pointer)
    const at = offset + plus
    if (terms.every(({ scale }) => scale % word === 0)) {
      const moved = this.#add(offsetPointer(this.#place, variable, interleave(at, word)))
      moved.terms = terms.map(({ index, scale }) => ({ index, scale: scale * LANES }))
      return moved
    }
    // A byte's word is known at run time only.
    let sum: Value = intConstant(I32, at)
    for (const { index, scale } of terms) {
      const wide = index.type.kind === 'int' && index.type.bits !== 32 ? this.#toWord(index) : index
      const scaled = this.#add(binary(this.#place, 'mul', wide, intConstant(I32, scale)))
      sum = this.#add(binary(this.#place, 'add', sum, scaled))
    }
    const inWord = this.#add(binary(this.#place, 'and', sum, intConstant(I32, word - 1)))
    const words = this.#add(binary(this.#place, 'sub', sum, inWord))
    const moved = this.#add(offsetPointer(this.#place, variable, 0))
    moved.terms = [
      { index: words, scale: LANES },
      { index: inWord, scale: 1 },
    ]
    return moved
  }

  #toWord(index: Value): Value {
    const bits = index.type.kind === 'int' ? index.type.bits : 32
    return this.#add(cast(this.#place, bits > 32 ? 'trunc' : 'sext', I32, index))
  }

  load(pointer: Value, type: Type, plus = 0): Value {
    const bytes = storeBytes(type)
    const word = variableOf(pointer)!.interleaved!
    if (type.kind === 'vector') {
      const size = storeBytes(type.element)
      let vector: Value = { kind: 'undef', type }
      for (let index = 0; index < type.length; index++) {
        const element = this.load(pointer, type.element, plus + index * size)
        vector = this.#add(insertElement(this.#place, vector, element, index))
      }
      return vector
    }
    if (bytes <= word) return this.#add(load(this.#place, type, this.pointerTo(pointer, plus), bytes))
    let sum: Value | undefined
    for (let at = 0; at < bytes; at += word) {
      const part = this.load(pointer, { kind: 'int', bits: word * 8 }, plus + at)
      const wide = this.#add(cast(this.#place, 'zext', type, part))
      const shifted: Value = at === 0 ? wide : this.#add(binary(this.#place, 'shl', wide, intConstant(type, at * 8)))
      sum = sum ? this.#add(binary(this.#place, 'or', sum, shifted)) : shifted
    }
    return sum!
  }

  store(pointer: Value, value: Value, plus = 0): void {
    const { type } = value
    const bytes = storeBytes(type)
    const word = variableOf(pointer)!.interleaved!
    if (type.kind === 'vector') {
      const size = storeBytes(type.element)
      for (let index = 0; index < type.length; index++)
        this.store(pointer, this.#element(value, index, type.element), plus + index * size)
      return
    }
    if (bytes <= word) {
      this.#add(store(this.#place, value, this.pointerTo(pointer, plus), bytes))
      return
    }
    for (let at = 0; at < bytes; at += word) {
      const shifted = at === 0 ? value : this.#add(binary(this.#place, 'lshr', value, intConstant(type, at * 8)))
      this.store(pointer, this.#add(cast(this.#place, 'trunc', { kind: 'int', bits: word * 8 }, shifted)), plus + at)
    }
  }

  #element(vector: Value, index: number, type: Type): Value {
    if (vector.kind === 'aggregate') return vector.elements[index]!
    if (vector.kind === 'zero') return { kind: 'zero', type }
    if (vector.kind === 'undef') return { kind: 'undef', type }
    return this.#add(extractElement(this.#place, vector, index, type))
  }
}

function interleave(offset: number, word: number): number {
  const inWord = ((offset % word) + word) % word
  return (offset - inWord) * LANES + inWord
}

/** The addresses of before, which nobody reads. */
function removeUnread(kernel: Func): void {
  for (let changed = true; changed; ) {
    changed = false
    const read = new Set<Value>()
    for (const block of kernel.blocks)
      for (const instruction of block.instructions) for (const value of operandsOf(instruction)) read.add(value)
    for (const block of kernel.blocks) {
      const kept = block.instructions.filter(
        instruction => instruction.op !== 'gep' || read.has(instruction) || !isInterleaved(instruction),
      )
      changed ||= kept.length < block.instructions.length
      block.instructions = kept
    }
  }
}
