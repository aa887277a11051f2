/** Grows a random {@link Program} from a seed; what it must not contain is said in program.ts. */
import {
  ATOMIC_OPERATIONS,
  bitsOfScalar,
  type Comparison,
  type Condition,
  type Conversion,
  type Dim3,
  type Expression,
  FLOATS,
  type Helper,
  INTEGERS,
  isFloat,
  type Program,
  type Scalar,
  type Statement,
} from './program.ts'
import { Random } from './random.ts'

export interface GrowOptions {
  /** Floating-point types; without them CUDA and IR forms of one program give the same bits (contraction differs). Default true. */
  readonly floats?: boolean
}

/** Where a statement stands, which says what it may be. */
interface Place {
  readonly depth: number
  readonly inLoop: boolean
  readonly inSwitch: boolean
  /** All threads of the block come here together, none has left. */
  readonly together: boolean
  readonly inHelper: boolean
  /** Nothing that wants all threads follows. */
  readonly mayLeave: boolean
  readonly loopDepth: number
}

const BLOCKS: readonly Dim3[] = [
  { x: 32, y: 1, z: 1 },
  { x: 64, y: 1, z: 1 },
  { x: 128, y: 1, z: 1 },
  { x: 16, y: 4, z: 1 },
  { x: 4, y: 8, z: 2 },
  { x: 33, y: 1, z: 1 },
  { x: 7, y: 9, z: 1 },
  { x: 1, y: 1, z: 1 },
]
/** Most turns of a loop by how many are around it. */
const TURNS = [8, 4, 2]
const SIGNED_LIMITS = [0n, 1n, 2n, 3n, 5n, 7n, 10n, 31n, 32n, 100n, 127n, 128n, 255n, 256n, 32767n, 65535n, 0x7fffffffn]
const FLOAT_VALUES = [0, 0.5, 1, 1.5, 2, 3, -1, -2.75, 0.1, 1e-3, 100, 12345.678, 1e10, -1e-20, 1e38, 2 ** -140]

export function growProgram(seed: number, options: GrowOptions = {}): Program {
  return new Grower(new Random(seed), options.floats ?? true).grow()
}

class Grower {
  private readonly random: Random
  private readonly floats: boolean
  private variables: Scalar[] = []
  /** Variables that only get lines and scalars: a thread's number plus what is the same for all. */
  private lines: number[] = []
  private arrays: Program['arrays'] = []
  private helperCount = 0
  private inHelper = false
  private wholeWarps = false
  private budget = 0

  constructor(random: Random, floats: boolean) {
    this.random = random
    this.floats = floats
  }

  grow(): Program {
    const { random } = this
    const block = random.pick(BLOCKS)
    this.wholeWarps = (block.x * block.y * block.z) % 32 === 0
    const grid = { x: random.between(1, 3), y: random.between(1, 2), z: 1 }
    const helperVariables: Scalar[] = ['u32', 'u32', 'u32', this.integerType()]
    const helpers = Array.from({ length: random.below(3) }, () => this.growHelper(helperVariables))
    this.helperCount = helpers.length
    this.variables = ['u32', ...Array.from({ length: random.between(3, 6) }, () => this.anyType())]
    this.lines = this.variables.flatMap((type, index) => (type === 'u32' && random.chance(0.4) ? [index] : []))
    this.arrays = Array.from({ length: random.below(3) }, () => ({
      type: this.anyType(),
      length: random.pick([4, 8, 16]),
    }))
    this.budget = random.between(20, 60)
    const start = this.variables.map(
      (type, variable): Statement => ({
        kind: 'assign',
        variable,
        value: this.lines.includes(variable) ? this.line(1) : this.startValue(type),
      }),
    )
    const nowhere = { inLoop: false, inSwitch: false, inHelper: false, mayLeave: false, loopDepth: 0 }
    const place: Place = { ...nowhere, depth: 0, together: true }
    const together = this.statements(place, random.between(3, 9))
    // Threads leave early only behind the last operation that wants all of them.
    const apart = this.statements({ ...place, together: false, mayLeave: true }, random.between(1, 5))
    const { variables, arrays } = this
    const inputWords = random.between(17, 200)
    return {
      grid,
      block,
      inputWords,
      variables,
      helperVariables,
      arrays,
      helpers,
      body: [...start, ...together, ...apart],
    }
  }

