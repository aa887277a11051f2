/**
 * From the module that clang emitted to one kernel, ready to execute: the passes in order.
 * In: a checked module and a kernel's name. Out: a {@link KernelProgram} of its own copy of the code; the module is unchanged.
 */
import { InternalError } from '../diagnostic.ts'
import { calledName, cloneFunction } from '../ir/graph.ts'
import type { Func, Instruction, Module, Value } from '../ir/ir.ts'
import type { Site } from '../trace.ts'
import { hoistLoads } from './branches/hoistLoads.ts'
import { joinChoices } from './branches/joinChoices.ts'
import { joinDefaultStores } from './branches/joinDefaultStores.ts'
import { joinLoads } from './branches/joinLoads.ts'
import { joinStores } from './branches/joinStores.ts'
import { lowerHoistedLoads } from './branches/lowerHoisted.ts'
import { loadOnMissingWays } from './branches/partialLoads.ts'
import { predicateLoads } from './branches/predicateLoads.ts'
import { separateArrays } from './branches/separateArrays.ts'
import { separateStores } from './branches/separateStores.ts'
import { sinkLoads } from './branches/sinkLoads.ts'
import { sinkValues } from './branches/sinkValues.ts'
import { endThreads } from './calls/endThreads.ts'
import { expandRecursion } from './calls/expandRecursion.ts'
import { indirectTargets } from './calls/indirectCalls.ts'
import { inlineCalls } from './calls/inlineCalls.ts'
import { markLookups } from './calls/lookups.ts'
import { copyWrittenParameters } from './calls/parameters.ts'
import { separateCalls } from './calls/separateCalls.ts'
import { findSharedFunctions } from './calls/sharedFunctions.ts'
import { markLoadsBesideStores } from './execution/besideStores.ts'
import { splitClockReads } from './execution/clockReads.ts'
import { findSites, type SiteIds } from './execution/findSites.ts'
import { insertLoopExitPhis } from './execution/loopExitPhis.ts'
import { findLostPlaces, findLostStorePlaces } from './execution/lostPlaces.ts'
import { type BlockLoop, orderBlocks } from './execution/orderBlocks.ts'
import { insertPauses } from './execution/pauses.ts'
import { splitBarriers } from './execution/splitBarriers.ts'
import { layoutLocals, layoutParameters, layoutShared, type SharedLayout } from './facts/layout.ts'
import { isComputingAssembly } from './facts/memoryEffects.ts'
import { inferSpaces, type PointerSpace } from './facts/spaces.ts'
import { gatherLoads } from './joining/gatherLoads.ts'
import { useKnownIndices } from './joining/knownIndices.ts'
import { mergeAccesses } from './joining/mergeAccesses.ts'
import { narrowLoads } from './joining/narrowLoads.ts'
import { raiseLoads } from './joining/raiseLoads.ts'
import { carryOverRounds } from './loops/carryOverRounds.ts'
import { loadBehindBranches } from './loops/loadsBehindBranches.ts'
import { loadForBothLoops } from './loops/loadsForBothLoops.ts'
import { storeMergedSums } from './loops/mergedSums.ts'
import { storePromotedSums } from './loops/promotedStores.ts'
import { loadAgainOverExchanges } from './loops/reloadedOverExchanges.ts'
import { loadForRemainingRounds } from './loops/remainingRounds.ts'
import { returnLoads } from './loops/returnLoads.ts'
import { reuseRoundsOfSums } from './loops/roundsOfSums.ts'
import { storeBehindLoops } from './loops/storeBehindLoops.ts'
import { unrollLoops, unrollReadingLoops, unrollSharedLoops } from './loops/unrollLoops.ts'
import { unrollSteps } from './loops/unrollSteps.ts'
import { knowWarpSize, nameWarpSize } from './loops/warpSize.ts'
import { raiseArrayAlignments } from './lowering/arrayAlignments.ts'
import { lowerAssembly } from './lowering/assembly/lowerAssembly.ts'
import { lowerClusters } from './lowering/clusters.ts'
import { contractMultiplyAdds } from './lowering/contract.ts'
import { dropEqualPhis } from './lowering/dropEqualPhis.ts'
import { flushSubnormals } from './lowering/flushSubnormals.ts'
import { interleaveFragments } from './lowering/interleaveFragments.ts'
import { moveConstantsToLocal } from './lowering/localConstants.ts'
import { lowerVectors } from './lowering/lowerVectors.ts'
import { lowerMatrixWords } from './lowering/matrixWords.ts'
import { expandMemoryLoops } from './lowering/memoryLoops.ts'
import { pairIntegers } from './lowering/pairIntegers.ts'
import { promoteCopies } from './lowering/promoteCopies.ts'
import { resolveSpaceQueries } from './lowering/spaceQueries.ts'
import { splitAccesses } from './lowering/splitAccesses.ts'
import { splitAggregates } from './lowering/splitAggregates.ts'
import { splitVectorOperations } from './lowering/splitVectorOperations.ts'
import { splitWideIntegers } from './lowering/splitWideIntegers.ts'
import { takeVectorsApart } from './lowering/takeVectorsApart.ts'
import { resolveTextureHandles } from './lowering/textureHandles.ts'
import { dropOverwrittenStores } from './reusing/dropOverwrittenStores.ts'
import { dropUnchangedStores } from './reusing/dropUnchangedStores.ts'
import { reuseAcrossMemories } from './reusing/reuseAcrossMemories.ts'
import { reuseLoads } from './reusing/reuseLoads.ts'
import { reuseLoadsOverAssembly } from './reusing/reuseOverAssembly.ts'
import { reuseWords } from './reusing/reuseWords.ts'
import { keepCopiesWhole } from './reusing/wholeCopies.ts'

