/** Pointers taken apart: root + constant + sum of index x scale, through chains of address computations. */
import type { AllocaInstruction, BinaryInstruction, Instruction, PhiInstruction, Type, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'

export interface Address {
  /** What is left when no more `gep` or pointer cast can be taken off; never a gep. */
  readonly root: Value
  readonly offset: number
  readonly terms: readonly { readonly index: Value; readonly scale: number }[]
}

export function decompose(pointer: Value): Address {
  let root = pointer
  let offset = 0
  const terms: { index: Value; scale: number }[] = []
  for (;;) {
    if (root.kind === 'instruction' && root.op === 'gep') {
      offset += root.offset
      for (const { index, scale } of root.terms) terms.push({ index, scale })
      root = root.base
    } else if (
      root.kind === 'instruction' &&
      (root.op === 'freeze' || root.op === 'addrspacecast' || root.op === 'bitcast')
    ) {
      root = root.value
    } else if (root.kind === 'address' && root.offset !== 0) {
      offset += root.offset
      root = { ...root, offset: 0 }
    } else break
  }
  const rest = terms.map(({ index, scale }) => {
    let base = index
    while (base.kind === 'instruction' && isSum(base) && base.right.kind === 'int' && isPointerSized(base)) {
      offset += Number(BigInt.asIntN(32, base.right.value)) * scale
      base = base.left
    }
    return { index: base, scale }
  })
  return { root, offset, terms: rest }
}

/**
 * An address with its indices taken apart as far as sums, differences and products with constants go, terms of one value
 * added up: two rounds of a loop that is written out then differ by their offsets alone.
 */
export const decomposeLinear = (pointer: Value, final: (value: Value) => Value): Address =>
  linearly(decompose(pointer), final)

/** The same address with other values in it, and constants beside them, taken apart like {@link decomposeLinear}. */
export function withValues(
  { root, offset, terms }: Address,
  nowOf: (value: Value) => { readonly value: Value; readonly plus: number } | undefined,
  final: (value: Value) => Value,
): Address | undefined {
  const begin = nowOf(root)
  if (!begin) return undefined
  const base = decompose(begin.value)
  const moved: { index: Value; scale: number }[] = [...base.terms]
  let start = offset + base.offset + begin.plus
  for (const { index, scale } of terms) {
    const now = nowOf(index)
    if (!now) return undefined
    moved.push({ index: now.value, scale })
    start += now.plus * scale
  }
  return linearly({ root: base.root, offset: start, terms: moved }, final)
}

function linearly({ root, offset: start, terms }: Address, final: (value: Value) => Value): Address {
  let offset = start
  const scales = new Map<Value, number>()
  const take = (value: Value, scale: number): void => {
    const index = final(value)
    if (index.kind === 'int') {
      offset += Number(BigInt.asIntN(32, index.value)) * scale
      return
    }
    if (index.kind === 'instruction' && isPointerSized(index)) {
      switch (index.op) {
        case 'freeze':
          return take(index.value, scale)
        case 'sub':
          take(index.left, scale)
          return take(index.right, -scale)
        case 'xor':
          // -1 - i.
          if (!isAllOnes(index.right)) break
          offset -= scale
          return take(index.left, -scale)
        case 'mul':
          if (index.right.kind !== 'int') break
          return take(index.left, scale * Number(BigInt.asIntN(32, index.right.value)))
        case 'shl':
          if (index.right.kind !== 'int') break
          return take(index.left, scale * 2 ** Number(index.right.value))
        case 'add':
        case 'or':
          if (!isSum(index)) break
          take(index.left, scale)
          return take(index.right, scale)
      }
    }
    scales.set(index, (scales.get(index) ?? 0) + scale)
  }
  for (const { index, scale } of terms) take(index, scale)
  const rest = [...scales]
    .filter(([, scale]) => (scale | 0) !== 0)
    .map(([index, scale]) => ({ index, scale: scale | 0 }))
  return { root: final(root), offset: offset | 0, terms: rest }
}

const isAllOnes = (value: Value): boolean => value.kind === 'int' && BigInt.asIntN(32, value.value) === -1n

export const isLocalArray = (root: Value): root is AllocaInstruction =>
  root.kind === 'instruction' && root.op === 'alloca'

/** Whether two addresses begin at one variable, or at one value. */
export const isSameRoot = (a: Value, b: Value): boolean =>
  a === b || (a.kind === 'address' && b.kind === 'address' && a.target === b.target)

/** An addition, or an `or` of bits that the left side has not, which LLVM makes of one in loops written out. */
export function isSum(instruction: Instruction): instruction is BinaryInstruction {
  if (instruction.op === 'add') return true
  if (instruction.op !== 'or') return false
  const { left, right } = instruction
  return instruction.disjoint === true || (right.kind === 'int' && right.value < knownMultiple(left))
}

/** Powers of two beyond this are of no use to anybody. */
const LARGEST_MULTIPLE = 16
const ANYTHING: Congruence = { modulus: 1, residue: 0 }

/** What is known of an integer's lowest bits: it is `residue` modulo `modulus`, a power of two up to 16. */
export interface Congruence {
  readonly modulus: number
  readonly residue: number
}

const congruent = (modulus: number, residue: number): Congruence => {
  const known = Math.min(modulus, LARGEST_MULTIPLE)
  return { modulus: known, residue: ((residue % known) + known) % known }
}

/** The largest power of two, up to 16, that divides all such integers. */
export const multipleOf = ({ modulus, residue }: Congruence): number => Math.min(modulus, powerOfTwoIn(residue))

/** The largest power of two, up to 16, that is known to divide an integer. */
export const knownMultiple = (value: Value): number => multipleOf(knownCongruence(value))

/** Counters are followed: each phi is what all ways into it have in common, starting from the ways that are no rounds of its loop. */
export function knownCongruence(value: Value): Congruence {
  const phis = new Map<PhiInstruction, Congruence | undefined>()
  for (;;) {
    const known = congruenceOf(value, phis)
    let isSettled = true
    for (const [phi, before] of phis) {
      const ways = phi.incoming.map(way => congruenceOf(way.value, phis)).filter(way => way !== undefined)
      // With what was known: each step leaves less, so that this ends.
      const all = before ? [before, ...ways] : ways
      const now = all.length > 0 ? all.reduce(commonCongruence) : undefined
      if (now?.modulus === before?.modulus && now?.residue === before?.residue) continue
      phis.set(phi, now)
      isSettled = false
    }
    if (isSettled) return known ?? ANYTHING
  }
}

/** `phis`: what is known of each so far, undefined before anything is; gets those that are met. */
function congruenceOf(value: Value, phis: Map<PhiInstruction, Congruence | undefined>): Congruence | undefined {
  const of = (operand: Value) => congruenceOf(operand, phis)
  if (value.kind === 'int') return constantCongruence(Number(BigInt.asIntN(8, value.value)))
  if (value.kind !== 'instruction') return ANYTHING
  switch (value.op) {
    case 'zext':
    case 'sext':
    case 'trunc':
    case 'freeze':
      return of(value.value)
    case 'phi':
      if (!phis.has(value)) phis.set(value, undefined)
      return phis.get(value)
    case 'select': {
      const ways = [of(value.ifTrue), of(value.ifFalse)].filter(way => way !== undefined)
      return ways.length > 0 ? ways.reduce(commonCongruence) : undefined
    }
    case 'add':
    case 'sub':
    case 'or':
    case 'xor':
    case 'and':
    case 'mul':
    case 'shl': {
      const [left, right] = [of(value.left), of(value.right)]
      return left && right && combined(value, left, right)
    }
    default:
      return ANYTHING
  }
}

function combined({ op, right: by }: BinaryInstruction, left: Congruence, right: Congruence): Congruence {
  const both = Math.min(left.modulus, right.modulus)
  switch (op) {
    case 'add':
      return sum(left, right)
    case 'sub':
      return sum(left, product(right, constantCongruence(-1)))
    case 'or':
      return congruent(both, left.residue | right.residue)
    case 'xor':
      return congruent(both, left.residue ^ right.residue)
    case 'and': {
      const multiple = Math.max(multipleOf(left), multipleOf(right))
      return both > multiple ? congruent(both, left.residue & right.residue) : congruent(multiple, 0)
    }
    case 'mul':
      return product(left, right)
    default:
      if (by.kind !== 'int') return congruent(multipleOf(left), 0)
      return product(left, constantCongruence(2 ** Math.min(Number(by.value), 4)))
  }
}

/** What holds for integers of either kind. */
function commonCongruence(a: Congruence, b: Congruence): Congruence {
  const modulus = Math.min(a.modulus, b.modulus, powerOfTwoIn(a.residue - b.residue))
  return congruent(modulus, a.residue)
}

export const constantCongruence = (value: number): Congruence => congruent(LARGEST_MULTIPLE, value)

export const sum = (left: Congruence, right: Congruence): Congruence =>
  congruent(Math.min(left.modulus, right.modulus), left.residue + right.residue)

/** (r + a m) (s + b n) = r s + a m s + b n r + a b m n. */
export function product(left: Congruence, right: Congruence): Congruence {
  const modulus = Math.min(left.modulus * multipleOf(right), right.modulus * multipleOf(left))
  return congruent(modulus, left.residue * right.residue)
}

/** The largest power of two, up to 16, that divides an integer. */
export function powerOfTwoIn(value: number): number {
  let power = 1
  while (power < LARGEST_MULTIPLE && value % (2 * power) === 0) power *= 2
  return power
}

/** What is known of a place that many bytes behind one of a known alignment. */
export function alignAt(align: number | undefined, offset: number): number {
  return Math.min(align ?? 1, powerOfTwoIn(offset))
}

/** In 32 bits addresses wrap as the index does, so an add of 32 bits may be taken apart whether it wraps or not. */
function isPointerSized(instruction: Instruction): boolean {
  return instruction.type.kind === 'int' && instruction.type.bits === 32
}

/**
 * Bytes from one address to another of the same root where that is a constant: indices are taken apart like {@link decomposeLinear}'s, those
 * of 64 bits too, whose lower half an address here has (`temp[offset * (2 * t + 1)]` and `temp[offset * (2 * t + 2)]` of `size_t` where
 * `offset` is 256).
 */
export function constantDistance(from: Address, to: Address): number | undefined {
  const idOf = valueNumbering()
  const scales = new Map<number, number>()
  let distance = to.offset - from.offset
  const take = (value: Value, scale: number): void => {
    if (value.kind === 'int') {
      distance += Number(BigInt.asIntN(32, value.value)) * scale
      return
    }
    if (value.kind === 'instruction') {
      const by =
        'right' in value && value.right.kind === 'int' ? Number(BigInt.asIntN(32, value.right.value)) : undefined
      if (value.op === 'trunc' || value.op === 'freeze') return take(value.value, scale)
      if (value.op === 'mul' && by !== undefined) return take(value.left, scale * by)
      if (value.op === 'shl' && by !== undefined) return take(value.left, scale * 2 ** by)
      if (value.op === 'sub' || (value.op === 'or' && value.disjoint === true) || isSum(value)) {
        take(value.left, scale)
        return take(value.right, value.op === 'sub' ? -scale : scale)
      }
    }
    const id = idOf(value)
    scales.set(id, (scales.get(id) ?? 0) + scale)
  }
  for (const { index, scale } of to.terms) take(index, scale)
  for (const { index, scale } of from.terms) take(index, -scale)
  return [...scales.values()].every(scale => scale % 2 ** 32 === 0) ? distance : undefined
}

/** Bytes from one pointer to another, where both have the same root and that is a constant. */
export function distanceBetween(from: Value, to: Value): number | undefined {
  const [start, end] = [decompose(from), decompose(to)]
  return isSameRoot(start.root, end.root) ? constantDistance(start, end) : undefined
}

/** Equal keys: the same root and the same terms, so that two addresses differ by their offsets only. */
export function addressKey(address: Address, idOf: (value: Value) => number): string {
  const terms = address.terms.map(({ index, scale }) => `${idOf(index)}x${scale}`).sort()
  return `${rootId(address.root, idOf)}:${terms.join('+')}`
}

function rootId(root: Value, idOf: (value: Value) => number): string {
  return root.kind === 'address' ? `@${root.target.name}` : String(idOf(root))
}

const COMPUTED = new Set<Instruction['op']>([
  'add',
  'sub',
  'mul',
  'shl',
  'lshr',
  'ashr',
  'and',
  'or',
  'xor',
  'sext',
  'zext',
  'trunc',
])
/** Arithmetic of integers that {@link valueNumbering} compares. */
export const isComputed = (
  value: Instruction,
): value is Instruction & { readonly type: Type & { readonly kind: 'int' } } =>
  value.type.kind === 'int' && COMPUTED.has(value.op)

const COMMUTATIVE = new Set<Instruction['op']>(['add', 'mul', 'and', 'or', 'xor'])
/** Indices are not longer; what is, is told apart. */
const DEEPEST = 32

/**
 * Numbers values as they are met; constants of equal value are equal, coordinates of the thread wherever they are asked for, and integers
 * that are computed in one way from equal ones.
 */
export function valueNumbering(): (value: Value) => number {
  const numbers = new Map<Value | string, number>()
  const known = new Map<Value, number>()
  const numberOf = (value: Value, depth: number): number => {
    let number = known.get(value)
    if (number !== undefined) return number
    const key = value.kind === 'int' ? `${value.value}` : (coordinateName(value) ?? computation(value, depth) ?? value)
    number = numbers.get(key)
    if (number === undefined) numbers.set(key, (number = numbers.size))
    known.set(value, number)
    return number
  }
  const computation = (value: Value, depth: number): string | undefined => {
    if (value.kind !== 'instruction' || !isComputed(value) || depth > DEEPEST) return undefined
    const { bits } = value.type
    const parts = operandsOf(value).map(operand => numberOf(operand, depth + 1))
    if (COMMUTATIVE.has(value.op)) parts.sort((a, b) => a - b)
    return `${value.op} ${bits} ${parts.join()}`
  }
  return value => numberOf(value, 0)
}

/** The intrinsic's name where a value is a number or size of the thread's or the block's, which may be asked for anywhere. */
export function coordinateName(value: Value): string | undefined {
  if (value.kind !== 'instruction' || value.op !== 'call' || value.callee.kind !== 'function') return undefined
  const { name } = value.callee
  return /^llvm\.nvvm\.read\.ptx\.sreg\.(n?tid|n?ctaid)\./.test(name) ? name : undefined
}
