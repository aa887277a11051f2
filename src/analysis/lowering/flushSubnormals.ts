/**
 * Under `-ftz=true` arithmetic of singles takes a subnormal number for a zero of its sign, and gives such a zero for one. In: a kernel whose
 * operations are on numbers (splitVectorOperations.ts) and fused. Out: calls of {@link FLUSH} behind what gives and what is taken. Loads,
 * stores, choices and bit casts leave numbers alone. They stand for no instruction: the operations of the machine do it themselves.
 * Source: PTX ISA, ".ftz" of each instruction; which instructions have it from nvcc (PTX of 70 expressions, nvcc 13.0).
 */
import { intrinsicCall } from '../../ir/build.ts'
import { FLUSH } from '../../ir/floatMode.ts'
import { calledName } from '../../ir/graph.ts'
import type { Func, Instruction, Parameter, Type, Value } from '../../ir/ir.ts'
import { operandsOf, replaceOperands } from '../../ir/operands.ts'

const LEAST_NORMAL = 2 ** -126

/** Their result may be subnormal where their operands are not. */
const GIVES = new Set<Instruction['op']>(['fadd', 'fsub', 'fmul', 'fdiv', 'fma', 'fptrunc'])
const GIVES_CALLS = /^llvm\.(?:fma|fmuladd)\.f32$/
const TAKES = new Set<Instruction['op']>([
  ...['fadd', 'fsub', 'fmul', 'fdiv', 'fma'],
  ...['frem', 'fneg', 'fcmp', 'fptosi', 'fptoui', 'fpext'],
] as Instruction['op'][])
const TAKES_CALLS =
  /^llvm\.(?:fma|fmuladd|sqrt|fabs|floor|ceil|trunc|rint|nearbyint|roundeven|(?:min|max)(?:num|imum|imumnum))\.f32$/

export function flushSubnormals(kernel: Func): void {
  if (!kernel.flushesSubnormals) return
  const all = kernel.blocks.flatMap(({ instructions }) => instructions)
  const gives = new Set<Value>(all.filter(givesSubnormal))
  const taken = new Set(
    all.flatMap(instruction => (takesSubnormals(instruction) ? operandsOf(instruction).filter(isSingle) : [])),
  )
  const mayBe = mayBeSubnormal(gives)
  const flushed = new Map<Value, Instruction>()
  for (const value of new Set([...gives, ...taken])) {
    if (value.kind !== 'instruction' && value.kind !== 'parameter') continue
    if (gives.has(value) || mayBe(value)) flushed.set(value, flushOf(kernel, value))
  }
  for (const instruction of all) {
    const takes = takesSubnormals(instruction)
    replaceOperands(instruction, value => {
      if (value.kind === 'float') return takes ? flushedConstant(value) : value
      return takes || gives.has(value) ? (flushed.get(value) ?? value) : value
    })
  }
  insert(kernel, flushed)
}

const isFloat32 = (type: Type): boolean => type.kind === 'float' && type.bits === 32
const isSingle = ({ type }: Value): boolean => isFloat32(type)

/** Not what the machine does in one instruction that has no `.ftz` (tanh.approx). */
const isOwn = ({ location }: Instruction): boolean => location?.library === '__tanhf'

function givesSubnormal(instruction: Instruction): boolean {
  if (!isSingle(instruction) || isOwn(instruction)) return false
  return GIVES.has(instruction.op) || GIVES_CALLS.test(calledName(instruction) ?? '')
}

function takesSubnormals(instruction: Instruction): boolean {
  if (isOwn(instruction)) return false
  // What a function of mathematics gives back as it came is there the result of a product or a sum.
  if (instruction.op === 'select' && instruction.location?.library) return true
  return TAKES.has(instruction.op) || TAKES_CALLS.test(calledName(instruction) ?? '')
}

/** Whether a value may be subnormal though `gives` are flushed. */
function mayBeSubnormal(gives: ReadonlySet<Value>): (value: Value) => boolean {
  const known = new Map<Value, boolean>()
  const find = (value: Value): boolean => {
    if (value.kind === 'float') return isSubnormal(value.value)
    if (value.kind === 'parameter') return true
    if (value.kind !== 'instruction' || gives.has(value)) return false
    const before = known.get(value)
    if (before !== undefined) return before
    // What comes round in a loop is subnormal only where it comes in so.
    known.set(value, false)
    const answer = ofInstruction(value)
    known.set(value, answer)
    return answer
  }
  const ofInstruction = (value: Instruction): boolean => {
    switch (value.op) {
      case 'phi':
        return value.incoming.some(({ value: each }) => find(each))
      case 'select':
        return find(value.ifTrue) || find(value.ifFalse)
      case 'sitofp':
      case 'uitofp':
        return false
      case 'fpext':
        return value.value.type.kind === 'float' && value.value.type.brain === true
      default:
        return !takesSubnormals(value)
    }
  }
  return find
}

const isSubnormal = (value: number): boolean => value !== 0 && Math.abs(value) < LEAST_NORMAL

function flushedConstant(value: Value & { kind: 'float' }): Value {
  if (!isFloat32(value.type) || !isSubnormal(value.value)) return value
  return { ...value, value: value.value * 0, bits: value.value < 0 ? 0x80000000n : 0n }
}

function flushOf(kernel: Func, value: Instruction | Parameter): Instruction {
  const isInstruction = value.kind === 'instruction'
  const place = {
    block: isInstruction ? value.block : kernel.blocks[0]!,
    location: isInstruction ? value.location : undefined,
  }
  return intrinsicCall(place, FLUSH, value.type, [value])
}

/** Each behind its value: behind the phis where that is one, at the entry where it is a parameter. */
function insert(kernel: Func, flushed: ReadonlyMap<Value, Instruction>): void {
  for (const block of kernel.blocks) {
    const ofParameters = block === kernel.blocks[0] ? kernel.parameters : []
    let waiting = ofParameters.flatMap(each => flushed.get(each) ?? [])
    block.instructions = block.instructions.flatMap(instruction => {
      const isPhi = instruction.op === 'phi'
      const before = isPhi ? [] : waiting
      if (!isPhi) waiting = []
      const flush = flushed.get(instruction)
      if (isPhi && flush) waiting.push(flush)
      return [...before, instruction, ...(flush && !isPhi ? [flush] : [])]
    })
  }
}
