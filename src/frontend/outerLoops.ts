/**
 * Loops around loops: nvcc writes out the inner one only, LLVM of today both, and lanes of a warp with different numbers of outer rounds
 * then meet at other places (PTX of 40 nests; reading: scripts/fidelity/cases/machine_nests.json, and of two programs of PolyBench).
 * LLVM has no switch for it, and which loops are still around others when it writes them out is known only afterwards. In: the sources and
 * the IR that clang made of them. Out: the sources with such loops marked to stay (keywords.h); lines stay where they are.
 */
import { type Loop, loops, terminatorOf } from '../ir/graph.ts'
import type { CondBrInstruction, Func, Location } from '../ir/ir.ts'
import { readModule } from '../ir/read.ts'
import type { FileTree } from './clang.ts'
import { resolvePath } from './paths.ts'
import { repairSource } from './virtualFiles.ts'
import { isOwn, withoutTexts } from './wideLongs.ts'

const STAYS = '__wl_stays'

/** Undefined where LLVM wrote out no loop that is around another one. */
export function keepOuterLoops(
  files: FileTree,
  ir: { readonly file: string; readonly text: string },
  workingDirectory: string,
): FileTree | undefined {
  if (!hasWrittenOut(ir.text)) return undefined
  const { functions } = readModule(ir.text, ir.file)
  const places = functions.some(writesOutOuter) ? functions.flatMap(outerLoops) : []
  const names = new Map(Object.keys(files).map(path => [resolvePath(workingDirectory, path), path]))
  const found = new Map<string, Map<number, Location>>()
  for (const place of places) {
    const path = names.get(resolvePath(workingDirectory, place.file))
    if (path === undefined || !isOwn(path, files[path]!)) continue
    const ofFile = found.get(path) ?? new Map<number, Location>()
    found.set(path, ofFile.set(place.line * MOST_COLUMNS + place.column, place))
  }
  const result: Record<string, string | Uint8Array> = { ...files }
  let isChanged = false
  for (const [path, ofFile] of found) {
    let text = repairSource(files[path] as string)
    const before = text
    // From the last to the first: what is inserted moves what is behind it.
    for (const [, place] of [...ofFile].sort(([a], [b]) => b - a)) text = marked(text, place)
    if (text === before) continue
    result[path] = text
    isChanged = true
  }
  return isChanged ? result : undefined
}

const MOST_COLUMNS = 1 << 20

/** Cheaper than reading the IR: a function of three loops, the remaining rounds of one among them. */
function hasWrittenOut(ir: string): boolean {
  if (!ir.includes('!"llvm.loop.unroll.disable"')) return false
  return ir.split('\n}\n').some(func => func.split('!llvm.loop').length > 3)
}

/** Whether one of a function's loops has rounds written out, and another loop in them: this is there several times, or in a loop of remaining rounds. */
function writesOutOuter(func: Func): boolean {
  return loops(func).some(loop => {
    const starts = loop.children.flatMap(startsOf)
    return new Set(starts).size < starts.length || (loop.children.length > 0 && isRemainder(loop))
  })
}

/** LLVM's own loops of remaining rounds begin nowhere. */
const isRemainder = (loop: Loop): boolean =>
  startsOf(loop).length === 0 && backwards(loop).some(({ staysLoop }) => staysLoop)

/** Where loops around loops begin in the source. */
function outerLoops(func: Func): Location[] {
  return loops(func)
    .filter(({ children }) => children.length > 0)
    .flatMap(startsOf)
    .filter(({ library, line }) => library === undefined && line > 0)
}

const startsOf = (loop: Loop): Location[] => backwards(loop).flatMap(({ loopStart }) => loopStart ?? [])

function backwards({ latches }: Loop): CondBrInstruction[] {
  return latches.map(terminatorOf).filter(last => last.op === 'condbr')
}

/** The text with the mark in front of the loop that begins there, behind the code before it; unless the program says itself how it is to be written out. */
function marked(text: string, { line, column }: Location): string {
  const start = offsetOf(text, line, column)
  if (start === undefined || !/[A-Za-z_]/.test(text[start] ?? '')) return text
  const code = withoutTexts(text)
  const before = code.slice(0, start).trimEnd()
  const lastLine = before.slice(before.lastIndexOf('\n') + 1)
  const saysItself = /#\s*pragma\b.*\b(?:no)?unroll|_Pragma\s*\(\s*\)$/.test(lastLine)
  if (saysItself) return text
  const isBehindLine = code.slice(before.length, start).includes('\n') && !/^\s*#/.test(lastLine) && before.length > 0
  const at = isBehindLine ? before.length : start
  return `${text.slice(0, at)} ${STAYS} ${text.slice(at)}`
}

/** `line` and `column` (of bytes) from 1. */
function offsetOf(text: string, line: number, column: number): number | undefined {
  let start = 0
  for (let at = 1; at < line; at++) {
    start = text.indexOf('\n', start) + 1
    if (start === 0) return undefined
  }
  const end = text.indexOf('\n', start)
  const row = new TextEncoder().encode(text.slice(start, end < 0 ? undefined : end))
  return start + new TextDecoder().decode(row.subarray(0, column - 1)).length
}
