/**
 * Whether nvcc leaves the stores of two branches to one address apart, or makes one of them behind both. In: a kernel, and the block
 * behind two branches. Out: an answer for each store. Read off the PTX of 1,700 pairs of branches:
 *
 * - `if (inside) tile[i] = in[j]; else tile[i] = 0;` is two stores: the second branch stores zero, the first something loaded. In a
 *   loop that counts `i` it is the zero of the first branch, and one store where the second first loads what it stores to (`if (c) x[i] = 0;
 *   else x[i] *= q;`, not `x[i] = y[i] * x[i]`; 22 kernels). One again where another `if` of the condition around it follows
 *   (`if (c) { the two } if (c) { ... }`; 12 kernels; reading: ah-2d_convolution_with_tiling).
 * - In a loop that does not, the address is made in front of it, and the stores are one (40 more pairs; reading: pmp-06-01, the tiles of
 *   a product with bounds).
 * - `if (c) out[i] = 2 * in[i]; else out[i] = 3;` is two stores: the one branch widens `i` for its load, and so the addresses of the
 *   stores are not the same code any more. One store again where both branches do, or an access before them did (outside of loops),
 *   and for unsigned `i` where the other branch loads nothing; and in shared memory, whose addresses have 32 bits (25 kernels; reading:
 *   jcc-timate_coding_practice_hard_kMeansClustering).
 * - `if (i == 0) s[i] = 1; else s[i] = x;` is two stores: in the one branch nvcc knows the index. So with a number, or with an argument
 *   (`if (i == n)`) where there was an access to that place before; not where a branch stores what was just there, or one operation of it, in shared memory (`s[i] = s[i] + 1`;
 *   52 kernels; reading: jcc-Reduction_Pattern_exercises_prefixSumGeneral).
 * - Vectors of constants are as zero is; and apart wherever they stand where the vector is of several stores (`s[2 * t] = 0; s[2 * t + 1] = 0;`,
 *   shared memory; machine code of 14 kernels).
 * - Other pairs are one.
 */
import { type DominatorTree, operandsOf, predecessors, successors, terminatorOf, users } from '../../ir/graph.ts'
import type { Block, Func, Instruction, StoreInstruction, Value } from '../../ir/ir.ts'
import { addressKey, coordinateName, decompose, valueNumbering } from '../facts/address.ts'
import { isOfLaterRound } from '../facts/roundNames.ts'
import { isSharedArray } from '../facts/sharedPlaces.ts'
import { mayWriteBetween } from '../rewriting/blocks.ts'

/** One of the two ways into the block behind. */
export interface Way {
  /** The last block; the one that branches where the way has no block of its own. */
  readonly from: Block
  readonly first: Block | undefined
  readonly blocks: readonly Block[]
}

export interface Branches {
  readonly head: Block
  readonly ways: readonly [Way, Way]
  readonly behind: Block
}

/** Undefined where the block is not reached by two branches of one condition. */
export function branchesOf(func: Func, block: Block, tree: DominatorTree): Branches | undefined {
  const head = tree.immediate(block)
  const before = predecessors(func).get(block) ?? []
  if (!head || before.length !== 2) return undefined
  const ways = before.map((from): Way | undefined => {
    if (from === head) return { from, first: undefined, blocks: [] }
    const first = successors(terminatorOf(head)).find(next => tree.dominates(next, from))
    if (!first || terminatorOf(from).op !== 'br') return undefined
    return { from, first, blocks: func.blocks.filter(each => tree.dominates(first, each)) }
  })
  const [first, second] = ways
  return first && second ? { head, ways: [first, second], behind: block } : undefined
}

/** Which stores of one block nvcc would leave apart. */
export class BranchStores {
  private readonly idOf = valueNumbering()

  constructor(
    private readonly func: Func,
    private readonly tree: DominatorTree,
    private readonly branches: Branches,
    private readonly loop: ReadonlySet<Block> | undefined,
  ) {}

