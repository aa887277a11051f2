/**
 * Integers of 128 bits become pairs of 64: no executor knows wider ones. In: a kernel with calls inlined, whose divisions and conversions of
 * such integers are calls (wideCalls.ts), and whose aggregates are loaded and stored by members. Out: the same without such values; in memory
 * each is a vector of two, which the machine loads and stores as one access, and inside of aggregates a structure of two. Products whose upper
 * half alone is asked for (__umul64hi) are the same arithmetic. Atomic accesses and inline assembly of 128 bits are refused.
 */
import { userError } from '../../diagnostic.ts'
import { buildVector, extractElement, intConstant, load, type Place, vectorOf } from '../../ir/build.ts'
import { calledName, reversePostOrder } from '../../ir/graph.ts'
import type {
  Block,
  Constant,
  Func,
  Instruction,
  LoadInstruction,
  Parameter,
  PhiInstruction,
  SwitchInstruction,
  Type,
  Value,
} from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { I64, POINTER, sizeOf } from '../../ir/types.ts'
import { isBinary, replaceValues } from '../rewriting/blocks.ts'
import { constantPair, isPair, type Pair, PairArithmetic, ZERO_PAIR } from './pairArithmetic.ts'

const IN_MEMORY = vectorOf(I64, 2)
const IN_AGGREGATE: Type = { kind: 'struct', fields: [I64, I64], packed: false }
const UPPER_PRODUCT = /^llvm\.nvvm\.mulhi\.(u?)ll$/

export function pairIntegers(kernel: Func): void {
  const { parameters, blocks } = kernel
  const concerns = (instruction: Instruction): boolean =>
    UPPER_PRODUCT.test(calledName(instruction) ?? '') ||
    holdsPair(instruction.type) ||
    operandsOf(instruction).some(({ type }) => holdsPair(type))
  if (parameters.some(({ type }) => isPair(type)) || blocks.some(({ instructions }) => instructions.some(concerns)))
    new Pairs(kernel).split()
}

function holdsPair(type: Type): boolean {
  if (type.kind === 'struct') return type.fields.some(holdsPair)
  return type.kind === 'array' || type.kind === 'vector' ? holdsPair(type.element) : isPair(type)
}

/** The type of an aggregate whose members are pairs where they were such integers. */
function pairedType(type: Type): Type {
  if (isPair(type)) return IN_AGGREGATE
  if (type.kind === 'struct') return { ...type, fields: type.fields.map(pairedType) }
  return type.kind === 'array' ? { ...type, element: pairedType(type.element) } : type
}

class Pairs {
  readonly #kernel: Func
  readonly #pairs = new Map<Value, Pair>()
  readonly #replaced = new Map<Value, Value>()
  /** What this makes, which goes if nothing uses it. */
  readonly #made = new Set<Instruction>()
  readonly #phis: { readonly whole: PhiInstruction; readonly low: PhiInstruction; readonly high: PhiInstruction }[] = []

  constructor(kernel: Func) {
    this.#kernel = kernel
  }

