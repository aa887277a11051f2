/**
 * Loops in which each lane takes its next task by an atomic (`while ((i = atomicAdd(next, 1)) < n) …`): which lanes of a warp have some left
 * differs from run to run, and so does how often the warp makes the accesses between (reading: `grouped_gemm_work_stealing` of unseen36,
 * six equal launches, no two alike). Where one thread takes tasks for its block there are as many rounds whoever has them.
 * In: a prepared kernel. Out: the accesses in such loops.
 */
import { blocksOfOneThread } from '../../analysis/facts/singleThread.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Instruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'

export function accessesOfTasks({ kernel, loops }: KernelProgram): Instruction[] {
  const alone = blocksOfOneThread(kernel)
  return loops.flatMap(({ first, last }) => {
    const blocks = kernel.blocks.slice(first, last + 1)
    const inside = new Set(blocks)
    const isLeft = blocks.some(block => isLeftByTask(block, inside, alone))
    return isLeft
      ? blocks.flatMap(({ instructions }) => instructions.filter(({ op }) => op === 'load' || op === 'store'))
      : []
  })
}

/** Whether what an atomic of several lanes in the loop returned decides there that a lane leaves it. */
function isLeftByTask(block: Block, loop: ReadonlySet<Block>, alone: ReadonlySet<Block>): boolean {
  const last = terminatorOf(block)
  if (last.op !== 'condbr' || successors(last).every(next => loop.has(next))) return false
  const seen = new Set<Value>()
  const toDo: Value[] = [last.condition]
  for (let value = toDo.pop(); value !== undefined; value = toDo.pop()) {
    if (value.kind !== 'instruction' || !loop.has(value.block) || seen.has(value)) continue
    seen.add(value)
    // One that only one lane takes is handed on through memory or by an exchange.
    if (value.op === 'atomicrmw' && !alone.has(value.block)) return true
    if (value.op !== 'atomicrmw' && value.op !== 'load' && value.op !== 'call' && value.op !== 'cmpxchg')
      toDo.push(...operandsOf(value))
  }
  return false
}
