/**
 * Reads what surrounds names in the headers of globals and functions: linkage, parameters, and what stands behind those.
 * In: a lexer within a header; out: the part that the IR keeps, the lexer behind it.
 */
import type { Linkage, Location, Parameter, Type } from './ir.ts'
import { type Lexer, TOKEN } from './lexer.ts'
import { readFunctionAttribute, readParameterAttributes } from './readAttributes.ts'
import type { LocationTable } from './readMetadata.ts'
import type { TypeReader } from './readTypes.ts'
import { alignOf } from './types.ts'

/** Linkage, visibility and the like, before `global`, `constant` or a return type. */
export const HEADER_WORDS: ReadonlyMap<string, Linkage | undefined> = new Map<string, Linkage | undefined>([
  ...['private', 'internal'].map((word): [string, Linkage] => [word, 'internal']),
  ...['available_externally', 'linkonce', 'linkonce_odr', 'weak', 'weak_odr', 'common', 'extern_weak'].map(
    (word): [string, Linkage] => [word, 'weak'],
  ),
  ...['appending', 'external', 'dso_local', 'dso_preemptable', 'default', 'hidden', 'protected'].map(
    (word): [string, undefined] => [word, undefined],
  ),
  ...['dllimport', 'dllexport', 'unnamed_addr', 'local_unnamed_addr', 'externally_initialized'].map(
    (word): [string, undefined] => [word, undefined],
  ),
])

/** The tables of the module that a header may mention. */
export interface HeaderTables {
  readonly lexer: Lexer
  readonly types: TypeReader
  readonly locations: LocationTable
  readonly attributeGroups: ReadonlyMap<string, ReadonlySet<string>>
}

export interface FunctionProperties {
  readonly attributes: ReadonlySet<string>
  readonly location: Location | undefined
}

/** `(type attributes %name, ...)`. */
export function readParameters(lexer: Lexer, types: TypeReader): { parameters: Parameter[]; variadic: boolean } {
  const parameters: Parameter[] = []
  let variadic = false
  let unnamed = 0
  lexer.take(TOKEN.open, "'('")
  if (lexer.skip(TOKEN.close)) return { parameters, variadic }
  do {
    if (lexer.skipWord('...')) {
      variadic = true
      break
    }
    const type = lexer.is('metadata') ? skipMetadataType(lexer) : types.read()
    const { byval, align, noalias } = readParameterAttributes(lexer, types)
    const name = lexer.kind === TOKEN.local ? lexer.take(TOKEN.local, 'a name') : String(unnamed)
    if (name === String(unnamed)) unnamed++
    const index = parameters.length
    parameters.push({
      ...{ kind: 'parameter', type, name, index },
      ...(byval && { byval: { type: byval, align: align ?? alignOf(byval) } }),
      ...(noalias && { noalias }),
    })
  } while (lexer.skip(TOKEN.comma))
  lexer.take(TOKEN.close, "')'")
  return { parameters, variadic }
}

/** Only declarations of intrinsics have such parameters; no call that we keep passes them. */
function skipMetadataType(lexer: Lexer): Type {
  lexer.advance()
  return { kind: 'void' }
}

/** What stands behind the parameters, up to the body or the next line. */
export function readFunctionProperties(tables: HeaderTables, isDefinition: boolean): FunctionProperties {
  const { lexer } = tables
  let group: ReadonlySet<string> | undefined
  const own = new Set<string>()
  let location: Location | undefined
  while (lexer.kind !== TOKEN.end && (isDefinition || !lexer.startsLine)) {
    if (lexer.kind === TOKEN.openBrace) break
    if (lexer.kind === TOKEN.attribute) {
      group = tables.attributeGroups.get(lexer.value)
      if (!group) throw lexer.refuse('unknown attributes')
      lexer.advance()
    } else if (lexer.kind === TOKEN.metadata) {
      const kind = lexer.value
      lexer.advance()
      const node = lexer.take(TOKEN.metadata, 'metadata')
      if (kind === 'dbg') location = tables.locations.subprogram(Number(node))
    } else if (lexer.is('personality') || lexer.is('prefix') || lexer.is('prologue')) {
      throw lexer.refuse(`unsupported function property '${lexer.value}'`)
    } else if (lexer.is('section') || lexer.is('partition') || lexer.is('gc')) {
      lexer.advance()
      lexer.take(TOKEN.string, 'a name')
    } else if (lexer.is('addrspace')) tables.types.readAddressSpace()
    else if (lexer.kind === TOKEN.word || lexer.kind === TOKEN.string) readFunctionAttribute(lexer, own)
    else throw lexer.refuse('unsupported function property')
  }
  for (const attribute of group ?? []) own.add(attribute)
  return { attributes: own, location }
}
