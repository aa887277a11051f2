/**
 * What functions of mathematics cost on the machine. Ours (include/warplens/math) are written for WebAssembly, without the
 * machine's function units, and are longer or shorter; their instructions are known by `Location.library`, and count as many
 * times less or more. Source: `smsp__inst_executed` of one call each, on an H200 with nvcc 13.0
 * (scripts/fidelity/cases/mathFunctions); test/fidelity compares the two for all of them.
 */
import { LOOKUP } from '../../analysis/calls/lookups.ts'
import { FLUSHING } from '../../ir/floatMode.ts'

/**
 * Machine instructions of a call with ordinary arguments, what instructionCosts.ts makes of our own code for it, and how many of the machine's
 * are for the special function unit (MUFU, roundings and conversions; machine code of nvcc 13.0, sm_90) and, where it was read, for the pipe of
 * doubles (`sm__inst_executed_pipe_fp64` of doublePipes.cu on an H200).
 */
const costs: Readonly<Record<string, readonly [machine: number, ours: number, specials: number, doubles?: number]>> = {
  __cosf: [2, 41, 1],
  __exp10f: [5, 25, 1],
  __exp2f: [4, 24, 1],
  __expf: [5, 25, 1],
  __fdividef: [5, 15, 1],
  __frcp_rd: [13, 23, 1],
  __frcp_rn: [10, 10, 1],
  __frcp_ru: [13, 23, 1],
  __frcp_rz: [13, 27, 1],
  __frsqrt_rn: [24, 36, 2],
  __fsqrt_rd: [20, 25, 1],
  __fsqrt_rn: [10, 10, 1],
  __fsqrt_ru: [16, 25, 1],
  __fsqrt_rz: [20, 25, 1],
  __log10f: [5, 39, 1],
  __log2f: [4, 38, 1],
  __logf: [5, 39, 1],
  __powf: [9, 63, 2],
  __sincosf: [3, 81, 2],
  __sinf: [2, 40, 1],
  __tanf: [8, 92, 3],
  __tanhf: [1, 46, 1],
  acos: [59, 36, 1],
  acosf: [26, 54, 1],
  acoshf: [47, 73, 1],
  asin: [47, 34, 1],
  asinf: [25, 51, 1],
  asinhf: [41, 89, 2],
  atan: [74, 73, 1, 28],
  atan2: [108, 107, 1],
  atan2f: [41, 69, 2],
  atanf: [19, 57, 1],
  atanhf: [37, 73, 1],
  cbrt: [44, 113, 6, 13],
  cbrtf: [16, 62, 2],
  cos: [46, 53, 2, 16],
  cosf: [29, 34, 1],
  coshf: [16, 44, 3],
  cospif: [25, 43, 2],
  cyl_bessel_i0f: [63, 243, 3],
  cyl_bessel_i1f: [65, 248, 3],
  erf: [123, 33, 5, 42],
  erfcf: [48, 26, 4],
  erfcinvf: [43, 166, 3],
  erfcxf: [70, 99, 4],
  erff: [30, 25, 1],
  erfinvf: [19, 85, 2],
  exp: [49, 50, 0, 16],
  exp10f: [10, 27, 1],
  exp2: [48, 60, 0],
  exp2f: [4, 26, 1],
  expf: [10, 27, 1],
  expm1: [65, 67, 0],
  expm1f: [29, 30, 2],
  fdimf: [3, 3, 0],
  fmod: [19, 11, 0],
  fmodf: [10, 36, 4],
  hypot: [44, 112, 1],
  hypotf: [25, 32, 1],
  ilogbf: [13, 10, 0],
  j0f: [30, 37, 4],
  j1f: [151, 867, 6],
  ldexpf: [16, 8, 1],
  lgammaf: [50, 172, 5],
  llroundf: [42, 16, 0],
  log: [84, 69, 1, 30],
  log10: [90, 82, 1],
  log10f: [29, 51, 0],
  log1p: [53, 100, 2],
  log1pf: [28, 55, 0],
  log2: [90, 79, 1],
  log2f: [30, 50, 0],
  logbf: [11, 12, 0],
  logf: [28, 51, 0],
  nextafterf: [29, 17, 0],
  normcdff: [65, 28, 4],
  normcdfinvf: [45, 168, 3],
  pow: [194, 232, 1, 85],
  powf: [88, 76, 5],
  rcbrtf: [17, 81, 2],
  remainderf: [17, 30, 6],
  rhypotf: [15, 45, 1],
  rnorm3df: [22, 48, 1],
  round: [5, 9, 1],
  roundf: [4, 8, 1],
  rsqrt: [14, 34, 1, 5],
  rsqrtf: [4, 20, 1],
  sin: [45, 51, 2, 16],
  sincosf: [32, 50, 1],
  sinf: [28, 35, 1],
  sinhf: [25, 47, 3],
  sinpif: [25, 43, 3],
  tan: [73, 68, 3],
  tanf: [25, 55, 2],
  tanh: [45, 103, 6, 21],
  tanhf: [17, 45, 2],
  tgammaf: [32, 408, 11],
  y0f: [362, 1833, 12],
  y1f: [385, 1837, 14],
}

