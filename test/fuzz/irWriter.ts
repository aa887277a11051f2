/**
 * Writes LLVM IR text in SSA form: values, expressions, and blocks with phis for the program's variables.
 * In: expressions of program.ts and requests for branches and joins. Out: the text of a function's body.
 */
import {
  bitsOfScalar,
  type Comparison,
  type Condition,
  type Expression,
  isFloat,
  type Program,
  type Scalar,
  type ShuffleMode,
  type Special,
} from './program.ts'

export const LLVM_TYPES: Readonly<Record<Scalar, string>> = {
  ...{ u8: 'i8', u16: 'i16', u32: 'i32', u64: 'i64', f32: 'float', f64: 'double' },
}

/** A name or a literal, without its type. */
export type Operand = string

/** A way into a block: the block that it comes from, and the variables' values there. */
export interface Edge {
  readonly from: string
  readonly variables: readonly Operand[]
  /** Where in the text the label that the edge goes to is to be filled in. */
  readonly target: { label: string }
}

export interface LoopHeader {
  readonly counter: Operand
  readonly label: string
  readonly phis: readonly Operand[]
  /** Filled in by the end of the loop. */
  readonly back: { from: string; variables: readonly Operand[]; counter: Operand }
}

type Line = string | (() => string)

const COMPARISONS: Readonly<Record<Comparison, string>> = {
  ...{ eq: 'icmp eq', ne: 'icmp ne', ult: 'icmp ult', ule: 'icmp ule', slt: 'icmp slt', sle: 'icmp sle' },
  ...{ folt: 'fcmp olt', fole: 'fcmp ole', foeq: 'fcmp oeq', funo: 'fcmp uno' },
}

export class IrWriter {
  readonly declarations = new Set<string>()
  specials: Readonly<Record<Special, Operand>> = { tid: '0', lane: '0', blockId: '0', gid: '0', n: '1' }
  private readonly program: Program
  private readonly types: readonly Scalar[]
  private variables: Operand[]
  private readonly lines: Line[] = []
  private block = 'entry'
  private count = 0

  constructor(program: Program, types: readonly Scalar[], start: readonly Operand[]) {
    this.program = program
    this.types = types
    this.variables = types.map((type, i) => start[i] ?? (isFloat(type) ? '0.0' : '0'))
  }

  text(): string {
    return this.lines.map(line => `${typeof line === 'string' ? line : line()}\n`).join('')
  }

  line(text: string): void {
    this.lines.push(`  ${text}`)
  }

  /** Writes `%name = text` and gives the name. */
  value(text: string): Operand {
    const name = `%t${this.count++}`
    this.line(`${name} = ${text}`)
    return name
  }

  variable(index: number): Operand {
    return this.variables[index]!
  }

  assign(index: number, value: Operand): void {
    this.variables[index] = value
  }

  call(type: string, name: string, args: readonly string[]): Operand {
    this.declare(type, name, args)
    return this.value(`call ${type} @${name}(${args.join(', ')})`)
  }

  callVoid(name: string, args: readonly string[]): void {
    this.declare('void', name, args)
    this.line(`call void @${name}(${args.join(', ')})`)
  }

  private declare(type: string, name: string, args: readonly string[]): void {
    const types = args.map(arg => arg.slice(0, arg.lastIndexOf(' ')))
    this.declarations.add(`declare ${type} @${name}(${types.join(', ')}) #1`)
  }

  // ---------------------------------------------------------------- control flow

  private edge(): Edge {
    return { from: this.block, variables: [...this.variables], target: { label: '' } }
  }

  /** Ends the block with a conditional branch. */
  branch(condition: Operand): [Edge, Edge] {
    const yes = this.edge()
    const no = this.edge()
    this.lines.push(() => `  br i1 ${condition}, label %${yes.target.label}, label %${no.target.label}`)
    return [yes, no]
  }

  /** Ends the block with a branch. */
  jump(): Edge {
    const edge = this.edge()
    this.lines.push(() => `  br label %${edge.target.label}`)
    return edge
  }

  switchOn(value: Operand, cases: readonly number[]): { entries: Edge[]; otherwise: Edge } {
    const entries = cases.map(() => this.edge())
    const otherwise = this.edge()
    this.lines.push(() => {
      const list = cases.map((number, i) => `    i32 ${number}, label %${entries[i]!.target.label}\n`)
      return `  switch i32 ${value}, label %${otherwise.target.label} [\n${list.join('')}  ]`
    })
    return { entries, otherwise }
  }

