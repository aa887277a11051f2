/**
 * Reads a module of LLVM 22 textual IR, as clang emits it for `nvptx-nvidia-cuda`.
 * In: the text and the source file it was compiled from. Out: a {@link Module}, see ir.ts for what is simplified.
 *
 * First the names: types, globals, function headers, attribute groups, positions of metadata. Then, with all names known,
 * initialisers and bodies. Whatever is not understood is a UserError `unsupported-ir` with the line of IR, and the source
 * line when the text around it tells.
 */
import { CLUSTER_DIMENSIONS } from '../clusters.ts'
import type { SourceRange } from '../diagnostic.ts'
import { registerName } from './hiddenRegisters.ts'
import { markIndices } from './indexPlaces.ts'
import type { Constant, Func, Global, Linkage, Module, Parameter, Type } from './ir.ts'
import { endOfLine, Lexer, TOKEN } from './lexer.ts'
import { readAttributeGroups, readParameterAttributes } from './readAttributes.ts'
import { skipConvention } from './readCall.ts'
import { ConstantReader } from './readConstants.ts'
import type { ModuleContext } from './readContext.ts'
import { readBody } from './readFunction.ts'
import { HEADER_WORDS, readFunctionProperties, readParameters } from './readHeader.ts'
import { LocationTable } from './readMetadata.ts'
import { SourceTypes } from './readSourceTypes.ts'
import { TypeReader } from './readTypes.ts'
import { alignOf, formatType, RESERVED_SECTION, SPACE } from './types.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Reads `text`. `file` is the source file that errors name when the text does not tell a better place.
 * Throws UserError `unsupported-ir`.
 */
export function readModule(text: string, file: string): Module {
  return new ModuleReader(text, file).read()
}

const MANAGED_ANNOTATION = 'warplens.managed'
const CONSTANT_ANNOTATION = 'warplens.constant'
const CLUSTER_ANNOTATION = 'warplens.cluster'

/** What a constant array of characters says, up to its NUL. */
function textOf({ initializer }: Global): string {
  const letters = initializer?.kind === 'aggregate' ? initializer.elements : []
  return letters
    .map(letter => (letter.kind === 'int' && letter.value !== 0n ? String.fromCharCode(Number(letter.value)) : ''))
    .join('')
}

/** An annotation's arguments. */
function numbersOf(values: Constant | undefined): readonly bigint[] {
  const list = values?.kind === 'address' && values.target.kind === 'global' ? values.target.initializer : undefined
  return list?.kind === 'aggregate' ? list.elements.map(element => (element.kind === 'int' ? element.value : 1n)) : []
}

class ModuleReader {
  /** Where the type of `llvm.global.annotations` stands. */
  private annotations: number | undefined
  private readonly text: string
  private readonly file: string
  private readonly lexer: Lexer
  private readonly types: TypeReader
  private readonly constants: ConstantReader
  private readonly locations: LocationTable
  private readonly sourceTypes: SourceTypes
  private readonly names = new Map<string, Global | Func | Constant>()
  private readonly attributeGroups: ReadonlyMap<string, ReadonlySet<string>>
  private readonly globals: Global[] = []
  private readonly functions: Func[] = []
  /** What is read once all names are known, in the order of the text. */
  private readonly aliases: { readonly name: string; readonly position: number }[] = []
  private readonly initializers: {
    readonly global: Mutable<Global>
    readonly position: number
    /** Nothing follows on the line. */
    readonly ends: boolean
  }[] = []
  private readonly bodies: { readonly func: Func; readonly position: number }[] = []
  private readonly assemblies = new Map<string, Func>()

  constructor(text: string, file: string) {
    this.text = text
    this.file = file
    this.lexer = new Lexer(text)
    this.lexer.locate = position => this.locate(position)
    this.types = new TypeReader(this.lexer)
    this.constants = new ConstantReader(this.lexer, this.types, this.names)
    this.locations = new LocationTable(text)
    this.sourceTypes = new SourceTypes(node => this.locations.text(node))
    this.attributeGroups = readAttributeGroups(text, this.lexer)
  }

  read(): Module {
    this.lexer.moveTo(0)
    while (this.lexer.kind !== TOKEN.end) this.readTopLevel()
    this.readAliases()
    for (const { global, position, ends } of this.initializers) {
      this.lexer.moveTo(position)
      this.lexer.startsLine = ends
      if (!global.external) global.initializer = this.constants.read(global.type)
      this.readGlobalProperties(global)
    }
    this.markAnnotated()
    const context: ModuleContext = {
      lexer: this.lexer,
      types: this.types,
      constants: this.constants,
      locations: this.locations,
      sourceTypes: this.sourceTypes,
      globals: this.names,
      assembly: (name, returnType, parameterTypes) => this.assembly(name, returnType, parameterTypes),
    }
    for (const { func, position } of this.bodies) {
      this.lexer.moveTo(position)
      readBody(context, func)
    }
    markIndices(this.functions, this.text)
    return { globals: this.globals, functions: this.functions }
  }

