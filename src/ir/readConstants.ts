/**
 * Reads constants and folds constant expressions. In: a lexer at a constant and its type; out: a {@link Constant}.
 * An address of a global plus bytes stays an `address` through getelementptr and addrspacecast; casts and sums of anything
 * else become `expression`. Small integers and undefined values are shared objects.
 */

import { decodeFloat } from './floats.ts'
import type { BinaryOp, CastOp, Constant, Func, Global, Type } from './ir.ts'
import { decodeEscapes, type Lexer, TOKEN } from './lexer.ts'
import type { TypeReader } from './readTypes.ts'
import { bitsOf, fieldOffsets, I32, sizeOf } from './types.ts'

/** Words that begin a constant; any other word before a value is an attribute. */
const CONSTANT_WORDS: ReadonlySet<string> = new Set([
  ...['true', 'false', 'null', 'none', 'undef', 'poison', 'zeroinitializer', 'c', 'splat'],
  ...['getelementptr', 'addrspacecast', 'bitcast', 'inttoptr', 'ptrtoint', 'ptrtoaddr', 'trunc', 'add', 'sub', 'xor'],
  ...['blockaddress', 'dso_local_equivalent', 'no_cfi', 'ptrauth', 'asm', 'sub', 'mul', 'zext', 'sext', 'shl'],
])

/** Does this word begin a constant (or an inline assembly callee)? */
export function startsConstant(word: string): boolean {
  const first = word.charCodeAt(0)
  return CONSTANT_WORDS.has(word) || first === 43 || first === 45
}

const CASTS: ReadonlyMap<string, CastOp> = new Map<string, CastOp>([
  ['trunc', 'trunc'],
  ['zext', 'zext'],
  ['sext', 'sext'],
  ['bitcast', 'bitcast'],
  ['inttoptr', 'inttoptr'],
  ['ptrtoint', 'ptrtoint'],
  ['ptrtoaddr', 'ptrtoint'],
])
const SUMS: ReadonlyMap<string, BinaryOp> = new Map<string, BinaryOp>([
  ['add', 'add'],
  ['sub', 'sub'],
  ['mul', 'mul'],
  ['xor', 'xor'],
  ['shl', 'shl'],
])

const SHARED_INTEGERS = 256

export class ConstantReader {
  private readonly lexer: Lexer
  private readonly types: TypeReader
  private readonly globals: ReadonlyMap<string, Global | Func | Constant>
  private readonly integers = new Map<Type, Constant[]>()
  private readonly undefs = new Map<Type, Constant>()

  constructor(lexer: Lexer, types: TypeReader, globals: ReadonlyMap<string, Global | Func | Constant>) {
    this.lexer = lexer
    this.types = types
    this.globals = globals
  }

  /** A type and a constant of it. */
  readTyped(): Constant {
    return this.read(this.types.read())
  }

  read(type: Type): Constant {
    const { lexer } = this
    switch (lexer.kind) {
      case TOKEN.integer:
        return this.readInteger(type)
      case TOKEN.float:
        return this.readFloat(type)
      case TOKEN.global:
        return this.readGlobal(type)
      case TOKEN.word:
        return this.readWord(type)
      case TOKEN.openSquare:
        lexer.advance()
        return this.readElements(type, TOKEN.closeSquare)
      case TOKEN.openBrace:
        lexer.advance()
        return this.readElements(type, TOKEN.closeBrace)
      case TOKEN.less: {
        lexer.advance()
        if (!lexer.skip(TOKEN.openBrace)) return this.readElements(type, TOKEN.greater)
        const constant = this.readElements(type, TOKEN.closeBrace)
        lexer.take(TOKEN.greater, "'>'")
        return constant
      }
      default:
        throw lexer.refuse('expected a value')
    }
  }

  private readInteger(type: Type): Constant {
    const { lexer } = this
    if (type.kind !== 'int') throw lexer.refuse('an integer where none can stand')
    const text = lexer.value
    lexer.advance()
    return this.integer(type, text.length < 15 ? Number(text) : BigInt(text))
  }

