/** Floating-point arithmetic: what a roofline is drawn from. Modelled: the machine compiler's instructions, from the IR. */
import { type MetricDefinition, type MetricInput, modelled, unsupported } from '../definition.ts'
import { type FloatKind, floatKinds } from '../launchCounters.ts'

const nouns: Readonly<Record<FloatKind, string>> = {
  fadd: 'additions in single precision',
  fmul: 'multiplications in single precision',
  ffma: 'fused multiply-adds in single precision',
  dadd: 'additions in double precision',
  dmul: 'multiplications in double precision',
  dfma: 'fused multiply-adds in double precision',
}

/** What one of each is worth when operations are counted: a fused multiply-add is two. */
const operations = (kind: FloatKind): number => (kind.endsWith('fma') ? 2 : 1)

function count({ launch }: MetricInput, weightOf: (kind: FloatKind) => number): number | undefined {
  let sum = 0
  for (const { threads, floats } of launch.blocks) {
    if (!floats) return undefined
    for (const kind of floatKinds) sum += threads * weightOf(kind) * floats[kind]
  }
  return Math.round(sum)
}

const singles = (kind: FloatKind): boolean => kind.startsWith('f')
const doubles = (kind: FloatKind): boolean => kind.startsWith('d')

const machine = ['smsp', 'sm'].flatMap((unit): MetricDefinition[] => [
  ...floatKinds.map(
    (kind): MetricDefinition => ({
      vocabulary: 'ncu',
      name: `${unit}__sass_thread_inst_executed_op_${kind}_pred_on.sum`,
      unit: 'inst',
      definition: `Thread-level ${nouns[kind]}; those inside divisions, roots and functions are estimates.`,
      fidelity: modelled,
      value: input => count(input, one => (one === kind ? 1 : 0)),
    }),
  ),
  ...(
    [
      ['fp32', 'single', singles, 'inst_fp_32'],
      ['fp64', 'double', doubles, 'inst_fp_64'],
    ] as const
  ).map(
    ([suffix, precision, isMeant, counterpart]): MetricDefinition => ({
      vocabulary: 'ncu',
      name: `${unit}__sass_thread_inst_executed_op_${suffix}_pred_on.sum`,
      ...(unit === 'smsp' && { counterpart }),
      unit: 'inst',
      definition: `Thread-level additions, multiplications and fused multiply-adds in ${precision} precision.`,
      fidelity: modelled,
      value: input => count(input, kind => (isMeant(kind) ? 1 : 0)),
    }),
  ),
  ...['hadd', 'hmul', 'hfma'].map(
    (kind): MetricDefinition => ({
      vocabulary: 'ncu',
      name: `${unit}__sass_thread_inst_executed_op_${kind}_pred_on.sum`,
      unit: 'inst',
      definition:
        'Thread-level arithmetic in half precision: whether two halves share an instruction is the machine compiler’s choice.',
      fidelity: unsupported,
      value: () => undefined,
    }),
  ),
])

const doubled = (['ffma', 'dfma'] as const).map(
  (kind): MetricDefinition => ({
    vocabulary: 'ncu',
    name: `derived__smsp__sass_thread_inst_executed_op_${kind}_pred_on_x2`,
    unit: 'inst',
    definition: `Operations in thread-level ${nouns[kind]}: two each.`,
    fidelity: modelled,
    value: input => count(input, one => (one === kind ? 2 : 0)),
  }),
)

function nvprof(name: string, definition: string, weightOf: (kind: FloatKind) => number): MetricDefinition {
  const value = (input: MetricInput) => count(input, weightOf)
  return { name, vocabulary: 'nvprof', unit: '', definition, fidelity: modelled, value }
}

export const arithmeticMetrics: readonly MetricDefinition[] = [...machine, ...doubled]

/** nvprof's names, whose totals count a fused multiply-add twice. */
export const flopCounts: readonly MetricDefinition[] = (
  [
    ['sp', 'single', singles],
    ['dp', 'double', doubles],
  ] as const
).flatMap(([suffix, precision, isMeant]) => [
  nvprof(`flop_count_${suffix}`, `Operations in ${precision} precision; a fused multiply-add is two.`, kind =>
    isMeant(kind) ? operations(kind) : 0,
  ),
  ...(['add', 'mul', 'fma'] as const).map(operation =>
    nvprof(
      `flop_count_${suffix}_${operation}`,
      `Thread-level ${operation === 'fma' ? 'fused multiply-adds' : operation === 'add' ? 'additions' : 'multiplications'} in ${precision} precision.`,
      kind => (isMeant(kind) && kind.endsWith(operation) ? 1 : 0),
    ),
  ),
])
