/**
 * What a loop with a shuffle keeps in a register: `for (k = warpSize / 2; k > 0; k /= 2) s[t] += __shfl_down_sync(m, s[t], k)`. LLVM of today
 * loads it in front and stores it behind; nvcc loads and stores in each round (reading: `perf-thrust_reduce_f32_v02` of unseen26, 7 stores
 * of a warp where ours are 3). One reading is no rule, so that such accesses are told of, not made. Not
 * told of where the loop begins with what the thread has just stored itself, since nothing is loaded then. In: a prepared kernel. Out: their loads.
 */
import { isPromoted } from '../../analysis/facts/knownValues.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { phisOf } from '../../analysis/rewriting/blocks.ts'
import { calledName, loops } from '../../ir/graph.ts'
import type { Instruction, LoadInstruction, Value } from '../../ir/ir.ts'

export function loadsKeptOverShuffles({ kernel }: KernelProgram): LoadInstruction[] {
  return loops(kernel)
    .filter(({ blocks }) => [...blocks].some(({ instructions }) => instructions.some(isShuffle)))
    .flatMap(({ header }) => phisOf(header).flatMap(({ incoming }) => incoming.map(({ value }) => value)))
    .filter(isPromotedLoad)
}

const isShuffle = (instruction: Instruction): boolean => calledName(instruction)?.startsWith('llvm.nvvm.shfl.') === true

const isPromotedLoad = (value: Value): value is LoadInstruction =>
  value.kind === 'instruction' && value.op === 'load' && isPromoted(value)
