/**
 * Prints the IR as text for people: dumps between passes, failing checks, tests.
 * In: a module or function; out: stable text in LLVM's manner that shows every field. Address computations are shown in our
 * form (`ptradd ptr %base, 8 + i32 %i * 4`), locations as comments. It is not meant to be read back.
 */
import type { Block, Constant, Func, Global, Instruction, Location, Module, Parameter, Type, Value } from './ir.ts'
import { formatType, RESERVED_SECTION } from './types.ts'

export function printModule(module: Module): string {
  const parts = module.globals.map(printGlobal)
  return [...parts, ...module.functions.map(func => `${parts.length > 0 ? '\n' : ''}${printFunction(func)}`)].join('\n')
}

/** The whole function; a declaration is one line. */
export function printFunction(func: Func): string {
  const names = new Names(func)
  const parameters = func.parameters.map(parameter => `${formatParameterType(parameter)} ${names.of(parameter)}`)
  if (func.variadic) parameters.push('...')
  const head = [
    func.blocks.length > 0 ? 'define' : 'declare',
    ...(func.linkage ? [func.linkage] : []),
    ...(func.isKernel ? ['ptx_kernel'] : []),
    formatType(func.returnType),
    `@${func.name}(${parameters.join(', ')})`,
    ...func.attributes,
  ].join(' ')
  if (func.blocks.length === 0) return `${head}${formatLocation(func.location)}`
  const lines = [`${head} {${formatLocation(func.location)}`]
  for (const block of func.blocks) {
    lines.push(`${names.ofBlock(block).slice(1)}:`)
    for (const instruction of block.instructions) lines.push(`  ${printWithNames(instruction, names)}`)
  }
  return [...lines, '}'].join('\n')
}

/** One instruction; operands have the names that they have in their function's text. */
export function printInstruction(instruction: Instruction, func?: Func): string {
  return printWithNames(instruction, new Names(func))
}

function formatParameterType({ type, byval }: Parameter): string {
  return `${formatType(type)}${byval ? ` byval(${formatType(byval.type)}) align ${byval.align}` : ''}`
}

function printGlobal(global: Global): string {
  const space = global.space === 0 ? '' : `addrspace(${global.space}) `
  const linkage = global.external ? 'external ' : global.linkage ? `${global.linkage} ` : ''
  const kind = global.constant ? 'constant' : 'global'
  const value = global.initializer ? ` ${formatConstant(global.initializer)}` : ''
  const section = global.reserved ? `, section "${RESERVED_SECTION}"` : ''
  return `@${global.name} = ${linkage}${space}${kind} ${formatType(global.type)}${value}${section}, align ${global.align}`
}

/** `; file:line:column in scope`, then where that was inlined, innermost first. */
function formatLocation(location: Location | undefined): string {
  const frames: string[] = []
  for (let frame = location; frame; frame = frame.inlinedAt) {
    frames.push(`${frame.file}:${frame.line}:${frame.column} in ${frame.scope}`)
  }
  return frames.length === 0 ? '' : `  ; ${frames.join(', inlined at ')}`
}

/** Unique names for the values and blocks of a function: LLVM's, with a suffix where a pass has doubled them. */
class Names {
  private readonly names = new Map<Value | Block, string>()
  private readonly taken = new Set<string>()

  constructor(func?: Func) {
    for (const parameter of func?.parameters ?? []) this.choose(parameter)
    for (const block of func?.blocks ?? []) {
      this.choose(block)
      for (const instruction of block.instructions) if (instruction.type.kind !== 'void') this.choose(instruction)
    }
  }

  private choose(owner: Parameter | Instruction | Block): string {
    const base = owner.name === '' ? 'unnamed' : owner.name
    let name = base
    for (let i = 1; this.taken.has(name); i++) name = `${base}.${i}`
    this.taken.add(name)
    this.names.set(owner, `%${name}`)
    return `%${name}`
  }

  of(value: Value): string {
    if (value.kind !== 'instruction' && value.kind !== 'parameter') return formatConstant(value)
    return this.names.get(value) ?? this.choose(value)
  }

  typed(value: Value): string {
    return `${formatType(value.type)} ${this.of(value)}`
  }

  ofBlock(block: Block): string {
    return this.names.get(block) ?? this.choose(block)
  }

  label(block: Block): string {
    return `label ${this.ofBlock(block)}`
  }
}

function printWithNames(instruction: Instruction, names: Names): string {
  const result = instruction.type.kind === 'void' ? '' : `${names.of(instruction)} = `
  return `${result}${formatOperation(instruction, names)}${formatLocation(instruction.location)}`
}

/** The words for the flags that are set, each followed by a space. */
function flags(set: Readonly<Record<string, boolean>>): string {
  return Object.entries(set)
    .map(([flag, on]) => (on ? `${flag} ` : ''))
    .join('')
}

