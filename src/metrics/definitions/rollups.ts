/**
 * Names that the tables do not list: rates and averages of counters that they do list, and names of Nsight Compute's for what
 * Warplens does not model, by family. In: a name. Out: a definition, made on demand.
 */
import type { Device } from '../../devices/device.ts'
import { type MetricDefinition, type MetricInput, modelled, ratio, unsupported } from '../definition.ts'

/** How many of a unit a device has; of slices of L2 and channels of DRAM that is not known. */
const instancesOf: Readonly<Record<string, (device: Device) => number>> = {
  sm: device => device.multiprocessors,
  l1tex: device => device.multiprocessors,
  smsp: device => device.multiprocessors * device.partitions,
}

interface Rate {
  readonly unit: string
  readonly phrase: string
  /** What the counter is divided by. */
  readonly of: (input: MetricInput) => number | undefined
}

const rates: Readonly<Record<string, Rate>> = {
  per_second: { unit: 'second', phrase: 'a second', of: ({ launch }) => launch.time?.seconds },
  per_cycle_elapsed: {
    unit: 'cycle',
    phrase: "a cycle of the multiprocessors' clock",
    of: ({ launch }) => launch.time?.cycles,
  },
  per_cycle_active: {
    unit: 'cycle',
    phrase: 'a cycle in which a multiprocessor has work',
    of: ({ launch }) => launch.time && launch.time.cycles * launch.time.activeShare,
  },
}

const ROLLUP = /^((?:([a-z0-9]+)__)[a-z0-9_]+)\.(sum|avg)(?:\.(per_second|per_cycle_elapsed|per_cycle_active))?$/

/** `X.avg`, `X.sum.per_second` and the like, of a listed `X.sum`. */
function rollupOf(name: string, find: (name: string) => MetricDefinition | undefined): MetricDefinition | undefined {
  const [, base, unit, rollup, rateName] = ROLLUP.exec(name) ?? []
  const counter = base && find(`${base}.sum`)
  if (!counter || counter.unit === '%') return undefined
  const instances = rollup === 'avg' ? instancesOf[unit!] : () => 1
  if (!instances) return undefined
  const rate = rateName === undefined ? undefined : rates[rateName]
  const sentence = counter.definition.replace(/\.$/, '')
  const average = rollup === 'avg' ? `, averaged over the device's ${unit}s` : ''
  return {
    name,
    vocabulary: 'ncu',
    unit: rate ? `${counter.unit}/${rate.unit}` : counter.unit,
    definition: `${sentence}${average}${rate ? `; ${rate.phrase}` : ''}.`,
    fidelity: rate ? modelled : counter.fidelity,
    value: input => {
      const sum = counter.value(input)
      const divisor = rate ? rate.of(input) : 1
      return sum === undefined || divisor === undefined ? undefined : ratio(sum, instances(input.device) * divisor)
    },
  }
}

const machineCompiler = 'which of the machine’s pipes runs an instruction, and when, is not modelled'

/** Names of Nsight Compute's without a value here, and why; the first that matches. */
const families: readonly (readonly [names: RegExp, reason: string])[] = [
  [
    /^smsp__(average_warps?_|pcsamp_|warps_(eligible|issue_stalled)|warp_issue_stalled)/,
    'what each warp waits for, cycle by cycle, is not modelled; the limiter of a launch is in the report',
  ],
  [/^(sm|smsp)__(inst_issued|issue_|inst_executed_pipe_|pipe_|mio|instruction_throughput|idc)/, machineCompiler],
  [/gcomp|compression/, 'data are not compressed here'],
  [/^(nvl|pcie)/, 'links to other devices and to the host have no counters here'],
  [/^(idc|gcc)__/, 'constant operands are the machine compiler’s choice'],
  [
    /^l1tex__([mfxw]_|lsu_|lsuin_|texin_|tex_|data_bank_(reads|writes)|t_set_|t_(requests|sectors)_pipe_(tex|lsu_mem_lg))/,
    'of L1 there are requests, tags, sectors, hits and wavefronts; its inner stages are not modelled',
  ],
  [
    /^lts__(t_requests|t_tag_|t_sectors_(srcnode|srcunit_ltcfabric|aperture)|average_|[dx]_|lts2|ltcfabric)/,
    'of L2 there are sectors and hits; requests, slices and their inner stages are not modelled',
  ],
  [
    /^(fbpa|fbp)__|^dram__(cycles_active|read_|write_)/,
    'of DRAM there are sectors and bytes; channels are not modelled',
  ],
  [
    /^gpu__compute_memory_(access|request)_throughput/,
    'the stages that it is the largest of are not modelled; see gpu__compute_memory_throughput',
  ],
  [/^(gpc|tpc|gr|fe|sys|ctc)__/, 'the unit is not modelled'],
]

const WELL_FORMED = /^[a-z0-9]+__[a-z0-9_]+(\.[a-z0-9_]+)+$/

/** A name of Nsight Compute's that belongs to something that is not modelled. */
function unmodelled(name: string): MetricDefinition | undefined {
  const reason = WELL_FORMED.test(name) ? families.find(([names]) => names.test(name))?.[1] : undefined
  return reason === undefined
    ? undefined
    : {
        name,
        vocabulary: 'ncu',
        unit: '',
        definition: `No value: ${reason}.`,
        fidelity: unsupported,
        value: () => undefined,
      }
}

/** @param find a listed metric by its name */
export function derivedMetric(
  name: string,
  find: (name: string) => MetricDefinition | undefined,
): MetricDefinition | undefined {
  return rollupOf(name, find) ?? unmodelled(name)
}
