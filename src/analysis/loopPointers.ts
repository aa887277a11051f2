/**
 * How aligned ptxas knows a row of shared memory to be that a loop goes along: `tile[threadIdx.y][j]`, four rounds at once. nvcc counts a
 * pointer up there, and ptxas follows it no further than by powers of two. The pointer begins in the middle of the first four rounds
 * (8 bytes behind `tile[threadIdx.y][0]`, so that words join by two, in `#pragma unroll 8` by four), and where the row does not begin at
 * its counter (`j + 4`, `j = 8`) at the last of them (12 bytes behind, so that none join). Not where the place of the first round is a
 * constant, which ptxas follows (sharedPlaces.ts); where LLVM there knows the array to be aligned to 16, it joins them before.
 * PTX of 130 loops. A value with more than five uses keeps its index, which cost 6 of these; why, is not known.
 */
import type { users } from '../ir/graph.ts'
import type { Block, Instruction, LoadInstruction, StoreInstruction } from '../ir/ir.ts'
import { type Address, addressKey, decompose, powerOfTwoIn, valueNumbering } from './address.ts'
import { entryOf, type LoopStep, stepOf } from './loopSteps.ts'
import { isSharedArray, LINE } from './sharedPlaces.ts'

type Access = LoadInstruction | StoreInstruction

const MOST_USES = 5

/** Accesses of a block that is a loop, and what their pointer is a multiple of; those of other places are not in it. */
export function alignmentsInLoop(block: Block, usersOf: ReturnType<typeof users>): ReadonlyMap<Instruction, number> {
  const found = new Map<Instruction, number>()
  const entry = entryOf(block)
  if (!entry) return found
  const idOf = valueNumbering()
  const rows = new Map<string, { readonly step: LoopStep; readonly members: { access: Access; offset: number }[] }>()
  for (const access of block.instructions) {
    if (access.op !== 'load' && access.op !== 'store') continue
    const address = decompose(access.pointer)
    if (!isPlainShared(address)) continue
    const step = stepOf(address, block, entry)
    const start = step && startOf(address, step)
    if (!step || start === undefined || address.terms.length === step.start.size) continue
    const key = addressKey(address, idOf)
    const row = rows.get(key) ?? { step, members: [] }
    row.members.push({ access, offset: address.offset + start })
    rows.set(key, row)
  }
  for (const { step, members } of rows.values()) {
    const keepsIndex = members.some(
      ({ access }) => access.op === 'load' && (usersOf.get(access)?.length ?? 0) > MOST_USES,
    )
    const begin = pointerOf(
      [...new Set(members.map(({ offset }) => offset))].sort((a, b) => a - b),
      step.bytes,
    )
    if (begin === undefined || keepsIndex) continue
    for (const { access } of members) found.set(access, powerOfTwoIn(begin))
  }
  return found
}

/** Where the pointer begins, in bytes behind the row's; undefined where the offsets are not those of one element a round. */
function pointerOf(offsets: readonly number[], step: number): number | undefined {
  const [first] = offsets as [number]
  if (step <= 0 || offsets.length < 2 || offsets.some((offset, at) => (offset - first) * offsets.length !== at * step))
    return undefined
  return first === 0 ? step / 2 : offsets.at(-1)
}

/** In bytes; undefined where it is no constant. */
function startOf({ terms }: Address, { start }: LoopStep): number | undefined {
  let bytes = 0
  for (const { index, scale } of terms) {
    const first = start.get(index)
    if (!first) continue
    if (first.kind !== 'int') return undefined
    bytes += scale * Number(BigInt.asIntN(32, first.value))
  }
  return bytes
}

function isPlainShared({ root }: Address): boolean {
  return isSharedArray(root) && !root.target.external && root.target.align < LINE
}
