/**
 * Arithmetic of 128-bit integers as arithmetic of their halves, the lower and the upper 64 bits. In: pairs of values. Out: instructions of
 * at most 64 bits, in a list, and their results. What is known is computed here, and zeros are left out, so that products of extended
 * numbers have no more parts than the machine's. Conversions to and from floats are functions of a header (wideCalls.ts), and so are divisions
 * but those that LLVM itself writes (the rounds of a loop of 64 bits by its step), in programs that do not include it.
 */
import { binary, cast, compare, intConstant, intrinsicCall, type Place, select } from '../../ir/build.ts'
import type { BinaryInstruction, BinaryOp, Instruction, IntPredicate, Type, Value } from '../../ir/ir.ts'
import { bitsOf, I1, I64 } from '../../ir/types.ts'

export interface Pair {
  readonly low: Value
  readonly high: Value
}

const HALF = 64
const WORD = 32
const PAIR_BITS = 128
export const isPair = (type: Type): boolean => type.kind === 'int' && type.bits === PAIR_BITS
const LOW_WORD = intConstant(I64, 0xffff_ffffn)
const ZERO = intConstant(I64, 0)
export const ZERO_PAIR: Pair = { low: ZERO, high: ZERO }
const ALL_ONES: Pair = { low: intConstant(I64, -1n), high: intConstant(I64, -1n) }

type Division = 'udiv' | 'urem'
type Half = 'add' | 'sub' | 'mul' | 'shl' | 'lshr' | 'ashr' | 'and' | 'or' | 'xor' | Division

/** The number of a constant; that of what may be any is zero, as in executors. */
function numberOf(value: Value): bigint | undefined {
  if (value.kind === 'int') return value.value
  return value.kind === 'zero' || value.kind === 'undef' ? 0n : undefined
}

const isNumber = (value: Value, number: bigint): boolean => numberOf(value) === number

export class PairArithmetic {
  readonly #place: Place
  readonly #out: Instruction[]

  constructor(place: Place, out: Instruction[]) {
    this.#place = place
    this.#out = out
  }

  // ---------------------------------------------------------------- of two pairs

  /** Undefined for divisions but by what {@link isShortDivision} says. */
  binary(op: BinaryOp, left: Pair, right: Pair): Pair | undefined {
    switch (op) {
      case 'add':
        return this.#sum(left, right)
      case 'sub':
        return this.difference(left, right)
      case 'mul':
        return this.#product(left, right)
      case 'and':
      case 'or':
      case 'xor':
        return { low: this.half(op, left.low, right.low), high: this.half(op, left.high, right.high) }
      case 'shl':
        return this.shiftLeft(left, right.low)
      case 'lshr':
      case 'ashr':
        return this.shiftRight(op, left, right.low)
      case 'udiv':
      case 'urem': {
        const divisor = isNumber(right.high, 0n) ? numberOf(right.low) : undefined
        return divisor !== undefined && isWord(divisor) ? this.#shortDivision(op, left, right.low) : undefined
      }
      default:
        return undefined
    }
  }