export type { SiteIds } from './execution/findSites.ts'
export type { SharedLayout } from './facts/layout.ts'

export interface KernelProgram {
  readonly module: Module
  /**
   * The kernel with all calls but those of intrinsics inlined or made branches, adjacent accesses merged,
   * multiply-adds fused, loops closed by phis. `blocks` is in scheduling order (orderBlocks.ts).
   * Barriers stand last before their block's terminator (splitBarriers.ts); so do readings of the clock where it times something.
   */
  readonly kernel: Func
  /** The loops of `kernel.blocks`, outer before inner; `nextBlock` of orderBlocks.ts walks them. */
  readonly loops: readonly BlockLoop[]
  readonly sites: readonly Site[]
  /** No entry: an access to the parameter buffer, which is not counted. */
  readonly siteIds: ReadonlyMap<Instruction, SiteIds>
  readonly spacesOf: (pointer: Value) => ReadonlySet<PointerSpace>
  readonly shared: SharedLayout
  /** It reads its own clock more than once, or sleeps (clockReads.ts). */
  readonly timesItself: boolean
  /** Byte offset of each parameter in the parameter buffer, and its size. */
  readonly parameterOffsets: readonly number[]
  readonly parameterBytes: number
  /** Offset of each alloca in a thread's local memory, and the total. */
  readonly allocaOffsets: ReadonlyMap<Instruction, number>
  readonly localBytes: number
  /** Bytes of the interleaved variables of a warp, behind the local memory of all threads. */
  readonly fragmentBytes: number
}

export interface PrepareKernelOptions {
  /** False: the accesses of the program's own code, none joined, widened, moved or left out as the GPU's compiler does (src/check). */
  readonly asMachine?: boolean
}

