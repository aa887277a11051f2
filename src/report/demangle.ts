/**
 * Kernel names as people and Nsight Compute write them, from the mangled names of the Itanium C++ ABI (section 5.1).
 * In: `_Z13transposeSmemILi0EEvPfPKfii`. Out: `void transposeSmem<(int)0>(float *, const float *, int, int)` and its
 * short forms. As ncu does, parameters whose type is a template parameter are written T1, T2, ..., and a literal template
 * argument carries its type. A name that we cannot read comes back as it is: a name is never a reason to fail.
 */
import { vectorsAsWritten } from '../frontend/sizes/wideLongs.ts'
import { bytesOfText, textOfBytes } from '../ir/byteNames.ts'
import { binaryOperators, builtinTypes, builtinTypesD, operators, standardNames } from './demangleTables.ts'

/** The spellings of one function's name. For an `extern "C"` or unreadable name all of them are the name itself. */
export interface KernelName {
  /** Return type of a template, name, template arguments with types, parameters: ncu's "Kernel Name" in full. */
  readonly full: string
  /** Name and template arguments, literals without types: `transposeSmem<0>`. */
  readonly short: string
  /** Neither scope nor template arguments nor parameters: what ncu's `-k NAME` compares with. */
  readonly base: string
}

export function demangle(mangled: string): KernelName {
  const plain = { full: mangled, short: mangled, base: mangled }
  if (!mangled.startsWith('_Z')) return plain
  // Lengths in it are of bytes.
  const bytes = bytesOfText(mangled)
  const full = tryEncoding(bytes, true)
  const short = tryEncoding(bytes, false)
  return full && short
    ? {
        full: textOfBytes(vectorsAsWritten(full.text)),
        short: textOfBytes(vectorsAsWritten(short.name)),
        base: textOfBytes(short.base),
      }
    : plain
}

/** A declarator: a type's text before and after the thing it declares (`int (*` and `)[4]`). */
interface Node {
  readonly left: string
  readonly right: string
}

interface Encoding {
  readonly text: string
  readonly name: string
  readonly base: string
}

interface Name {
  readonly text: string
  /** Last component without template arguments. */
  readonly base: string
  /** The name ends in template arguments, so that an encoding begins with the return type. */
  readonly isTemplate: boolean
  /** cv- and ref-qualifiers of a member function. */
  readonly qualifiers: string
}

/** Thrown and caught in this file only: the grammar does not cover the name. */
class Unreadable extends Error {}