  /** As on paper, a word of 32 bits at a time: what is left over of those above, which is less than the divisor, stands in front of the next. */
  #shortDivision(op: Division, { low, high }: Pair, divisor: Value): Pair {
    const words = [high, low].flatMap(half => [this.half('lshr', half, word(WORD)), this.half('and', half, LOW_WORD)])
    const quotients: Value[] = []
    let rest: Value = ZERO
    for (const next of words) {
      const part = this.half('or', this.half('shl', rest, word(WORD)), next)
      quotients.push(this.half('udiv', part, divisor))
      rest = this.half('urem', part, divisor)
    }
    if (op === 'urem') return this.#number(rest)
    const [highest, third, second, lowest] = quotients as [Value, Value, Value, Value]
    const joined = (upper: Value, lower: Value) => this.half('or', this.half('shl', upper, word(WORD)), lower)
    return { low: joined(second, lowest), high: joined(highest, third) }
  }

  #sum(left: Pair, right: Pair): Pair {
    const low = this.half('add', left.low, right.low)
    const high = this.half('add', left.high, right.high)
    const isSame = low === left.low || low === right.low
    const carry = isSame ? ZERO : this.#carried(() => this.extend(this.compareHalves('ult', low, right.low)))
    return { low, high: this.#carried(() => this.half('add', high, carry)) }
  }

  difference(left: Pair, right: Pair): Pair {
    const low = this.half('sub', left.low, right.low)
    const borrow = this.#carried(() => this.extend(this.compareHalves('ult', left.low, right.low)))
    const high = this.half('sub', left.high, right.high)
    return { low, high: this.#carried(() => this.half('sub', high, borrow)) }
  }

  #product(left: Pair, right: Pair): Pair {
    const { low, high } = this.#halvesProduct(left.low, right.low)
    return { low, high: this.#plusProduct(this.#plusProduct(high, left.low, right.high), right.low, left.high) }
  }

  /** A sum of a half and a product; of a sign's bits, it is the factor or nothing. */
  #plusProduct(sum: Value, factor: Value, half: Value): Value {
    if (isSignOf(half)) return this.half('sub', sum, this.half('and', factor, half))
    const product = this.half('mul', factor, half)
    return this.#carried(() => this.half('add', sum, product))
  }

  /** The upper half of the product of two numbers of 64 bits. */
  upperProduct(left: Value, right: Value, isSigned: boolean): Value {
    const { high } = this.#halvesProduct(left, right)
    if (!isSigned) return high
    const once = this.half('sub', high, this.half('and', right, this.signOf(left)))
    return this.half('sub', once, this.half('and', left, this.signOf(right)))
  }

  /** All of it: four products of words, which take the sums along but one. */
  #halvesProduct(left: Value, right: Value): Pair {
    const [numberLeft, numberRight] = [numberOf(left), numberOf(right)]
    if (numberLeft !== undefined && numberRight !== undefined) return constantPair(numberLeft * numberRight)
    if (numberLeft === 0n || numberRight === 0n) return ZERO_PAIR
    const [lowLeft, highLeft] = this.#wordsOf(left)
    const [lowRight, highRight] = this.#wordsOf(right)
    const lowest = this.half('mul', lowLeft, lowRight)
    const first = this.half('mul', highLeft, lowRight)
    const middle = this.#carried(() => this.half('add', first, this.half('lshr', lowest, word(WORD))))
    const second = this.half('mul', lowLeft, highRight)
    const both = this.half('add', second, this.half('and', middle, LOW_WORD))
    const highest = this.half('mul', highLeft, highRight)
    return this.#carried(() => {
      const low = this.half('or', this.half('shl', both, word(WORD)), this.half('and', lowest, LOW_WORD))
      const high = this.half('add', highest, this.half('lshr', middle, word(WORD)))
      return { low, high: this.half('add', high, this.half('lshr', both, word(WORD))) }
    })
  }

  #wordsOf(value: Value): [low: Value, high: Value] {
    return [this.half('and', value, LOW_WORD), this.half('lshr', value, word(WORD))]
  }

  shiftLeft({ low, high }: Pair, amount: Value): Pair {
    const known = numberOf(amount)
    if (known === 0n) return { low, high }
    if (known !== undefined && known >= HALF)
      return { low: ZERO, high: this.half('shl', low, intConstant(I64, known - 64n)) }
    const inHalf = this.half('and', amount, word(HALF - 1))
    const [nearLow, nearHigh] = [this.half('shl', low, inHalf), this.#funnel('shl', high, low, inHalf)]
    if (known !== undefined) return { low: nearLow, high: nearHigh }
    const isFar = this.compareHalves('ugt', amount, word(HALF - 1))
    return { low: this.chooseHalf(isFar, ZERO, nearLow), high: this.chooseHalf(isFar, nearLow, nearHigh) }
  }

  shiftRight(op: 'lshr' | 'ashr', { low, high }: Pair, amount: Value): Pair {
    const known = numberOf(amount)
    if (known === 0n) return { low, high }
    const filling = op === 'ashr' ? this.signOf(high) : ZERO
    if (known !== undefined && known >= HALF)
      return { low: this.half(op, high, intConstant(I64, known - 64n)), high: filling }
    const inHalf = this.half('and', amount, word(HALF - 1))
    const [nearLow, nearHigh] = [this.#funnel('lshr', low, high, inHalf), this.half(op, high, inHalf)]
    if (known !== undefined) return { low: nearLow, high: nearHigh }
    const isFar = this.compareHalves('ugt', amount, word(HALF - 1))
    return { low: this.chooseHalf(isFar, nearHigh, nearLow), high: this.chooseHalf(isFar, filling, nearHigh) }
  }

  /** A half shifted by less than 64, with what comes from the other one. */
  #funnel(op: 'shl' | 'lshr', half: Value, other: Value, amount: Value): Value {
    const back = op === 'shl' ? 'lshr' : 'shl'
    const known = numberOf(amount)
    const shifted = this.half(op, half, amount)
    if (known !== undefined) return this.half('or', shifted, this.half(back, other, intConstant(I64, 64n - known)))
    const rest = this.half(back, this.half(back, other, word(1)), this.half('xor', amount, word(HALF - 1)))
    return this.half('or', shifted, rest)
  }

  // ---------------------------------------------------------------- comparisons and choices

  compare(predicate: IntPredicate, left: Pair, right: Pair): Value {
    if (predicate === 'eq' || predicate === 'ne') {
      const differences = [this.half('xor', left.low, right.low), this.half('xor', left.high, right.high)] as const
      return this.compareHalves(predicate, this.half('or', ...differences), ZERO)
    }
    if (leavesOutLower(predicate, right)) return this.compareHalves(predicate, left.high, right.high)
    const unsigned = predicate.replace('s', 'u') as IntPredicate
    const lower = this.compareHalves(unsigned, left.low, right.low)
    const upper = this.compareHalves(predicate, left.high, right.high)
    const isSame = this.compareHalves('eq', left.high, right.high)
    return this.#chosen(isSame, lower, upper)
  }

  choose(condition: Value, ifTrue: Pair, ifFalse: Pair): Pair {
    return {
      low: this.chooseHalf(condition, ifTrue.low, ifFalse.low),
      high: this.chooseHalf(condition, ifTrue.high, ifFalse.high),
    }
  }

  // ---------------------------------------------------------------- LLVM's intrinsics

  /** Undefined for what is none of one number's, or of two numbers'. */
  intrinsic(name: string, [first, second, third]: readonly Pair[]): Pair | undefined {
    const left = first ?? ZERO_PAIR
    const right = second ?? ZERO_PAIR
    switch (name) {
      case 'umin':
      case 'smin':
        return this.choose(this.compare(name === 'umin' ? 'ult' : 'slt', left, right), left, right)
      case 'umax':
      case 'smax':
        return this.choose(this.compare(name === 'umax' ? 'ugt' : 'sgt', left, right), left, right)
      case 'abs':
        return this.choose(this.compare('slt', left, ZERO_PAIR), this.difference(ZERO_PAIR, left), left)
      case 'usub.sat':
        return this.choose(this.compare('ult', left, right), ZERO_PAIR, this.difference(left, right))
      case 'uadd.sat': {
        const sum = this.#sum(left, right)
        return this.choose(this.compare('ult', sum, right), ALL_ONES, sum)
      }
      case 'ctpop':
        return this.#number(this.half('add', this.#ofHalf('ctpop', left.low), this.#ofHalf('ctpop', left.high)))
      case 'ctlz':
        return this.#firstBit('ctlz', left.high, left.low)
      case 'cttz':
        return this.#firstBit('cttz', left.low, left.high)
      case 'bswap':
      case 'bitreverse':
        return { low: this.#ofHalf(name, left.high), high: this.#ofHalf(name, left.low) }
      case 'fshl':
        return this.#funnelLeft(left, right, third?.low ?? ZERO)
      case 'fshr':
        return this.#funnelRight(left, right, third?.low ?? ZERO)
      default:
        return undefined
    }
  }

  #firstBit(name: 'ctlz' | 'cttz', near: Value, far: Value): Pair {
    const behind = this.half('add', this.#ofHalf(name, far), word(HALF))
    return this.#number(this.chooseHalf(this.compareHalves('eq', near, ZERO), behind, this.#ofHalf(name, near)))
  }

  #funnelLeft(left: Pair, right: Pair, amount: Value): Pair {
    const inPair = this.half('and', amount, word(PAIR_BITS - 1))
    const rest = this.shiftRight('lshr', right, word(1))
    const shifted = this.shiftRight('lshr', rest, this.half('xor', inPair, word(PAIR_BITS - 1)))
    return this.binary('or', this.shiftLeft(left, inPair), shifted)!
  }

  #funnelRight(left: Pair, right: Pair, amount: Value): Pair {
    const inPair = this.half('and', amount, word(PAIR_BITS - 1))
    const rest = this.shiftLeft(left, word(1))
    const shifted = this.shiftLeft(rest, this.half('xor', inPair, word(PAIR_BITS - 1)))
    return this.binary('or', this.shiftRight('lshr', right, inPair), shifted)!
  }

  #number = (low: Value): Pair => ({ low, high: ZERO })

  #ofHalf(name: string, value: Value): Value {
    const args = name === 'ctlz' || name === 'cttz' ? [value, intConstant(I1, 0)] : [value]
    return this.#add(intrinsicCall(this.#place, `llvm.${name}.i64`, I64, args))
  }

  // ---------------------------------------------------------------- of halves

  half(op: Half, left: Value, right: Value): Value {
    const [first, second] = [numberOf(left), numberOf(right)]
    if (first !== undefined && second !== undefined) return intConstant(I64, computed(op, first, second))
    return unchanged(op, left, right) ?? this.#add(binary(this.#place, op, left, right))
  }

  compareHalves(predicate: IntPredicate, left: Value, right: Value): Value {
    const [first, second] = [numberOf(left), numberOf(right)]
    if (first !== undefined && second !== undefined) return intConstant(I1, holds(predicate, first, second) ? 1 : 0)
    if (predicate === 'ult' && second === 0n) return intConstant(I1, 0)
    return this.#add(compare(this.#place, predicate, left, right))
  }

  chooseHalf(condition: Value, ifTrue: Value, ifFalse: Value): Value {
    return this.#chosen(condition, ifTrue, ifFalse)
  }

  #chosen(condition: Value, ifTrue: Value, ifFalse: Value): Value {
    const known = numberOf(condition)
    if (known !== undefined) return known === 0n ? ifFalse : ifTrue
    return ifTrue === ifFalse ? ifTrue : this.#add(select(this.#place, condition, ifTrue, ifFalse))
  }

  /** All bits as the highest one. */
  signOf(half: Value): Value {
    return this.half('ashr', half, word(HALF - 1))
  }

  /** A shorter number without sign, or one of 64 bits, as a half. */
  extend(value: Value, op: 'zext' | 'sext' = 'zext'): Value {
    if (bitsOf(value.type) === HALF) return value
    const known = numberOf(value)
    if (known === undefined) return this.#add(cast(this.#place, op, I64, value))
    return intConstant(I64, op === 'sext' ? BigInt.asIntN(bitsOf(value.type), known) : known)
  }

  truncate(half: Value, type: Type): Value {
    if (bitsOf(type) === HALF) return half
    const known = numberOf(half)
    return known === undefined ? this.#add(cast(this.#place, 'trunc', type, half)) : intConstant(type, known)
  }

  #add(made: Instruction): Instruction {
    this.#out.push(made)
    return made
  }

  /** What `make` adds, the machine does with other instructions. */
  #carried<Made>(make: () => Made): Made {
    const start = this.#out.length
    const made = make()
    for (const each of this.#out.slice(start)) each.carried = true
    return made
  }
}

