/**
 * Where the code of one piece of inline assembly goes, and what its registers hold on the way. Registers have no types of
 * their own: a value is read as the type that an instruction names, its bits cut or extended with zeros (PTX ISA, "Operand
 * Size Exceeding Instruction-Type Size").
 */
import {
  binary,
  branch,
  cast,
  compare,
  intConstant,
  intrinsicCall,
  jump,
  type Place,
  select,
} from '../../../ir/build.ts'
import type { BinaryOp, Block, CallInstruction, Instruction, IntPredicate, Type, Value } from '../../../ir/ir.ts'
import { bitsOf, F16, F32, F64, I1, I32, I64, sameType } from '../../../ir/types.ts'
import type { CarryFlag } from './carryFlag.ts'
import type { PtxOperand } from './text.ts'

/** A PTX type's name as ours; predicates are `pred`. */
export function ptxType(name: string): Type | undefined {
  const match = /^([usbf])(8|16|32|64)$/.exec(name)
  if (name === 'pred') return I1
  if (name === 'bf16') return { kind: 'float', bits: 16, brain: true }
  if (!match) return undefined
  const bits = Number(match[2])
  if (match[1] !== 'f') return { kind: 'int', bits }
  return bits === 16 ? F16 : bits === 32 ? F32 : bits === 64 ? F64 : undefined
}

/** Constraints' letters for registers of so many bits. */
const LETTERS: Readonly<Record<number, string>> = { 1: 'b', 8: 'h', 16: 'h', 32: 'r', 64: 'l' }

/** What an instruction of the assembly cannot be made of: the whole piece stays as it is. */
export class NotLowered extends Error {}

/** PTX ISA, "Floating-Point Constants": of 64 bits, and rounded where a value of 32 is wanted. */
function floatBits(value: number, bits: number): Value {
  if (bits !== 32 && bits !== 64) throw new NotLowered()
  const view = new DataView(new ArrayBuffer(8))
  if (bits === 32) view.setFloat32(0, value)
  else view.setFloat64(0, value)
  return intConstant({ kind: 'int', bits }, bits === 32 ? BigInt(view.getUint32(0)) : view.getBigUint64(0))
}

export class Emitter {
  private readonly registers = new Map<string, Value>()
  place: Place
  out: Instruction[]

  /** A variable of the kernel for the registers of one matrix instruction, in words of so many bytes (matrices.ts). */
  readonly scratch: (word: 4 | 8) => Value

  private readonly flag: CarryFlag

  constructor(place: Place, out: Instruction[], scratch: (word: 4 | 8) => Value, flag: CarryFlag) {
    this.place = place
    this.out = out
    this.scratch = scratch
    this.flag = flag
  }

  /** Carry or borrow of the extended-precision instructions, an i1. */
  get carry(): Value {
    return this.flag.value
  }

  set carry(value: Value) {
    this.flag.value = value
  }

  add<T extends Instruction>(instruction: T): T {
    this.out.push(instruction)
    return instruction
  }

  /** Runs `lower` under a condition, in a block of its own; set by who makes the blocks. */
  guarded: (condition: Value, lower: () => void) => void = () => {
    throw new NotLowered()
  }

  binary(op: BinaryOp, left: Value, right: Value): Value {
    return this.add(binary(this.place, op, left, right))
  }

  compare(predicate: IntPredicate, left: Value, right: Value): Value {
    return this.add(compare(this.place, predicate, left, right))
  }

  select(condition: Value, ifTrue: Value, ifFalse: Value): Value {
    return this.add(select(this.place, condition, ifTrue, ifFalse))
  }

  /** A call of a declaration by its name: an intrinsic, or a single instruction of assembly. */
  call(name: string, type: Type, args: readonly Value[]): CallInstruction {
    return this.add(intrinsicCall(this.place, name, type, args))
  }

