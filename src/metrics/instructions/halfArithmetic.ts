/**
 * Arithmetic of 16-bit floats, of which the machine does a pair by one instruction (HADD2, HMUL2, HFMA2, HSETP2). In: a kernel. Out: what
 * of it is no instruction of its own: the second of a pair, and what makes every NaN of a rounding the one that the machine's gives.
 * Source: machine code of nvcc 13.0 (sm_90) of 26 kernels in half and bfloat16.
 *
 * - Two at one place of the source that have a word in common are a pair: sums of single halves in a loop that is written out have none.
 */
import { users } from '../../ir/graph.ts'
import type { Func, Instruction, Type, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'

type Users = ReturnType<typeof users>

const isNarrow = (type: Type): boolean => type.kind === 'float' && type.bits === 16

/** Instructions that the machine has none for. */
export function leftOutOfHalves(func: Func): ReadonlySet<Instruction> {
  const found = new Set<Instruction>()
  if (!func.blocks.some(({ instructions }) => instructions.some(({ type }) => isNarrow(type)))) return found
  const usersOf = users(func)
  for (const { instructions } of func.blocks) {
    for (const each of instructions)
      if (each.op === 'fptrunc' && isNarrow(each.type) && each.value.kind === 'instruction')
        for (const test of usersOf.get(each.value) ?? []) addTest(test, usersOf, found)
    addSeconds(instructions, found)
  }
  return found
}

/** `x != x ? NaN : round(x)`: the test and the choices. */
function addTest(test: Instruction, usersOf: Users, found: Set<Instruction>): void {
  if (test.op !== 'fcmp' || (test.predicate !== 'uno' && test.predicate !== 'ord')) return
  const choices = usersOf.get(test) ?? []
  if (choices.every(({ op }) => op === 'select')) for (const each of [test, ...choices]) found.add(each)
}

const ARITHMETIC = ['fadd', 'fsub', 'fmul', 'fma', 'fneg', 'fcmp', 'call']

const isArithmetic = (instruction: Instruction): boolean =>
  ARITHMETIC.includes(instruction.op) && operandsOf(instruction).some(({ type }) => isNarrow(type))

const has = (words: readonly (Instruction | undefined)[], word: Instruction | undefined): boolean =>
  word !== undefined && words.includes(word)

function addSeconds(instructions: readonly Instruction[], found: Set<Instruction>): void {
  const alone = new Map<string, Instruction[]>()
  const firstOf = new Map<Instruction, Instruction>()
  for (const instruction of instructions) {
    if (!isArithmetic(instruction) || !instruction.location) continue
    const { file, line, column, scope } = instruction.location
    const key = [instruction.op, file, line, column, scope].join()
    const waiting = alone.get(key) ?? []
    const words = operandsOf(instruction).map(operand => wordOf(operand, firstOf))
    const first = waiting.find(other => operandsOf(other).some(operand => has(words, wordOf(operand, firstOf))))
    alone.set(key, first ? waiting.filter(other => other !== first) : [...waiting, instruction])
    if (!first) continue
    firstOf.set(first, first).set(instruction, first)
    found.add(instruction)
  }
}

/** Of values between a word and a part of it, steps looked at. */
const MOST_STEPS = 12

/** The word that a 16-bit float is a part of, of a pair's operations the first. Undefined for constants and single numbers. */
function wordOf(part: Value, firstOf: ReadonlyMap<Instruction, Instruction>): Instruction | undefined {
  let at: Value = part
  for (let steps = 0; at.kind === 'instruction' && steps < MOST_STEPS; steps++) {
    switch (at.op) {
      case 'bitcast':
      case 'trunc':
      case 'zext':
      case 'fneg':
        at = at.value
        break
      case 'lshr':
      case 'and':
      case 'xor':
        at = at.left
        break
      case 'extractelement':
        at = at.vector
        break
      case 'extractvalue':
        at = at.aggregate
        break
      default:
        return firstOf.get(at) ?? (isSingle(at.type) ? undefined : at)
    }
  }
  return undefined
}

/** A number by itself, of which products of a row by it are no pairs. */
const isSingle = (type: Type): boolean => isNarrow(type) || (type.kind === 'int' && type.bits === 16)