  /** The integer constant, wrapped to the type's bits. */
  integer(type: Type, value: number | bigint): Constant {
    const bits = bitsOf(type)
    if (value < 0 || value >= SHARED_INTEGERS) {
      return { kind: 'int', type, value: BigInt.asUintN(bits, BigInt(value)) }
    }
    let shared = this.integers.get(type)
    if (!shared) this.integers.set(type, (shared = []))
    return (shared[Number(value)] ??= { kind: 'int', type, value: BigInt.asUintN(bits, BigInt(value)) })
  }

  private readFloat(type: Type): Constant {
    const { lexer } = this
    if (type.kind !== 'float') throw lexer.refuse('a floating-point number where none can stand')
    const constant = decodeFloat(type, lexer.value)
    if (!constant) throw lexer.refuse('unsupported floating-point constant')
    lexer.advance()
    return constant
  }

  private readGlobal(type: Type): Constant {
    const { lexer } = this
    const target = this.globals.get(lexer.value)
    if (!target) throw lexer.refuse(`unknown symbol @${lexer.value}`)
    lexer.advance()
    if (target.kind === 'global' || target.kind === 'function') return { kind: 'address', type, target, offset: 0 }
    return target
  }

  private readWord(type: Type): Constant {
    const { lexer } = this
    const word = lexer.value
    const cast = CASTS.get(word)
    const sum = SUMS.get(word)
    if (cast) return this.readCast(cast)
    if (sum) return this.readSum(type, sum)
    switch (word) {
      case 'true':
      case 'false':
        if (type.kind !== 'int' || type.bits !== 1) throw lexer.refuse('a truth value where none can stand')
        lexer.advance()
        return this.integer(type, word === 'true' ? 1 : 0)
      case 'null':
      case 'none':
      case 'zeroinitializer':
        lexer.advance()
        return { kind: 'zero', type }
      case 'undef':
      case 'poison':
        lexer.advance()
        return this.undef(type)
      case 'c':
        lexer.advance()
        return this.readString(type)
      case 'splat':
        return this.readSplat(type)
      case 'getelementptr':
        return this.readGep()
      case 'addrspacecast':
        return this.readAddressSpaceCast()
      default: {
        const special = type.kind === 'float' ? decodeFloat(type, word) : undefined
        if (!special) throw lexer.refuse(`unsupported constant '${word}'`)
        lexer.advance()
        return special
      }
    }
  }

  private undef(type: Type): Constant {
    const known = this.undefs.get(type)
    if (known) return known
    const constant: Constant = { kind: 'undef', type }
    this.undefs.set(type, constant)
    return constant
  }

  private readElements(type: Type, close: number): Constant {
    const { lexer } = this
    if (type.kind !== 'array' && type.kind !== 'vector' && type.kind !== 'struct') {
      throw lexer.refuse('a list of values where none can stand')
    }
    const wanted = type.kind === 'struct' ? type.fields.length : type.length
    const elements: Constant[] = []
    if (lexer.kind !== close) {
      do elements.push(this.readTyped())
      while (lexer.skip(TOKEN.comma))
    }
    lexer.take(close, 'the end of the list')
    if (elements.length !== wanted) throw lexer.refuse(`a list of ${elements.length} values for ${wanted}`)
    return { kind: 'aggregate', type, elements }
  }

  private readString(type: Type): Constant {
    const { lexer } = this
    const bytes = decodeEscapes(lexer.take(TOKEN.string, 'a string'))
    if (type.kind !== 'array' || type.length !== bytes.length) throw lexer.refuse('a string of another length')
    const { element } = type
    const elements = Array.from(bytes, character => this.integer(element, character.charCodeAt(0)))
    return { kind: 'aggregate', type, elements }
  }

  private readSplat(type: Type): Constant {
    const { lexer } = this
    if (type.kind !== 'vector') throw lexer.refuse('a splat where none can stand')
    lexer.advance()
    lexer.take(TOKEN.open, "'('")
    const element = this.readTyped()
    lexer.take(TOKEN.close, "')'")
    return { kind: 'aggregate', type, elements: new Array<Constant>(type.length).fill(element) }
  }

