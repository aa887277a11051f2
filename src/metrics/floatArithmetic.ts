/**
 * Floating-point arithmetic that the machine would issue for a kernel, by kind. In: a prepared kernel. Out: counts a basic
 * block. Additions, products and fused multiply-adds are the program's own, as nvcc fuses them (analysis/contract.ts); a
 * division or a root is what ptxas 13.0 writes for 9.0 (read with nvdisasm); our own code for a function of mathematics counts
 * as many times more or less as the machine's has instructions (mathCosts.ts). Modelled.
 */
import type { KernelProgram } from '../analysis/prepare.ts'
import { calledName } from '../ir/graph.ts'
import type { Instruction, Type, Value } from '../ir/ir.ts'
import { bitsOf } from '../ir/types.ts'
import { halfArithmetic } from './halfArithmetic.ts'
import { issueCosts } from './instructionCosts.ts'
import type { FloatCounts, FloatKind } from './launchCounters.ts'
import { libraryFactor, machineCall } from './mathCosts.ts'

type Some = Readonly<Partial<Record<FloatKind, number>>>

/** Ordinary arguments: the ways round very small and very large ones are not counted. */
const division: readonly [single: Some, double: Some] = [{ ffma: 5 }, { dfma: 7, dmul: 1, ffma: 1 }]
const reciprocal: readonly [single: Some, double: Some] = [{ ffma: 2, fadd: 1 }, { dfma: 5 }]
const root: readonly [single: Some, double: Some] = [
  { ffma: 2, fmul: 2 },
  { dfma: 5, dmul: 3 },
]

const scalarOf = (type: Type): Type => (type.kind === 'vector' ? type.element : type)
const lengthOf = (type: Type): number => (type.kind === 'vector' ? type.length : 1)

/** Index of the precision in the tables above; undefined for halves and for what is no number with a point. */
function precisionOf(type: Type): 0 | 1 | undefined {
  const scalar = scalarOf(type)
  if (scalar.kind !== 'float') return undefined
  if (scalar.bits === 32) return 0
  return scalar.bits === 64 ? 1 : undefined
}

const isOne = (value: Value): boolean => value.kind === 'float' && value.value === 1

/** Ours compute some functions of single precision in double; the machine does not. */
const isSingleFunction = (library: string | undefined) => library !== undefined && /f$|^__/.test(library)

function floatsOf(instruction: Instruction): Some {
  const precision = isSingleFunction(instruction.location?.library) ? 0 : precisionOf(instruction.type)
  if (precision === undefined || precisionOf(instruction.type) === undefined) return {}
  switch (instruction.op) {
    case 'fadd':
    case 'fsub':
      return precision === 0 ? { fadd: 1 } : { dadd: 1 }
    case 'fmul':
      return precision === 0 ? { fmul: 1 } : { dmul: 1 }
    case 'fma':
      return precision === 0 ? { ffma: 1 } : { dfma: 1 }
    case 'fdiv':
      return (isOne(instruction.left) ? reciprocal : division)[precision]
    case 'call':
      return instruction.callee.kind === 'function' && instruction.callee.name.startsWith('llvm.sqrt')
        ? root[precision]
        : {}
    default:
      return {}
  }
}

/**
 * Instructions of the special function unit: MUFU, FCHK, conversions from and to 64 bits (CUDA C++ Programming Guide, throughput of
 * arithmetic instructions) and those in the division of integers. What nvdisasm shows for one division or root, ordinary arguments.
 * @param cost machine instructions, from `issueCosts`; of a function of mathematics their part of the whole call counts
 */
function specialsOf(instruction: Instruction, cost: number): number {
  const call = machineCall(instruction.location?.library)
  if (call) return (call.specials * cost) / call.instructions
  if ('divides' in instruction && instruction.divides) return 3
  const precision = precisionOf(instruction.type)
  switch (instruction.op) {
    case 'fdiv':
      return precision === 0 && !isOne(instruction.left) ? 2 : 1
    case 'call':
      return /^llvm\.(sqrt|ctpop|ctlz|cttz)/.test(calledName(instruction) ?? '') ? 1 : 0
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
      return instruction.right.kind === 'int' ? 0 : 3
    case 'fpext':
    case 'fptrunc':
    case 'fptosi':
    case 'fptoui':
    case 'sitofp':
    case 'uitofp':
      return isWide(instruction.type) || isWide(instruction.value.type) ? 1 : 0
    default:
      return 0
  }
}

const isWide = (type: Type): boolean => bitsOf(scalarOf(type)) === 64

/** Comparisons, choices, logic and shifts, which have no place in the pipe of multiply-adds; sums of integers have. */
const integerOnly = new Set<Instruction['op']>(['and', 'or', 'xor', 'shl', 'lshr', 'ashr', 'icmp', 'fcmp', 'select'])

function isIntegerOnly(instruction: Instruction): boolean {
  if (instruction.op !== 'call') return integerOnly.has(instruction.op)
  return instruction.callee.kind === 'function' && /^llvm\.([su]|f)?(min|max)/.test(instruction.callee.name)
}

/** Warp instructions of the pipes that are narrower than a warp is wide. */
export interface NarrowPipes {
  readonly integers: number
  readonly doubles: number
  readonly specials: number
}

/** @param warps how often warps ran each block of `program.kernel`, in order */
export function narrowPipes(program: KernelProgram, warps: readonly number[]): NarrowPipes {
  const { kernel } = program
  const halves = halfArithmetic(kernel)
  const costs = issueCosts(program)
  let integers = 0
  let doubles = 0
  let specials = 0
  kernel.blocks.forEach(({ instructions }, index) => {
    const runs = warps[index] ?? 0
    if (runs === 0) return
    for (const instruction of instructions) {
      if (halves.has(instruction)) continue
      const cost = costs.get(instruction) ?? 0
      const isCall = machineCall(instruction.location?.library) !== undefined
      const times = runs * lengthOf(instruction.type) * libraryFactor(instruction.location?.library)
      const { dadd = 0, dmul = 0, dfma = 0 } = floatsOf(instruction)
      doubles += times * (dadd + dmul + dfma)
      specials += (isCall ? runs : times) * specialsOf(instruction, cost)
      if (isIntegerOnly(instruction)) integers += runs * cost
    }
  })
  return { integers, doubles, specials }
}

export const noFloats: FloatCounts = { fadd: 0, fmul: 0, ffma: 0, dadd: 0, dmul: 0, dfma: 0 }

/** One execution of each block of `program.kernel` by one lane, in order. */
export function blockFloats({ kernel }: KernelProgram): FloatCounts[] {
  const halves = halfArithmetic(kernel)
  return kernel.blocks.map(({ instructions }) => {
    const counts = { ...noFloats }
    for (const instruction of instructions) {
      if (halves.has(instruction)) continue
      const times = lengthOf(instruction.type) * libraryFactor(instruction.location?.library)
      for (const [kind, count] of Object.entries(floatsOf(instruction))) counts[kind as FloatKind] += times * count
    }
    return counts
  })
}
