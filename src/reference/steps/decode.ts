/**
 * Turns a function into steps that the interpreter can run: registers numbered, operations and operands looked up once,
 * phis moved to the edges. One step an instruction; nothing is optimised.
 */
import { addressOf } from '../../addressSpace.ts'
import type { BlockLoop } from '../../analysis/execution/orderBlocks.ts'
import { InternalError } from '../../diagnostic.ts'
import type { Block, Func, Instruction, Value } from '../../ir/ir.ts'
import { alignUp, bitsOf, SPACE, sizeOf } from '../../ir/types.ts'
import {
  binaryOperation,
  conversion,
  floatComparison,
  fusedMultiplyAdd,
  integerComparison,
  negation,
} from '../arithmetic/operations.ts'
import { type Bits, elementsOf, toBigInt, toNumber, toSigned } from '../arithmetic/values.ts'
import { fragmentBase, threadLocalBase } from '../machine/memory.ts'
import type { Code, LaunchState, Step } from '../machine/state.ts'
import { atomicStep, compareExchangeStep, loadStep, storeStep } from './access.ts'
import { callStep } from './call.ts'
import { type Edge, edgeStep, returnStep, unreachableStep } from './control.ts'
import { type Addresses, type Operand, operandOf, pointerCast, spaceOf } from './operands.ts'

export function decode(func: Func, launch: LaunchState): Code {
  const { program, request } = launch
  const isKernel = func === program.kernel
  const slots = new Map<Value, number>()
  const slotOf = (value: Value): number => {
    let slot = slots.get(value)
    if (slot === undefined) slots.set(value, (slot = slots.size))
    return slot
  }
  const parameterSlots = func.parameters.map(slotOf)
  for (const block of func.blocks) for (const instruction of block.instructions) slotOf(instruction)

  const addresses: Addresses = { symbols: request.symbols, sharedOffsets: program.shared.offsets }
  const operand = (value: Value): Operand => operandOf(value, slots, addresses)
  const { offsets: localOffsets, bytes: frameBytes } = layoutFrame(func, launch)

  const blockNumber = new Map(func.blocks.map((block, index) => [block, index]))
  const blockStart: number[] = []
  const blockOf: number[] = []
  const steps: Step[] = []
  const edge = (from: Block, to: Block): Edge => makeEdge(from, to, { operand, slotOf, blockNumber, blockStart })
  const context: StepContext = { launch, operand, slotOf, localOffsets, edge }
  func.blocks.forEach((block, index) => {
    blockStart.push(steps.length)
    for (const instruction of block.instructions) {
      if (instruction.op === 'phi') continue
      steps.push(makeStep(instruction, steps.length, context))
      blockOf.push(index)
    }
  })
  return {
    func,
    steps,
    blockStart,
    blockOf,
    loops: isKernel ? program.loops : findLoops(func, blockNumber),
    registerCount: slots.size,
    parameterSlots,
    frameBytes: isKernel ? 0 : frameBytes,
    byvalOffsets: func.parameters.map(parameter => localOffsets.get(parameter)),
  }
}

export interface StepContext {
  readonly launch: LaunchState
  readonly operand: (value: Value) => Operand
  readonly slotOf: (value: Value) => number
  /** Offsets of allocas and by-value parameters in an activation's local memory. */
  readonly localOffsets: ReadonlyMap<Value, number>
  readonly edge: (from: Block, to: Block) => Edge
}

/** Allocas and by-value parameters of a called function; the kernel's own are laid out by prepareKernel. */
function layoutFrame(func: Func, { program }: LaunchState): { offsets: ReadonlyMap<Value, number>; bytes: number } {
  if (func === program.kernel)
    return { offsets: new Map<Value, number>(program.allocaOffsets), bytes: program.localBytes }
  const offsets = new Map<Value, number>()
  let bytes = 0
  const place = (value: Value, size: number, align: number): void => {
    bytes = alignUp(bytes, align)
    offsets.set(value, bytes)
    bytes += size
  }
  for (const parameter of func.parameters)
    if (parameter.byval) place(parameter, sizeOf(parameter.byval.type), parameter.byval.align)
  for (const block of func.blocks)
    for (const instruction of block.instructions)
      if (instruction.op === 'alloca') place(instruction, instruction.bytes, instruction.align)
  return { offsets, bytes: alignUp(bytes, 16) }
}

/** The blocks are in scheduling order, so a loop reaches from a back edge's target to the last block that jumps to it. */
function findLoops(func: Func, blockNumber: ReadonlyMap<Block, number>): BlockLoop[] {
  const last = new Map<number, number>()
  func.blocks.forEach((block, from) => {
    for (const to of targetsOf(block.instructions.at(-1)!)) {
      const first = blockNumber.get(to)!
      if (first <= from) last.set(first, from)
    }
  })
  return [...last].map(([first, end]) => ({ first, last: end })).sort((a, b) => a.first - b.first || b.last - a.last)
}