/** Machine instructions under `-ftz=true`, which leaves scaling out (ir/floatMode.ts; machine code of one call each). */
const flushing: Readonly<Record<string, number>> = {
  __exp10f: 2,
  __exp2f: 1,
  __expf: 2,
  __fdividef: 2,
  __log10f: 2,
  __log2f: 1,
  __logf: 2,
  __powf: 3,
  __tanf: 5,
  exp2f: 1,
  rsqrtf: 1,
}

/**
 * Those that are one instruction on the machine, which rounds as it is told: what instructionCosts.ts makes of our code for it, and 1 where it is
 * the special function unit's.
 */
const single: Readonly<Record<string, readonly [ours: number, specials: 0 | 1]>> = {
  __dadd_rd: [21, 0],
  __dadd_ru: [16, 0],
  __dadd_rz: [35, 0],
  __dmul_rd: [75, 0],
  __dmul_ru: [81, 0],
  __dmul_rz: [93, 0],
  __double2float_rd: [6, 1],
  __double2float_ru: [6, 1],
  __double2float_rz: [10, 1],
  __double2int_rd: [7, 1],
  __double2int_rn: [7, 1],
  __double2int_ru: [7, 1],
  __double2int_rz: [7, 1],
  __double2ll_rd: [8, 1],
  __double2ll_rn: [8, 1],
  __double2ll_ru: [8, 1],
  __double2ll_rz: [8, 1],
  __dsub_rd: [22, 0],
  __dsub_ru: [17, 0],
  __dsub_rz: [36, 0],
  __fadd_rd: [30, 0],
  __fadd_ru: [26, 0],
  __fadd_rz: [30, 0],
  __float2int_rd: [8, 1],
  __float2int_rn: [8, 1],
  __float2int_ru: [8, 1],
  __float2int_rz: [8, 1],
  __float2ll_rd: [9, 1],
  __float2ll_rn: [9, 1],
  __float2ll_ru: [9, 1],
  __float2ll_rz: [9, 1],
  __float2uint_rd: [6, 1],
  __float2uint_rn: [6, 1],
  __float2uint_ru: [6, 1],
  __float2uint_rz: [6, 1],
  __fma_rd: [104, 0],
  __fma_ru: [104, 0],
  __fma_rz: [128, 0],
  __fmaf_rd: [32, 0],
  __fmaf_ru: [28, 0],
  __fmaf_rz: [32, 0],
  __fmul_rd: [9, 0],
  __fmul_ru: [9, 0],
  __fmul_rz: [13, 0],
  __fsub_rd: [31, 0],
  __fsub_ru: [27, 0],
  __fsub_rz: [31, 0],
  __int2float_rd: [7, 1],
  __int2float_ru: [7, 1],
  __int2float_rz: [8, 0],
  __ll2double_rd: [36, 1],
  __ll2double_rn: [9, 1],
  __ll2double_ru: [33, 1],
  __ll2double_rz: [49, 1],
  __ll2float_rd: [47, 1],
  __ll2float_rn: [42, 1],
  __ll2float_ru: [47, 1],
  __ll2float_rz: [51, 1],
  __saturatef: [4, 0],
  __uint2float_rd: [5, 1],
  __uint2float_ru: [5, 1],
  __uint2float_rz: [5, 0],
  llrintf: [9, 1],
}