  split(): void {
    this.#splitParameters()
    const reached = reversePostOrder(this.#kernel)
    for (const block of reached) this.#splitIn(block)
    for (const { whole, low, high } of this.#phis)
      for (const { value, block } of whole.incoming) {
        const pair = this.#pairOf(value, whole)
        low.incoming.push({ value: pair.low, block })
        high.incoming.push({ value: pair.high, block })
      }
    replaceValues(reached, this.#replaced)
    this.#dropUnused(reached)
  }

  /** Loaded from where they lie in the kernel's arguments. */
  #splitParameters(): void {
    const { parameters, blocks } = this.#kernel
    const entry = blocks[0]!
    const loads: Instruction[] = []
    for (const [at, parameter] of parameters.entries()) {
      if (!isPair(parameter.type)) continue
      const passed: Parameter = {
        ...{ kind: 'parameter', name: parameter.name, index: parameter.index, type: POINTER },
        byval: { type: IN_MEMORY, align: sizeOf(IN_MEMORY) },
      }
      parameters[at] = passed
      const place = { block: entry, location: this.#kernel.location }
      const whole = load(place, IN_MEMORY, passed, sizeOf(IN_MEMORY))
      this.#pairs.set(parameter, this.#elementsOf(whole, place, loads))
    }
    entry.instructions.unshift(...loads)
  }

  #splitIn(block: Block): void {
    const phis: Instruction[] = []
    const rest: Instruction[] = []
    for (const instruction of block.instructions) {
      const out: Instruction[] = []
      if (!this.#split(instruction, out)) out.push(instruction)
      else for (const each of out) this.#made.add(each)
      if (instruction.op === 'phi') phis.push(...out)
      else rest.push(...out)
    }
    block.instructions = [...phis, ...rest]
  }

  /** Whether `out` has got what stands in the instruction's place. */
  #split(instruction: Instruction, out: Instruction[]): boolean {
    const place: Place = { block: instruction.block, location: instruction.location }
    const arithmetic = new PairArithmetic(place, out)
    if (isPair(instruction.type)) {
      this.#pairs.set(instruction, this.#made128(instruction, arithmetic, out))
      return true
    }
    const replacement = this.#narrower(instruction, arithmetic)
    if (replacement) {
      this.#replaced.set(instruction, replacement)
      return true
    }
    if (instruction.op === 'insertvalue' && isPair(instruction.value.type)) {
      this.#replaced.set(instruction, this.#inserted(instruction, out))
      return true
    }
    if (holdsPair(instruction.type)) instruction.type = pairedType(instruction.type)
    this.#changeOperands(instruction, out)
    return false
  }

  // ---------------------------------------------------------------- what makes 128 bits

  #made128(instruction: Instruction, arithmetic: PairArithmetic, out: Instruction[]): Pair {
    const pairOf = (value: Value) => this.#pairOf(value, instruction)
    const { block, location } = instruction
    const place: Place = { block, location }
    if (isBinary(instruction)) {
      const result = arithmetic.binary(instruction.op, pairOf(instruction.left), pairOf(instruction.right))
      return result ?? refuse(instruction)
    }
    switch (instruction.op) {
      case 'zext':
        return { low: arithmetic.extend(this.#now(instruction.value)), high: ZERO_PAIR.high }
      case 'sext': {
        const low = arithmetic.extend(this.#now(instruction.value), 'sext')
        return { low, high: arithmetic.signOf(low) }
      }
      case 'select': {
        const { condition, ifTrue, ifFalse } = instruction
        return arithmetic.choose(this.#now(condition), pairOf(ifTrue), pairOf(ifFalse))
      }
      case 'freeze': {
        const { low, high } = pairOf(instruction.value)
        const freeze = (value: Value) => push(out, { ...place, ...unnamed('freeze', I64), value })
        return { low: freeze(low), high: freeze(high) }
      }
      case 'phi':
        return this.#splitPhi(instruction, out)
      case 'load':
        if (instruction.atomic) refuse(instruction)
        return this.#elementsOf(asVector(instruction), place, out)
      case 'extractvalue': {
        const { aggregate, indices } = instruction
        const part = (at: number) =>
          push(out, {
            ...place,
            ...unnamed('extractvalue', I64),
            aggregate: this.#known(aggregate),
            indices: [...indices, at],
          })
        return { low: part(0), high: part(1) }
      }
      case 'call': {
        const name = /^llvm\.(.*)\.i128$/.exec(calledName(instruction) ?? '')?.[1] ?? ''
        const result = arithmetic.intrinsic(name, instruction.args.filter(({ type }) => isPair(type)).map(pairOf))
        return result ?? refuse(instruction)
      }
      default:
        return refuse(instruction)
    }
  }

  #splitPhi(whole: PhiInstruction, out: Instruction[]): Pair {
    const { block, location } = whole
    const half = (): PhiInstruction =>
      push(out, { block, location, ...unnamed('phi', I64), incoming: [] }) as PhiInstruction
    const [low, high] = [half(), half()]
    this.#phis.push({ whole, low, high })
    return { low, high }
  }

  #elementsOf(whole: Instruction, place: Place, out: Instruction[]): Pair {
    const [low, high] = [extractElement(place, whole, 0, I64), extractElement(place, whole, 1, I64)]
    out.push(whole, low, high)
    return { low, high }
  }

  // ---------------------------------------------------------------- what is made of 128 bits

  /** What stands for an instruction that makes something shorter of such integers, or asks for upper halves. */
  #narrower(instruction: Instruction, arithmetic: PairArithmetic): Value | undefined {
    const pairOf = (value: Value) => this.#pairOf(value, instruction)
    if (instruction.op === 'icmp' && isPair(instruction.left.type))
      return arithmetic.compare(instruction.predicate, pairOf(instruction.left), pairOf(instruction.right))
    if (instruction.op === 'trunc' && isPair(instruction.value.type))
      return arithmetic.truncate(pairOf(instruction.value).low, instruction.type)
    if (instruction.op !== 'call') return undefined
    const [first, second] = instruction.args.map(arg => (isPair(arg.type) ? arg : this.#now(arg)))
    const name = calledName(instruction) ?? ''
    const product = UPPER_PRODUCT.exec(name)
    if (product && first && second) return arithmetic.upperProduct(first, second, product[1] === '')
    const comparison = /^llvm\.([us])cmp\.i\d+\.i128$/.exec(name)?.[1] as 'u' | 's' | undefined
    if (!comparison || !first || !second) return undefined
    const [left, right] = [pairOf(first), pairOf(second)]
    const isAbove = arithmetic.extend(arithmetic.compare(`${comparison}gt`, left, right))
    const isBelow = arithmetic.extend(arithmetic.compare(`${comparison}lt`, left, right))
    return arithmetic.truncate(arithmetic.half('sub', isAbove, isBelow), instruction.type)
  }

  #inserted({ block, location, ...insertion }: Instruction & { op: 'insertvalue' }, out: Instruction[]): Value {
    const { low, high } = this.#pairOf(insertion.value, { ...insertion, block, location })
    let aggregate = this.#known(insertion.aggregate)
    for (const [at, value] of [low, high].entries()) {
      const type = pairedType(insertion.type)
      const indices = [...insertion.indices, at]
      aggregate = push(out, { block, location, ...unnamed('insertvalue', type), aggregate, value, indices })
    }
    return aggregate
  }

  /** `out` gets what stands in front of the instruction. */
  #changeOperands(instruction: Instruction, out: Instruction[]): void {
    const place: Place = { block: instruction.block, location: instruction.location }
    switch (instruction.op) {
      case 'store':
        if (!isPair(instruction.value.type)) return
        if (instruction.atomic) refuse(instruction)
        instruction.value = buildVector(place, halvesOf(this.#pairOf(instruction.value, instruction)), out)
        return
      case 'switch':
        if (isPair(instruction.value.type)) this.#numberCases(instruction, new PairArithmetic(place, out))
        return
      case 'gep':
        for (const term of instruction.terms)
          if (isPair(term.index.type)) term.index = this.#pairOf(term.index, instruction).low
        return
      case 'inttoptr':
        if (isPair(instruction.value.type)) instruction.value = this.#pairOf(instruction.value, instruction).low
        return
      case 'extractvalue':
      case 'insertvalue':
        instruction.aggregate = this.#known(instruction.aggregate)
        return
      default:
        if (operandsOf(instruction).some(({ type }) => isPair(type))) refuse(instruction)
    }
  }

  /** A branch on the number of the case that it is. */
  #numberCases(instruction: SwitchInstruction, arithmetic: PairArithmetic): void {
    const value = this.#pairOf(instruction.value, instruction)
    const { cases } = instruction
    let number: Value = intConstant(I64, cases.length)
    for (const [at, each] of cases.entries()) {
      const isCase = arithmetic.compare('eq', value, constantPair(each.value))
      number = arithmetic.chooseHalf(isCase, intConstant(I64, at), number)
      each.value = BigInt(at)
    }
    instruction.value = number
  }

  // ---------------------------------------------------------------- values

  #pairOf(value: Value, user: Instruction): Pair {
    const known = this.#pairs.get(value)
    if (known) return known
    if (value.kind === 'int') return constantPair(value.value)
    if (value.kind === 'zero') return ZERO_PAIR
    // Values of blocks that nothing reaches are any.
    const isAny = value.kind === 'undef' || value.kind === 'instruction'
    return isAny ? { low: { kind: 'undef', type: I64 }, high: { kind: 'undef', type: I64 } } : refuse(user)
  }

  #now(value: Value): Value {
    return this.#replaced.get(value) ?? value
  }

  /** A constant's members too are pairs. */
  #known(aggregate: Value): Value {
    const now = this.#now(aggregate)
    return now.kind === 'instruction' || now.kind === 'parameter' ? now : pairedConstant(now)
  }