  /** Begins a block at the end of the edges; variables that differ among them get phis. */
  join(edges: readonly Edge[]): void {
    const label = this.begin()
    for (const edge of edges) edge.target.label = label
    this.variables = this.types.map((type, i) => {
      const values = edges.map(edge => edge.variables[i]!)
      const [first] = values
      if (first !== undefined && values.every(value => value === first)) return first
      const incoming = edges.map((edge, j) => `[ ${values[j]}, %${edge.from} ]`)
      return this.value(`phi ${LLVM_TYPES[type]} ${incoming.join(', ')}`)
    })
  }

  private begin(): string {
    const label = `b${this.count++}`
    this.lines.push(`${label}:`)
    this.block = label
    return label
  }

  /** Ends the block and begins a loop's header, with phis for all variables and a counter from 0. */
  beginLoop(): LoopHeader {
    const { from, variables } = this.edge()
    const jump = this.jump()
    const label = this.begin()
    jump.target.label = label
    const back: LoopHeader['back'] = { from: '', variables: [], counter: '' }
    const counter = `%t${this.count++}`
    this.lines.push(() => `  ${counter} = phi i32 [ 0, %${from} ], [ ${back.counter}, %${back.from} ]`)
    const phis = this.types.map((type, i) => {
      const name = `%t${this.count++}`
      this.lines.push(
        () =>
          `  ${name} = phi ${LLVM_TYPES[type]} [ ${variables[i]}, %${from} ], [ ${back.variables[i]}, %${back.from} ]`,
      )
      return name
    })
    this.variables = [...phis]
    return { counter, label, phis, back }
  }

  /** Ends the block with the branch back; the caller goes on by joining the loop's exits. */
  endLoop(header: LoopHeader): void {
    const next = this.value(`add nuw i32 ${header.counter}, 1`)
    Object.assign(header.back, { from: this.block, variables: [...this.variables], counter: next })
    this.line(`br label %${header.label}`)
  }

  // ---------------------------------------------------------------- expressions

  shuffle(mode: ShuffleMode, mask: Operand, value: Operand, lane: Operand, clamp: number): Operand {
    const args = [`i32 ${mask}`, `i32 ${value}`, `i32 ${lane}`, `i32 ${clamp}`]
    return this.call('i32', `llvm.nvvm.shfl.sync.${mode}.i32`, args)
  }

  elementPointer(array: number, index: Expression): Operand {
    const { type, length } = this.program.arrays[array]!
    const wrapped = this.value(`urem i32 ${this.expression(index)}, ${length}`)
    return this.value(
      `getelementptr inbounds [${length} x ${LLVM_TYPES[type]}], ptr %array${array}, i32 0, i32 ${wrapped}`,
    )
  }

  condition(condition: Condition): Operand {
    const { kind } = condition
    if (kind === 'compare') {
      const a = this.expression(condition.a)
      const b = this.expression(condition.b)
      return this.value(`${COMPARISONS[condition.op]} ${LLVM_TYPES[condition.a.type]} ${a}, ${b}`)
    }
    const a = this.condition(condition.a)
    const b = this.condition(condition.b)
    return this.value(`${kind === 'both' ? 'and' : 'or'} i1 ${a}, ${b}`)
  }

  /** The bits of a float as an integer, zero for a NaN. */
  bitsWithoutNaN(value: Operand, type: Scalar): Operand {
    const bits = bitsOfScalar(type)
    const plain = this.value(`bitcast ${LLVM_TYPES[type]} ${value} to i${bits}`)
    return this.value(
      `select i1 ${this.value(`fcmp ord ${LLVM_TYPES[type]} ${value}, 0.0`)}, i${bits} ${plain}, i${bits} 0`,
    )
  }

  expression(expression: Expression): Operand {
    const { type } = expression
    const llvm = LLVM_TYPES[type]
    switch (expression.kind) {
      case 'integer':
        return String(expression.value)
      case 'float':
        return floatLiteral(expression.value)
      case 'variable':
        return this.variable(expression.index)
      case 'special':
        return this.specials[expression.name]
      case 'binary':
        return this.binary(type, expression.op, this.expression(expression.a), this.expression(expression.b))
      case 'unary':
        return this.unary(type, expression.op, this.expression(expression.a))
      case 'fma': {
        const operands = [expression.a, expression.b, expression.c].map(
          operand => `${llvm} ${this.expression(operand)}`,
        )
        return this.call(llvm, `llvm.fma.${type}`, operands)
      }
      case 'convert':
        return this.convert(expression.a.type, type, expression.op, this.expression(expression.a))
      case 'select': {
        const condition = this.condition(expression.condition)
        const a = this.expression(expression.a)
        return this.value(`select i1 ${condition}, ${llvm} ${a}, ${llvm} ${this.expression(expression.b)}`)
      }
      case 'input': {
        const index = this.value(`urem i32 ${this.expression(expression.index)}, %n`)
        return this.value(`load i32, ptr ${this.value(`getelementptr inbounds i32, ptr %in, i32 ${index}`)}, align 4`)
      }
      case 'element': {
        const pointer = this.elementPointer(expression.array, expression.index)
        return this.value(`load ${llvm}, ptr ${pointer}, align ${bitsOfScalar(type) / 8}`)
      }
      case 'call': {
        const a = this.expression(expression.a)
        return this.value(`call i32 @helper${expression.helper}(i32 ${a}, i32 ${this.expression(expression.b)})`)
      }
    }
  }

