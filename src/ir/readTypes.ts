/**
 * Reads types. In: a lexer at a type's first token. Out: the type, the lexer behind it.
 * Scalar types are shared objects, so most comparisons of types are comparisons of references. Named structures are read
 * where they are first used (their definitions may stand in any order) and are then shared too.
 */

import type { Type } from './ir.ts'
import { type Lexer, TOKEN } from './lexer.ts'
import { F16, F32, F64, I1, I8, I16, I32, I64, POINTER, VOID } from './types.ts'

const NAMED: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['void', VOID],
  ['i1', I1],
  ['i8', I8],
  ['i16', I16],
  ['i32', I32],
  ['i64', I64],
  ['half', F16],
  ['float', F32],
  ['double', F64],
  ['bfloat', { kind: 'float', bits: 16, brain: true }],
])

/** LLVM's limit is 2^23 bits; what the executors take is for them to say. */
const MAX_INTEGER_BITS = 1 << 23

export class TypeReader {
  private readonly lexer: Lexer
  private readonly scalars = new Map<string, Type>(NAMED)
  private readonly pointers = new Map<number, Type>([[0, POINTER]])
  private readonly structures = new Map<string, Type>()
  /** Where the right-hand side of each `%name = type ...` begins. */
  private readonly definitions = new Map<string, number>()

  constructor(lexer: Lexer) {
    this.lexer = lexer
  }

  /** Notes `%name = type ...`, the lexer at the `%name`; moves to the next line. */
  define(): void {
    const name = this.lexer.take(TOKEN.local, 'a type name')
    if (this.lexer.kind !== TOKEN.equals) throw this.lexer.refuse("expected '='")
    this.lexer.advance()
    if (!this.lexer.is('type')) throw this.lexer.refuse("expected 'type'")
    this.definitions.set(name, this.lexer.end)
    this.lexer.skipLine()
  }

  /** Is the current token one that a type can begin with? */
  startsType(): boolean {
    const { kind, value } = this.lexer
    if (kind === TOKEN.word) return value === 'ptr' || this.scalars.has(value) || integerBits(value) !== undefined
    return kind === TOKEN.local || kind === TOKEN.openSquare || kind === TOKEN.openBrace || kind === TOKEN.less
  }

  read(): Type {
    const { lexer } = this
    switch (lexer.kind) {
      case TOKEN.word:
        return this.readScalar()
      case TOKEN.local:
        return this.readNamed()
      case TOKEN.openSquare: {
        lexer.advance()
        const { length, element } = this.readSequence()
        lexer.take(TOKEN.closeSquare, "']'")
        return { kind: 'array', length, element }
      }
      case TOKEN.openBrace:
        return this.readStructure(false)
      case TOKEN.less: {
        lexer.advance()
        if (lexer.kind === TOKEN.openBrace) {
          const type = this.readStructure(true)
          lexer.take(TOKEN.greater, "'>'")
          return type
        }
        const { length, element } = this.readSequence()
        lexer.take(TOKEN.greater, "'>'")
        return { kind: 'vector', length, element }
      }
      default:
        throw lexer.refuse('expected a type')
    }
  }

  private readScalar(): Type {
    const { lexer } = this
    const { value } = lexer
    if (value === 'ptr') {
      lexer.advance()
      return this.readPointer()
    }
    const known = this.scalars.get(value)
    if (known) {
      lexer.advance()
      return known
    }
    const bits = integerBits(value)
    if (bits === undefined) throw lexer.refuse(`unsupported type '${value}'`)
    lexer.advance()
    const type: Type = { kind: 'int', bits }
    this.scalars.set(value, type)
    return type
  }

  private readPointer(): Type {
    const { lexer } = this
    if (!lexer.is('addrspace')) return POINTER
    return this.pointerTo(this.readAddressSpace())
  }

  /** `addrspace(N)`, the lexer at the word. */
  readAddressSpace(): number {
    const { lexer } = this
    lexer.takeWord('addrspace')
    lexer.take(TOKEN.open, "'('")
    const space = lexer.takeNumber('an address space')
    lexer.take(TOKEN.close, "')'")
    return space
  }

  /** The shared pointer type of an address space. */
  pointerTo(space: number): Type {
    const known = this.pointers.get(space)
    if (known) return known
    const type: Type = { kind: 'pointer', space }
    this.pointers.set(space, type)
    return type
  }

  private readNamed(): Type {
    const { lexer } = this
    const position = lexer.start
    const name = lexer.take(TOKEN.local, 'a type name')
    const known = this.structures.get(name)
    if (known) return known
    const definition = this.definitions.get(name)
    if (definition === undefined) throw lexer.refuse(`unknown type %${name}`, position)
    // A structure that contains itself has no size; without its definition the inner mention is an unknown type.
    this.definitions.delete(name)
    const back = lexer.start
    const { startsLine } = lexer
    lexer.moveTo(definition)
    if (lexer.is('opaque')) throw lexer.refuse(`the type %${name} has no definition`, position)
    const type = this.read()
    lexer.moveTo(back)
    lexer.startsLine = startsLine
    this.structures.set(name, type)
    return type
  }

  private readSequence(): { length: number; element: Type } {
    const length = this.lexer.takeNumber('a number of elements')
    this.lexer.takeWord('x')
    return { length, element: this.read() }
  }

  private readStructure(packed: boolean): Type {
    const { lexer } = this
    lexer.take(TOKEN.openBrace, "'{'")
    const fields: Type[] = []
    if (!lexer.skip(TOKEN.closeBrace)) {
      do fields.push(this.read())
      while (lexer.skip(TOKEN.comma))
      lexer.take(TOKEN.closeBrace, "'}'")
    }
    return { kind: 'struct', fields, packed }
  }
}

function integerBits(word: string): number | undefined {
  if (word.charCodeAt(0) !== 105) return undefined
  const bits = Number(word.slice(1))
  return Number.isInteger(bits) && bits > 0 && bits <= MAX_INTEGER_BITS ? bits : undefined
}
