/**
 * Copies of structures with gaps between their members (cuRAND's state): nvcc stores all members back where they were loaded, also those
 * that are what was loaded, unless all of it is in one block in the end (`State s = states[t]; for (…) next(&s); states[t] = s;`; PTX of
 * 30 kernels: structures without gaps keep the members that the program changes). LLVM of today drops such stores wherever they are.
 *
 * In: LLVM IR as clang writes it before any pass. Out: the same with a call in front of each such copy from a local variable, which says that
 * the place may have been written meanwhile ({@link markPaddedCopies}); and the result of the passes without it ({@link unmarkPaddedCopies}).
 * Those of one block are analysis/reusing/dropUnchangedStores.ts's.
 */
import { ALLOCA } from './copyTexts.ts'
import { END } from './functionTexts.ts'
import { metadataNodes } from './memberAliases.ts'

const WRITTEN = '__wl_written'
const COPY =
  /^( {2})(?:tail )?call void @llvm\.memcpy\.p0\.p0\.i32\(ptr (?:noundef )?(?:nonnull )?align \d+ ([%@](?:"[^"]+"|[\w.$-]+)), ptr (?:noundef )?(?:nonnull )?align \d+ (%(?:"[^"]+"|[\w.$-]+)), i32 (\d+), i1 false\)[^\n]*, !tbaa\.struct !(\d+)$/gm
const FIELD = /i64 (\d+), i64 (\d+), !\d+/g

export function markPaddedCopies(ir: string): string {
  if (!ir.includes('!tbaa.struct')) return ir
  const nodes = metadataNodes(ir)
  let isMarked = false
  const functions = ir.split(END).map(func => {
    if (!func.includes('!tbaa.struct')) return func
    const locals = new Set([...func.matchAll(ALLOCA)].map(([, name]) => name!))
    return func.replace(COPY, (copy, indent: string, to: string, from: string, bytes: string, node: string) => {
      if (!locals.has(from) || locals.has(to) || !hasGaps(nodes.get(Number(node)) ?? '', Number(bytes))) return copy
      isMarked = true
      return `${indent}call void @${WRITTEN}(ptr ${to})\n${copy}`
    })
  })
  const marked = functions.join(END)
  return isMarked ? `${marked}\ndeclare void @${WRITTEN}(ptr) nounwind willreturn memory(argmem: write)\n` : marked
}

function hasGaps(structure: string, bytes: number): boolean {
  let end = 0
  for (const [, offset, size] of structure.matchAll(FIELD)) {
    if (Number(offset) !== end) return true
    end = Number(offset) + Number(size)
  }
  return end !== bytes
}

export const unmarkPaddedCopies = (behind: string): string =>
  behind
    .replace(new RegExp(`^ .*\\bcall void @${WRITTEN}\\(.*\\n`, 'gm'), '')
    .replace(new RegExp(`^declare .*@${WRITTEN}\\(.*\\n`, 'm'), '')
