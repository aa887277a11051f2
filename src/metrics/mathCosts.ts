/**
 * What functions of mathematics cost on the machine. Ours (include/warplens/math) are written for WebAssembly, without the
 * machine's function units, and are longer or shorter; their instructions are known by `Location.library`, and count as many
 * times less or more. Source: `smsp__inst_executed` of one call each, on an H200 with nvcc 13.0
 * (scripts/fidelity/cases/mathFunctions); test/fidelity compares the two for all of them.
 */

/** Machine instructions of a call with ordinary arguments, and what instructionCosts.ts makes of our own code for it. */
const costs: Readonly<Record<string, readonly [machine: number, ours: number]>> = {
  __cosf: [2, 34],
  __exp10f: [5, 25],
  __expf: [5, 25],
  __fdividef: [5, 15],
  __frcp_rn: [10, 10],
  __fsqrt_rn: [10, 10],
  __log2f: [4, 38],
  __logf: [5, 39],
  __powf: [9, 63],
  __sinf: [2, 33],
  __tanf: [8, 49],
  acos: [59, 36],
  acosf: [26, 54],
  acoshf: [47, 73],
  asin: [47, 34],
  asinf: [25, 51],
  asinhf: [41, 89],
  atan: [74, 73],
  atan2: [108, 107],
  atan2f: [41, 69],
  atanf: [19, 57],
  atanhf: [37, 73],
  cbrt: [44, 113],
  cbrtf: [16, 62],
  cos: [46, 53],
  cosf: [29, 34],
  coshf: [16, 44],
  cospif: [25, 43],
  erf: [123, 33],
  erfcf: [48, 26],
  erff: [30, 25],
  erfinvf: [19, 85],
  exp: [49, 50],
  exp10f: [10, 27],
  exp2: [48, 60],
  exp2f: [4, 26],
  expf: [10, 27],
  expm1: [65, 67],
  expm1f: [29, 30],
  fdimf: [3, 3],
  fmod: [19, 11],
  fmodf: [10, 36],
  hypot: [44, 112],
  hypotf: [25, 32],
  ilogbf: [13, 10],
  j0f: [30, 37],
  ldexpf: [16, 8],
  lgammaf: [50, 172],
  log: [84, 69],
  log10: [90, 82],
  log10f: [29, 51],
  log1p: [53, 100],
  log1pf: [28, 55],
  log2: [90, 79],
  log2f: [30, 50],
  logbf: [11, 12],
  logf: [28, 51],
  nextafterf: [29, 17],
  normcdff: [65, 28],
  pow: [194, 232],
  powf: [88, 76],
  rcbrtf: [17, 81],
  remainderf: [17, 30],
  round: [5, 9],
  roundf: [4, 8],
  rsqrt: [14, 34],
  rsqrtf: [4, 20],
  sin: [45, 51],
  sincosf: [32, 50],
  sinf: [28, 35],
  sinhf: [25, 47],
  sinpif: [25, 43],
  tan: [73, 68],
  tanf: [25, 55],
  tanh: [45, 103],
  tanhf: [17, 45],
  tgammaf: [32, 408],
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
  readonly isDouble: boolean
  readonly hasBranches: boolean
}

const machineCalls: ReadonlyMap<string, MachineCall> = new Map(
  Object.entries(costs).map(([name, [instructions]]) => {
    const isSingle = name.startsWith('__') || (name.endsWith('f') && name !== 'erf')
    return [name, { instructions, isDouble: !isSingle, hasBranches: branching.has(name) }]
  }),
)

/** A whole call on the machine; undefined for what is no function in the table. */
export function machineCall(library: string | undefined): MachineCall | undefined {
  return library === undefined ? undefined : machineCalls.get(library)
}

/** How many machine instructions one of our own function's stands for; 1 for what is no function in the table. */
export function libraryFactor(library: string | undefined): number {
  const cost = library === undefined ? undefined : costs[library]
  return cost ? cost[0] / cost[1] : 1
}
