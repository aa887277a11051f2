/**
 * About how many instructions a block is when ptxas decides whether to write a loop out: an address and a multiply-add are one,
 * a division is a sequence, what is known when compiling is nothing. In: a block of IR. Out: an estimate; ptxas 13.0 wrote out
 * bodies of 46 of its instructions and left those of 54 (SASS of 60 loops: multiply-adds, comparisons with selects, exponentials).
 */
import type { Block, Instruction, Value } from '../../ir/ir.ts'
import { addressKey, decompose, valueNumbering } from './address.ts'
import { isApproximate } from './machineBranches.ts'

const DIVISION = 16
/** Of a function of mathematics, whose own instructions are ours and not the machine's. */
const LIBRARY_CALL = 9

/** @param isSigned the loop's counter has a sign: then pointers are counted up, else each address is made anew */
export function machineSize(block: Block, isSigned: boolean): number {
  const idOf = valueNumbering()
  const addresses = new Set<string>()
  const calls = new Set<unknown>()
  const fused = new Set<Value>(block.instructions.flatMap(factorsOf))
  let size = 0
  for (const instruction of block.instructions) {
    if (instruction.op === 'load' || instruction.op === 'store') {
      const address = decompose(instruction.pointer)
      addresses.add(`${addressKey(address, idOf)}${isSigned ? '' : address.offset}`)
    }
    if (fused.has(instruction)) continue
    if (!instruction.location?.library) size += weightOf(instruction)
    else if (instruction.op !== 'load' && instruction.op !== 'gep') calls.add(instruction.location)
  }
  return size + (isSigned ? 1 : 3) * addresses.size + LIBRARY_CALL * calls.size
}

/** The products that an addition takes into itself. */
export function factorsOf(instruction: Instruction): Value[] {
  if ((instruction.op !== 'fadd' && instruction.op !== 'fsub') || !instruction.contract) return []
  return [instruction.left, instruction.right]
    .filter(value => value.kind === 'instruction' && value.op === 'fmul')
    .slice(0, 1)
}

function weightOf(instruction: Instruction): number {
  switch (instruction.op) {
    case 'phi':
    case 'gep':
    case 'bitcast':
    case 'freeze':
    case 'extractelement':
    case 'insertelement':
    case 'extractvalue':
    case 'insertvalue':
      return 0
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
    case 'fdiv':
    case 'frem':
      return isApproximate(instruction) ? 1 : DIVISION
    default:
      return 1
  }
}
