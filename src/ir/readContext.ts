/**
 * What the readers of instructions share: the lexer, types and constants of the module, and the names of the current function.
 * Values may be used before the text defines them (phis, and blocks in any order): such a use gets a placeholder that
 * `finish` replaces. In: one function's body; what must hold at its end: every name that was used is defined, with its type.
 */
import type { Block, Constant, Func, Global, Instruction, Parameter, Type, Value } from './ir.ts'
import { type Lexer, TOKEN } from './lexer.ts'
import { replaceOperands } from './operands.ts'
import type { ConstantReader } from './readConstants.ts'
import type { LocationTable } from './readMetadata.ts'
import type { SourceTypes } from './readSourceTypes.ts'
import type { TypeReader } from './readTypes.ts'
import { sameType } from './types.ts'

/** The module's tables, complete before the first body is read. */
export interface ModuleContext {
  readonly lexer: Lexer
  readonly types: TypeReader
  readonly constants: ConstantReader
  readonly locations: LocationTable
  readonly sourceTypes: SourceTypes
  readonly globals: ReadonlyMap<string, Global | Func | Constant>
  /** The declaration that stands for an inline assembly text, made when first met. */
  readonly assembly: (name: string, returnType: Type, parameterTypes: readonly Type[]) => Func
}

interface Placeholder {
  readonly value: Parameter
  readonly position: number
}

export class FunctionContext {
  readonly module: ModuleContext
  readonly lexer: Lexer
  readonly types: TypeReader
  readonly func: Func
  /** The block that is being read. */
  block: Block
  private readonly values = new Map<string, Value>()
  private readonly blocks = new Map<string, { readonly block: Block; readonly position: number }>()
  private readonly defined = new Set<Block>()
  private readonly placeholders = new Map<string, Placeholder>()
  private readonly waiting: Instruction[] = []
  private usedPlaceholder = false
  private commaGivenBack = false

  constructor(module: ModuleContext, func: Func) {
    this.module = module
    this.lexer = module.lexer
    this.types = module.types
    this.func = func
    for (const parameter of func.parameters) this.values.set(parameter.name, parameter)
    // A block without a label takes the number after the unnamed parameters'.
    this.block = {
      name: String(func.parameters.filter(parameter => /^\d+$/.test(parameter.name)).length),
      instructions: [],
    }
  }

  /** Begins the block of a label, or the unlabelled entry. */
  beginBlock(name: string): void {
    this.block = this.blockNamed(name)
    if (this.defined.has(this.block)) throw this.lexer.refuse(`a second block ${name}`)
    this.defined.add(this.block)
    this.func.blocks.push(this.block)
  }

  private blockNamed(name: string): Block {
    const known = this.blocks.get(name)
    if (known) return known.block
    const block: Block = { name, instructions: [] }
    this.blocks.set(name, { block, position: this.lexer.start })
    return block
  }

  /** `label %name`. */
  readLabel(): Block {
    this.lexer.takeWord('label')
    return this.readBlockName()
  }

  /** `%name` of a block. */
  readBlockName(): Block {
    if (this.lexer.kind !== TOKEN.local) throw this.lexer.refuse('expected a label')
    const block = this.blockNamed(this.lexer.value)
    this.lexer.advance()
    return block
  }

  readTypedValue(): Value {
    return this.readValue(this.types.read())
  }

  readValue(type: Type): Value {
    const { lexer } = this
    if (lexer.kind !== TOKEN.local) return this.module.constants.read(type)
    const name = lexer.value
    const known = this.values.get(name) ?? this.placeholders.get(name)?.value
    if (known) {
      if (!sameType(known.type, type)) throw lexer.refuse(`%${name} is of another type`)
      if (known.kind === 'parameter' && known.index < 0) this.usedPlaceholder = true
      lexer.advance()
      return known
    }
    const value: Parameter = { kind: 'parameter', type, name, index: -1 }
    this.placeholders.set(name, { value, position: lexer.start })
    this.usedPlaceholder = true
    lexer.advance()
    return value
  }

  /** `, type value`. */
  readNextTyped(): Value {
    this.lexer.take(TOKEN.comma, "','")
    return this.readTypedValue()
  }

  /** `, value` of a type that is already known. */
  readNext(type: Type): Value {
    this.lexer.take(TOKEN.comma, "','")
    return this.readValue(type)
  }

  /** Moves behind a comma; the comma may have been taken already by {@link giveBackComma}'s caller. */
  skipComma(): boolean {
    if (!this.commaGivenBack) return this.lexer.skip(TOKEN.comma)
    this.commaGivenBack = false
    return true
  }

  /** Says that the comma just taken begins the attachments, not another operand. */
  giveBackComma(): void {
    this.commaGivenBack = true
  }

  /** Adds a finished instruction to the block and makes its name known. */
  add(instruction: Instruction): void {
    this.block.instructions.push(instruction)
    if (this.usedPlaceholder) this.waiting.push(instruction)
    this.usedPlaceholder = false
    if (instruction.name !== '') this.define(instruction.name, instruction)
  }

  private define(name: string, value: Value): void {
    if (this.values.has(name)) throw this.lexer.refuse(`a second value %${name}`)
    this.values.set(name, value)
  }

  /** Replaces the placeholders. Throws UserError for names that nothing defines. */
  finish(): void {
    const real = new Map<Value, Value>()
    for (const [name, { value, position }] of this.placeholders) {
      const definition = this.values.get(name)
      if (!definition) throw this.lexer.refuse(`unknown value %${name}`, position)
      if (!sameType(definition.type, value.type)) throw this.lexer.refuse(`%${name} is of another type`, position)
      real.set(value, definition)
    }
    for (const instruction of this.waiting) replaceOperands(instruction, value => real.get(value) ?? value)
    for (const { block, position } of this.blocks.values()) {
      if (!this.defined.has(block)) throw this.lexer.refuse(`unknown block %${block.name}`, position)
    }
  }
}