function targetsOf(terminator: Instruction): Block[] {
  switch (terminator.op) {
    case 'br':
      return [terminator.target]
    case 'condbr':
      return [terminator.ifTrue, terminator.ifFalse]
    case 'switch':
      return [terminator.fallback, ...terminator.cases.map(({ target }) => target)]
    default:
      return []
  }
}

interface EdgeContext extends Pick<StepContext, 'operand' | 'slotOf'> {
  readonly blockNumber: ReadonlyMap<Block, number>
  readonly blockStart: readonly number[]
}

function makeEdge(from: Block, to: Block, { operand, slotOf, blockNumber, blockStart }: EdgeContext): Edge {
  const moves = to.instructions
    .filter(instruction => instruction.op === 'phi')
    .map(phi => {
      const incoming = phi.incoming.find(({ block }) => block === from)
      if (!incoming) throw new InternalError(`phi %${phi.name} has no value for block ${from.name}`)
      return { slot: slotOf(phi), value: operand(incoming.value) }
    })
  const target = blockNumber.get(to)!
  return { target, moves, isBackEdge: target <= blockNumber.get(from)!, start: () => blockStart[target]! }
}

function makeStep(instruction: Instruction, index: number, context: StepContext): Step {
  const { operand, slotOf, launch, edge } = context
  const ids = launch.program.siteIds.get(instruction)
  switch (instruction.op) {
    case 'load':
      return loadStep(
        instruction,
        operand(instruction.pointer),
        slotOf(instruction),
        ids,
        instruction.copiedTo && operand(instruction.copiedTo),
      )
    case 'store':
      return storeStep(instruction, operand(instruction.pointer), operand(instruction.value), ids)
    case 'atomicrmw':
      return atomicStep(instruction, operand(instruction.pointer), operand(instruction.value), slotOf(instruction), ids)
    case 'cmpxchg':
      return compareExchangeStep(
        instruction,
        operand(instruction.pointer),
        operand(instruction.expected),
        operand(instruction.replacement),
        slotOf(instruction),
        ids,
      )
    case 'call':
      return callStep(instruction, index, context)
    case 'br':
      return edgeStep(instruction, [edge(instruction.block, instruction.target)], () => 0)
    case 'condbr': {
      const condition = operand(instruction.condition)
      const edges = [edge(instruction.block, instruction.ifTrue), edge(instruction.block, instruction.ifFalse)]
      return edgeStep(instruction, edges, (warp, frame, lane) => (condition(warp, frame, lane) ? 0 : 1))
    }
    case 'switch': {
      const value = operand(instruction.value)
      const choice = new Map(instruction.cases.map((entry, i) => [entry.value, i + 1]))
      const edges = [instruction.fallback, ...instruction.cases.map(({ target }) => target)].map(to =>
        edge(instruction.block, to),
      )
      return edgeStep(instruction, edges, (warp, frame, lane) => choice.get(toBigInt(value(warp, frame, lane))) ?? 0)
    }
    case 'ret':
      return returnStep(instruction, instruction.value && operand(instruction.value))
    case 'unreachable':
      return unreachableStep(instruction)
    case 'fence':
      return { instruction, transfers: false, run: () => {} }
    default: {
      const slot = slotOf(instruction)
      const evaluate = computation(instruction, context)
      return {
        instruction,
        transfers: false,
        run(warp, frame, lanes) {
          const register = frame.registers[slot]!
          for (const lane of lanes) register[lane] = evaluate(warp, frame, lane)
        },
      }
    }
  }
}