  /** One instruction of assembly with plain registers and constants, for the reference interpreter's table. */
  instruction(opcode: readonly string[], result: Type, args: readonly Value[]): CallInstruction {
    const letter = (type: Type): string => LETTERS[bitsOf(type)] ?? 'r'
    const constraints = [`=${letter(result)}`, ...args.map(({ type }) => letter(type))].join(',')
    const operands = Array.from({ length: args.length + 1 }, (_, index) => `$${index}`).join(', ')
    return this.call(`asm:${opcode.join('.').replaceAll(':', '::')} ${operands};|${constraints}`, result, args)
  }

  part(aggregate: Value, index: number, type: Type): Value {
    const { place } = this
    return this.add({ kind: 'instruction', op: 'extractvalue', type, name: '', ...place, aggregate, indices: [index] })
  }

  // ---------------------------------------------------------------- registers

  set(name: string, value: Value): void {
    if (name !== '_') this.registers.set(name, value)
  }

  get(name: string): Value | undefined {
    return this.registers.get(name)
  }

  /** The names that have values now, to find what a guarded instruction changed. */
  snapshot(): Map<string, Value> {
    return new Map(this.registers)
  }

  destination(operand: PtxOperand | undefined): string {
    if (operand?.kind !== 'register') throw new NotLowered()
    return operand.name
  }

  /** The operand's bits as a value of the type. */
  read(operand: PtxOperand | undefined, type: Type): Value {
    switch (operand?.kind) {
      case 'register':
        return this.convert(this.registers.get(operand.name) ?? { kind: 'undef', type }, type)
      case 'constant':
        return this.convert(intConstant({ kind: 'int', bits: bitsOf(type) }, operand.value), type)
      case 'float':
        return this.convert(floatBits(operand.value, bitsOf(type)), type)
      case 'special':
        return this.convert(this.special(operand.name), type)
      default:
        throw new NotLowered()
    }
  }

  /** A number in the text, or one that an `n` constraint gives. */
  constantOf(operand: PtxOperand | undefined): bigint | undefined {
    if (operand?.kind === 'constant') return operand.value
    const value = operand?.kind === 'register' ? this.registers.get(operand.name) : undefined
    return value?.kind === 'int' ? value.value : undefined
  }

  private special(name: string): Value {
    if (name === 'is_explicit_cluster') return this.call('llvm.nvvm.is_explicit_cluster', I1, [])
    const wide = name === 'clock64' || name === 'globaltimer'
    const register = name.replace('lanemask_', 'lanemask.').replace('clock_hi', 'clock.hi')
    return this.call(`llvm.nvvm.read.ptx.sreg.${register}`, wide ? I64 : I32, [])
  }

  convert(value: Value, type: Type): Value {
    if (sameType(value.type, type)) return value
    const { place } = this
    if (type.kind === 'pointer') return this.add(cast(place, 'inttoptr', type, this.convert(value, I32)))
    if (value.kind === 'undef') return { kind: 'undef', type }
    if (value.type.kind === 'pointer') return this.convert(this.add(cast(place, 'ptrtoint', I32, value)), type)
    const bits = bitsOf(value.type)
    const wanted = bitsOf(type)
    if (value.type.kind !== 'int') {
      const raw = this.add(cast(place, 'bitcast', { kind: 'int', bits }, value))
      return this.convert(raw, type)
    }
    if (type.kind === 'int') {
      if (value.kind === 'int') return intConstant(type, value.value)
      return this.add(cast(place, bits > wanted ? 'trunc' : 'zext', type, value))
    }
    const sized = this.convert(value, { kind: 'int', bits: wanted })
    return this.add(cast(place, 'bitcast', type, sized))
  }

  /** Ends the block here: what follows goes to `block`. */
  continueIn(block: Block): void {
    this.place = { block, location: this.place.location }
    this.out = block.instructions
  }

  /** Back to a block that was left without an end; `out` is what it has so far. */
  resume(block: Block, out: Instruction[]): void {
    this.place = { block, location: this.place.location }
    this.out = out
  }

  branchIf(condition: Value, ifTrue: Block, ifFalse: Block): void {
    this.add(branch(this.place, condition, ifTrue, ifFalse))
  }

  branch(target: Block): void {
    this.add(jump(this.place, target))
  }
}
