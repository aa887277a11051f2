/**
 * Loads that the machine has just in front of a store to their own line: of `y[i] = x[i] + y[i]`, written out four times, ptxas sees that
 * `y[i + 1]` is not `y[i]`, and moves its load up in front of that store; that of `x[i + 1]`, which may be, has to stay behind, so that the
 * rounds come one by one. Without such a load (`y[i] *= 2`) all loads stand together, and have come when the stores begin.
 *
 * - The L1 does not have every other such load, though it has the sector (memoryHierarchy.ts); it has what the thread stored there itself in an
 *   earlier round (`y[i] = y[i - 8] + x[i]`).
 * - Nor of those that a store overwrites with something else (`t = a[i]; a[i] = b[i]`), which does not wait for them either.
 * - The store goes out while the load is on its way. L2 holds it up where it waits for another half of the line from DRAM (throughputs.ts).
 *
 * In: a kernel as it is counted. Out: such loads are marked. Source: machine code of `add` of serial.cu (nvcc 13.0, sm_90), and its reading;
 * rows in place (own: `inPlace.cu`: `change` and `ahead8` are refused 2 to 3 of 8 words, `behind8` and `ahead32` none; `twice` is not held up).
 */
import { successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Func, Instruction, LoadInstruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { decompose, decomposeLinear, distanceBetween, isSameRoot } from '../facts/address.ts'
import { constantMemory } from '../facts/constantLoads.ts'
import { stepOfAddress } from '../facts/loopSteps.ts'
import { isPlainAccess } from '../facts/memoryEffects.ts'
import { isRemainder } from '../facts/roundNames.ts'

const LINE = 128
const SECTOR = 32

export function markLoadsBesideStores(func: Func): void {
  const isConstant = constantMemory(func)
  for (const block of func.blocks) {
    markIn(block, successors(terminatorOf(block)).includes(block), isConstant)
    markOverwritten(block)
  }
}

/** Loads of what a store behind them overwrites, which does not wait for them: `t = a[i]; a[i] = b[i]` (machine code of 8 exchanges). */
function markOverwritten(block: Block): void {
  const loads: LoadInstruction[] = []
  /** What each of the block's values is made of, of its loads. */
  const madeOf = new Map<Value, ReadonlySet<LoadInstruction>>()
  const partsOf = (instruction: Instruction) =>
    new Set(operandsOf(instruction).flatMap(operand => [...(madeOf.get(operand) ?? [])]))
  for (const each of block.instructions) {
    const parts = partsOf(each)
    if (each.op === 'store' && isPlainAccess(each))
      for (const load of loads) {
        const distance = distanceBetween(each.pointer, load.pointer)
        if (distance === undefined || Math.abs(distance) >= SECTOR || parts.has(load)) continue
        load.storeDistance ??= -distance
        if (distance === 0) load.besideStore = true
      }
    // What comes behind its use comes when it is there.
    for (const used of parts) {
      const at = loads.indexOf(used)
      if (at >= 0) loads.splice(at, 1)
    }
    if (each.op === 'load' && isPlainAccess(each)) {
      loads.push(each)
      madeOf.set(each, new Set([...parts, each]))
    } else if (parts.size > 0) madeOf.set(each, parts)
  }
}

type IsConstant = ReturnType<typeof constantMemory>

function markIn(block: Block, isLoop: boolean, isConstant: IsConstant): void {
  let store: StoreInstruction | undefined
  let behind: LoadInstruction[] = []
  const first: LoadInstruction[] = []
  for (const each of [...block.instructions, undefined]) {
    if (each?.op === 'load' && isPlainAccess(each)) behind.push(each)
    if (each !== undefined && each.op !== 'store') continue
    if (store && behind.some(load => mayBeElsewhere(load, store!, isConstant))) mark(store, behind, isLoop, false)
    else first.push(...behind)
    const last = store
    store = each && isPlainAccess(each) ? each : undefined
    const isOfNext = each === undefined && isLoop && !isRemainder(block)
    if (isOfNext && last && first.some(load => mayBeElsewhere(load, last, isConstant))) mark(last, first, isLoop, true)
    behind = []
  }
}

/**
 * `loads`: up to the next store, or of the next round, up to its first store: ptxas writes most such loops out once more, and moves these in
 * front of the last store of the round before.
 */
function mark(store: StoreInstruction, loads: readonly LoadInstruction[], isLoop: boolean, isNextRound: boolean): void {
  const address = decomposeLinear(store.pointer, value => value)
  const step = stepOfAddress(address, store.block) ?? 0
  if (isNextRound && step === 0) return
  for (const load of loads) {
    const distance = distanceBetween(store.pointer, load.pointer)
    const ahead = distance === undefined ? 0 : distance + (isNextRound ? step : 0)
    if (ahead === 0 || Math.abs(ahead) >= LINE) continue
    load.storeDistance = -ahead
    if (isLoop && !isNextRound && ahead * step > 0) load.besideStore = true
  }
}

/** Whether ptxas cannot tell what is loaded from what is stored: through two arguments, and not what nothing writes, which is all that it knows of `__restrict__`. */
function mayBeElsewhere(load: LoadInstruction, store: StoreInstruction, isConstant: IsConstant): boolean {
  const [a, b] = [decompose(load.pointer).root, decompose(store.pointer).root]
  return !isSameRoot(a, b) && a.kind === 'parameter' && b.kind === 'parameter' && !isConstant(load.pointer)
}