/** Instructions whose result depends on their operands only (and, for pointers, on the thread). */
function computation(instruction: Instruction, { operand, localOffsets, launch }: StepContext): Operand {
  switch (instruction.op) {
    case 'fneg':
      return unary(negation(instruction.type), operand(instruction.value))
    case 'freeze':
      return operand(instruction.value)
    case 'icmp':
      return binary(
        integerComparison(instruction.predicate, instruction.left.type),
        operand(instruction.left),
        operand(instruction.right),
      )
    case 'fcmp':
      return binary(
        floatComparison(instruction.predicate, instruction.left.type),
        operand(instruction.left),
        operand(instruction.right),
      )
    case 'fma': {
      const compute = fusedMultiplyAdd(instruction.type)
      const [a, b, c] = [operand(instruction.left), operand(instruction.right), operand(instruction.addend)]
      return (warp, frame, lane) => compute(a(warp, frame, lane), b(warp, frame, lane), c(warp, frame, lane))
    }
    case 'select': {
      const [condition, a, b] = [
        operand(instruction.condition),
        operand(instruction.ifTrue),
        operand(instruction.ifFalse),
      ]
      return (warp, frame, lane) => select(condition(warp, frame, lane), a(warp, frame, lane), b(warp, frame, lane))
    }
    case 'gep': {
      const base = operand(instruction.base)
      const terms = instruction.terms.map(({ index, scale }) => ({
        index: operand(index),
        bits: bitsOf(index.type),
        scale,
      }))
      return (warp, frame, lane) => {
        let address = toNumber(base(warp, frame, lane)) + instruction.offset
        for (const { index, bits, scale } of terms)
          address += Math.imul(toSigned32(index(warp, frame, lane), bits), scale)
        return address >>> 0
      }
    }
    case 'alloca': {
      const offset = localOffsets.get(instruction)
      if (offset === undefined) throw new InternalError(`alloca %${instruction.name} has no place`)
      const local: Operand = (_, frame, lane) => frame.localBase[lane]! + offset
      const { interleaved } = instruction
      if (interleaved !== undefined)
        return (warp, _, lane) => addressOf(fragmentBase(warp) + offset + lane * interleaved)
      if (spaceOf(instruction) === SPACE.local) return local
      return (warp, frame, lane) => addressOf(threadLocalBase(warp, lane) + toNumber(local(warp, frame, lane)))
    }
    case 'extractvalue': {
      const aggregate = operand(instruction.aggregate)
      return (warp, frame, lane) =>
        instruction.indices.reduce((value, index) => elementsOf(value)[index]!, aggregate(warp, frame, lane))
    }
    case 'insertvalue': {
      const [aggregate, value] = [operand(instruction.aggregate), operand(instruction.value)]
      return (warp, frame, lane) =>
        replaceAt(aggregate(warp, frame, lane), instruction.indices, value(warp, frame, lane))
    }
    case 'extractelement': {
      const [vector, index] = [operand(instruction.vector), operand(instruction.index)]
      return (warp, frame, lane) => {
        const elements = elementsOf(vector(warp, frame, lane))
        return elements[Number(toBigInt(index(warp, frame, lane))) % elements.length]!
      }
    }
    case 'insertelement': {
      const [vector, value, index] = [
        operand(instruction.vector),
        operand(instruction.value),
        operand(instruction.index),
      ]
      return (warp, frame, lane) => {
        const elements = vector(warp, frame, lane)
        const at = Number(toBigInt(index(warp, frame, lane))) % elementsOf(elements).length
        return replaceAt(elements, [at], value(warp, frame, lane))
      }
    }
    case 'shufflevector': {
      const [left, right] = [operand(instruction.left), operand(instruction.right)]
      return (warp, frame, lane) => {
        const both = [...elementsOf(left(warp, frame, lane)), ...elementsOf(right(warp, frame, lane))]
        return instruction.mask.map(index => both[Math.max(index, 0)]!)
      }
    }
    case 'addrspacecast':
      return pointerCast(operand(instruction.value), spaceOf(instruction.value), spaceOf(instruction))
    case 'trunc':
    case 'zext':
    case 'sext':
    case 'fptrunc':
    case 'fpext':
    case 'fptoui':
    case 'fptosi':
    case 'uitofp':
    case 'sitofp':
    case 'ptrtoint':
    case 'inttoptr':
    case 'bitcast':
      return unary(conversion(instruction.op, instruction.value.type, instruction.type), operand(instruction.value))
    case 'add':
    case 'sub':
    case 'mul':
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
    case 'shl':
    case 'lshr':
    case 'ashr':
    case 'and':
    case 'or':
    case 'xor':
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
    case 'frem':
      return binary(
        binaryOperation(instruction.op, instruction.type),
        operand(instruction.left),
        operand(instruction.right),
      )
    default:
      throw new InternalError(`${instruction.op} in kernel ${launch.program.kernel.name} computes nothing`)
  }
}

/** The low 32 bits of an integer of any width, sign-extended where it has fewer. */
function toSigned32(value: Bits, bits: number): number {
  return bits <= 32 ? toSigned(value, bits) : Number(BigInt.asIntN(32, toBigInt(value)))
}

function unary(compute: (a: Bits) => Bits, a: Operand): Operand {
  return (warp, frame, lane) => compute(a(warp, frame, lane))
}

function binary(compute: (a: Bits, b: Bits) => Bits, a: Operand, b: Operand): Operand {
  return (warp, frame, lane) => compute(a(warp, frame, lane), b(warp, frame, lane))
}

/** A vector of conditions chooses element by element. */
function select(condition: Bits, ifTrue: Bits, ifFalse: Bits): Bits {
  if (typeof condition !== 'object') return condition ? ifTrue : ifFalse
  const [a, b] = [elementsOf(ifTrue), elementsOf(ifFalse)]
  return condition.map((chosen, i) => (chosen ? a[i]! : b[i]!))
}

function replaceAt(aggregate: Bits, [index, ...inner]: readonly number[], value: Bits): Bits {
  if (index === undefined) return value
  return elementsOf(aggregate).map((element, i) => (i === index ? replaceAt(element, inner, value) : element))
}