  /** `getelementptr [flags] (type, ptr base, indices...)`, all of them constant: an address plus bytes. */
  private readGep(): Constant {
    const { lexer } = this
    lexer.advance()
    while (lexer.kind === TOKEN.word) {
      const flag = lexer.value
      lexer.advance()
      if (flag === 'inrange') lexer.skipParentheses()
    }
    lexer.take(TOKEN.open, "'('")
    let element = this.types.read()
    lexer.take(TOKEN.comma, "','")
    const base = this.readTyped()
    let offset = 0
    for (let first = true; lexer.skip(TOKEN.comma); first = false) {
      const index = constantIndex(this.readTyped())
      if (index === undefined) throw lexer.refuse('unsupported index in a constant address')
      const step = first ? { bytes: index * sizeOf(element), element } : stepInto(element, index)
      if (!step) throw lexer.refuse('an index into what has no elements')
      offset += step.bytes
      element = step.element
    }
    lexer.take(TOKEN.close, "')'")
    return this.addBytes(base, offset | 0)
  }

  private addBytes(base: Constant, offset: number): Constant {
    if (offset === 0) return base
    if (base.kind === 'address') return { ...base, offset: (base.offset + offset) | 0 }
    const bytes = this.integer(I32, offset)
    const number: Constant =
      base.kind === 'expression' && base.op === 'inttoptr' && base.operands[0]!.type === I32
        ? base.operands[0]!
        : { kind: 'expression', type: I32, op: 'ptrtoint', operands: [base] }
    const sum: Constant =
      base.kind === 'zero' ? bytes : { kind: 'expression', type: I32, op: 'add', operands: [number, bytes] }
    return { kind: 'expression', type: base.type, op: 'inttoptr', operands: [sum] }
  }

  private readAddressSpaceCast(): Constant {
    const { value, type } = this.readCastOperand()
    const into = type.kind === 'pointer' ? type.space : -1
    // Into generic, or back to where the target lies, the address object says it all.
    if (value.kind === 'address' && (into === 0 || into === spaceOf(value.target))) return { ...value, type }
    if (value.kind === 'undef') return this.undef(type)
    return { kind: 'expression', type, op: 'addrspacecast', operands: [value] }
  }

  private readCast(op: CastOp): Constant {
    const { value, type } = this.readCastOperand()
    if (value.kind === 'undef') return this.undef(type)
    if (op === 'bitcast' && value.kind === 'address' && type.kind === 'pointer') return { ...value, type }
    return { kind: 'expression', type, op, operands: [value] }
  }

  /** `op (type value to type)`, the lexer at the operation. */
  private readCastOperand(): { value: Constant; type: Type } {
    const { lexer } = this
    lexer.advance()
    while (lexer.kind === TOKEN.word) lexer.advance()
    lexer.take(TOKEN.open, "'('")
    const value = this.readTyped()
    lexer.takeWord('to')
    const type = this.types.read()
    lexer.take(TOKEN.close, "')'")
    return { value, type }
  }

  private readSum(type: Type, op: BinaryOp): Constant {
    const { lexer } = this
    lexer.advance()
    while (lexer.kind === TOKEN.word) lexer.advance()
    lexer.take(TOKEN.open, "'('")
    const left = this.readTyped()
    lexer.take(TOKEN.comma, "','")
    const right = this.readTyped()
    lexer.take(TOKEN.close, "')'")
    return { kind: 'expression', type, op, operands: [left, right] }
  }
}

/** The address space in which a global or function lies. */
export function spaceOf(target: Global | Func): number {
  return target.kind === 'global' ? target.space : 0
}

/** A constant integer as a signed number of at most 53 bits; undefined for what is no known number. */
export function constantIndex(constant: Constant): number | undefined {
  if (constant.kind === 'zero' || constant.kind === 'undef') return 0
  if (constant.kind !== 'int' || constant.type.kind !== 'int') return undefined
  return Number(BigInt.asIntN(constant.type.bits, constant.value))
}

/** One index of a getelementptr into an aggregate: the bytes it adds, and the type behind it. */
export function stepInto(type: Type, index: number): { bytes: number; element: Type } | undefined {
  if (type.kind === 'struct') {
    const element = type.fields[index]
    return element && { bytes: fieldOffsets(type)[index]!, element }
  }
  if (type.kind !== 'array' && type.kind !== 'vector') return undefined
  return { bytes: index * sizeOf(type.element), element: type.element }
}