  private growHelper(variables: Scalar[]): Helper {
    this.inHelper = true
    this.variables = variables
    this.lines = []
    this.arrays = []
    this.budget = 8
    const body = this.statements(
      { depth: 1, inLoop: false, inSwitch: false, together: false, inHelper: true, mayLeave: false, loopDepth: 1 },
      this.random.between(1, 3),
    )
    const result = this.expression('u32', 3)
    this.inHelper = false
    return { body, result }
  }

  private startValue(type: Scalar): Expression {
    const source: Expression = { kind: 'input', type: 'u32', index: { kind: 'special', type: 'u32', name: 'gid' } }
    return this.random.chance(0.6) ? this.converted(source, type) : this.expression(type, 2)
  }

  private integerType(): Scalar {
    return this.random.chance(0.5) ? 'u32' : this.random.pick(INTEGERS)
  }

  private anyType(): Scalar {
    return this.floats && this.random.chance(0.35) ? this.random.pick(FLOATS) : this.integerType()
  }

  // ---------------------------------------------------------------- statements

  private statements(place: Place, count: number): Statement[] {
    const list: Statement[] = []
    for (let i = 0; i < count && this.budget > 0; i++) list.push(this.statement(place))
    if (list.length === 0) list.push(this.assignment())
    return list
  }

  private statement(place: Place): Statement {
    const { random } = this
    this.budget--
    if (place.together && random.chance(0.4)) return this.collective(place)
    const inner: Place = { ...place, depth: place.depth + 1, together: false }
    const choice = random.below(100)
    if (place.depth < 4) {
      if (choice < 18) return this.branch(inner)
      if (choice < 32 && place.loopDepth < 3) return this.loop(inner)
      if (choice < 40) return this.switchStatement({ ...inner, inSwitch: true })
    }
    if (choice < 48 && place.inLoop) {
      const kind = place.inSwitch ? 'continue' : random.pick(['break', 'continue'] as const)
      return { kind, condition: this.condition(2) }
    }
    if (choice < 58 && this.arrays.length > 0) return this.elementStatement()
    if (choice < 63 && !place.inHelper) return this.ownAtomic()
    if (choice < 68 && !place.inHelper) {
      return {
        kind: 'globalAtomic',
        op: random.pick(ATOMIC_OPERATIONS),
        index: this.expression('u32', 2),
        value: this.expression('u32', 2),
      }
    }
    if (choice < 71 && place.mayLeave) {
      return { kind: 'exit', condition: this.condition(2), value: this.expression('u32', 2) }
    }
    return this.assignment()
  }

  private assignment(): Statement {
    const variable = this.random.below(this.variables.length)
    const value = this.lines.includes(variable) ? this.line(2) : this.expression(this.variables[variable]!, 4)
    return { kind: 'assign', variable, value }
  }

  private branch(inner: Place): Statement {
    const { random } = this
    const yes = this.statements(inner, random.between(1, 3))
    const otherwise = random.chance(0.5) ? this.statements(inner, random.between(1, 3)) : []
    return { kind: 'if', condition: this.condition(3), yes, otherwise }
  }

  private loop(inner: Place): Statement {
    const loopDepth = inner.loopDepth + 1
    const body = this.statements({ ...inner, inLoop: true, inSwitch: false, loopDepth }, this.random.between(1, 4))
    return {
      kind: 'loop',
      limit: this.expression('u32', 2),
      turns: TURNS[inner.loopDepth]!,
      atLeastOnce: this.random.chance(0.3),
      body,
    }
  }

  private switchStatement(inner: Place): Statement {
    const { random } = this
    const values = [0, 1, 2, 3, 4, 5, 6, 7].filter(() => random.chance(0.45))
    const cases = values.map(value => ({
      value,
      body: random.chance(0.2) ? [] : this.statements(inner, random.between(1, 2)),
      fallsThrough: random.chance(0.3),
    }))
    const value = !this.inHelper && random.chance(0.3) ? this.uniform(2) : this.expression('u32', 3)
    return { kind: 'switch', value, cases, fallback: this.statements(inner, 1) }
  }

  private elementStatement(): Statement {
    const array = this.random.below(this.arrays.length)
    const value = this.expression(this.arrays[array]!.type, 3)
    return { kind: 'setElement', array, index: this.expression('u32', 2), value }
  }

