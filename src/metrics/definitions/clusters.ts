/**
 * Distributed shared memory: accesses of other blocks' shared memory. An access of which some lanes go to the own block and some to another's
 * counts here and in shared memory's, whose wavefronts are those of the lanes that stay; others have no wavefronts (own: `clusters.cu`, 14
 * kernels read on an H100).
 */
import type { AccessOp } from '../../trace.ts'
import { exact, type MetricDefinition } from '../definition.ts'
import { atomicOps, sumSites } from '../launchCounters.ts'

const NOUNS = { ld: 'loads', st: 'stores', atom: 'atomics' } as const

const perOperation: readonly (readonly [keyof typeof NOUNS, readonly AccessOp[]])[] = [
  ['ld', ['load']],
  ['st', ['store']],
  ['atom', atomicOps],
]

export const clusterMetrics: readonly MetricDefinition[] = perOperation.map(([op, ops]) => ({
  vocabulary: 'ncu',
  name: `smsp__sass_inst_executed_op_dshared_${op}.sum`,
  unit: 'inst',
  definition: `Warp-level ${NOUNS[op]} with an active lane in the shared memory of another block of the cluster.`,
  fidelity: exact,
  value: ({ launch }) => sumSites(launch, 'cluster', ops, ({ executed }) => executed),
}))
