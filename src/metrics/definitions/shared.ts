/** Shared memory: instructions, wavefronts, bank conflicts, efficiency. MEMORY_MODEL.md sections 2 and 4. */
import { type AccessOp, isLoopForm } from '../../trace.ts'
import { countedFidelity, type MetricDefinition, modelled, ratio } from '../definition.ts'
import { allOps, atomicOps, type CountedSite, type LaunchCounters, sumSites } from '../launchCounters.ts'

const ncu = { vocabulary: 'ncu' } as const
const WAVEFRONT_BYTES = 128

type Sites = Pick<LaunchCounters, 'sites'>
/** Copies from global memory past the registers (LDGSTS) are no shared stores to the counters. */
const isCounted = ({ form }: CountedSite) => form !== 'copy'

const wavefronts = (launch: Sites, ops: readonly AccessOp[]) =>
  sumSites(launch, 'shared', ops, s => (isCounted(s) ? s.wavefronts : 0))
const bytes = (launch: Sites, ops: readonly AccessOp[]) =>
  sumSites(launch, 'shared', ops, s => (isCounted(s) ? s.bytes : 0))
const executed = (launch: Sites, ops: readonly AccessOp[]) =>
  sumSites(launch, 'shared', ops, s => (isCounted(s) ? s.executed : 0))
/** Loops that stand for atomics: loads of theirs. */
const attempts = (launch: Sites) => sumSites(launch, 'shared', atomicOps, s => s.attempts ?? 0)
const attemptWavefronts = (launch: Sites) => sumSites(launch, 'shared', atomicOps, s => s.attemptWavefronts ?? 0)
const loads = (launch: Sites) => executed(launch, ['load']) + attempts(launch)
const loadWavefronts = (launch: Sites) => wavefronts(launch, ['load']) + attemptWavefronts(launch)
/** Compare-and-swaps of such loops in place of the atomic. */
const atomicInstructions = (launch: Sites) =>
  sumSites(launch, 'shared', atomicOps, s => (isLoopForm(s.form) ? (s.attempts ?? 0) : s.executed))
const conflicts = (launch: LaunchCounters, ops: readonly AccessOp[]) =>
  sumSites(launch, 'shared', ops, s => (isCounted(s) ? Math.max(0, s.wavefronts - s.wavefrontsIdeal) : 0))

/**
 * Loads and stores of matrices (LDSM, STSM) are counted by themselves; the data stage's counters have them with the loads and stores
 * (stores: five launches read on an H200, x1 to x4, with and without conflicts).
 */
const withoutMatrices = ({ sites }: Sites) => ({ sites: sites.filter(site => site.matrixWords === undefined) })
const matrices = ({ sites }: Sites) => ({ sites: sites.filter(site => site.matrixWords !== undefined) })

/** Of one instruction each block is a site. */
const matrixInstructions = (launch: Sites, op: 'load' | 'store') =>
  sumSites(matrices(launch), 'shared', [op], ({ executed, matrixWords = 1 }) => executed / matrixWords)

const noise = "the pattern's own; the hardware counter adds arbitration noise to it"