  private ownAtomic(): Statement {
    const op = this.random.pick([...ATOMIC_OPERATIONS, 'exch', 'cas'] as const)
    return { kind: 'ownAtomic', variable: 0, op, value: this.expression('u32', 2), expected: this.expression('u32', 1) }
  }

  /** A statement that all threads of the block execute together. */
  private collective(place: Place): Statement {
    const { random } = this
    const choice = random.below(this.wholeWarps ? 8 : 5)
    const variable = random.below(this.variables.length)
    const type = this.variables[variable]!
    switch (choice) {
      case 0:
      case 1:
        return {
          kind: 'exchange',
          variable,
          type,
          value: this.expression(type, 3),
          multiplier: random.below(8),
          shift: this.uniform(2),
        }
      case 2:
        return {
          kind: 'sharedAtomic',
          variable: 0,
          op: random.pick(ATOMIC_OPERATIONS),
          index: this.expression('u32', 2),
          value: this.expression('u32', 3),
          readIndex: this.expression('u32', 2),
        }
      case 3: {
        if (place.depth > 1) return this.assignment()
        const { loopDepth } = place
        const body = this.statements(
          { ...place, depth: place.depth + 1, loopDepth: loopDepth + 1 },
          random.between(1, 3),
        )
        return { kind: 'loop', limit: this.uniform(2), turns: TURNS[loopDepth]!, atLeastOnce: random.chance(0.5), body }
      }
      case 4: {
        if (place.depth > 1) return this.assignment()
        const inner = { ...place, depth: place.depth + 1 }
        const condition: Condition = { kind: 'compare', op: 'ult', a: this.uniform(2), b: this.uniform(2) }
        const otherwise = random.chance(0.5) ? this.statements(inner, 1) : []
        return { kind: 'if', condition, yes: this.statements(inner, random.between(1, 2)), otherwise }
      }
      case 5:
        return {
          kind: 'shuffle',
          variable: 0,
          mode: random.pick(['idx', 'up', 'down', 'bfly'] as const),
          value: this.expression('u32', 3),
          lane: this.expression('u32', 2),
          width: random.pick([32, 32, 16, 8, 4, 2]),
        }
      case 6:
        return {
          kind: 'vote',
          variable: 0,
          mode: random.pick(['ballot', 'any', 'all'] as const),
          condition: this.condition(3),
        }
      default:
        return { kind: 'leader', variable: 0, value: this.expression('u32', 3), condition: this.condition(2) }
    }
  }

  // ---------------------------------------------------------------- expressions

  /** A value that is the same in all threads of the block. */
  private uniform(depth: number): Expression {
    const { random } = this
    if (depth === 0 || random.chance(0.4)) {
      if (random.chance(0.5)) return { kind: 'special', type: 'u32', name: random.pick(['blockId', 'n'] as const) }
      return { kind: 'integer', type: 'u32', value: BigInt(random.below(16)) }
    }
    const op = random.pick(['add', 'mul', 'xor', 'sub'] as const)
    return { kind: 'binary', type: 'u32', op, a: this.uniform(depth - 1), b: this.uniform(depth - 1) }
  }

  /** A thread's number, or a variable of that kind, plus what is the same in all threads. */
  private line(depth: number): Expression {
    const { random } = this
    if (depth === 0 || random.chance(0.3)) {
      if (this.lines.length > 0 && random.chance(0.5))
        return { kind: 'variable', type: 'u32', index: random.pick(this.lines) }
      return { kind: 'special', type: 'u32', name: random.pick(['tid', 'lane', 'gid'] as const) }
    }
    if (random.chance(0.2)) return this.uniform(depth)
    const op = random.pick(['add', 'add', 'sub'] as const)
    return { kind: 'binary', type: 'u32', op, a: this.line(depth - 1), b: this.uniform(depth - 1) }
  }

  private leaf(type: Scalar): Expression {
    const { random } = this
    const fitting = this.variables.flatMap((variable, index) => (variable === type ? [index] : []))
    if (fitting.length > 0 && random.chance(0.6)) return { kind: 'variable', type, index: random.pick(fitting) }
    if (isFloat(type)) {
      const value = random.pick(FLOAT_VALUES)
      return { kind: 'float', type, value: type === 'f32' ? Math.fround(value) : value }
    }
    if (type === 'u32' && !this.inHelper && random.chance(0.4)) {
      return { kind: 'special', type: 'u32', name: random.pick(['tid', 'lane', 'blockId', 'gid', 'n'] as const) }
    }
    const value = random.chance(0.7) ? random.pick(SIGNED_LIMITS) : BigInt(random.word()) * BigInt(random.word())
    const signed = random.chance(0.3) ? -value : value
    return { kind: 'integer', type, value: BigInt.asUintN(bitsOfScalar(type), signed) }
  }

