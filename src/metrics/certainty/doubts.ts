/**
 * Why counters of one kernel may differ from the hardware's although the rules are exact: what the machine does there is its
 * own (a loop that polls, a library of the device's), or differs from run to run. In: a prepared kernel. Out: the causes, each
 * with the counters that it touches, which are then labelled modelled. The causes are docs/fidelity.md's.
 */
import { readsClock } from '../../analysis/execution/clockReads.ts'
import { isLoopInShared } from '../../analysis/execution/findSites.ts'
import { findWaitingLoops, triesAgain } from '../../analysis/execution/waitingLoops.ts'
import { addressKey, decompose, valueNumbering } from '../../analysis/facts/address.ts'
import { constantMemory } from '../../analysis/facts/constantLoads.ts'
import { isApproximate } from '../../analysis/facts/machineBranches.ts'
import { isArgumentOfLaunch } from '../../analysis/facts/memoryEffects.ts'
import { hasUnevenLoops } from '../../analysis/loops/unevenLoops.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { calledName, successors, terminatorOf } from '../../ir/graph.ts'
import type { Block, Instruction, Location, StoreInstruction, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { storeBytes } from '../../ir/types.ts'
import { isLoopForm, type SiteCounters, type Space } from '../../trace.ts'
import { livePressure } from '../occupancy/registers.ts'
import { loadsOfBrokenLoops } from './brokenLoops.ts'
import { isAtomic, spreadOf, valuesFromAtomics } from './fromAtomics.ts'
import { accessesDecidedBy, accessesDecidedByOthers } from './fromOthers.ts'
import { loadsKeptOverShuffles } from './keptOverShuffles.ts'
import { blocksApart } from './lanesApart.ts'
import { loadsOfRepeatedPlaces } from './repeatedPlaces.ts'
import { loadsOfSplitLoops } from './splitLoops.ts'
import { accessesOfSplitRanges } from './splitRanges.ts'
import { accessesOfTasks } from './tasksOfLanes.ts'
import { storesToUnreadArrays } from './unreadArrays.ts'

export interface Doubt {
  readonly cause: string
  /** Names of metrics, of either vocabulary. */
  readonly counters: RegExp
  /** Sites in this memory are as unsure. */
  readonly space: Space
  /** A launch that writes nothing to global memory has no such cause. */
  readonly isOfWrites?: true
}

const globalCounters = /mem_global|op_global|theoretical_sectors_global|tag_requests_global|\bg(ld|st)_|\bglobal_/
/** Without what counts the kernel's own instructions alone. */
const globalTraffic = new RegExp(`^(?!smsp?__sass_).*(${globalCounters.source})`)
const globalLoads = /global_op_ld|op_global_ld|tags_mem_global|tag_requests_global|\bgld_|global_load/
const globalStores = /global_op_st|op_global_st|tags_mem_global|tag_requests_global|\bgst_|global_store/
const sharedLoads = /shared_op_ld|op_shared_ld|shared_load|wavefronts_shared|ld_bank_conflict/
const sharedStores = /shared_op_st|op_shared_st|shared_store|wavefronts_shared/
const globalPlaces =
  /t_sectors.*global|t_bytes.*global|per_sector_mem_global|tags_mem_global|sectors_global|\bg(ld|st)_/
const loadSectors = /t_sectors.*global_op_ld|t_bytes.*global_op_ld|sectors_global|\bgld_/
const sharedCounters = /mem_shared|op_shared|wavefronts_shared|conflicts_shared|shared_(load|store|ld|st|eff|atom)/

interface BothSpaces {
  readonly global: RegExp
  readonly shared: RegExp
}
const loads: BothSpaces = { global: globalLoads, shared: sharedLoads }
const stores: BothSpaces = { global: globalStores, shared: sharedStores }
const sharedPlaces = new RegExp(`^(?!.*inst_executed).*(${sharedCounters.source})`)
const places: BothSpaces = { global: globalPlaces, shared: sharedPlaces }
const everything: BothSpaces = { global: globalCounters, shared: sharedCounters }

export type DoubtfulSpace = keyof BothSpaces

/** @param what whether all counters of a memory are meant, or those alone that go by where the accesses are */
export const doubtOf = (cause: string, space: DoubtfulSpace, what: 'places' | 'everything'): Doubt => ({
  cause,
  space,
  counters: (what === 'places' ? places : everything)[space],
})

const known = new WeakMap<object, readonly Doubt[]>()

export function doubtsOf(program: KernelProgram): readonly Doubt[] {
  let doubts = known.get(program.kernel)
  if (!doubts) known.set(program.kernel, (doubts = findDoubts(program)))
  return doubts
}

/** Those of a launch, by what its sites did. */
export function doubtsOfLaunch(program: KernelProgram, sites: Sites): readonly Doubt[] {
  const doubts = doubtsOf(program)
  return doubts.some(({ isOfWrites }) => isOfWrites) && !writesGlobal(program, sites)
    ? doubts.filter(({ isOfWrites }) => !isOfWrites)
    : doubts
}

/** Whether a launch wrote to global memory: mixbench's only store stands behind a condition that never holds. */
export const writesGlobal = (program: KernelProgram, sites: Sites): boolean =>
  program.sites.some(({ space, op }, i) => space === 'global' && op !== 'load' && (sites[i]?.executed ?? 1) > 0)

/** Counters by the program's sites. */
type Sites = readonly (Pick<SiteCounters, 'executed'> | undefined)[]

/** Whether some cause touches the metric. */
export function isDoubtful(doubts: readonly Doubt[] | undefined, metric: string): boolean {
  return doubts?.some(({ counters }) => counters.test(metric)) ?? false
}

function findDoubts(program: KernelProgram): Doubt[] {
  const doubts: Doubt[] = []
  const add = (cause: string, space: Space, counters: RegExp) => doubts.push({ cause, space, counters })
  const addWhere = (
    cause: string,
    counters: BothSpaces,
    isThere: (space: keyof BothSpaces) => boolean = () => true,
    more: Pick<Doubt, 'isOfWrites'> = {},
  ) => {
    for (const space of ['global', 'shared'] as const)
      if (isThere(space)) doubts.push({ cause, space, counters: counters[space], ...more })
  }
  const instructions = program.kernel.blocks.flatMap(block => block.instructions)
  const called = new Set(instructions.map(calledName))
  if (called.has('malloc') || called.has('free'))
    add('malloc, free, new and delete walk lists in global memory', 'global', globalCounters)
  if (called.has('cudaLaunchDevice') || called.has('cudaGetParameterBuffer'))
    add('launches of the device write and read global memory', 'global', globalTraffic)
  if (looksAreCounted(program))
    addWhere('how often a loop looks whether another thread has come depends on when', everything)
  if (program.sites.some(({ form, space }) => isLoopForm(form) && space === 'shared'))
    add('a shared atomic that is a loop runs longer when warps meet at a word', 'shared', sharedCounters)
  if (instructions.some(one => program.siteIds.get(one)?.cluster !== undefined && isLoopInShared(one)))
    add(
      "an atomic in another block's shared memory that is a loop runs longer when warps meet at a word",
      'cluster',
      /dshared/,
    )
  if (program.sites.some(({ form, passesL1 }) => form === 'copy' && passesL1))
    add('sectors of copies past the L1 differ a little from run to run', 'global', loadSectors)
  const isWideCopy = program.sites.some(({ form, width }) => form === 'copy' && width === 16)
  if (isWideCopy && instructions.some(({ location }) => isOfFile(location, /(^|\/)cuda\/barrier_copies\.h$/)))
    addWhere('a copy of promised alignment at a barrier is one bulk copy on the machine', everything)
  if (program.sites.some(({ array }) => array === 'vtable'))
    add('virtual functions are found through tables of the machine compiler', 'global', globalLoads)
  if (hasUnevenLoops(program.kernel))
    addWhere('lanes with different numbers of rounds do their last ones apart', everything)
  addWhere('a loop may keep what its last round wrote', everything, space =>
    program.kernel.blocks.some(block => readsItsLastRound(program, block, space)),
  )
  addWhere('how many accesses the machine compiler makes of some is not known', everything, space =>
    instructions.some(each => 'unsure' in each && each.unsure === true && isIn(program, each, space)),
  )
  if (instructions.some(isSecondDivision))
    addWhere('a second condition with a division or a root is a branch on the machine', everything)
  if (joinsRounds(program))
    add(
      'how many rounds with functions of mathematics are written out decides which loads are joined',
      'shared',
      sharedLoads,
    )
  if (loadsConstants(program, instructions) && livePressure(program) > MOST_REGISTERS)
    add('a kernel that needs more registers than there are may load constant values again', 'global', globalLoads)
  const again = loadsOfSplitLoops(program)
  addWhere('a loop written once for each answer of a condition may need fewer loads', loads, space =>
    again.some(each => isIn(program, each, space)),
  )
  const broken = loadsOfBrokenLoops(program)
  addWhere('neighbours join where a loop with a break of its own is written out whole', loads, space =>
    broken.some(each => isIn(program, each, space)),
  )
  const repeated = loadsOfRepeatedPlaces(program)
  addWhere(
    'which loads of neighbouring rounds are of one place the machine compiler finds out for some',
    loads,
    space => repeated.some(each => isIn(program, each, space)),
  )
  const kept = loadsKeptOverShuffles(program)
  addWhere(
    'what a loop keeps in a register over shuffles the machine may load and store in each round',
    everything,
    space => kept.some(each => isIn(program, each, space)),
  )
  if (storesToUnreadArrays(program).size > 0)
    add('stores to an array that nothing reads any more may be left out', 'shared', sharedStores)
  const ofRanges = accessesOfSplitRanges(program)
  addWhere(
    'a loop that singles one round out is taken apart there, and lanes do their rounds apart',
    everything,
    space => ofRanges.some(each => isIn(program, each, space)),
  )
  const apart = blocksApart(program)
  addWhere('lanes that took different ways do not wait for each other wherever these meet', everything, space =>
    instructions.some(each => apart.has(each.block) && isIn(program, each, space)),
  )
  if (addressesFromAtomics(program, instructions))
    add('addresses come from atomics, whose order differs from run to run', 'global', globalPlaces)
  const decided = [...accessesDecidedByOthers(program)]
  addWhere(
    'what other threads write in place decides, and who comes first differs from run to run',
    everything,
    space => decided.some(each => isIn(program, each, space)),
    { isOfWrites: true },
  )
  const tasks = accessesOfTasks(program)
  addWhere('which lanes get tasks from an atomic differs from run to run', everything, space =>
    tasks.some(each => isIn(program, each, space)),
  )
  const clocked = accessesDecidedBy(program, spreadOf(program.kernel, instructions.filter(readsClock)), true)
  addWhere('the clock decides, which is modelled', everything, space =>
    [...clocked.placed, ...clocked.repeated].some(each => isIn(program, each, space)),
  )
  addWhere('a half or a bfloat alone is added by a load and a loop of compare-and-swaps', everything, space =>
    instructions.some(each => isNarrowAddition(each) && isIn(program, each, space)),
  )
  addWhere('a loop of compare-and-swaps goes round again when another thread was faster', everything, space =>
    retries(program, space),
  )
  addWhere('which of several compare-and-swaps succeeds differs from run to run', everything, space =>
    swapsInLoops(program, space),
  )
  addWhere('of several stores that end two branches the last may be joined and the others not', stores, space =>
    program.kernel.blocks.some(block => joinsSeveral(program, block, space)),
  )
  if (instructions.some(({ location }) => isOfFile(location, /(^|\/)cuda\/pipeline$/)))
    add('the state of a cuda::pipeline is kept in another way on the machine', 'shared', sharedCounters)
  const isOfTiles = (location: Instruction['location']) =>
    isOfFile(location, /(^|\/)cooperative_groups\/(?:reduce|scan)\.h$/)
  if (instructions.some(each => isOfTiles(each.location) && isIn(program, each, 'shared')))
    add('tiles of several warps wait for each other in shared memory, as often as it takes', 'shared', sharedCounters)
  if (instructions.some(({ location }) => isOfTemplates(location)))
    addWhere('CUB and Thrust differ from version to version', everything)
  if (instructions.some(({ location }) => isOfFile(location, /(^|\/)warplens\/(?:cublas|cufft|cusparse)\w*\.h$/)))
    addWhere('a kernel of ours stands for one of a library of NVIDIA', everything)
  addWhere(
    'skipping ahead reads and writes the parts of a Philox state in another order on the machine',
    everything,
    space => instructions.some(each => skipsPhilox(each.location) && isIn(program, each, space)),
  )
  const stays = instructions.filter(each => each.op !== 'store' || !isArgumentOfLaunch(each.pointer))
  const isCounted = (instruction: Instruction) =>
    isIn(program, instruction, 'global') || isIn(program, instruction, 'shared')
  const hasNarrowed = stays.some(instruction => isNarrowed(instruction) && isCounted(instruction))
  for (const space of ['global', 'shared'] as const) {
    const counters = space === 'global' ? globalCounters : sharedCounters
    // Programs also decide by such sizes which kernel to launch, and with how much shared memory (reading: bitpermute).
    if (hasNarrowed)
      add(
        'pointers have 8 bytes on the machine and 4 here, and so have long and size_t where the program could not be compiled with 8',
        space,
        counters,
      )
    else if (stays.some(instruction => movesPointer(instruction) && isIn(program, instruction, space)))
      add('pointers have 8 bytes on the machine and 4 here', space, space === 'global' ? globalPlaces : counters)
  }
  return doubts
}

/** Of a thread. */
const MOST_REGISTERS = 255

/** Whether the kernel loads what it does not write (reading: hec-kalman, whose loop loads 60 of 200 such values in each round). */
function loadsConstants(program: KernelProgram, instructions: readonly Instruction[]): boolean {
  const isConstant = constantMemory(program.kernel)
  return instructions.some(each => each.op === 'load' && isIn(program, each, 'global') && isConstant(each.pointer))
}

/** What is computed always has up to four operations (frontend/building/commands.ts). */
const SECOND = 6

/** Whether a condition is made of two of which the second needs a division or a root that the first does not (reading: zeropoint). */
function isSecondDivision(instruction: Instruction): boolean {
  if (instruction.type.kind !== 'int' || instruction.type.bits !== 1) return false
  if (instruction.op !== 'and' && instruction.op !== 'or' && instruction.op !== 'select') return false
  const [first, ...others] = operandsOf(instruction)
  const known = divisionsIn(first!, instruction.block)
  return others.some(each => [...divisionsIn(each, instruction.block)].some(division => !known.has(division)))
}

function divisionsIn(value: Value, block: Block, depth = SECOND): Set<Instruction> {
  if (depth === 0 || value.kind !== 'instruction' || value.block !== block) return new Set()
  if (value.op === 'phi' || value.op === 'load') return new Set()
  if (!isApproximate(value) && (value.op === 'fdiv' || value.op === 'frem' || /sqrt/.test(calledName(value) ?? '')))
    return new Set([value])
  return new Set(operandsOf(value).flatMap(operand => [...divisionsIn(operand, block, depth - 1)]))
}

/** Whether a loop that waits does so by accesses that are counted; those of a cuda::barrier are not. */
function looksAreCounted(program: KernelProgram): boolean {
  const { blocks } = program.kernel
  const isLook = (instruction: Instruction) =>
    program.siteIds.has(instruction) && ('volatile' in instruction ? instruction.volatile : false)
  return [...findWaitingLoops(program)].some(({ first, last }) =>
    blocks.slice(first, last + 1).some(block => block.instructions.some(i => isLook(i) || isAtomic(i))),
  )
}

/** Machine code of sm_90; two in a word are one instruction (reading: bbf-atomic_add_half, and its pack2). */
const isNarrowAddition = ({ op, type }: Instruction) => op === 'atomicrmw' && type.kind === 'float' && type.bits === 16

/** Whether a loop tries a compare-and-swap in this memory until it succeeds (reading: lebesgue, a maximum of doubles). */
export function retries(program: KernelProgram, space: 'global' | 'shared'): boolean {
  return program.loops.some(loop => triesAgain(loop, program, space))
}

/** Whether a loop swaps something for each of several things, which others may do before it (reading: chinm-Day-73-BFS). */
function swapsInLoops(program: KernelProgram, space: 'global' | 'shared'): boolean {
  const { kernel, loops } = program
  return loops.some(
    loop =>
      !triesAgain(loop, program, space) &&
      kernel.blocks
        .slice(loop.first, loop.last + 1)
        .some(block => block.instructions.some(each => each.op === 'cmpxchg' && isIn(program, each, space))),
  )
}

/**
 * Whether a loop of one block writes and reads one array at places whose distance is not a constant: the machine's compiler may see
 * that a place is the last round's, and not read it again (reading: moe-align, sums along a column).
 */
function readsItsLastRound(program: KernelProgram, block: Block, space: Space): boolean {
  if (!successors(terminatorOf(block)).includes(block) || block.instructions.some(({ op }) => op === 'call'))
    return false
  const idOf = valueNumbering()
  const placesOf = (wanted: 'load' | 'store') =>
    block.instructions.flatMap(instruction => {
      if (instruction.op !== wanted || instruction.volatile || !isIn(program, instruction, space)) return []
      const address = decompose(instruction.pointer)
      return [{ root: address.root, key: addressKey(address, idOf) }]
    })
  const written = placesOf('store')
  return placesOf('load').some(({ root, key }) =>
    written.some(
      place =>
        place.key !== key &&
        addressKey({ root: place.root, offset: 0, terms: [] }, idOf) ===
          addressKey({ root, offset: 0, terms: [] }, idOf),
    ),
  )
}

/**
 * Whether several stores of two branches became one each (clang's have no column then): the machine's compiler does so from the
 * last one backwards, as long as both branches are the same code (reading: scan2, whose first stores stay apart).
 */
function joinsSeveral(program: KernelProgram, block: Block, space: Space): boolean {
  const joinedIn = ({ instructions }: Block) =>
    instructions.filter(
      (each): each is StoreInstruction =>
        each.op === 'store' && each.location?.column === 0 && isIn(program, each, space),
    )
  const joined = joinedIn(block)
  const isBranch = (other: Block) => {
    const last = terminatorOf(other)
    return last.op === 'br' && last.target === block
  }
  // Those that analysis/branches/separateStores.ts put back.
  if (joined.length > 0 && program.kernel.blocks.some(other => isBranch(other) && joinedIn(other).length > 0))
    return true
  const isOfBranches = ({ value }: StoreInstruction) =>
    value.kind === 'instruction' && value.op === 'phi' && value.block === block && value.incoming.length === 2
  return joined.length > 1 && joined.some(isOfBranches)
}

/**
 * Whether a loop with functions of mathematics, which are longer here than a call of the machine compiler's, loads one element of
 * shared memory after the other: those of rounds that are written out side by side are joined (reading: rod-lavaMD).
 */
function joinsRounds(program: KernelProgram): boolean {
  const { kernel, loops } = program
  const isInnermost = ({ first, last }: KernelProgram['loops'][number]) =>
    !loops.some(other => other.first >= first && other.last <= last && other.last - other.first < last - first)
  return loops.filter(isInnermost).some(({ first, last }) => {
    const inside = kernel.blocks.slice(first, last + 1).flatMap(block => block.instructions)
    const isCounter = (value: Value) =>
      value.kind === 'instruction' &&
      value.op === 'phi' &&
      inside.includes(value) &&
      value.incoming.some(({ value: next }) => isOneMore(next, value))
    return (
      inside.some(({ location }) => location?.library !== undefined) &&
      inside.some(each => {
        if (each.op !== 'load' || !isIn(program, each, 'shared')) return false
        const bytes = storeBytes(each.type)
        return (
          bytes < 16 && decompose(each.pointer).terms.some(({ index, scale }) => scale === bytes && isCounter(index))
        )
      })
    )
  })
}

function isOneMore(value: Value, counter: Value): boolean {
  return (
    value.kind === 'instruction' &&
    value.op === 'add' &&
    value.left === counter &&
    value.right.kind === 'int' &&
    value.right.value === 1n
  )
}

/** Whether the line is one of CUB's or Thrust's, or was called from there. */
const isOfTemplates = (location: Location | undefined) => isOfFile(location, /(^|\/)(cub|thrust)\//)

function isOfFile(location: Location | undefined, files: RegExp): boolean {
  for (let at = location; at; at = at.inlinedAt) if (files.test(at.file)) return true
  return false
}

/** Part of cuRAND's `curand_init` or `skipahead` of that generator (own: 6 stores and 2 loads of a warp where ours are 5 stores). */
function skipsPhilox(location: Location | undefined): boolean {
  if (!isOfFile(location, /(^|\/)warplens\/curand_device\.h$/)) return false
  const scopes: string[] = []
  for (let at = location; at; at = at.inlinedAt) scopes.push(at.scope)
  return scopes.some(scope => /__warplens_philox/.test(scope)) && scopes.some(scope => /^skipahead/.test(scope))
}

function movesPointer(instruction: Instruction): boolean {
  if (instruction.op === 'load') return instruction.type.kind === 'pointer'
  return instruction.op === 'store' && instruction.value.type.kind === 'pointer'
}

/** Numbers that are shorter here than on the machine, and members of structures whose layout differs by such ones or pointers. */
function isNarrowed(instruction: Instruction): boolean {
  return 'narrowed' in instruction && instruction.narrowed === true && !movesPointer(instruction)
}

const isIn = (program: KernelProgram, instruction: Instruction, space: Space): boolean =>
  program.siteIds.get(instruction)?.[space] !== undefined

/** Whether what an atomic returned reaches the address of a load or a store in global memory, also through shared variables. */
function addressesFromAtomics(program: KernelProgram, instructions: readonly Instruction[]): boolean {
  const values = valuesFromAtomics(program)
  return instructions.some(
    each => (each.op === 'load' || each.op === 'store') && values.has(each.pointer) && isIn(program, each, 'global'),
  )
}
