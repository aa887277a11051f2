/**
 * Loads that the machine has just in front of a store to their own sector: of `y[i] = x[i] + y[i]`, written out four times, ptxas sees that
 * `y[i + 1]` is not `y[i]`, and moves its load up in front of that store; that of `x[i + 1]`, which may be, has to stay behind, so that the
 * rounds come one by one. The L1 does not have every other such load, though it has the sector (memoryHierarchy.ts).
 * In: a kernel as it is counted. Out: such loads are marked. Source: machine code of `add` of serial.cu (nvcc 13.0, sm_90), and its reading.
 */
import { successors, terminatorOf } from '../../ir/graph.ts'
import type { Func, LoadInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { constantDistance, decompose, isSameRoot } from '../facts/address.ts'
import { isPlainAccess } from '../facts/memoryEffects.ts'

const SECTOR = 32

export function markLoadsBesideStores(func: Func): void {
  for (const block of func.blocks) {
    if (!successors(terminatorOf(block)).includes(block)) continue
    let store: StoreInstruction | undefined
    let behind: LoadInstruction[] = []
    for (const each of [...block.instructions, undefined]) {
      if (each?.op === 'load' && isPlainAccess(each)) behind.push(each)
      if (each !== undefined && each.op !== 'store') continue
      if (store) mark(store, behind)
      store = each && isPlainAccess(each) ? each : undefined
      behind = []
    }
  }
}

/** `behind`: up to the next store. */
function mark(store: StoreInstruction, behind: readonly LoadInstruction[]): void {
  if (!behind.some(load => mayBeElsewhere(load, store))) return
  for (const load of behind) {
    const [from, to] = [decompose(store.pointer), decompose(load.pointer)]
    const distance = isSameRoot(from.root, to.root) ? constantDistance(from, to) : undefined
    if (distance && Math.abs(distance) < SECTOR) load.besideStore = true
  }
}

/** Whether the compiler cannot tell what is loaded from what is stored: two arguments of which neither is `__restrict__`. */
function mayBeElsewhere(load: LoadInstruction, store: StoreInstruction): boolean {
  const [a, b] = [decompose(load.pointer).root, decompose(store.pointer).root]
  return !isSameRoot(a, b) && isAnyPointer(a) && isAnyPointer(b)
}

const isAnyPointer = (root: Value): boolean => root.kind === 'parameter' && root.noalias !== true
