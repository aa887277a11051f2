/**
 * Distributed shared memory: accesses of other blocks' shared memory, under names of our own. Which of the machine's counters have them
 * has not been read on a card: those of shared memory have the accesses of blocks' own alone here (doubts.ts).
 */
import type { AccessOp } from '../../trace.ts'
import { type MetricDefinition, modelled } from '../definition.ts'
import { atomicOps, sumSites } from '../launchCounters.ts'

const perOperation: readonly (readonly [string, readonly AccessOp[]])[] = [
  ['loads', ['load']],
  ['stores', ['store']],
  ['atomics', atomicOps],
]

export const clusterMetrics: readonly MetricDefinition[] = perOperation.map(([noun, ops]) => ({
  vocabulary: 'warplens',
  name: `distributed_shared_${noun}`,
  unit: 'inst',
  definition: `Warp-level ${noun} with an active lane in the shared memory of another block of the cluster.`,
  fidelity: modelled,
  value: ({ launch }) => sumSites(launch, 'cluster', ops, ({ executed }) => executed),
}))