function formatOperation(i: Instruction, names: Names): string {
  const typed = (value: Value): string => names.typed(value)
  switch (i.op) {
    case 'fneg':
    case 'freeze':
      return `${i.op} ${typed(i.value)}`
    case 'fma':
      return `fma ${typed(i.left)}, ${names.of(i.right)}, ${names.of(i.addend)}`
    case 'icmp':
    case 'fcmp':
      return `${i.op} ${i.predicate} ${typed(i.left)}, ${names.of(i.right)}`
    case 'select':
      return `select ${typed(i.condition)}, ${typed(i.ifTrue)}, ${typed(i.ifFalse)}`
    case 'gep': {
      const terms = i.terms.map(({ index, scale }) => ` + ${typed(index)} * ${scale}`)
      return `ptradd ${typed(i.base)}, ${i.offset}${terms.join('')}`
    }
    case 'alloca':
      return `alloca [${i.bytes} x i8], align ${i.align}${i.type.kind === 'pointer' && i.type.space !== 0 ? `, addrspace(${i.type.space})` : ''}`
    case 'load': {
      const { atomic, volatile } = i
      return `load ${flags({ atomic, volatile })}${formatType(i.type)}, ${typed(i.pointer)}, align ${i.align}`
    }
    case 'store': {
      const { atomic, volatile } = i
      return `store ${flags({ atomic, volatile })}${typed(i.value)}, ${typed(i.pointer)}, align ${i.align}`
    }
    case 'atomicrmw': {
      const { volatile } = i
      return `atomicrmw ${flags({ volatile })}${i.operation} ${typed(i.pointer)}, ${typed(i.value)}, align ${i.align}`
    }
    case 'cmpxchg': {
      const { volatile } = i
      return `cmpxchg ${flags({ volatile })}${typed(i.pointer)}, ${typed(i.expected)}, ${typed(i.replacement)}, align ${i.align}`
    }
    case 'fence':
    case 'unreachable':
      return i.op
    case 'phi': {
      const incoming = i.incoming.map(({ value, block }) => `[ ${names.of(value)}, ${names.ofBlock(block)} ]`)
      return `phi ${formatType(i.type)} ${incoming.join(', ')}`
    }
    case 'call': {
      const { contract } = i
      const args = i.args.map((arg, index) => formatArgument(arg, i.byval[index], i.argumentAligns?.[index], names))
      const callee = i.callee.kind === 'function' ? `@${i.callee.name}` : names.of(i.callee)
      return `call ${flags({ contract })}${formatType(i.type)} ${callee}(${args.join(', ')})`
    }
    case 'extractvalue':
      return `extractvalue ${typed(i.aggregate)}, ${i.indices.join(', ')}`
    case 'insertvalue':
      return `insertvalue ${typed(i.aggregate)}, ${typed(i.value)}, ${i.indices.join(', ')}`
    case 'extractelement':
      return `extractelement ${typed(i.vector)}, ${typed(i.index)}`
    case 'insertelement':
      return `insertelement ${typed(i.vector)}, ${typed(i.value)}, ${typed(i.index)}`
    case 'shufflevector':
      return `shufflevector ${typed(i.left)}, ${typed(i.right)}, <${i.mask.join(', ')}>`
    case 'br':
      return `br ${names.label(i.target)}`
    case 'condbr':
      return `br ${typed(i.condition)}, ${names.label(i.ifTrue)}, ${names.label(i.ifFalse)}`
    case 'switch': {
      const cases = i.cases.map(({ value, target }) => `${signed(i.value.type, value)}: ${names.label(target)}`)
      return `switch ${typed(i.value)}, ${names.label(i.fallback)} [${cases.join(', ')}]`
    }
    case 'ret':
      return i.value ? `ret ${typed(i.value)}` : 'ret void'
    default:
      if ('left' in i) {
        const { contract, nuw, nsw, disjoint = false } = i
        return `${i.op} ${flags({ contract, nuw, nsw, disjoint })}${typed(i.left)}, ${names.of(i.right)}`
      }
      return `${i.op} ${typed(i.value)} to ${formatType(i.type)}`
  }
}

function formatArgument(arg: Value, byval: Type | undefined, align: number | undefined, names: Names): string {
  const passed = byval ? ` byval(${formatType(byval)})` : ''
  return `${formatType(arg.type)}${passed}${align === undefined ? '' : ` align ${align}`} ${names.of(arg)}`
}

function signed(type: Type, value: bigint): string {
  return String(type.kind === 'int' ? BigInt.asIntN(type.bits, value) : value)
}

/** A constant without its type. */
export function formatConstant(constant: Constant): string {
  switch (constant.kind) {
    case 'int':
      if (constant.type.kind === 'int' && constant.type.bits === 1) return constant.value === 1n ? 'true' : 'false'
      return signed(constant.type, constant.value)
    case 'float':
      if (Number.isFinite(constant.value)) return Object.is(constant.value, -0) ? '-0.0' : formatNumber(constant.value)
      return `${Number.isNaN(constant.value) ? 'nan' : constant.value > 0 ? '+inf' : '-inf'}(0x${constant.bits.toString(16)})`
    case 'zero':
      return constant.type.kind === 'pointer' ? 'null' : 'zeroinitializer'
    case 'undef':
      return 'undef'
    case 'aggregate':
      return formatAggregate(constant.type, constant.elements)
    case 'address': {
      const { offset, target } = constant
      return offset === 0 ? `@${target.name}` : `(@${target.name} ${offset < 0 ? '-' : '+'} ${Math.abs(offset)})`
    }
    case 'expression': {
      const operands = constant.operands.map(operand => `${formatType(operand.type)} ${formatConstant(operand)}`)
      const isCast = operands.length === 1
      return `${constant.op} (${operands.join(', ')}${isCast ? ` to ${formatType(constant.type)}` : ''})`
    }
  }
}

function formatNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value)
}

function formatAggregate(type: Type, elements: readonly Constant[]): string {
  const isText = type.kind === 'array' && type.element.kind === 'int' && type.element.bits === 8
  if (isText && elements.every(element => element.kind === 'int')) {
    return `c"${elements.map(element => (element.kind === 'int' ? formatByte(Number(element.value)) : '')).join('')}"`
  }
  const list = elements.map(element => `${formatType(element.type)} ${formatConstant(element)}`).join(', ')
  if (type.kind === 'array') return `[${list}]`
  if (type.kind === 'vector') return `<${list}>`
  return type.kind === 'struct' && type.packed ? `<{ ${list} }>` : `{ ${list} }`
}

function formatByte(byte: number): string {
  const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92
  return plain ? String.fromCharCode(byte) : `\\${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