  private expression(type: Scalar, depth: number): Expression {
    const { random } = this
    if (depth === 0 || random.chance(0.2)) return this.leaf(type)
    const sub = (inner: Scalar = type): Expression => this.expression(inner, depth - 1)
    const choice = random.below(100)
    if (choice < 10) return { kind: 'select', type, condition: this.condition(depth - 1), a: sub(), b: sub() }
    if (choice < 30) return this.converted(sub(this.anyType()), type)
    if (choice < 36 && this.arrays.length > 0) {
      const array = random.below(this.arrays.length)
      return this.converted({ kind: 'element', type: this.arrays[array]!.type, array, index: sub('u32') }, type)
    }
    if (choice < 42 && !this.inHelper) return this.converted({ kind: 'input', type: 'u32', index: sub('u32') }, type)
    if (choice < 46 && this.helperCount > 0 && !this.inHelper) {
      return this.converted(
        { kind: 'call', type: 'u32', helper: random.below(this.helperCount), a: sub('u32'), b: sub('u32') },
        type,
      )
    }
    if (isFloat(type)) {
      if (choice < 60)
        return {
          kind: 'unary',
          type,
          op: random.pick(['fneg', 'fabs', 'sqrt', 'floor', 'ceil', 'trunc', 'rint'] as const),
          a: sub(),
        }
      if (choice < 66) return { kind: 'fma', type, a: sub(), b: sub(), c: sub() }
      return {
        kind: 'binary',
        type,
        op: random.pick(['fadd', 'fsub', 'fmul', 'fdiv', 'fmin', 'fmax'] as const),
        a: sub(),
        b: sub(),
      }
    }
    if (choice < 56)
      return { kind: 'unary', type, op: random.pick(['not', 'popc', 'clz', 'ctz', 'brev'] as const), a: sub() }
    const op = random.pick([
      ...(['add', 'sub', 'mul', 'and', 'or', 'xor', 'shl', 'lshr', 'ashr', 'udiv', 'urem', 'sdiv', 'srem'] as const),
      ...(['umin', 'umax', 'smin', 'smax', 'rotl', 'add', 'mul', 'xor'] as const),
    ])
    return { kind: 'binary', type, op, a: sub(), b: sub() }
  }

  /** The value in another type, by one of the conversions between the two. */
  private converted(a: Expression, type: Scalar): Expression {
    if (a.type === type) return a
    return { kind: 'convert', type, op: this.conversion(a.type, type), a }
  }

  private conversion(from: Scalar, to: Scalar): Conversion {
    const { random } = this
    const sameBits = bitsOfScalar(from) === bitsOfScalar(to)
    if (isFloat(from)) {
      if (isFloat(to)) return 'fpcast'
      return sameBits && random.chance(0.5) ? 'tobits' : random.pick(['fptosi', 'fptoui'] as const)
    }
    if (isFloat(to)) return sameBits && random.chance(0.3) ? 'frombits' : random.pick(['uitofp', 'sitofp'] as const)
    return bitsOfScalar(from) > bitsOfScalar(to) ? 'itrunc' : random.pick(['zext', 'sext'] as const)
  }

  private condition(depth: number): Condition {
    const { random } = this
    // As kernels ask whether they are inside.
    if (!this.inHelper && random.chance(0.25)) {
      const op = random.pick(['ult', 'slt', 'ule', 'sle', 'eq', 'ne'] as const)
      return { kind: 'compare', op, a: this.line(2), b: this.uniform(2) }
    }
    if (depth > 0 && random.chance(0.2)) {
      return {
        kind: random.pick(['both', 'either'] as const),
        a: this.condition(depth - 1),
        b: this.condition(depth - 1),
      }
    }
    const type = this.inHelper ? this.integerType() : this.anyType()
    const op: Comparison = isFloat(type)
      ? random.pick(['folt', 'fole', 'foeq', 'funo'] as const)
      : random.pick(['eq', 'ne', 'ult', 'ule', 'slt', 'sle'] as const)
    return { kind: 'compare', op, a: this.expression(type, depth), b: this.expression(type, depth) }
  }
}
