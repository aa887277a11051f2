/**
 * Divisions of 128-bit integers and their conversions from and to floats become calls of functions that the program was compiled with
 * (include/warplens/device_int128.h). In: a linked module, which is changed. Out: the same without such instructions, but for short divisions
 * (pairArithmetic.ts) of programs that do without those functions.
 */
import { userError } from '../../diagnostic.ts'
import { cast } from '../../ir/build.ts'
import type { Block, CallInstruction, Func, Instruction, Module, Value } from '../../ir/ir.ts'
import { bitsOf, F64 } from '../../ir/types.ts'
import { isBinary, replaceValues } from '../rewriting/blocks.ts'
import { isPair, isShortDivision } from './pairArithmetic.ts'

const FUNCTION = '__warplens_'
const DIVISIONS: ReadonlySet<string> = new Set(['udiv', 'sdiv', 'urem', 'srem'])

export function callWideFunctions({ functions }: Module): void {
  const named = new Map(functions.filter(({ name }) => name.startsWith(FUNCTION)).map(func => [func.name, func]))
  for (const { blocks } of functions)
    for (const block of blocks)
      if (block.instructions.some(each => functionOf(each) !== undefined)) callIn(blocks, block, named)
}

/** What the machine has no instruction for, by the name of what does it. */
function functionOf(instruction: Instruction): string | undefined {
  const { op, type } = instruction
  if (isBinary(instruction)) return isPair(type) && DIVISIONS.has(op) ? `${FUNCTION}${op}128` : undefined
  if ((op === 'fptoui' || op === 'fptosi') && isPair(type)) return `${FUNCTION}${op}128`
  if ((op === 'uitofp' || op === 'sitofp') && isPair(instruction.value.type))
    return `${FUNCTION}${op}128_${bitsOf(type)}`
  return undefined
}

function callIn(blocks: readonly Block[], block: Block, named: ReadonlyMap<string, Func>): void {
  const replaced = new Map<Value, Value>()
  block.instructions = block.instructions.flatMap(instruction => {
    const name = functionOf(instruction)
    if (name === undefined) return [instruction]
    const callee = named.get(name)
    if (!callee && isBinary(instruction) && isShortDivision(instruction)) return [instruction]
    if (!callee) throw notThere(instruction)
    const out: Instruction[] = []
    const call = callOf(callee, instruction, operands(instruction, out))
    replaced.set(instruction, call)
    return [...out, call]
  })
  replaceValues(blocks, replaced)
}

/** A shorter float as a double, which has all of them. */
function operands(instruction: Instruction, out: Instruction[]): Value[] {
  if (isBinary(instruction)) return [instruction.left, instruction.right]
  if (!('value' in instruction) || !instruction.value) return []
  const { value, block, location } = instruction
  if (value.type.kind !== 'float' || value.type.bits === 64) return [value]
  const double = cast({ block, location }, 'fpext', F64, value)
  out.push(double)
  return [double]
}

function callOf(callee: Func, { type, block, location, name }: Instruction, args: Value[]): CallInstruction {
  const byval = args.map(() => undefined)
  return { kind: 'instruction', op: 'call', type, name, block, location, callee, args, byval, contract: false }
}

const notThere = ({ op, location }: Instruction) =>
  userError('unsupported-type', `${op} of 128-bit integers is not supported here`, location)