const perOperation = (
  [
    { suffix: 'ld', noun: 'load', ops: ['load'] },
    { suffix: 'st', noun: 'store', ops: ['store'] },
  ] as const
).flatMap(({ suffix, noun, ops }): MetricDefinition[] => [
  {
    ...ncu,
    name: `smsp__sass_inst_executed_op_shared_${suffix}.sum`,
    counterpart: `inst_executed_shared_${noun}s`,
    unit: 'inst',
    definition: `Warp-level shared memory ${noun} instructions executed with at least one active lane.`,
    fidelity: countedFidelity,
    value: ({ launch }) => (suffix === 'ld' ? loads(withoutMatrices(launch)) : executed(withoutMatrices(launch), ops)),
  },
  {
    ...ncu,
    name: `smsp__inst_executed_op_shared_${suffix}.sum`,
    unit: 'inst',
    definition: `Warp-level shared memory ${noun} instructions executed.`,
    fidelity: countedFidelity,
    value: ({ launch }) => (suffix === 'ld' ? loads(withoutMatrices(launch)) : executed(withoutMatrices(launch), ops)),
  },
  {
    ...ncu,
    name: `smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_${suffix}.sum`,
    unit: '',
    definition: `Wavefronts of shared ${noun}s: passes over the 32 banks, 1 for each access of up to 4 bytes without conflict.`,
    fidelity: countedFidelity,
    value: ({ launch }) =>
      suffix === 'ld' ? loadWavefronts(withoutMatrices(launch)) : wavefronts(withoutMatrices(launch), ops),
  },
  {
    ...ncu,
    name: `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_${suffix}.sum`,
    counterpart: `shared_${noun}_transactions`,
    unit: '',
    definition: `Wavefronts of shared ${noun}s in the data stage: ${noise}.`,
    fidelity: modelled,
    value: ({ launch }) => (suffix === 'ld' ? loadWavefronts(launch) : wavefronts(launch, ops)),
  },
  {
    ...ncu,
    name: `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_${suffix}.sum`,
    counterpart: `shared_${suffix}_bank_conflict`,
    unit: '',
    definition: `Wavefronts of shared ${noun}s beyond those without bank conflicts: ${noise}.`,
    fidelity: modelled,
    value: ({ launch }) => conflicts(launch, ops),
  },
  {
    ...ncu,
    name: `smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_${suffix}.ratio`,
    unit: 'byte',
    definition: `Distinct bytes that shared ${noun}s touch in each wavefront, of 128.`,
    fidelity: countedFidelity,
    value: ({ launch }) => ratio(bytes(withoutMatrices(launch), ops), wavefronts(withoutMatrices(launch), ops)),
  },
  {
    ...ncu,
    name: `smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_${suffix}.pct`,
    unit: '%',
    definition: `Distinct bytes that shared ${noun}s touch in each wavefront, as a share of 128.`,
    fidelity: countedFidelity,
    value: ({ launch }) =>
      ratio(100 * bytes(withoutMatrices(launch), ops), WAVEFRONT_BYTES * wavefronts(withoutMatrices(launch), ops)),
  },
])

/** The data stage's counters over all shared memory instructions, atomics among them. */
const dataStage: MetricDefinition[] = [
  {
    ...ncu,
    name: 'l1tex__data_pipe_lsu_wavefronts_mem_shared.sum',
    unit: '',
    definition: `Wavefronts of all shared memory instructions in the data stage: ${noise}.`,
    fidelity: modelled,
    value: ({ launch }) => wavefronts(launch, allOps) + attemptWavefronts(launch),
  },
  {
    ...ncu,
    name: 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum',
    unit: '',
    definition: `Wavefronts of shared atomics in the data stage: ${noise}.`,
    fidelity: modelled,
    value: ({ launch }) => wavefronts(launch, atomicOps),
  },
  {
    ...ncu,
    name: 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum',
    unit: '',
    definition: `Wavefronts of all shared memory instructions beyond those without bank conflicts: ${noise}.`,
    fidelity: modelled,
    value: ({ launch }) => conflicts(launch, allOps),
  },
  {
    ...ncu,
    name: 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum',
    unit: '',
    definition: `Wavefronts of shared atomics beyond those without bank conflicts: ${noise}.`,
    fidelity: modelled,
    value: ({ launch }) => conflicts(launch, atomicOps),
  },
]