  #dropUnused(blocks: readonly Block[]): void {
    const used = new Set<Instruction>()
    const pending = blocks.flatMap(({ instructions }) => instructions.filter(each => !this.#isDroppable(each)))
    for (let next = pending.pop(); next; next = pending.pop())
      for (const operand of operandsOf(next))
        if (operand.kind === 'instruction' && this.#isDroppable(operand) && !used.has(operand)) {
          used.add(operand)
          pending.push(operand)
        }
    for (const block of blocks)
      block.instructions = block.instructions.filter(each => !this.#isDroppable(each) || used.has(each))
  }

  #isDroppable(instruction: Instruction): boolean {
    return this.#made.has(instruction) && !(instruction.op === 'load' && instruction.volatile)
  }
}

const halvesOf = ({ low, high }: Pair): Value[] => [low, high]

const unnamed = <Op extends Instruction['op']>(op: Op, type: Type) =>
  ({ kind: 'instruction', op, type, name: '' }) as const

function push(out: Instruction[], made: Instruction): Instruction {
  out.push(made)
  return made
}

/** The same access of two halves. */
const asVector = (wide: LoadInstruction): LoadInstruction => ({ ...wide, type: IN_MEMORY })

function pairedConstant(value: Constant): Constant {
  if (!holdsPair(value.type)) return value
  if (value.kind === 'aggregate')
    return { ...value, type: pairedType(value.type), elements: value.elements.map(pairedConstant) }
  if (value.kind !== 'int') return { ...value, type: pairedType(value.type) }
  const { low, high } = constantPair(value.value)
  return { kind: 'aggregate', type: IN_AGGREGATE, elements: [low as Constant, high as Constant] }
}

function refuse({ op, location }: Instruction): never {
  throw userError('unsupported-type', `${op} of 128-bit integers is not supported in device code`, location)
}
