/**
 * `__isShared`, `__isGlobal` and their kind, where the pointer's origin already tells: constants from here on, and so is the
 * branch that asks. Whether any other pointer is global shows in its number. In: a kernel with calls inlined. Other questions
 * that only a run can answer stay.
 */
import { CONSTANT_OFFSET, DEVICE_BASE } from '../../addressSpace.ts'
import { binary, cast, intConstant } from '../../ir/build.ts'
import type { CallInstruction, Func, Instruction } from '../../ir/ir.ts'
import { I1, I32 } from '../../ir/types.ts'
import { inferSpaces } from '../facts/spaces.ts'
import { replaceUses } from '../rewriting/blocks.ts'
import { foldBranches } from '../rewriting/foldBranches.ts'

const QUERY = 'llvm.nvvm.isspacep.'

export function resolveSpaceQueries(kernel: Func): void {
  const queries = kernel.blocks.flatMap(({ instructions }) => instructions.filter(isQuery))
  if (queries.length === 0) return
  const spacesOf = inferSpaces(kernel)
  for (const call of queries) {
    const asked = spaceAsked(call)
    const found = [...spacesOf(call.args[0]!)]
    // A constant variable that is pointed to is read as global memory.
    const spaces = new Set<string>(asked === 'global' ? found.map(s => (s === 'constant' ? 'global' : s)) : found)
    const isKnown = !spaces.has(asked) || spaces.size === 1
    const { instructions } = call.block
    const at = instructions.indexOf(call)
    if (isKnown) {
      instructions.splice(at, 1)
      replaceUses(kernel.blocks, call, intConstant(I1, spaces.has(asked) ? 1 : 0))
    } else if (asked === 'global') {
      const { block, location } = call
      const address = cast({ block, location }, 'ptrtoint', I32, call.args[0]!)
      // What lies below the device's addresses is the host's, managed or mapped, and comes behind them in its memory.
      const offset = binary({ block, location }, 'sub', address, intConstant(I32, DEVICE_BASE))
      const lowest = intConstant(I32, CONSTANT_OFFSET)
      const place = { kind: 'instruction', name: '', block, location } as const
      const test: Instruction = { ...place, op: 'icmp', type: I1, predicate: 'uge', left: offset, right: lowest }
      instructions.splice(at, 1, address, offset, test)
      replaceUses(kernel.blocks, call, test)
    }
  }
  foldBranches(kernel)
}

function isQuery(instruction: Instruction): instruction is CallInstruction {
  return (
    instruction.op === 'call' && instruction.callee.kind === 'function' && instruction.callee.name.startsWith(QUERY)
  )
}

function spaceAsked({ callee }: CallInstruction): string {
  const space = callee.kind === 'function' ? callee.name.slice(QUERY.length) : ''
  return space === 'const' ? 'constant' : space
}
