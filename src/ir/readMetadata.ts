/**
 * Reads what we keep of the metadata: source locations (DILocation, its scopes, its inlined-at chain) and where functions stand.
 * In: the IR text; out: shared {@link Location} objects by metadata number, read when first asked for, since a module has
 * many times more metadata than instructions that we ask about. Of the rest, readSourceTypes.ts reads aliasing.
 */
import type { Location } from './ir.ts'
import { decodeName, Lexer, TOKEN } from './lexer.ts'

/** What a scope says about the locations in it. */
interface Scope {
  readonly file: string
  /** Source name of the function. */
  readonly name: string
  readonly line: number
}

/** A specialised node: its name and those fields that are numbers, strings or references (`!5` as `5`). */
interface MetadataNode {
  readonly name: string
  readonly fields: ReadonlyMap<string, string>
}

const NO_SCOPE: Scope = { file: '', name: '', line: 0 }
const MAX_SCOPE_DEPTH = 1000
/** How a function of mathematics is mangled that LLVM does not see into (include/warplens/math/core.h, __WL_SIZED). */
export const OPAQUE = /^_Z(\d+)__wl_opaque_/

/** Where our device functions of mathematics are (include/warplens/math). */
const MATHEMATICS = '/warplens/math/'
/** Those there that are names for float of functions whose own names end with f: `erf(float)` is `erff`, which the machine's costs are known of. */
const OVERLOADS = '/warplens/math/overloads.h'

export class LocationTable {
  private readonly source: string
  private readonly lexer: Lexer
  /** Where the right-hand side of each `!N = ...` begins. */
  private readonly positions = new Map<number, number>()
  private readonly locations = new Map<number, Location | undefined>()
  private readonly parts = new Map<Location, Map<string, Location>>()
  private readonly scopes = new Map<number, Scope>()
  private readonly files = new Map<number, string>()

  constructor(text: string) {
    this.source = text
    this.lexer = new Lexer(text)
    for (let at = text.indexOf('\n!'); at !== -1; at = text.indexOf('\n!', at + 2)) {
      let end = at + 2
      let number = 0
      for (let code = text.charCodeAt(end); code >= 48 && code <= 57; code = text.charCodeAt(++end)) {
        number = number * 10 + code - 48
      }
      if (end > at + 2 && text.startsWith(' = ', end)) this.positions.set(number, end + 3)
    }
  }

  /** The text of a node, up to the end of its line. */
  text(number: number): string | undefined {
    const position = this.positions.get(number)
    return position === undefined ? undefined : this.source.slice(position, this.source.indexOf('\n', position))
  }

  /** The location of `!dbg !number`; undefined when that is no DILocation. A compiler-made line keeps line 0. */
  location(number: number): Location | undefined {
    const known = this.locations.get(number)
    if (known || this.locations.has(number)) return known
    // Chains of inlined calls are read without recursion: outermost last, then built from the outermost in.
    const chain: { number: number; fields: ReadonlyMap<string, string> }[] = []
    let inlinedAt: Location | undefined
    for (let next: number | undefined = number; next !== undefined; ) {
      if (this.locations.has(next)) {
        inlinedAt = this.locations.get(next)
        break
      }
      const node = this.node(next)
      if (node?.name !== 'DILocation') break
      this.locations.set(next, undefined)
      chain.push({ number: next, fields: node.fields })
      next = reference(node.fields.get('inlinedAt'))
    }
    for (const { number: id, fields } of chain.reverse()) {
      const scope = this.scope(reference(fields.get('scope')))
      if (inlinedAt && scope.file.includes(MATHEMATICS)) {
        // The user's line is that of the call; of functions that call each other the outermost is theirs.
        inlinedAt = inlinedAt.library
          ? inlinedAt
          : this.partOf(inlinedAt, scope.file.endsWith(OVERLOADS) ? `${scope.name}f` : scope.name)
        this.locations.set(id, inlinedAt)
        continue
      }
      inlinedAt = {
        file: scope.file,
        line: Number(fields.get('line') ?? 0),
        column: Number(fields.get('column') ?? 0),
        scope: scope.name,
        ...(inlinedAt && { inlinedAt }),
      }
      this.locations.set(id, inlinedAt)
    }
    return this.locations.get(number)
  }

  /** The location of a call, for what was inlined there; one object a call and function. */
  private partOf(call: Location, library: string): Location {
    let parts = this.parts.get(call)
    if (!parts) this.parts.set(call, (parts = new Map()))
    const part = parts.get(library) ?? { ...call, library }
    parts.set(library, part)
    return part
  }

  /** Where a function's DISubprogram says that it is defined. */
  subprogram(number: number): Location | undefined {
    if (this.node(number)?.name !== 'DISubprogram') return undefined
    const { file, name, line } = this.scope(number)
    return { file, line, column: 0, scope: name }
  }

  /** The scope of a DISubprogram, or of a lexical block within one. */
  private scope(number: number | undefined, depth = 0): Scope {
    if (number === undefined || depth > MAX_SCOPE_DEPTH) return NO_SCOPE
    const known = this.scopes.get(number)
    if (known) return known
    const node = this.node(number)
    if (!node) return NO_SCOPE
    const around = node.name === 'DISubprogram' ? NO_SCOPE : this.scope(reference(node.fields.get('scope')), depth + 1)
    const scope: Scope = {
      file: this.file(reference(node.fields.get('file'))) ?? around.file,
      name: node.name === 'DISubprogram' ? decodeName(node.fields.get('name') ?? '') : around.name,
      line: Number(node.fields.get('line') ?? 0),
    }
    this.scopes.set(number, scope)
    return scope
  }

  private file(number: number | undefined): string | undefined {
    if (number === undefined) return undefined
    const known = this.files.get(number)
    if (known !== undefined) return known
    const name = this.node(number)?.fields.get('filename')
    if (name === undefined) return undefined
    const file = decodeName(name)
    this.files.set(number, file)
    return file
  }

  /** Reads `[distinct] !Name(field: value, ...)`; undefined for tuples and for what is not there. */
  private node(number: number): MetadataNode | undefined {
    const position = this.positions.get(number)
    if (position === undefined) return undefined
    const { lexer } = this
    lexer.moveTo(position)
    lexer.skipWord('distinct')
    if (lexer.kind !== TOKEN.metadata || lexer.value === '') return undefined
    const name = lexer.value
    const fields = new Map<string, string>()
    lexer.advance()
    lexer.take(TOKEN.open, "'('")
    while (lexer.kind === TOKEN.label) {
      const field = lexer.value
      lexer.advance()
      fields.set(field, lexer.value)
      this.skipFieldValue()
      if (!lexer.skip(TOKEN.comma)) break
    }
    return { name, fields }
  }

  /** A value is one token, tokens joined by `|`, or a nested node. */
  private skipFieldValue(): void {
    const { lexer } = this
    for (;;) {
      if (lexer.kind === TOKEN.end) throw lexer.refuse('unfinished metadata')
      lexer.advance()
      if (lexer.kind === TOKEN.open) lexer.skipParentheses()
      if (!lexer.skip(TOKEN.bar)) return
    }
  }
}

function reference(field: string | undefined): number | undefined {
  if (field === undefined || field === '') return undefined
  const number = Number(field)
  return Number.isInteger(number) ? number : undefined
}

/** Would two locations be shown as the same source line of the same call? */
export function isSameLine(a: Location | undefined, b: Location | undefined): boolean {
  while (a && b) {
    if (a === b) return true
    if (a.line !== b.line || a.scope !== b.scope || a.file !== b.file) return false
    a = a.inlinedAt
    b = b.inlinedAt
  }
  return a === b
}