  private readTopLevel(): void {
    const { lexer } = this
    switch (lexer.kind) {
      case TOKEN.local:
        this.types.define()
        return
      case TOKEN.global:
        this.readGlobal()
        return
      case TOKEN.comdat:
      case TOKEN.metadata:
        lexer.skipLine()
        return
    }
    if (lexer.kind !== TOKEN.word) throw lexer.refuse('expected a definition')
    switch (lexer.value) {
      case 'define':
      case 'declare':
        this.readFunction(lexer.value === 'define')
        return
      case 'source_filename':
      case 'target':
      case 'attributes':
      case 'uselistorder':
      case 'uselistorder_bb':
        lexer.skipLine()
        return
      default:
        throw lexer.refuse(`unsupported definition '${lexer.value}'`)
    }
  }

  // ---------------------------------------------------------------- globals

  /** `@name = linkage ... [addrspace(N)] global|constant type [initialiser] [, align N ...]` */
  private readGlobal(): void {
    const { lexer } = this
    const name = lexer.value
    const position = lexer.start
    lexer.advance()
    lexer.take(TOKEN.equals, "'='")
    let external = false
    let space = 0
    let linkage: Linkage | undefined
    for (;;) {
      if (lexer.is('addrspace')) space = this.types.readAddressSpace()
      else if (lexer.is('thread_local')) throw lexer.refuse('thread_local variables are not supported')
      else if (lexer.kind === TOKEN.word && HEADER_WORDS.has(lexer.value)) {
        external ||= lexer.value === 'external' || lexer.value === 'extern_weak'
        linkage ??= HEADER_WORDS.get(lexer.value)
        lexer.advance()
      } else break
    }
    const constant = lexer.is('constant')
    if (lexer.is('alias')) {
      this.aliases.push({ name, position: lexer.end })
      lexer.skipLine()
      return
    }
    if (!constant && !lexer.is('global')) throw lexer.refuse(`unsupported definition of @${name}`)
    // Lists for the compiler itself (llvm.used) are no memory of the program.
    if (name.startsWith('llvm.')) {
      lexer.advance()
      if (name === 'llvm.global.annotations') this.annotations = lexer.start
      lexer.skipLine()
      return
    }
    lexer.advance()
    const type = this.types.read()
    const align = alignOf(type)
    const global: Mutable<Global> = {
      ...{ kind: 'global', name, space, type, align, constant, external },
      initializer: undefined,
      ...(linkage && { linkage }),
    }
    this.declare(name, global, position)
    this.globals.push(global)
    this.initializers.push({ global, position: lexer.start, ends: lexer.startsLine })
    this.moveToNextLine(position)
  }

  /**
   * `__managed__` and `__constant__` variables and kernels with `__cluster_dims__`: include/warplens/keywords.h annotates them.
   * The list's rows are { variable or function, text, file, line, arguments }.
   */
  private markAnnotated(): void {
    const declared = new Set<Global>()
    this.readAnnotations(declared)
    // PTX of nvcc 13.0: `__device__ const` arrays and static ones of functions are `.global`, read by ld.global.nc.
    for (const global of this.globals as Mutable<Global>[])
      if (global.space === SPACE.constant && !global.external && !declared.has(global)) global.space = SPACE.global
  }

  private readAnnotations(declaredConstant: Set<Global>): void {
    if (this.annotations === undefined) return
    this.lexer.moveTo(this.annotations)
    const list = this.constants.read(this.types.read())
    for (const row of list.kind === 'aggregate' ? list.elements : []) {
      const [subject, text, , , values] = row.kind === 'aggregate' ? row.elements : []
      if (subject?.kind !== 'address' || text?.kind !== 'address' || text.target.kind !== 'global') continue
      const annotation = textOf(text.target)
      if (annotation === MANAGED_ANNOTATION && subject.target.kind === 'global') {
        const managed: Mutable<Global> = subject.target
        managed.managed = true
      } else if (annotation === CONSTANT_ANNOTATION && subject.target.kind === 'global') {
        declaredConstant.add(subject.target)
      } else if (annotation === CLUSTER_ANNOTATION && subject.target.kind === 'function') {
        const kernel: Mutable<Func> = subject.target
        kernel.attributes = new Set([...kernel.attributes, CLUSTER_DIMENSIONS + numbersOf(values).join()])
      }
    }
  }

  private moveToNextLine(position: number): void {
    this.lexer.moveTo(endOfLine(this.text, position))
  }

