/**
 * Values that a region behind a barrier makes again rather than have an earlier one keep in memory: scalars of a warp that follow from
 * its place in the grid by a few cheap instructions. They cost less than a load, and where the warp is known while compiling they
 * are constants.
 */
import { operandsOf } from '../../ir/graph.ts'
import type { Instruction } from '../../ir/ir.ts'
import { classifyCall } from '../operations/intrinsics.ts'
import type { Shapes } from './shapes.ts'

/** Instructions that making one value again may take. */
const MOST_STEPS = 8

const CHEAP: ReadonlySet<Instruction['op']> = new Set([
  'add',
  'sub',
  'mul',
  'shl',
  'lshr',
  'ashr',
  'and',
  'or',
  'xor',
  'zext',
  'sext',
  'trunc',
  'gep',
  'freeze',
])
const PLACES: ReadonlySet<string> = new Set(['thread-index', 'block-index', 'block-dimension', 'lane-index'])

/** `isHoisted`: values that are there in the whole launch. */
export function recomputedValues(
  shapes: Shapes,
  isHoisted: (instruction: Instruction) => boolean,
): (value: Instruction) => boolean {
  const known = new Map<Instruction, number>()
  /** Infinity where it cannot be. */
  const stepsOf = (value: Instruction): number => {
    const before = known.get(value)
    if (before !== undefined) return before
    // What depends on itself cannot.
    known.set(value, Number.POSITIVE_INFINITY)
    const steps = countSteps(value)
    known.set(value, steps)
    return steps
  }
  const countSteps = (value: Instruction): number => {
    if (shapes.shapeOf(value).kind === 'varying') return Number.POSITIVE_INFINITY
    if (value.op === 'call') return PLACES.has(classifyCall(value).kind) ? 1 : Number.POSITIVE_INFINITY
    if (!CHEAP.has(value.op)) return Number.POSITIVE_INFINITY
    return operandsOf(value).reduce(
      (sum, operand) => sum + (operand.kind === 'instruction' && !isHoisted(operand) ? stepsOf(operand) : 0),
      1,
    )
  }
  return value => stepsOf(value) <= MOST_STEPS
}