export function prepareKernel(
  module: Module,
  name: string,
  { asMachine = true }: PrepareKernelOptions = {},
): KernelProgram {
  const source = module.functions.find(func => func.name === name && func.blocks.length > 0)
  if (!source) throw new InternalError(`no kernel ${name} in the module`)
  const kernel = cloneFunction(source)
  if (asMachine) lowerHoistedLoads(kernel)
  findLostPlaces(kernel)
  const targetsOf = indirectTargets(module)
  const ofSeveral = findSharedFunctions(kernel, targetsOf)
  inlineCalls(kernel, targetsOf, ofSeveral)
  expandRecursion(kernel, targetsOf, ofSeveral)
  nameWarpSize(kernel)
  const hasAssembly = kernel.blocks.some(block =>
    block.instructions.some(each => isComputingAssembly(calledName(each) ?? '')),
  )
  lowerAssembly(kernel)
  lowerClusters(kernel)
  resolveSpaceQueries(kernel)
  endThreads(kernel)
  lowerVectors(kernel)
  lowerMatrixWords(kernel)
  resolveTextureHandles(kernel)
  markLookups(kernel)
  copyWrittenParameters(kernel)
  raiseArrayAlignments(kernel)
  splitAggregates(kernel)
  splitWideIntegers(kernel)
  pairIntegers(kernel)
  takeVectorsApart(kernel)
  splitVectorOperations(kernel)
  dropEqualPhis(kernel)
  joinChoices(kernel)
  const members = promoteCopies(kernel)
  keepCopiesWhole(kernel)
  moveConstantsToLocal(kernel)
  expandMemoryLoops(kernel)
  const parts = new Set([...members, ...splitAccesses(kernel)])
  if (asMachine) reuseWords(kernel, parts)
  interleaveFragments(kernel)
  if (asMachine && hasAssembly) reuseLoadsOverAssembly(kernel)
  if (asMachine) moveBeforeMerging(kernel)
  const shared = layoutShared([kernel], module)
  if (asMachine) mergeAsMachine(kernel, shared)
  else findLostStorePlaces(kernel)
  knowWarpSize(kernel)
  contractMultiplyAdds(kernel)
  if (asMachine) predicateLoads(kernel)
  separateCalls(kernel)
  flushSubnormals(kernel)
  insertPauses(kernel, shared)
  splitBarriers(kernel)
  const isTimed = splitClockReads(kernel)
  const loops = orderBlocks(kernel)
  insertLoopExitPhis(kernel, loops)
  const spacesOf = inferSpaces(kernel)
  markLoadsBesideStores(kernel)
  return {
    module,
    kernel,
    loops,
    spacesOf,
    ...findSites(kernel, spacesOf, asMachine),
    shared,
    timesItself: isTimed,
    ...layoutParameters(kernel),
    ...layoutLocals(kernel),
  }
}

/** Loads and stores that the GPU's compiler moves, makes once or leaves out, and loops that it writes out for them. */
function moveBeforeMerging(kernel: Func): void {
  dropUnchangedStores(kernel)
  loadBehindBranches(kernel)
  loadForRemainingRounds(kernel)
  loadForBothLoops(kernel)
  loadAgainOverExchanges(kernel)
  storePromotedSums(kernel)
  storeMergedSums(kernel)
  hoistLoads(kernel)
  loadOnMissingWays(kernel)
  sinkValues(kernel)
  separateArrays(kernel)
  separateStores(kernel)
  reuseLoads(kernel)
  const carried = carryOverRounds(kernel)
  reuseRoundsOfSums(kernel)
  unrollReadingLoops(kernel)
  reuseLoads(kernel)
  reuseAcrossMemories(kernel)
  dropOverwrittenStores(kernel)
  storeBehindLoops(kernel, carried)
  useKnownIndices(kernel)
  gatherLoads(kernel)
  unrollSharedLoops(kernel)
}

/** Accesses that it joins, and where they stand then. */
function mergeAsMachine(kernel: Func, shared: SharedLayout): void {
  raiseLoads(kernel, shared)
  returnLoads(kernel, mergeAccesses(kernel, shared))
  joinStores(kernel)
  // What several branches stored and the code behind them overwrites.
  dropOverwrittenStores(kernel)
  narrowLoads(kernel)
  sinkLoads(kernel)
  // What does not join with the others of its line goes back in front.
  raiseLoads(kernel, shared)
  joinLoads(kernel)
  joinDefaultStores(kernel)
  findLostStorePlaces(kernel)
  unrollLoops(kernel)
  unrollSteps(kernel)
}