  /** `, section "...", comdat, align 4, !dbg !5`, the lexer behind the initialiser. */
  private readGlobalProperties(global: Mutable<Global>): void {
    const { lexer } = this
    while (!lexer.startsLine && lexer.kind !== TOKEN.end) {
      lexer.take(TOKEN.comma, "','")
      if (lexer.skipWord('align')) global.align = lexer.takeNumber('an alignment')
      else if (lexer.skipWord('section')) {
        if (lexer.take(TOKEN.string, 'a name') === RESERVED_SECTION) global.reserved = true
      } else {
        while (!lexer.startsLine && lexer.kind !== TOKEN.comma && lexer.kind !== TOKEN.end) {
          if (lexer.kind === TOKEN.open) lexer.skipParentheses()
          else lexer.advance()
        }
      }
    }
  }

  private declare(name: string, entry: Global | Func, position: number): void {
    if (this.names.has(name)) throw this.lexer.refuse(`a second definition of @${name}`, position)
    this.names.set(name, entry)
  }

  /** `alias type, ptr @target`: the name stands for the constant. Aliases of aliases wait for each other. */
  private readAliases(): void {
    let waiting = this.aliases
    while (waiting.length > 0) {
      const later = waiting.filter(({ name, position }) => {
        this.lexer.moveTo(position)
        this.types.read()
        if (this.lexer.kind === TOKEN.open) this.lexer.skipParentheses()
        this.lexer.take(TOKEN.comma, "','")
        const mentioned = /@("[^"]*"|[-\w$.]+)/.exec(this.text.slice(position, endOfLine(this.text, position)))?.[1]
        if (mentioned !== undefined && !this.names.has(mentioned.replaceAll('"', ''))) return true
        this.names.set(name, this.constants.readTyped())
        return false
      })
      if (later.length === waiting.length) {
        throw this.lexer.refuse('an alias of nothing known', later[0]?.position)
      }
      waiting = later
    }
  }

  // ---------------------------------------------------------------- functions

  private readFunction(isDefinition: boolean): void {
    const { lexer, types, locations, attributeGroups } = this
    const position = lexer.start
    lexer.advance()
    while (lexer.kind === TOKEN.metadata) {
      // A declaration's attachments stand before its type.
      lexer.advance()
      lexer.take(TOKEN.metadata, 'metadata')
    }
    let isKernel = false
    let linkage: Linkage | undefined
    for (;;) {
      if (lexer.kind === TOKEN.word && HEADER_WORDS.has(lexer.value)) {
        linkage ??= HEADER_WORDS.get(lexer.value)
        lexer.advance()
      } else {
        const convention = skipConvention(lexer)
        if (convention === '') break
        isKernel ||= convention === 'ptx_kernel'
      }
    }
    readParameterAttributes(lexer, types)
    const returnType = types.read()
    const namePosition = lexer.start
    const name = lexer.take(TOKEN.global, 'a function name')
    const { parameters, variadic } = readParameters(lexer, types)
    const { attributes, location } = readFunctionProperties({ lexer, types, locations, attributeGroups }, isDefinition)
    const func: Func = {
      ...{ kind: 'function', name: registerName(name), returnType, parameters, variadic, isKernel, attributes },
      blocks: [],
      location,
      ...(linkage && { linkage }),
    }
    this.declare(name, func, namePosition)
    this.functions.push(func)
    if (!isDefinition) return
    if (lexer.kind !== TOKEN.openBrace) throw lexer.refuse("expected '{'")
    lexer.advance()
    this.bodies.push({ func, position: lexer.start })
    const end = this.text.indexOf('\n}', position)
    if (end === -1) throw lexer.refuse(`the function @${name} has no end`, this.text.length)
    lexer.moveTo(end + 2)
  }

  /** The declaration for an inline assembly text with one signature. */
  private assembly(name: string, returnType: Type, parameterTypes: readonly Type[]): Func {
    const signature = `${formatType(returnType)}(${parameterTypes.map(formatType).join()})${name}`
    const known = this.assemblies.get(signature)
    if (known) return known
    const parameters = parameterTypes.map(
      (type, index): Parameter => ({ kind: 'parameter', type, name: String(index), index }),
    )
    const func: Func = {
      ...{ kind: 'function', name, returnType, parameters, variadic: false, isKernel: false },
      ...{ attributes: new Set<string>(['convergent']), blocks: [], location: undefined },
    }
    this.assemblies.set(signature, func)
    this.functions.push(func)
    return func
  }

  /** The source place of the text around a position: the next `!dbg` from its line on, within the function; else the file. */
  private locate(position: number): SourceRange {
    const { text } = this
    const begin = text.lastIndexOf('\n', Math.max(0, position - 1)) + 1
    const end = text.indexOf('\n}', begin)
    const number = /!dbg !(\d+)/.exec(text.slice(begin, end === -1 ? endOfLine(text, position) : end))?.[1]
    const id = number === undefined ? undefined : Number(number)
    const location = id === undefined ? undefined : (this.locations.location(id) ?? this.locations.subprogram(id))
    const { file, line, column } = location?.line ? location : { file: this.file, line: 1, column: 0 }
    return { file, line, column }
  }
}