/** Functions that have branches on the machine, for arguments out of the ordinary: the machine code of all of the above, sm_90. */
const branching = new Set(
  [
    '__frcp_rn __fsqrt_rn acos acoshf asin asinhf atan atan2 atan2f atanhf cos cosf erfinvf exp exp2 expm1 fmod fmodf hypotf',
    'ilogbf j0f lgammaf log log10 log1p log1pf log2 logbf nextafterf pow powf remainderf rsqrt sin sincosf sinf tan tanf tanh',
    'tgammaf',
  ].flatMap(names => names.split(' ')),
)

export interface MachineCall {
  readonly instructions: number
  /** Of these, for the special function unit. */
  readonly specials: number
  /** Of these, for the pipe of doubles. */
  readonly doubles: number
  readonly isDouble: boolean
  readonly hasBranches: boolean
  /** Nothing but the special function unit's approximation, and a product before or behind it. */
  readonly isApproximation: boolean
}

/** `__dadd_rz`, `__fma_rz`, and names without the f of single precision. */
const ofDoubles = (name: string): boolean =>
  name.startsWith('__') ? /^__(d|fma_)/.test(name) : !/f(\.ftz)?$/.test(name) || name === 'erf'

/** Of the instructions of a function of doubles, those of their pipe: from 0.30 (cbrt) to 0.47 (tanh) in ten functions. */
const DOUBLES = 0.36

const APPROXIMATION = /\.ftz$|^__(?:sin|cos|sincos|tanh)f$/

const all: Readonly<Record<string, (typeof costs)[string]>> = {
  ...costs,
  ...Object.fromEntries(
    Object.entries(flushing).map(([name, machine]) => {
      const [, ours, specials] = costs[name]!
      return [`${name}${FLUSHING}`, [machine, ours, specials]]
    }),
  ),
}

const machineCalls: ReadonlyMap<string, MachineCall> = new Map([
  ...Object.entries(all).map(([name, [instructions, , specials, read]]): [string, MachineCall] => {
    const isDouble = ofDoubles(name)
    const doubles = isDouble ? (read ?? DOUBLES * instructions) : 0
    const isApproximation = APPROXIMATION.test(name)
    return [name, { instructions, specials, doubles, isDouble, hasBranches: branching.has(name), isApproximation }]
  }),
  ...Object.entries(single).map(([name, [, specials]]): [string, MachineCall] => [
    name,
    // Conversions are the special function unit's alone (`whole` of doublePipes.cu).
    {
      instructions: 1,
      specials,
      doubles: ofDoubles(name) ? 1 - specials : 0,
      isDouble: ofDoubles(name),
      hasBranches: false,
      isApproximation: false,
    },
  ]),
])

/** A whole call on the machine; undefined for what is no function in the table. */
export function machineCall(library: string | undefined): MachineCall | undefined {
  return library === undefined ? undefined : machineCalls.get(library)
}

/** How many machine instructions one of our own function's stands for; 1 for what is no function in the table, none within a lookup. */
export function libraryFactor(library: string | undefined): number {
  if (library === LOOKUP) return 0
  if (library === undefined) return 1
  const [machine, ours] = all[library] ?? [1, single[library]?.[0] ?? 1]
  return machine / ours
}
