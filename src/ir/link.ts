/**
 * Links the device modules of several source files into one, as `nvcc -rdc=true` does; and as nvcc without it, what several files
 * define and none only declares (a header's `__constant__` table) is each file's own.
 * In: one module a file, unchanged afterwards. Out: one module in which every symbol is one object, with functions of its own.
 * External declarations become the definition, of weak definitions (templates, inline functions) the first stays, internal
 * symbols that share a name are renamed. Two strong definitions of what a third file declares, or of a kernel, or two kinds of one symbol, are the user's mistake.
 */
import { InternalError, type SourceRange, UserError, userError } from '../diagnostic.ts'
import { checkConstantMemory } from './constantMemory.ts'
import type { Constant, Func, Global, Instruction, Module, Value } from './ir.ts'
import { cloneBlocks, replaceOperands } from './operands.ts'
import { formatType, SPACE, sameType } from './types.ts'

type ModuleSymbol = Func | Global

export interface LinkedModule extends Module {
  /** For each input module, by the file it comes from, the internal symbols that have another name now. */
  readonly renamed: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Whether a file uses what another defines: nvcc makes such programs of relocatable code only. */
  readonly sharesSymbols: boolean
}

/** In: modules, and the file that each comes from. Throws UserError `duplicate-symbol`, `symbol-mismatch` or `constant-too-large`. */
export function linkModules(modules: readonly Module[], files: readonly string[]): LinkedModule {
  checkConstantMemory(modules, files)
  const repeated = definedInEach(modules)
  const isOwn = (symbol: ModuleSymbol): boolean => isPrivate(symbol) || repeated.has(linkName(symbol))
  const chosen = new Map<string, ModuleSymbol>()
  for (const module of modules) {
    for (const symbol of symbolsOf(module)) {
      if (isOwn(symbol)) continue
      const key = linkName(symbol)
      const known = chosen.get(key)
      chosen.set(key, known ? choose(known, symbol) : symbol)
    }
  }
  const taken = new Set([...chosen.values()].map(symbol => symbol.name))
  const linked = new Linker()
  const renamed = modules.map((module, index) => {
    const names = new Map<string, string>()
    for (const symbol of symbolsOf(module)) {
      const target = isOwn(symbol) ? symbol : chosen.get(linkName(symbol))!
      let { name } = target
      if (isOwn(target)) {
        for (let i = 1; taken.has(name); i++) name = `${symbol.name}.${i}`
        taken.add(name)
        if (name !== symbol.name) names.set(symbol.name, name)
      }
      linked.add(symbol, target, name)
    }
    return [files[index]!, names] as const
  })
  const isShared = (symbol: ModuleSymbol): boolean =>
    !isDefined(symbol) && !isOwn(symbol) && isDefined(chosen.get(linkName(symbol))!)
  const sharesSymbols = modules.some(module => symbolsOf(module).some(isShared))
  return { ...linked.finish(), renamed: new Map(renamed), sharesSymbols }
}

/** For relocatable code: its shared variables, but for dynamic ones, lie where nvlink puts them (analysis/facts/layout.ts). */
export function leavePlacesToLinker({ globals }: Module): void {
  for (const global of globals as { -readonly [K in keyof Global]: Global[K] }[])
    if (global.space === SPACE.shared && !global.external && !global.reserved) global.placedByLinker = true
}

/**
 * clang makes the static kernels and variables of a file external, so that the host can reach them; their names still say
 * that they are the file's own: `_ZL`, and parts of a name behind `L` or in an unnamed namespace (`_ZN3libL1kEPi`).
 */
function isPrivate({ linkage, name }: ModuleSymbol): boolean {
  return linkage === 'internal' || name.startsWith('_ZL') || hasPrivatePart(name)
}

/** Source: Itanium C++ ABI, "Name Mangling", <nested-name>. Arguments of templates, and what follows them, are not read. */
function hasPrivatePart(name: string): boolean {
  let rest = /^_ZN[rVK]*(?:St)?(.*)/.exec(name)?.[1] ?? ''
  for (;;) {
    const part = /^(L?)([1-9]\d*)/.exec(rest)
    if (!part) return false
    const start = part[0].length
    const end = start + Number(part[2])
    if (part[1] === 'L' || rest.slice(start, end) === '_GLOBAL__N_1') return true
    rest = rest.slice(end)
  }
}

/**
 * The names that more than one file defines and no file only declares, but for kernels, which the host knows by one name. Without
 * relocatable code each file's device side is a program of its own.
 */
function definedInEach(modules: readonly Module[]): ReadonlySet<string> {
  const definitions = new Map<string, number>()
  const shared = new Set<string>()
  for (const symbol of modules.flatMap(symbolsOf)) {
    if (isPrivate(symbol)) continue
    const name = linkName(symbol)
    const isKernel = symbol.kind === 'function' && symbol.isKernel
    if (isKernel || symbol.linkage === 'weak' || !isDefined(symbol)) shared.add(name)
    definitions.set(name, (definitions.get(name) ?? 0) + 1)
  }
  return new Set([...definitions].filter(([name, count]) => count > 1 && !shared.has(name)).map(([name]) => name))
}

/**
 * A kernel made from a template: clang, compiling one file at a time, makes its linkage strong, where the language has one such
 * function however many files use it. Its mangled name has arguments (`I...E`) and, as only such names do, the type `v` it returns.
 */