const word = (value: number): Value => intConstant(I64, value)
const isWord = (divisor: bigint): boolean => divisor > 0n && divisor >> BigInt(WORD) === 0n

/** Of a number without sign by a constant of at most 32 bits. */
export const isShortDivision = ({ op, right }: BinaryInstruction): boolean =>
  (op === 'udiv' || op === 'urem') && isWord(numberOf(right) ?? 0n)

export function constantPair(value: bigint): Pair {
  return { low: intConstant(I64, value), high: intConstant(I64, value >> 64n) }
}

/** Of a number that was extended by its sign. */
const isSignOf = (half: Value): boolean =>
  half.kind === 'instruction' && half.op === 'ashr' && isNumber(half.right, 63n)

/** The lower half decides nothing where it is the lowest, or the highest, that there is. */
function leavesOutLower(predicate: IntPredicate, { low }: Pair): boolean {
  const isBelow = /^[us](lt|ge)$/.test(predicate)
  return isBelow ? isNumber(low, 0n) : isNumber(low, (1n << 64n) - 1n)
}

/** The operand that is the result, or what the result always is. */
function unchanged(op: Half, left: Value, right: Value): Value | undefined {
  const isZero = [isNumber(left, 0n), isNumber(right, 0n)] as const
  switch (op) {
    case 'add':
    case 'or':
    case 'xor':
      return isZero[0] ? right : isZero[1] ? left : undefined
    case 'mul':
      if (isNumber(left, 1n)) return right
      return isNumber(right, 1n) ? left : isZero[0] || isZero[1] ? ZERO : undefined
    case 'and':
      return isZero[0] || isZero[1] ? ZERO : undefined
    default:
      return isZero[1] ? left : isZero[0] && op !== 'sub' ? ZERO : undefined
  }
}

function computed(op: Half, left: bigint, right: bigint): bigint {
  switch (op) {
    case 'add':
      return left + right
    case 'sub':
      return left - right
    case 'mul':
      return left * right
    case 'and':
      return left & right
    case 'or':
      return left | right
    case 'xor':
      return left ^ right
    case 'shl':
      return right < HALF ? left << right : 0n
    case 'lshr':
      return left >> right
    case 'ashr':
      return BigInt.asIntN(HALF, left) >> right
    case 'udiv':
      return left / right
    case 'urem':
      return left % right
  }
}

function holds(predicate: IntPredicate, left: bigint, right: bigint): boolean {
  const isSigned = predicate.startsWith('s')
  const [first, second] = isSigned ? [BigInt.asIntN(HALF, left), BigInt.asIntN(HALF, right)] : [left, right]
  switch (predicate.slice(-2)) {
    case 'eq':
      return first === second
    case 'ne':
      return first !== second
    case 'lt':
      return first < second
    case 'le':
      return first <= second
    case 'gt':
      return first > second
    default:
      return first >= second
  }
}