  /** @param stored what each way stores; @param own the stores, where they are still in the branches */
  areApart(pointer: Value, stored: (way: Way) => Value, own: readonly Instruction[] = []): boolean {
    if (this.isIndexKnown(pointer, stored)) return true
    const updated = this.areUpdatesApart(pointer, stored, own)
    if (updated !== undefined) return updated
    if (this.loop && !this.isCounted(pointer)) return false
    const { ways } = this.branches
    const loading = ways.filter(way => way.blocks.some(block => block.instructions.some(reads)))
    const indices = widenedIndices(pointer, this.idOf)
    const sharing = this.sharing(pointer, own)
    if (loading.length === 2) {
      const [one, other] = ways.map(stored) as [Value, Value]
      if (isLoad(one) && isLoad(other)) return this.areOfTwoArrays(pointer, stored, own)
      if (sharing.length === 2 && !this.loop)
        return !isSameOperation(one, other) && !this.beginAlike() && this.areWidenedApart(sharing, pointer, indices)
      return sharing.length === 1 && (this.loop !== undefined || !this.isWidenedBefore(indices))
    }
    const [way] = loading
    if (!way) return false
    const other = ways.find(each => each !== way)!
    const isOfSeveral = own.some(store => store.op === 'store' && store.ofSeveral === true)
    if (isConstantVector(stored(other)) && isOfSeveral) return true
    if ((isZero(stored(other)) || isConstantVector(stored(other))) && this.isOfFirst(way, pointer))
      return !isOfSameCondition(this.branches.behind) && !(this.isCounted(pointer) && this.beginsThere(way, pointer))
    return !this.loop && !isUnsigned(pointer) && sharing.length === 1 && !this.isWidenedBefore(indices)
  }

  /**
   * Whether it is not known: of one operation in both ways where one of them loads the place (10 of 130 are otherwise), of sums that begin with
   * different loads, of a constant in the one way and several loads in the other (some 20 of 240 forms are otherwise than `areApart` and
   * commonTails.ts say), and of ways with loops that LLVM has written out whole, which were loops when nvcc joined stores (8 of 22).
   */
  isDoubtful(pointer: Value, stored: (way: Way) => Value, own: readonly Instruction[] = []): boolean {
    if (this.loop) return false
    const { ways } = this.branches
    if (this.areUpdatesApart(pointer, stored, own) !== undefined) {
      const [one, other] = ways.map(stored) as [Value, Value]
      return isSameOperation(one, other) && !this.beginAlikeTo(this.placeOf(pointer), own)
    }
    const loads = ways.map(({ blocks }) => blocks.flatMap(({ instructions }) => instructions.filter(isLoad)).length)
    const values = ways.map(stored)
    const hasRounds = ways.some(({ blocks }) => blocks.some(hasCopies))
    if (values.some(isZero)) return hasRounds && Math.max(...loads) === 0
    if (hasRounds) return loads.includes(0) || this.beginAlike()
    if (isSharedArray(decompose(pointer).root) || isUnsigned(pointer)) return false
    if (this.isWidenedBefore(widenedIndices(pointer, this.idOf))) return false
    if (loads.includes(0)) return Math.max(...loads) > 1
    return !values.some(isLoad) && Math.max(...loads) > 1 && !this.beginAlike()
  }

  /**
   * Of ways one of which loads what it stores to, outside of loops: undefined for others. nvcc joins the two where both make the address behind the same
   * code (SimplifyCFG takes that in front of the branch), or store one operation of which one operand is the same (it takes that behind them).
   */
  areUpdatesApart(pointer: Value, stored: (way: Way) => Value, own: readonly Instruction[]): boolean | undefined {
    if (this.loop || isSharedArray(decompose(pointer).root)) return undefined
    const { ways } = this.branches
    if (ways.some(({ from, first, blocks }) => first !== from || blocks.length !== 1)) return undefined
    const place = this.placeOf(pointer)
    const isHere = (each: Instruction) => 'pointer' in each && this.placeOf(each.pointer) === place
    if (!ways.some(({ from }) => from.instructions.some(each => each.op === 'load' && isHere(each)))) return undefined
    if (this.beginAlikeTo(place, own)) return false
    const [one, other] = ways.map(stored) as [Value, Value]
    return !isSameOperation(one, other) || !this.haveSameOperand(one, other)
  }

