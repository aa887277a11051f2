/**
 * From the module that clang emitted to one kernel, ready to execute: the passes in order.
 * In: a checked module and a kernel's name. Out: a {@link KernelProgram} of its own copy of the code; the module is unchanged.
 */
import { InternalError } from '../diagnostic.ts'
import { cloneFunction } from '../ir/graph.ts'
import type { Func, Instruction, Module, Value } from '../ir/ir.ts'
import type { Site } from '../trace.ts'
import { raiseArrayAlignments } from './arrayAlignments.ts'
import { lowerAssembly } from './assembly/lowerAssembly.ts'
import { markLoadsBesideStores } from './besideStores.ts'
import { carryOverRounds } from './carryOverRounds.ts'
import { splitClockReads } from './clockReads.ts'
import { lowerClusters } from './clusters.ts'
import { contractMultiplyAdds } from './contract.ts'
import { dropEqualPhis } from './dropEqualPhis.ts'
import { dropOverwrittenStores } from './dropOverwrittenStores.ts'
import { dropUnchangedStores } from './dropUnchangedStores.ts'
import { endThreads } from './endThreads.ts'
import { expandRecursion } from './expandRecursion.ts'
import { findSites, type SiteIds } from './findSites.ts'
import { gatherLoads } from './gatherLoads.ts'
import { hoistLoads } from './hoistLoads.ts'
import { indirectTargets } from './indirectCalls.ts'
import { inlineCalls } from './inlineCalls.ts'
import { interleaveFragments } from './interleaveFragments.ts'
import { joinChoices } from './joinChoices.ts'
import { joinDefaultStores } from './joinDefaultStores.ts'
import { joinLoads } from './joinLoads.ts'
import { joinStores } from './joinStores.ts'
import { useKnownIndices } from './knownIndices.ts'
import { layoutLocals, layoutParameters, layoutShared, type SharedLayout } from './layout.ts'
import { loadBehindBranches } from './loadsBehindBranches.ts'
import { loadForBothLoops } from './loadsForBothLoops.ts'
import { moveConstantsToLocal } from './localConstants.ts'
import { markLookups } from './lookups.ts'
import { insertLoopExitPhis } from './loopExitPhis.ts'
import { findLostPlaces, findLostStorePlaces } from './lostPlaces.ts'
import { lowerVectors } from './lowerVectors.ts'
import { lowerMatrixWords } from './matrixWords.ts'
import { expandMemoryLoops } from './memoryLoops.ts'
import { mergeAccesses } from './mergeAccesses.ts'
import { storeMergedSums } from './mergedSums.ts'
import { narrowLoads } from './narrowLoads.ts'
import { type BlockLoop, orderBlocks } from './orderBlocks.ts'
import { pairIntegers } from './pairIntegers.ts'
import { copyWrittenParameters } from './parameters.ts'
import { loadOnMissingWays } from './partialLoads.ts'
import { insertPauses } from './pauses.ts'
import { predicateLoads } from './predicateLoads.ts'
import { promoteCopies } from './promoteCopies.ts'
import { storePromotedSums } from './promotedStores.ts'
import { raiseLoads } from './raiseLoads.ts'
import { loadAgainOverExchanges } from './reloadedOverExchanges.ts'
import { loadForRemainingRounds } from './remainingRounds.ts'
import { returnLoads } from './returnLoads.ts'
import { reuseAcrossMemories } from './reuseAcrossMemories.ts'
import { reuseLoads } from './reuseLoads.ts'
import { reuseWords } from './reuseWords.ts'
import { separateArrays } from './separateArrays.ts'
import { separateCalls } from './separateCalls.ts'
import { separateStores } from './separateStores.ts'
import { findSharedFunctions } from './sharedFunctions.ts'
import { sinkLoads } from './sinkLoads.ts'
import { sinkValues } from './sinkValues.ts'
import { resolveSpaceQueries } from './spaceQueries.ts'
import { inferSpaces, type PointerSpace } from './spaces.ts'
import { splitAccesses } from './splitAccesses.ts'
import { splitAggregates } from './splitAggregates.ts'
import { splitBarriers } from './splitBarriers.ts'
import { splitVectorOperations } from './splitVectorOperations.ts'
import { splitWideIntegers } from './splitWideIntegers.ts'
import { storeBehindLoops } from './storeBehindLoops.ts'
import { takeVectorsApart } from './takeVectorsApart.ts'
import { resolveTextureHandles } from './textureHandles.ts'
import { unrollLoops, unrollReadingLoops, unrollSharedLoops } from './unrollLoops.ts'
import { unrollSteps } from './unrollSteps.ts'
import { knowWarpSize, nameWarpSize } from './warpSize.ts'
import { keepCopiesWhole } from './wholeCopies.ts'

export type { SiteIds } from './findSites.ts'
export type { SharedLayout } from './layout.ts'

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
  findLostPlaces(kernel)
  const targetsOf = indirectTargets(module)
  const ofSeveral = findSharedFunctions(kernel, targetsOf)
  inlineCalls(kernel, targetsOf, ofSeveral)
  expandRecursion(kernel, targetsOf, ofSeveral)
  nameWarpSize(kernel)
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
  if (asMachine) moveBeforeMerging(kernel)
  const shared = layoutShared([kernel], module)
  if (asMachine) mergeAsMachine(kernel, shared)
  else findLostStorePlaces(kernel)
  knowWarpSize(kernel)
  contractMultiplyAdds(kernel)
  if (asMachine) predicateLoads(kernel)
  separateCalls(kernel)
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
