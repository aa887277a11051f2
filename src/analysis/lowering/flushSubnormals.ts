/**
 * Under `-ftz=true` arithmetic of singles takes a subnormal number for a zero of its sign, and gives such a zero for one. In: a kernel whose
 * operations are on numbers (splitVectorOperations.ts) and fused. Out: calls of {@link FLUSH} behind what gives and what is taken. Loads,
 * stores, choices and bit casts leave numbers alone. They stand for no instruction: the operations of the machine do it themselves.
 * Source: PTX ISA, ".ftz" of each instruction; which instructions have it from nvcc (PTX of 70 expressions, nvcc 13.0).
 */
import { intrinsicCall } from '../../ir/build.ts'
import { FLUSH } from '../../ir/floatMode.ts'
import { type FloatType, floatConstant } from '../../ir/floats.ts'
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
  const subnormal = subnormals(all, gives)
  const flushed = new Map<Value, Instruction>()
  for (const value of new Set([...gives, ...taken]))
    if (value.kind === 'parameter' || (value.kind === 'instruction' && (gives.has(value) || subnormal.has(value))))
      flushed.set(value, flushOf(kernel, value))
  for (const instruction of all) {
    const takes = takesSubnormals(instruction)
    replaceOperands(instruction, value => {
      if (value.kind === 'float') return takes ? flushedConstant(value) : value
      return takes || gives.has(value) ? (flushed.get(value) ?? value) : value
    })
  }
  insert(kernel, flushed)
}

const isFloat32 = (type: Type): type is FloatType => type.kind === 'float' && type.bits === 32
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

/** Which values may be subnormal though `gives` are flushed; what comes round in a loop only where it comes in so. */
function subnormals(all: readonly Instruction[], gives: ReadonlySet<Value>): ReadonlySet<Value> {
  const found = new Set<Value>()
  const mayBe = (value: Value): boolean =>
    value.kind === 'float' ? isSubnormal(value.value) : value.kind === 'parameter' || found.has(value)
  const chosenFrom = (value: Instruction): Value[] | undefined => {
    if (value.op === 'phi') return value.incoming.map(({ value: each }) => each)
    return value.op === 'select' ? [value.ifTrue, value.ifFalse] : undefined
  }
  const candidates = all.filter(each => isSingle(each) && !gives.has(each))
  for (let changed = true; changed; ) {
    changed = false
    for (const value of candidates) {
      if (found.has(value) || !(chosenFrom(value)?.some(mayBe) ?? isMadeSubnormal(value))) continue
      found.add(value)
      changed = true
    }
  }
  return found
}

function isMadeSubnormal(value: Instruction): boolean {
  switch (value.op) {
    case 'sitofp':
    case 'uitofp':
      return false
    case 'fpext':
      return value.value.type.kind === 'float' && value.value.type.brain === true
    default:
      return !takesSubnormals(value)
  }
}

const isSubnormal = (value: number): boolean => value !== 0 && Math.abs(value) < LEAST_NORMAL

function flushedConstant(value: Value & { kind: 'float' }): Value {
  if (!isFloat32(value.type) || !isSubnormal(value.value)) return value
  return floatConstant(value.type, value.value * 0)
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