  /** Whether both ways do the same in front of their first access to a place. */
  private beginAlikeTo(place: string, own: readonly Instruction[]): boolean {
    const isThere = (each: Instruction) => 'pointer' in each && this.placeOf(each.pointer) === place
    const [one, other] = this.branches.ways.map(({ from: { instructions } }) => {
      const at = instructions.findIndex(each => isThere(each) || own.includes(each))
      const code = at < 0 ? instructions.slice(0, -1) : instructions.slice(0, at)
      return code
        .filter(each => !isOfAddress(each))
        .map(each => this.textOf(each))
        .join()
    })
    return one === other
  }

  private haveSameOperand(one: Value, other: Value): boolean {
    if (one.kind !== 'instruction' || other.kind !== 'instruction') return false
    const others = operandsOf(other)
    return operandsOf(one).some((operand, at) => this.textOf(operand) === this.textOf(others[at]!))
  }

  /** The same for what is the same in both ways, as far as one operation goes. */
  private textOf(value: Value): string {
    if (value.kind !== 'instruction') return `${value.kind}${this.idOf(value)}`
    if (value.op === 'load') return `load ${this.placeOf(value.pointer)}`
    return `${value.op} ${operandsOf(value).map(each => this.idOf(each))}`
  }

  /** Whether each stores what it loads, of another array than the other, at an index that one of them widens for both. */
  areOfTwoArrays(pointer: Value, stored: (way: Way) => Value, own: readonly Instruction[]): boolean {
    const [one, other] = this.branches.ways.map(stored) as [Value, Value]
    if (!isLoad(one) || !isLoad(other) || !isOfOtherArray(one, other) || this.loop) return false
    return this.areWidenedApart(this.sharing(pointer, own), pointer, widenedIndices(pointer, this.idOf))
  }

  /** The ways that widen the index for accesses of their own. */
  private sharing(pointer: Value, own: readonly Instruction[]): Way[] {
    if (isSharedArray(decompose(pointer).root)) return []
    const indices = widenedIndices(pointer, this.idOf)
    return this.branches.ways.filter(way => indices.some(index => widens(way.blocks, index, this.idOf, own)))
  }

  /** Whether the index that some of the ways widen is not the same value in both. */
  private areWidenedApart(sharing: readonly Way[], pointer: Value, indices: readonly string[]): boolean {
    return sharing.length > 0 && !isUnsigned(pointer) && !this.isWidenedBefore(indices)
  }

  /** Whether both ways load the same first: nvcc then does so in front of them. */
  private beginAlike(): boolean {
    const [one, other] = this.branches.ways.map(({ blocks }) => {
      const first = blocks.flatMap(({ instructions }) => instructions).find(isLoad)
      return first?.op === 'load' ? this.placeOf(first.pointer) : undefined
    })
    return one !== undefined && one === other
  }

  isIndexKnown(pointer: Value, stored: (way: Way) => Value): boolean {
    const { head, ways } = this.branches
    const last = terminatorOf(head)
    if (last.op !== 'condbr' || !isIndexKnown(last.condition, pointer, () => this.isUsedBefore(pointer))) return false
    const usersOf = users(this.func)
    return !ways.some(way => isUpdate(this.func, stored(way), pointer, head, terminatorOf(way.from), usersOf))
  }

