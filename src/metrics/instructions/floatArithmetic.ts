/**
 * Floating-point arithmetic that the machine would issue for a kernel, by kind. In: a prepared kernel. Out: counts a basic
 * block. Additions, products and fused multiply-adds are the program's own, as nvcc fuses them (analysis/lowering/contract.ts); a
 * division or a root is what ptxas 13.0 writes for 9.0 (read with nvdisasm); our own code for a function of mathematics counts
 * as many times more or less as the machine's has instructions (mathCosts.ts). Modelled.
 */
import { approximationOf } from '../../analysis/facts/machineBranches.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { isOne } from '../../ir/floats.ts'
import type { Approximation, Instruction, Type } from '../../ir/ir.ts'
import type { FloatCounts, FloatKind } from '../launchCounters.ts'
import { libraryFactor } from './mathCosts.ts'

type Some = Readonly<Partial<Record<FloatKind, number>>>

/** Ordinary arguments: the ways round very small and very large ones are not counted. */
const division: readonly [single: Some, double: Some] = [{ ffma: 5 }, { dfma: 7, dmul: 1, ffma: 1 }]
const reciprocal: readonly [single: Some, double: Some] = [{ ffma: 2, fadd: 1 }, { dfma: 5 }]
const root: readonly [single: Some, double: Some] = [
  { ffma: 2, fmul: 2 },
  { dfma: 5, dmul: 3 },
]

export const scalarOf = (type: Type): Type => (type.kind === 'vector' ? type.element : type)
export const lengthOf = (type: Type): number => (type.kind === 'vector' ? type.length : 1)

/** Index of the precision in the tables above; undefined for halves and for what is no number with a point. */
export function precisionOf(type: Type): 0 | 1 | undefined {
  const scalar = scalarOf(type)
  if (scalar.kind !== 'float') return undefined
  if (scalar.bits === 32) return 0
  return scalar.bits === 64 ? 1 : undefined
}

/** Ours compute some functions of single precision in double; the machine does not. */
const isSingleFunction = (library: string | undefined) => library !== undefined && /f(\.ftz)?$|^__/.test(library)

/** Products with the reciprocal and with powers of two, those that scale (machine code of one each; MUFU is no arithmetic). */
const approximation = ({ instructions, specials }: Approximation): Some => ({ fmul: instructions - specials })

/** Of one instruction, by one lane. */
export function floatsOf(instruction: Instruction): Some {
  const precision = isSingleFunction(instruction.location?.library) ? 0 : precisionOf(instruction.type)
  if (precision === undefined || precisionOf(instruction.type) === undefined) return {}
  const approximate = approximationOf(instruction)
  if (approximate) return approximation(approximate)
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

export const noFloats: FloatCounts = { fadd: 0, fmul: 0, ffma: 0, dadd: 0, dmul: 0, dfma: 0 }

/** One execution of each block of `program.kernel` by one lane, in order. */
export function blockFloats({ kernel }: KernelProgram): FloatCounts[] {
  return kernel.blocks.map(({ instructions }) => {
    const counts = { ...noFloats }
    for (const instruction of instructions) {
      const times = lengthOf(instruction.type) * libraryFactor(instruction.location?.library)
      for (const [kind, count] of Object.entries(floatsOf(instruction))) counts[kind as FloatKind] += times * count
    }
    return counts
  })
}