function tryEncoding(mangled: string, casts: boolean): Encoding | undefined {
  const reader = new Reader(mangled, casts)
  try {
    reader.expect('_Z')
    const encoding = reader.encoding()
    return reader.atEnd() || reader.peek() === '.' ? encoding : undefined
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

class Reader {
  private at = 0
  private depth = 0
  private readonly substitutions: Node[] = []

  constructor(
    private readonly input: string,
    /** Write the type of a literal template argument before it. */
    private readonly casts: boolean,
  ) {}

  atEnd(): boolean {
    return this.at >= this.input.length
  }

  peek(length = 1): string {
    return this.input.slice(this.at, this.at + length)
  }

  expect(text: string): void {
    if (!this.take(text)) throw new Unreadable()
  }

  /** <encoding> ::= <name> [<return type>] <parameter type>+ */
  encoding(): Encoding {
    const name = this.name()
    if (this.atEnd() || this.peek() === 'E' || this.peek() === '.') return { ...name, name: name.text, text: name.text }
    const result = name.isTemplate ? this.type() : undefined
    const parameters = this.parameters(() => this.atEnd() || this.peek() === 'E' || this.peek() === '.')
    const declaration = `${name.text}(${parameters})${name.qualifiers}`
    const text = result ? join(result, declaration) : declaration
    return { text, name: name.text, base: name.base }
  }

  private take(text: string): boolean {
    if (!this.input.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  private next(length = 1): string {
    const text = this.peek(length)
    if (text.length < length) throw new Unreadable()
    this.at += length
    return text
  }

  private digits(): string {
    const start = this.at
    while (/[0-9]/.test(this.peek())) this.at++
    return this.input.slice(start, this.at)
  }

  private remember(node: Node): Node {
    this.substitutions.push(node)
    return node
  }

  private parameters(end: () => boolean): string {
    const types: string[] = []
    while (!end()) types.push(text(this.type()))
    return types.length === 1 && types[0] === 'void' ? '' : types.join(', ')
  }

  // ------------------------------------------------------------ names

  /** <name>: nested, local, or unscoped, with its template arguments. */
  private name(): Name {
    if (this.peek() === 'N') return this.nestedName()
    if (this.peek() === 'Z') return this.localName()
    let base: string
    let scoped: string
    if (this.peek() === 'S' && this.peek(2) !== 'St') {
      scoped = text(this.substitution())
      base = scoped
    } else {
      const scope = this.take('St') ? 'std::' : ''
      base = this.unqualifiedName('')
      scoped = scope + base
      if (this.peek() === 'I') this.remember({ left: scoped, right: '' })
    }
    if (this.peek() !== 'I') return { text: scoped, base, isTemplate: false, qualifiers: '' }
    return { text: scoped + this.templateArguments(), base, isTemplate: true, qualifiers: '' }
  }

  /** N [cv] [ref] <prefix>* <unqualified-name> [<template-args>] E; each prefix can be substituted later. */
  private nestedName(): Name {
    this.expect('N')
    let qualifiers = ''
    for (;;) {
      if (this.take('K')) qualifiers = ` const${qualifiers}`
      else if (this.take('V')) qualifiers = ` volatile${qualifiers}`
      else if (this.take('r')) continue
      else break
    }
    if (this.take('R')) qualifiers += ' &'
    else if (this.take('O')) qualifiers += ' &&'
    let soFar = ''
    let base = ''
    let isTemplate = false
    while (!this.take('E')) {
      if (this.peek() === 'I') {
        soFar += this.templateArguments()
        isTemplate = true
      } else if (this.peek() === 'S' && this.peek(2) !== 'St') {
        soFar = text(this.substitution())
        base = soFar
        continue
      } else if (this.take('St')) {
        soFar = 'std'
        continue
      } else if (this.peek() === 'T') {
        soFar = this.templateParameter()
        base = soFar
      } else {
        base = this.unqualifiedName(base)
        soFar += (soFar && '::') + base
        isTemplate = false
      }
      this.remember({ left: soFar, right: '' })
    }
    if (!soFar) throw new Unreadable()
    this.substitutions.pop()
    return { text: soFar, base, isTemplate, qualifiers }
  }

  /** Z <encoding> E <entity>: something inside a function. */
  private localName(): Name {
    this.expect('Z')
    const outer = this.encoding()
    this.expect('E')
    if (this.take('s')) return { text: outer.text, base: outer.base, isTemplate: false, qualifiers: '' }
    if (this.take('d')) {
      this.digits()
      this.expect('_')
    }
    const inner = this.name()
    if (this.take('__')) {
      this.digits()
      this.expect('_')
    } else if (this.take('_')) this.digits()
    return { ...inner, text: `${outer.text}::${inner.text}` }
  }

  private unqualifiedName(enclosing: string): string {
    this.take('L')
    const next = this.peek()
    let name: string
    if (/[0-9]/.test(next)) {
      name = this.next(Number(this.digits()))
      if (name.startsWith('_GLOBAL__N')) name = '(anonymous namespace)'
    } else if (this.take('Ul')) {
      const parameters = this.parameters(() => this.peek() === 'E')
      this.expect('E')
      name = `[lambda(${parameters}) (instance ${this.ordinal()})]`
    } else if (this.take('Ut')) name = `[unnamed type (instance ${this.ordinal()})]`
    else if (next === 'C' || next === 'D') {
      const kind = this.next(2)
      if (!/^[CD][0-5]$/.test(kind)) throw new Unreadable()
      name = (next === 'D' ? '~' : '') + enclosing
    } else if (this.take('cv')) name = `operator ${text(this.type())}`
    else if (this.take('li')) name = `operator"" ${this.next(Number(this.digits()))}`
    else {
      const operator = operators[this.next(2)]
      if (operator === undefined) throw new Unreadable()
      name = `operator${operator}`
    }
    while (this.take('B')) name += `[abi:${this.next(Number(this.digits()))}]`
    return name
  }

  /** [<number>] _ : none is the first, 0 the second. */
  private ordinal(): number {
    const digits = this.digits()
    this.expect('_')
    return digits === '' ? 1 : Number(digits) + 2
  }

  // ------------------------------------------------------------ types

  private type(): Node {
    if (++this.depth > 200) throw new Unreadable()
    const node = this.typeAt(this.peek())
    this.depth--
    return node
  }

  private typeAt(letter: string): Node {
    const builtin = builtinTypes[letter]
    if (builtin !== undefined) {
      this.at++
      return { left: builtin, right: '' }
    }
    switch (letter) {
      case 'P':
        return this.remember(this.pointer('*'))
      case 'R':
        return this.remember(this.pointer('&'))
      case 'O':
        return this.remember(this.pointer('&&'))
      case 'r':
      case 'V':
      case 'K':
        return this.remember(this.qualified())
      case 'F':
        return this.remember(this.functionType())
      case 'A':
        return this.remember(this.arrayType())
      case 'M': {
        this.at++
        const scope = text(this.type())
        const member = this.type()
        return this.remember({
          left: `${member.left}${isFunction(member) ? ' (' : ' '}${scope}::*`,
          right: isFunction(member) ? `)${member.right}` : member.right,
        })
      }
      case 'T': {
        const parameter: Node = { left: this.templateParameter(), right: '' }
        this.remember(parameter)
        return this.peek() === 'I'
          ? this.remember({ left: parameter.left + this.templateArguments(), right: '' })
          : parameter
      }
      case 'U': {
        this.at++
        const qualifier = this.next(Number(this.digits()))
        if (this.peek() === 'I') this.templateArguments()
        const node = this.type()
        // Address space qualifiers (U3AS1) are not written in CUDA source.
        return this.remember(
          /^AS\d+$/.test(qualifier) ? node : { left: `${node.left} ${qualifier}`, right: node.right },
        )
      }
      case 'u':
        this.at++
        return this.remember({ left: this.next(Number(this.digits())), right: '' })
      case 'D':
        return this.typeD()
      case 'S':
        if (this.peek(2) !== 'St') {
          const node = this.substitution()
          return this.peek() === 'I' ? this.remember({ left: text(node) + this.templateArguments(), right: '' }) : node
        }
    }
    return this.remember({ left: this.name().text, right: '' })
  }

  private typeD(): Node {
    const two = this.peek(2)
    const builtin = builtinTypesD[two]
    if (builtin !== undefined) {
      this.at += 2
      return { left: builtin, right: '' }
    }
    if (this.take('Dp')) {
      const node = this.type()
      return { left: `${node.left}...`, right: node.right }
    }
    if (this.take('DF16b')) return { left: '__nv_bfloat16', right: '' }
    if (this.take('DF16_')) return { left: '_Float16', right: '' }
    // What `long` is compiled as where a program tells it from `long long` (frontend/sizes/wideLongs.ts).
    if (this.take('DB64_')) return this.remember({ left: 'long', right: '' })
    if (this.take('DU64_')) return this.remember({ left: 'unsigned long', right: '' })
    if (this.take('Dv')) {
      const length = this.digits()
      this.expect('_')
      return this.remember({ left: `${text(this.type())} vector[${length}]`, right: '' })
    }
    if (this.take('Do')) return this.type() // noexcept function type
    throw new Unreadable()
  }

  private pointer(sign: string): Node {
    this.at++
    const target = this.type()
    if (isFunction(target) || target.right.startsWith('[') || target.right.startsWith(' ['))
      return { left: `${target.left} (${sign}`, right: `)${target.right.trimStart()}` }
    const space = /[*&(]$/.test(target.left) ? '' : ' '
    return { left: target.left + space + sign, right: target.right }
  }

  private qualified(): Node {
    let words = ''
    for (;;) {
      if (this.take('r')) words += ''
      else if (this.take('V')) words = ` volatile${words}`
      else if (this.take('K')) words = ` const${words}`
      else break
    }
    const target = this.type()
    if (words === '') return target
    if (isFunction(target)) return { left: target.left, right: target.right + words } // of a member function
    if (/[*&]$/.test(target.left)) return { left: target.left + words.trimStart(), right: target.right }
    return { left: `${words.trimStart()} ${target.left}`, right: target.right }
  }

  private functionType(): Node {
    this.expect('F')
    this.take('Y')
    const result = this.type()
    const parameters = this.parameters(() => this.peek() === 'E' || this.atEnd())
    this.expect('E')
    return { left: result.left, right: `(${parameters})${result.right}` }
  }

  private arrayType(): Node {
    this.expect('A')
    const length = /[0-9_]/.test(this.peek()) ? this.digits() : this.expression()
    this.expect('_')
    const element = this.type()
    return { left: element.left, right: `[${length}]${element.right}` }
  }

  /** T_ is the first template parameter, T0_ the second: written T1, T2 as Nsight Compute does. */
  private templateParameter(): string {
    this.expect('T')
    return `T${this.ordinal()}`
  }

  private templateArguments(): string {
    this.expect('I')
    const list: string[] = []
    while (!this.take('E')) list.push(...this.templateArgument())
    return `<${list.join(', ')}>`
  }

  private templateArgument(): string[] {
    if (this.take('J')) {
      const pack: string[] = []
      while (!this.take('E')) pack.push(...this.templateArgument())
      return pack
    }
    // A declaration of the parameter that this argument is for, where the argument alone would be ambiguous: not written.
    if (this.take('Tn')) this.type()
    else this.take('Ty')
    if (this.take('X')) {
      const expression = this.expression()
      this.expect('E')
      return [expression]
    }
    return [this.peek() === 'L' ? this.expression() : text(this.type())]
  }

  /** The forms that template arguments of real kernels have: literals, parameters, sizeof, binary operators. */
  private expression(): string {
    if (this.take('L')) return this.literal()
    if (this.peek() === 'T') return this.templateParameter()
    if (this.take('st')) return `sizeof(${text(this.type())})`
    if (this.take('sZ')) return `sizeof...(${this.templateParameter()})`
    if (this.take('ad')) return `&${this.expression().replace(/^&/, '')}`
    const code = this.next(2)
    const operator = operators[code]
    if (operator === undefined || !binaryOperators.has(code)) throw new Unreadable()
    const left = this.expression()
    return `(${left} ${operator} ${this.expression()})`
  }

  private literal(): string {
    if (this.take('_Z')) {
      const encoding = this.encoding()
      this.expect('E')
      return `&${encoding.name}`
    }
    const type = text(this.type())
    const end = this.input.indexOf('E', this.at)
    if (end < 0) throw new Unreadable()
    const value = this.next(end - this.at).replace(/^n/, '-')
    this.expect('E')
    return this.casts ? `(${type})${value}` : value
  }

  /** S_, S0_, ... in base 36, or a standard library abbreviation. */
  private substitution(): Node {
    this.expect('S')
    const standard = standardNames[this.peek()]
    if (standard !== undefined) {
      this.at++
      return { left: standard, right: '' }
    }
    const start = this.at
    while (/[0-9A-Z]/.test(this.peek())) this.at++
    const digits = this.input.slice(start, this.at)
    this.expect('_')
    const node = this.substitutions[digits === '' ? 0 : Number.parseInt(digits, 36) + 1]
    if (node === undefined) throw new Unreadable()
    return node
  }
}

function isFunction(node: Node): boolean {
  return node.right.startsWith('(')
}

function text(node: Node): string {
  return node.left + (isFunction(node) || node.right.startsWith('[') ? ' ' : '') + node.right
}

function join(type: Node, declaration: string): string {
  return `${type.left}${/[*&(]$/.test(type.left) ? '' : ' '}${declaration}${type.right}`
}
