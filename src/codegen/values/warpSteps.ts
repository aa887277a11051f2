/**
 * By how much the scalar of an address grows from one warp of a block to the next, where that is the same for each of them
 * throughout the launch: rows of a matrix are a pitch apart. What is the same for a whole block has the step 0.
 */
import { operandsOf } from '../../ir/graph.ts'
import type { Value } from '../../ir/ir.ts'
import { Op } from '../../wasm/opcodes.ts'
import type { KernelContext } from '../kernelContext.ts'
import { classifyCall } from '../operations/intrinsics.ts'
import type { WarpScalar } from './geometry.ts'
import { is32Bits, narrowIndex } from './shapes.ts'

/** constant + sum of scale x product of values, modulo 2^32; the values are uniform and the same for the whole launch. */
export interface WarpStep {
  readonly constant: number
  readonly terms: readonly { readonly values: readonly Value[]; readonly scale: number }[]
}

export const NO_STEP: WarpStep = { constant: 0, terms: [] }
/** More parts than this are not worth adding up. */
const MOST_TERMS = 4

/** Of a uniform or linear value, for the warps `first` to `last`. Undefined where none is found. */
export function warpStepOf(context: KernelContext, value: Value, first: number, last: number): WarpStep | undefined {
  const { shapes, geometry } = context
  const isFixed = (factor: Value): boolean => {
    const shape = shapes.shapeOf(factor)
    return shape.kind === 'uniform' && shape.invariant
  }
  const stepOf = (at: Value): WarpStep | undefined => {
    if (shapes.constantOf(at) !== undefined || isFixed(at)) return NO_STEP
    if (at.kind !== 'instruction') return NO_STEP
    if (!is32Bits(at.type) || shapes.shapeOf(at).kind === 'varying') return undefined
    switch (at.op) {
      case 'call': {
        const kind = classifyCall(at)
        if (kind.kind === 'block-index' || kind.kind === 'lane-index') return NO_STEP
        if (kind.kind !== 'thread-index') return undefined
        const index = geometry.threadIndex[kind.axis]
        const constant = index.kind === 'table' ? undefined : stepOfScalar(index.scalar, first, last)
        return constant === undefined ? undefined : { constant, terms: [] }
      }
      case 'gep':
        return sum([
          stepOf(at.base),
          ...at.terms.map(({ index, scale }) =>
            is32Bits(narrowIndex(index).type) ? scaled(stepOf(narrowIndex(index)), scale) : undefined,
          ),
        ])
      case 'add':
        return sum([stepOf(at.left), stepOf(at.right)])
      case 'sub':
        return sum([stepOf(at.left), scaled(stepOf(at.right), -1)])
      case 'shl': {
        const by = shapes.constantOf(at.right)
        return by === undefined || by < 0 || by > 31 ? undefined : scaled(stepOf(at.left), 1 << by)
      }
      case 'mul':
        return product(at.left, at.right) ?? product(at.right, at.left)
      case 'or': {
        // Bits that the scalar leaves free.
        const left = shapes.shapeOf(at.left)
        const right = shapes.constantOf(at.right)
        const isFree = right !== undefined && right >= 0 && left.kind !== 'varying' && right < 2 ** left.zeros
        return isFree ? stepOf(at.left) : undefined
      }
      case 'freeze':
      case 'ptrtoint':
      case 'inttoptr':
      case 'addrspacecast':
        return operandsOf(at).every(operand => is32Bits(operand.type)) ? stepOf(operandsOf(at)[0]!) : undefined
      default:
        return undefined
    }
  }
  const product = (value: Value, factor: Value): WarpStep | undefined => {
    const step = stepOf(value)
    const by = shapes.constantOf(factor)
    if (by !== undefined) return scaled(step, by)
    if (step === undefined) return undefined
    if (step === NO_STEP) return stepOf(factor) === NO_STEP ? NO_STEP : undefined
    return isFixed(factor) ? timesValue(step, factor) : undefined
  }
  return stepOf(value)
}

function stepOfScalar({ times, modulus, divisor }: WarpScalar, first: number, last: number): number | undefined {
  const scalar = (warp: number): number =>
    Math.floor((modulus === 0 ? warp * times : (warp * times) % modulus) / divisor)
  const step = last > first ? scalar(first + 1) - scalar(first) : 0
  for (let warp = first; warp < last; warp++) if (scalar(warp + 1) - scalar(warp) !== step) return undefined
  return step
}

function sum(steps: readonly (WarpStep | undefined)[]): WarpStep | undefined {
  let constant = 0
  const terms: WarpStep['terms'][number][] = []
  for (const step of steps) {
    if (step === undefined) return undefined
    constant = (constant + step.constant) | 0
    terms.push(...step.terms)
  }
  if (terms.length > MOST_TERMS) return undefined
  return constant === 0 && terms.length === 0 ? NO_STEP : { constant, terms }
}

function scaled(step: WarpStep | undefined, by: number): WarpStep | undefined {
  if (step === undefined || step === NO_STEP) return step
  return sum([
    {
      constant: Math.imul(step.constant, by),
      terms: step.terms.map(({ values, scale }) => ({ values, scale: Math.imul(scale, by) })),
    },
  ])
}

function timesValue({ constant, terms }: WarpStep, factor: Value): WarpStep {
  return {
    constant: 0,
    terms: [
      ...(constant === 0 ? [] : [{ values: [factor], scale: constant }]),
      ...terms.map(({ values, scale }) => ({ values: [...values, factor], scale })),
    ],
  }
}

/** Pushes what the launch makes of a step. */
export function pushStep({ f, values }: KernelContext, { constant, terms }: WarpStep): void {
  f.i32(constant)
  for (const { values: factors, scale } of terms) {
    f.i32(scale)
    for (const factor of factors) {
      values.scalar(factor)
      f.op(Op.i32_mul)
    }
    f.op(Op.i32_add)
  }
}