  private binary(type: Scalar, op: string, a: Operand, b: Operand): Operand {
    const llvm = LLVM_TYPES[type]
    const bits = bitsOfScalar(type)
    const pair = [`${llvm} ${a}`, `${llvm} ${b}`]
    switch (op) {
      case 'fmin':
      case 'fmax':
        return this.call(llvm, `llvm.${op === 'fmin' ? 'minnum' : 'maxnum'}.${type}`, pair)
      case 'umin':
      case 'umax':
      case 'smin':
      case 'smax':
        return this.call(llvm, `llvm.${op}.i${bits}`, pair)
      case 'rotl':
        return this.call(llvm, `llvm.fshl.i${bits}`, [pair[0]!, ...pair])
      case 'shl':
      case 'lshr':
      case 'ashr':
        return this.value(`${op} ${llvm} ${a}, ${this.value(`and ${llvm} ${b}, ${bits - 1}`)}`)
      case 'udiv':
      case 'urem':
        return this.value(`${op} ${llvm} ${a}, ${this.value(`or ${llvm} ${b}, 1`)}`)
      case 'sdiv':
      case 'srem': {
        const half = this.value(`ashr ${llvm} ${a}, 1`)
        return this.value(`${op} ${llvm} ${half}, ${this.value(`or ${llvm} ${b}, 1`)}`)
      }
      default:
        return this.value(`${op} ${llvm} ${a}, ${b}`)
    }
  }

  private unary(type: Scalar, op: string, a: Operand): Operand {
    const llvm = LLVM_TYPES[type]
    const bits = bitsOfScalar(type)
    switch (op) {
      case 'not':
        return this.value(`xor ${llvm} ${a}, -1`)
      case 'popc':
        return this.call(llvm, `llvm.ctpop.i${bits}`, [`${llvm} ${a}`])
      case 'clz':
      case 'ctz':
        return this.call(llvm, `llvm.${op === 'clz' ? 'ctlz' : 'cttz'}.i${bits}`, [`${llvm} ${a}`, 'i1 false'])
      case 'brev':
        return this.call(llvm, `llvm.bitreverse.i${bits}`, [`${llvm} ${a}`])
      case 'fneg':
        return this.value(`fneg ${llvm} ${a}`)
      default:
        return this.call(llvm, `llvm.${op}.${type}`, [`${llvm} ${a}`])
    }
  }

  private convert(from: Scalar, to: Scalar, op: string, a: Operand): Operand {
    const source = LLVM_TYPES[from]
    const target = LLVM_TYPES[to]
    const bits = bitsOfScalar(to)
    switch (op) {
      case 'tobits':
        return this.bitsWithoutNaN(a, from)
      case 'frombits':
        return this.value(`bitcast ${source} ${a} to ${target}`)
      case 'itrunc':
        return this.value(`trunc ${source} ${a} to ${target}`)
      case 'fpcast':
        return this.value(`${from === 'f32' ? 'fpext' : 'fptrunc'} ${source} ${a} to ${target}`)
      case 'fptosi':
      case 'fptoui': {
        const low = op === 'fptosi' ? -(2 ** (bits - 1)) : 0
        const above = this.value(`fcmp oge ${source} ${a}, ${floatLiteral(low)}`)
        const below = this.value(`fcmp olt ${source} ${a}, ${floatLiteral(op === 'fptosi' ? -low : 2 ** bits)}`)
        const fits = this.value(`and i1 ${above}, ${below}`)
        // Out of range the conversion is poison, which the select does not choose.
        const converted = this.value(`${op} ${source} ${a} to ${target}`)
        return this.value(`select i1 ${fits}, ${target} ${converted}, ${target} 0`)
      }
      default:
        return this.value(`${op} ${source} ${a} to ${target}`)
    }
  }
}

/** A double's bits in hexadecimal, the spelling of LLVM that is exact for float and double. */
function floatLiteral(value: number): Operand {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  return `0x${view.getBigUint64(0).toString(16).toUpperCase().padStart(16, '0')}`
}
