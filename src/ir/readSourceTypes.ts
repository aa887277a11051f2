/**
 * What clang's aliasing metadata (TBAA) says of the source's type of an access: whether it is, or is a member of a structure
 * with, one that has 8 bytes on the machine and 4 here (`long`, `size_t`, pointers; docs/architecture.md, decision 2), whether it has one
 * at all, which what a copy moves between the members has not, and which member of which structure it is (`a.x`), as
 * frontend/passes/memberAliases.ts writes them. In: the text of metadata nodes by number. Node forms: an access `!{base, type, offset}`, a scalar type
 * `!{"long", parent, 0}`, a structure `!{"name", member, offset, ...}`, a copy's `!{offset, size, access, ...}`.
 */
import type { CopiedMember, SourceMember } from './ir.ts'

const NARROWED = /^!\{!"(long|unsigned long|any pointer|vtable pointer)"/
const ACCESS = /^!\{!(\d+), !(\d+), i64 (\d+)/
const MEMBER = /i64 (\d+), i64 (\d+), !\d+/g
const NAME = /^!\{!"([^"]*)"/
const LIMIT = 1000
/** Bytes of types that clang names, but for those that the machine has wider. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ['short', 2],
  ['int', 4],
  ['float', 4],
  ['long long', 8],
  ['double', 8],
])

export class SourceTypes {
  private readonly known = new Map<number, boolean>()
  private readonly textOf: (node: number) => string | undefined

  constructor(textOf: (node: number) => string | undefined) {
    this.textOf = textOf
  }

  /** access: the number of an access's node; bytes: what is accessed. LLVM gives the last byte of a copied word the word's type. */
  isKnown(access: number, bytes: number): boolean {
    const known = this.accessOf(access)
    if (known === undefined) return false
    const [, name] = NAME.exec(this.textOf(known.type) ?? '') ?? []
    const whole = WORDS.get(name ?? '')
    return whole === undefined || bytes >= whole
  }

  /** What the source names as a member of a structure (`a.x`), and not as a whole. */
  memberOf(access: number): SourceMember | undefined {
    const known = this.accessOf(access)
    if (known === undefined || known.base === known.type) return undefined
    const [, structure] = NAME.exec(this.textOf(known.base) ?? '') ?? []
    return structure === undefined ? undefined : { structure, place: known.offset }
  }

  /** copy: the number of a copy's node. */
  membersOf(copy: number): readonly CopiedMember[] | undefined {
    const members = [...(this.textOf(copy) ?? '').matchAll(MEMBER)]
    return members.length === 0
      ? undefined
      : members.map(([, offset, bytes]) => ({ offset: Number(offset), bytes: Number(bytes) }))
  }

  private accessOf(node: number): { base: number; type: number; offset: number } | undefined {
    const [, base, type, offset] = (ACCESS.exec(this.textOf(node) ?? '') ?? []).map(Number)
    return base === undefined || type === undefined || offset === undefined ? undefined : { base, type, offset }
  }

  isNarrowed(node: number, depth = 0): boolean {
    const before = this.known.get(node)
    if (before !== undefined) return before
    this.known.set(node, false)
    const text = this.textOf(node) ?? ''
    const parts = [...text.matchAll(/!(\d+)/g)].map(([, number]) => Number(number))
    const is = NARROWED.test(text) || (depth < LIMIT && parts.some(part => this.isNarrowed(part, depth + 1)))
    this.known.set(node, is)
    return is
  }
}
