/**
 * What intrinsics of whole numbers cost on the machine. In: where an instruction comes from. Out: how many machine instructions it stands for.
 * Ours (include/warplens/device_integer.h, device_simd.h) are made of arithmetic; the machine has an instruction for most of them (IDP, PRMT,
 * VABSDIFF, VIMNMX) or a few. Source: nvdisasm of one call of 21 of them, nvcc 13.0, sm_90; their likes (with and without a sign, the other pair,
 * the other direction, other comparisons) are taken to be alike.
 */
import type { Location } from '../../ir/ir.ts'

/** Instructions on the machine, and what instructionCosts.ts makes of ours. */
type Cost = readonly [machine: number, ours: number]

const costs: Readonly<Record<string, Cost>> = {
  __byte_perm: [2, 31],
  __dp2a_hi: [1, 11],
  __dp2a_lo: [1, 11],
  __dp4a: [1, 19],
  __ffs: [3, 6],
  __funnelshift_lc: [1, 4],
  __funnelshift_rc: [1, 4],
  __hadd: [3, 7],
  __rhadd: [4, 9],
  __sad: [1, 6],
  __uhadd: [3, 7],
  __urhadd: [4, 9],
  __usad: [1, 6],
  __vabsdiffs4: [1, 34],
  __vabsdiffu4: [1, 34],
  __vadd2: [1, 6],
  __vadd4: [5, 12],
  __vaddss2: [5, 7],
  __vaddus4: [7, 26],
  __vavgu4: [4, 24],
  __vmaxs2: [1, 11],
  __vmaxu2: [1, 11],
  __vmins2: [1, 11],
  __vminu2: [1, 11],
  __vminu4: [6, 22],
  __vsads4: [1, 31],
  __vsadu4: [1, 31],
  __vsub4: [5, 12],
}
/** Of the others, by how many elements they have: comparisons, saturated sums. */
const OF_TWO: Cost = [4, 9]
const OF_FOUR: Cost = [5, 22]

const HEADERS = /\/warplens\/device_(integer|simd)\.h$/

/** Divisions of 128-bit integers and their like: by 64 bits the machine takes 203 instructions with what is around it, by more 171 (H200). */
const WIDE_HEADER = /\/warplens\/device_int128\.h$/
const WIDE_FACTOR = 2 / 3

const known = new WeakMap<Location, number>()

/** Machine instructions over ours; 1 for what no intrinsic is made of. */
export function intrinsicFactor(location: Location | undefined): number {
  if (!location) return 1
  let factor = known.get(location)
  if (factor === undefined) known.set(location, (factor = factorOf(location)))
  return factor
}

function factorOf({ file, scope, inlinedAt }: Location): number {
  if (WIDE_HEADER.test(file)) return WIDE_FACTOR
  if (!HEADERS.test(file)) return 1
  const [machine, ours] = costs[scope ?? ''] ?? elementwise(scope ?? '') ?? []
  return machine === undefined || ours === undefined ? intrinsicFactor(inlinedAt) : machine / ours
}

const elementwise = (name: string): Cost | undefined =>
  /^__v\w+2$/.test(name) ? OF_TWO : /^__v\w+4$/.test(name) ? OF_FOUR : undefined