  private isUsedBefore(pointer: Value): boolean {
    const key = this.placeOf(pointer)
    const before = this.func.blocks.filter(block => this.tree.dominates(block, this.branches.head))
    return before.some(({ instructions }) =>
      instructions.some(each => 'pointer' in each && this.placeOf(each.pointer) === key),
    )
  }

  /** Whether a way's first load is of the place: both ways then begin with its address, and nvcc makes it in front of them. */
  private beginsThere({ blocks }: Way, pointer: Value): boolean {
    const first = blocks.flatMap(({ instructions }) => instructions).find(isLoad)
    return first !== undefined && this.placeOf(first.pointer) === this.placeOf(pointer)
  }

  private placeOf(pointer: Value): string {
    const address = decompose(pointer)
    return `${addressKey(address, this.idOf)}:${address.offset}`
  }

  /** Whether a way is that of the first branch; of the second in loops that count the index. */
  private isOfFirst({ first }: Way, pointer: Value): boolean {
    return (this.isCounted(pointer) ? /^if\.else/ : /^if\.then/).test(first?.name ?? '')
  }

  private isCounted(pointer: Value): boolean {
    return decompose(pointer).terms.some(
      ({ index }) => index.kind === 'instruction' && this.loop?.has(index.block) === true,
    )
  }

  /** Behind another branch the index is widened once for both, whether or not the code there needs it (PTX of 330 pairs). */
  private isWidenedBefore(indices: readonly string[]): boolean {
    const { head } = this.branches
    if (head !== this.func.blocks[0]) return true
    const before = this.func.blocks.filter(block => this.tree.dominates(block, head))
    return indices.every(index => widens(before, index, this.idOf))
  }
}

/**
 * Whether a condition says what a part of an index is in one of the branches.
 * @param isBefore whether there was an access to the place before
 */
export function isIndexKnown(condition: Value, pointer: Value, isBefore: () => boolean): boolean {
  if (condition.kind !== 'instruction' || condition.op !== 'icmp' || !/^(eq|ne)$/.test(condition.predicate))
    return false
  const { left, right } = condition
  const [index, known] = left.kind === 'instruction' ? [left, right] : [right, left]
  if (known.kind === 'instruction' || !dependsOn(pointer, index)) return false
  return known.kind === 'int' || isBefore()
}

/**
 * Whether a value is what a place of shared memory had, or one operation of it, for which alone it was loaded; or computed of it in any
 * way, where the block that branches has no other access to the place: nvcc moves such a load to the branch.
 * @param end of the branch
 */
export function isUpdate(
  func: Func,
  value: Value,
  pointer: Value,
  head: Block,
  end: Instruction,
  usersOf: ReturnType<typeof users>,
): boolean {
  if (value.kind !== 'instruction' || !isSharedArray(decompose(pointer).root)) return false
  const isOwn = (each: Value) =>
    each.kind === 'instruction' &&
    each.op === 'load' &&
    each.pointer === pointer &&
    usersOf.get(each)?.length === 1 &&
    !mayWriteBetween(func, each, end)
  if (isOwn(value)) return true
  const operands = 'left' in value ? [value.left, value.right] : []
  const load = operands.find(isOwn)
  if (!load) return false
  // What LLVM writes a loop's rounds out before was a block behind the loop when nvcc joined the stores.
  const isBehindLoop = isOfLaterRound(head.name)
  const isOther = (each: Instruction) => each !== load && 'pointer' in each && each.pointer === pointer
  const isAlone = isBehindLoop || !head.instructions.some(isOther)
  return isAlone || operands.every(each => each === load || each.kind !== 'instruction')
}

/** Whether an address is made of a value by plain arithmetic. */
function dependsOn(address: Value, value: Value): boolean {
  if (address === value) return true
  if (address.kind !== 'instruction') return false
  switch (address.op) {
    case 'gep':
    case 'add':
    case 'sub':
    case 'mul':
    case 'shl':
    case 'or':
    case 'sext':
    case 'zext':
    case 'trunc':
      return operandsOf(address).some(operand => dependsOn(operand, value))
    default:
      return false
  }
}

