/**
 * How kernels compute with single precision: what nvcc's -ftz, -prec-div, -prec-sqrt, -fmad and -use_fast_math choose. In: a module as
 * read, and a mode. Out: the module, whose functions, quotients and roots say what is different. Sources: CUDA Compiler Driver NVCC,
 * "Options for Altering Compiler/Linker Behavior"; PTX and machine code of 70 expressions under each flag (nvcc 13.0, sm_90).
 */
import { binary, intrinsicCall, type Place } from './build.ts'
import { type FloatType, floatConstant, isOne } from './floats.ts'
import { calledName, isFromOutside, loops, predecessors, users } from './graph.ts'
import type { Approximation, BinaryInstruction, Block, Func, Instruction, Location, Module, Value } from './ir.ts'
import { OPAQUE } from './readMetadata.ts'

/** Names and meanings are nvcc's. */
export interface FloatMode {
  /** Subnormal numbers are zeros. */
  readonly ftz: boolean
  /** Quotients are rounded rightly. */
  readonly precDiv: boolean
  /** Roots are. */
  readonly precSqrt: boolean
  /** A product and the sum that takes it become one operation. */
  readonly fmad: boolean
  /** `sinf` and its like are the special function unit's (include/warplens/math/fast_float.h). */
  readonly fastFunctions: boolean
}

/** What flags say: `useFastMath` is for all four, and gives way to each of them, in any order (nvcc -dryrun). */
export interface FloatChoices {
  readonly useFastMath?: boolean | undefined
  readonly ftz?: boolean | undefined
  readonly precDiv?: boolean | undefined
  readonly precSqrt?: boolean | undefined
  readonly fmad?: boolean | undefined
}

/** Undefined: nvcc's own, where nobody says otherwise. */
export function floatModeOf(choices: FloatChoices): FloatMode | undefined {
  const fast = choices.useFastMath ?? false
  const { ftz = fast, precDiv = !fast, precSqrt = !fast, fmad = true } = choices
  return fast || ftz || !precDiv || !precSqrt || !fmad
    ? { ftz, precDiv, precSqrt, fmad, fastFunctions: fast }
    : undefined
}

/** Marks a module's functions; `fmad` is the front end's (`-ffp-contract`). */
export function applyFloatMode(module: Module, mode: FloatMode | undefined): void {
  if (mode === undefined) return
  const rename = renamer(mode)
  for (const func of module.functions) {
    if (func.blocks.length === 0) continue
    if (mode.ftz) func.flushesSubnormals = true
    if (!OPAQUE.test(func.name)) approximate(func, mode)
    for (const { instructions } of func.blocks)
      for (const instruction of instructions)
        if (instruction.location?.library) instruction.location = rename(instruction.location)
  }
}

/** Instructions and cycles of each, without -ftz and with it. */
type Costs = Readonly<Record<'plain' | 'flushing', readonly [instructions: number, cycles: number]>>
/**
 * MUFU alone under -ftz; without it a comparison and scalings that are made or not (machine code of one each; cycles of a chain of
 * 2,000 of each, fastMath.cu).
 */
const ROOT: Costs = { plain: [4, 40], flushing: [1, 16.5] }
const RECIPROCAL: Costs = { plain: [7, 43], flushing: [1, 18.5] }
/** Of a quotient that is a product with it. */
const SCALED_RECIPROCAL: Costs = { plain: [4, 36], flushing: [1, 18.5] }
const QUOTIENT: Costs = { plain: [8, 46], flushing: [5, 36] }