function isInstance(symbol: ModuleSymbol): boolean {
  return symbol.kind === 'function' && symbol.isKernel && /^_Z.*I.*EE?v/.test(symbol.name)
}

function symbolsOf(module: Module): ModuleSymbol[] {
  return [...module.globals, ...module.functions]
}

function isDefined(symbol: ModuleSymbol): boolean {
  return symbol.kind === 'function' ? symbol.blocks.length > 0 : !symbol.external
}

/** Inline assembly stands under its text, once for each signature; everything else under its name. */
function linkName(symbol: ModuleSymbol): string {
  if (symbol.kind === 'global' || !symbol.name.startsWith('asm:')) return symbol.name
  const types = symbol.parameters.map(parameter => formatType(parameter.type))
  return `${formatType(symbol.returnType)}(${types.join()})${symbol.name}`
}

/** Which of two symbols of one name the program gets. */
function choose(known: ModuleSymbol, other: ModuleSymbol): ModuleSymbol {
  if (!agrees(known, other)) {
    throw userError('symbol-mismatch', `two files declare '${other.name}' differently`, rangeOf(other), [
      `one as ${describe(known)}`,
      `one as ${describe(other)}`,
    ])
  }
  if (!isDefined(other)) return known
  if (!isDefined(known)) return other
  if (other.linkage === 'weak') return known
  if (known.linkage === 'weak') return other
  if (isInstance(known) && isInstance(other)) return known
  const range = rangeOf(other)
  const first = rangeOf(known)
  throw new UserError({
    code: 'duplicate-symbol',
    severity: 'error',
    message: `'${other.name}' is defined in two files`,
    ...(range && { range }),
    ...(first && { notes: [`first defined at ${first.file}:${first.line}`] }),
  })
}

/** Arrays without a length agree with those that have one. */
function agrees(a: ModuleSymbol, b: ModuleSymbol): boolean {
  if (a.kind === 'global') return b.kind === 'global' && a.space === b.space
  return (
    b.kind === 'function' &&
    a.variadic === b.variadic &&
    sameType(a.returnType, b.returnType) &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((parameter, i) => sameType(parameter.type, b.parameters[i]!.type))
  )
}

function describe(symbol: ModuleSymbol): string {
  if (symbol.kind === 'global') return `a variable in address space ${symbol.space}`
  const types = symbol.parameters.map(parameter => formatType(parameter.type))
  return `a function ${formatType(symbol.returnType)}(${types.join(', ')})`
}

function rangeOf(symbol: ModuleSymbol): SourceRange | undefined {
  const location = symbol.kind === 'function' ? symbol.location : undefined
  return location && { file: location.file, line: location.line, column: location.column }
}

/** Makes the new symbols, then fills them with code and initialisers that refer to the new ones. */
class Linker {
  private readonly replacements = new Map<ModuleSymbol, ModuleSymbol>()
  private readonly copies = new Map<ModuleSymbol, { -readonly [K in keyof Global]: Global[K] } | Func>()
  private readonly constants = new Map<Constant, Constant>()

  /** `symbol` of an input module becomes the copy of `target`, under `name`. */
  add(symbol: ModuleSymbol, target: ModuleSymbol, name: string): void {
    let copy = this.copies.get(target)
    if (!copy) {
      copy =
        target.kind === 'function'
          ? { ...target, name, parameters: target.parameters.map(p => ({ ...p })) }
          : { ...target, name }
      this.copies.set(target, copy)
    }
    this.replacements.set(symbol, copy)
  }

  finish(): Module {
    const module: Module = { globals: [], functions: [] }
    for (const [original, copy] of this.copies) {
      if (copy.kind === 'global') {
        if (copy.initializer) copy.initializer = this.constant(copy.initializer)
        module.globals.push(copy)
      } else if (original.kind === 'function') {
        const values = new Map<Value, Value>(
          original.parameters.map((parameter, i) => [parameter, copy.parameters[i]!]),
        )
        copy.blocks = cloneBlocks(original.blocks, values)
        for (const block of copy.blocks) for (const instruction of block.instructions) this.relink(instruction)
        module.functions.push(copy)
      }
    }
    return module
  }

  private relink(instruction: Instruction): void {
    if (instruction.op === 'call' && instruction.callee.kind === 'function') {
      const callee = this.symbol(instruction.callee)
      if (callee.kind !== 'function') throw new InternalError(`@${callee.name} is no function`)
      instruction.callee = callee
    }
    replaceOperands(instruction, value =>
      value.kind === 'instruction' || value.kind === 'parameter' ? value : this.constant(value),
    )
  }

  private symbol(symbol: ModuleSymbol): ModuleSymbol {
    const replacement = this.replacements.get(symbol)
    if (!replacement) throw new InternalError(`@${symbol.name} is in no module`)
    return replacement
  }

  private constant(constant: Constant): Constant {
    const known = this.constants.get(constant)
    if (known) return known
    const relinked = this.relinkConstant(constant)
    this.constants.set(constant, relinked)
    return relinked
  }

  private relinkConstant(constant: Constant): Constant {
    switch (constant.kind) {
      case 'address':
        return { ...constant, target: this.symbol(constant.target) }
      case 'aggregate': {
        const elements = constant.elements.map(element => this.constant(element))
        return elements.every((element, i) => element === constant.elements[i]) ? constant : { ...constant, elements }
      }
      case 'expression':
        return { ...constant, operands: constant.operands.map(operand => this.constant(operand)) }
      default:
        return constant
    }
  }
}