/** Whether an access in these blocks, other than some, widens this to 64 bits. */
export function widens(
  blocks: readonly Block[],
  index: string,
  idOf: (value: Value) => number,
  but: readonly Instruction[] = [],
): boolean {
  const isIn = (each: Instruction) => 'pointer' in each && widenedIndices(each.pointer, idOf).includes(index)
  return blocks.some(({ instructions }) => instructions.some(each => !but.includes(each) && isIn(each)))
}

/** What is widened to 64 bits for an address: index and constant part, of each dimension. */
export function widenedIndices(pointer: Value, idOf: (value: Value) => number): string[] {
  const { terms, offset } = decompose(pointer)
  const unit = Math.min(...terms.map(({ scale }) => Math.abs(scale)))
  return [...new Set(terms.map(({ scale }) => scale))].map(scale => {
    const values = terms.filter(term => term.scale === scale).map(({ index }) => idOf(index))
    return `${values.sort().join()}+${Math.abs(scale) === unit ? Math.floor(offset / unit) : 0}`
  })
}

/** Whether a block behind is the branch of an `if` whose condition an `if` around the two had decided (LLVM's jump threading). */
const isOfSameCondition = ({ name }: Block): boolean => /^if\.then/.test(name)

/** Whether the source's index has no sign. What is known to be no negative number is taken to be an `int` (`int i = threadIdx.x`). */
export function isUnsigned(pointer: Value): boolean {
  for (let at = pointer; at.kind === 'instruction' && at.op === 'gep'; at = at.base)
    if (at.terms.length > 0) return at.unsigned === true && !at.terms.every(({ index }) => isNeverNegative(index))
  return false
}

function isNeverNegative(value: Value): boolean {
  if (value.kind !== 'instruction') return false
  switch (value.op) {
    case 'zext':
    case 'lshr':
    case 'urem':
      return true
    case 'and':
      return value.right.kind === 'int'
    case 'call':
      return coordinateName(value) !== undefined
    default:
      return 'nuw' in value && value.nuw && value.nsw
  }
}

const isOfAddress = ({ op }: Instruction): boolean => op === 'gep' || op === 'sext' || op === 'zext'

const reads = (instruction: Instruction) =>
  instruction.op === 'load' || instruction.op === 'atomicrmw' || instruction.op === 'cmpxchg'

export const isLoad = (value: Value) => value.kind === 'instruction' && value.op === 'load'

/** LLVM's note that a store is made of two, which stand in two branches. */
export const isMergedStatement = ({ location }: StoreInstruction): boolean => !(location && location.column > 0)

/** Whether rounds were written out in a block: LLVM numbers the copies. */
const hasCopies = ({ instructions }: Block): boolean => instructions.some(({ name }) => /[a-z]\d*\.[1-9]$/.test(name))

const isOfOtherArray = (one: Value, other: Value): boolean =>
  'pointer' in one && 'pointer' in other && decompose(one.pointer).root !== decompose(other.pointer).root

const isSameOperation = (one: Value, other: Value): boolean =>
  one.kind === 'instruction' && other.kind === 'instruction' && one.op === other.op && one.op !== 'call'

export const isConstant = ({ kind }: Value): boolean => kind !== 'instruction' && kind !== 'parameter'

/** Of single constants, put together. */
function isConstantVector(value: Value): boolean {
  if (value.kind !== 'instruction') return value.kind === 'aggregate'
  if (value.op !== 'insertelement' || !isConstant(value.value)) return false
  return value.vector.kind === 'undef' || isConstantVector(value.vector)
}

export function isZero(value: Value): boolean {
  return (
    value.kind === 'zero' ||
    (value.kind === 'int' && value.value === 0n) ||
    (value.kind === 'float' && value.bits === 0n)
  )
}