/** Those of the program, not what its functions of mathematics are made of. */
function approximate(func: Func, mode: FloatMode): void {
  const { ftz, precDiv, precSqrt } = mode
  if (precDiv && precSqrt) return
  const cost = (costs: Costs): Approximation => {
    const [instructions, cycles] = costs[ftz ? 'flushing' : 'plain']
    return { instructions, cycles, specials: 1 }
  }
  const usersOf = users(func)
  const beforeLoop = mode.fastFunctions ? reciprocalPlaces(func) : () => undefined
  const hoisted = new Map<Block, Map<Value, Instruction[]>>()
  for (const block of func.blocks)
    block.instructions = block.instructions.flatMap(instruction => {
      if (instruction.location?.library || !isSingle(instruction)) return [instruction]
      if (!precSqrt && isRoot(instruction)) {
        instruction.approximate = cost(ROOT)
        return [instruction]
      }
      if (precDiv || instruction.op !== 'fdiv') return [instruction]
      const { left, right, type } = instruction
      if (right.kind === 'float') return multiplied(instruction, floatConstant(type, 1 / right.value))
      if (isOne(left)) {
        const root = right.kind === 'instruction' && !precSqrt && isRoot(right) ? right : undefined
        // RSQRT, which the root by itself is not needed for.
        if (root && usersOf.get(root)?.length === 1) root.approximate = { instructions: 0, cycles: 0, specials: 0 }
        instruction.approximate = cost(root ? ROOT : RECIPROCAL)
        return [instruction]
      }
      if (!mode.fastFunctions) {
        instruction.approximate = cost(QUOTIENT)
        return [instruction]
      }
      const before = beforeLoop(block, right)
      const known = before && hoisted.get(before)?.get(right)
      if (known) return multiplied(instruction, known.at(-1)!)
      // div.approx is a product with the reciprocal, which for the largest divisors is subnormal, and so zero.
      const place: Place = { block: before ?? block, location: instruction.location }
      const reciprocal = binary(place, 'fdiv', floatConstant(type, 1), right)
      reciprocal.approximate = cost(SCALED_RECIPROCAL)
      const made = ftz ? [reciprocal] : [reciprocal, intrinsicCall(place, FLUSH, type, [reciprocal])]
      const product = multiplied(instruction, made.at(-1)!)
      if (!before) return [...made, ...product]
      hoisted.set(before, (hoisted.get(before) ?? new Map()).set(right, made))
      return product
    })
  for (const [block, made] of hoisted) block.instructions.splice(-1, 0, ...[...made.values()].flat())
}

/**
 * Where ptxas computes the reciprocal of a divisor that stays while a loop goes round: in front of the outermost such loop (machine code of
 * `x[i] / s`, fastMath.cu). Undefined outside of loops.
 */
function reciprocalPlaces(func: Func): (block: Block, divisor: Value) => Block | undefined {
  const all = loops(func)
  if (all.length === 0) return () => undefined
  const comingTo = predecessors(func)
  return (block, divisor) => {
    const outermost = all.find(({ blocks }) => blocks.has(block) && isFromOutside(divisor, blocks))
    if (!outermost) return undefined
    const [entry, ...others] = comingTo.get(outermost.header)!.filter(each => !outermost.blocks.has(each))
    return others.length === 0 ? entry : undefined
  }
}

const isSingle = (instruction: Instruction): instruction is Instruction & { type: FloatType } =>
  instruction.type.kind === 'float' && instruction.type.bits === 32

const isRoot = (instruction: Instruction): instruction is Instruction & { op: 'call' } =>
  instruction.op === 'call' && calledName(instruction) === 'llvm.sqrt.f32'

/** The quotient as a product, in its place, which sums take in like others (machine code of `a / b + c`, FFMA). */
function multiplied(quotient: BinaryInstruction, reciprocal: Value): Instruction[] {
  Object.assign(quotient, { op: 'fmul', right: reciprocal })
  return [quotient]
}

/** A zero of its sign for a subnormal number (analysis/lowering/flushSubnormals.ts). Named as LLVM's intrinsics are; LLVM itself has none. */
export const FLUSH = 'llvm.flush.f32'

/** What functions of mathematics are called in the tables of costs (metrics/instructions/mathCosts.ts). */
const FAST_NAMES = new Map(
  'expf exp2f exp10f log2f logf log10f powf sinf cosf sincosf tanf tanhf fdividef'
    .split(' ')
    .map(name => [name, `__${name}`]),
)
/** Shorter where arguments and results are not scaled. */
const SCALED = /^(?:__expf|__exp10f|__log2f|__logf|__log10f|__powf|__tanf|__fdividef|__exp2f|exp2f|rsqrtf)$/
export const FLUSHING = '.ftz'

function renamer({ ftz, fastFunctions }: FloatMode): (location: Location) => Location {
  const known = new Map<Location, Location>()
  return location => {
    let renamed = known.get(location)
    if (!renamed) {
      const { library = '' } = location
      const name = (fastFunctions && FAST_NAMES.get(library)) || library
      const full = ftz && SCALED.test(name) ? `${name}${FLUSHING}` : name
      renamed = full === library ? location : { ...location, library: full }
      known.set(location, renamed)
    }
    return renamed
  }
}