const totals: MetricDefinition[] = [
  ...dataStage,
  {
    ...ncu,
    name: 'smsp__sass_inst_executed_op_shared.sum',
    unit: 'inst',
    definition: 'Warp-level shared memory instructions executed: loads, stores and atomics.',
    fidelity: modelled,
    value: ({ launch }) =>
      loads(withoutMatrices(launch)) +
      executed(withoutMatrices(launch), ['store']) +
      matrixInstructions(launch, 'store') +
      atomicInstructions(launch),
  },
  {
    ...ncu,
    name: 'smsp__sass_inst_executed_op_ldsm.sum',
    unit: 'inst',
    definition: 'Warp-level loads of matrices from shared memory (LDSM), of up to four 8 x 8 blocks each.',
    fidelity: countedFidelity,
    value: ({ launch }) => matrixInstructions(launch, 'load'),
  },
  {
    ...ncu,
    name: 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldsm.sum',
    unit: '',
    definition: 'Wavefronts of loads of matrices from shared memory: those of each 8 x 8 block.',
    fidelity: countedFidelity,
    value: ({ launch }) => wavefronts(matrices(launch), ['load']),
  },
  {
    ...ncu,
    name: 'smsp__sass_inst_executed_op_shared_stsm.sum',
    unit: 'inst',
    definition: 'Warp-level stores of matrices to shared memory (STSM), of up to four 8 x 8 blocks each.',
    fidelity: countedFidelity,
    value: ({ launch }) => matrixInstructions(launch, 'store'),
  },
  {
    ...ncu,
    name: 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_stsm.sum',
    unit: '',
    definition: 'Wavefronts of stores of matrices to shared memory: those of each 8 x 8 block.',
    fidelity: countedFidelity,
    value: ({ launch }) => wavefronts(matrices(launch), ['store']),
  },
  {
    ...ncu,
    name: 'smsp__inst_executed_op_shared_atom.sum',
    counterpart: 'inst_executed_shared_atomics',
    unit: 'inst',
    definition: 'Warp-level shared memory atomic instructions executed.',
    fidelity: countedFidelity,
    value: ({ launch }) => atomicInstructions(launch),
  },
  {
    ...ncu,
    name: 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom.sum',
    unit: '',
    definition:
      'Wavefronts of shared atomics: the most lanes that want one bank; a compare-and-swap counts twice, lanes that add 1 to one word once.',
    fidelity: countedFidelity,
    value: ({ launch }) => wavefronts(launch, atomicOps),
  },
  {
    ...ncu,
    name: 'smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct',
    counterpart: 'shared_efficiency',
    unit: '%',
    definition: 'Distinct bytes that shared loads and stores touch in each wavefront, as a share of 128.',
    fidelity: countedFidelity,
    value: ({ launch }) => {
      const ops = ['load', 'store'] as const
      return ratio(100 * bytes(launch, ops), WAVEFRONT_BYTES * wavefronts(launch, ops))
    },
  },
  {
    ...ncu,
    name: 'memory_l1_wavefronts_shared',
    unit: '',
    definition: 'Wavefronts of all shared memory instructions, as on the source page.',
    fidelity: countedFidelity,
    value: ({ launch }) => wavefronts(launch, allOps) + attemptWavefronts(launch),
  },
  {
    ...ncu,
    name: 'memory_l1_wavefronts_shared_ideal',
    unit: '',
    definition: 'Wavefronts that the same active lanes would need without bank conflicts.',
    fidelity: countedFidelity,
    value: ({ launch }) => sumSites(launch, 'shared', allOps, s => s.wavefrontsIdeal),
  },
  {
    ...ncu,
    name: 'derived__memory_l1_wavefronts_shared_excessive',
    unit: '',
    definition: 'Wavefronts beyond the ideal: what bank conflicts cost. 0 at least.',
    fidelity: countedFidelity,
    value: ({ launch }) => conflicts(launch, allOps),
  },
  {
    ...ncu,
    name: 'derived__memory_l1_conflicts_shared_nway',
    unit: '',
    definition:
      'Wavefronts over shared memory instructions executed: 1 is without conflict for accesses of up to 4 bytes.',
    fidelity: countedFidelity,
    value: ({ launch }) =>
      ratio(
        wavefronts(launch, allOps) + attemptWavefronts(launch),
        loads(launch) + executed(launch, ['store']) + atomicInstructions(launch),
      ),
  },
]

export const sharedMetrics: readonly MetricDefinition[] = [...perOperation, ...totals]
