/** What `__attribute__((annotate(…)))` leaves in LLVM IR (keywords.h). In: the IR. Out: the same without some. */

const LIST =
  /^@llvm\.global\.annotations = appending global \[\d+ x (\{[^}]*\})\] \[(.*)\](, section "llvm\.metadata")\n/m
const ENTRY =
  /\{ ptr, ptr, ptr, i32, ptr \} \{ ptr (?:addrspacecast \(ptr addrspace\((\d+)\) )?(@(?:"[^"]+"|[\w.$-]+))[^{}]*\}/g
/** `__constant__` variables have annotations too. */
const SHARED_SPACE = '3'

/** The shared variables that have one, with their `@`. */
export function annotatedShared(ir: string): string[] {
  const entries = [...(LIST.exec(ir)?.[2] ?? '').matchAll(ENTRY)]
  return entries.filter(([, space]) => space === SHARED_SPACE).map(([, , name]) => name!)
}

export function withoutAnnotations(ir: string, variables: ReadonlySet<string>): string {
  if (variables.size === 0) return ir
  return ir.replace(LIST, (_, type: string, list: string, section: string) => {
    const kept = [...list.matchAll(ENTRY)].filter(([, , name]) => !variables.has(name!)).map(([entry]) => entry)
    if (kept.length === 0) return ''
    return `@llvm.global.annotations = appending global [${kept.length} x ${type}] [${kept.join(', ')}]${section}\n`
  })
}
