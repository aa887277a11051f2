/**
 * Loops that nvcc writes out otherwise than LLVM of today, which has no switch for it; which they are is known only when LLVM is done. In: the
 * sources and the IR that clang made of them. Out: the sources with such loops marked (keywords.h); lines stay where they are.
 *
 * - Loops around loops: nvcc writes out the inner one only, LLVM both, and lanes of a warp with different numbers of outer rounds
 *   then meet at other places (PTX of 40 nests; reading: scripts/fidelity/cases/machine_nests.json, and of two programs of PolyBench).
 * - Loops that choose elements of the thread's own arrays (arrayLoops.ts).
 */
import { type Loop, loops, terminatorOf } from '../../ir/graph.ts'
import type { BrInstruction, CondBrInstruction, Func, Location } from '../../ir/ir.ts'
import { readModule } from '../../ir/read.ts'
import type { FileTree } from '../clang/clang.ts'
import { isOwn } from '../sources/ownFiles.ts'
import { resolvePath } from '../sources/paths.ts'
import { withoutTexts } from '../sources/textEdits.ts'
import { repairSource } from '../sources/virtualFiles.ts'
import { arrayLoops } from './arrayLoops.ts'

const STAYS = '__wl_stays'
const WHOLE = '__wl_whole'

interface Mark {
  readonly place: Location
  readonly keyword: string
}

interface IrText {
  readonly file: string
  readonly text: string
  /** In front of LLVM's passes; rarely asked for. */
  readonly unoptimised: () => string
}

/** Undefined where no loop is to be marked. */
export function markLoops(files: FileTree, ir: IrText, workingDirectory: string): FileTree | undefined {
  const mayBeAround = hasWrittenOut(ir.text)
  if (!mayBeAround && !hasArrayInLoop(ir.text)) return undefined
  const { functions } = readModule(ir.text, ir.file)
  const marksOf = (keyword: string, places: readonly Location[]) =>
    places.filter(isOfSource).map(place => ({ place, keyword }))
  const outer = mayBeAround && functions.some(writesOutOuter) ? outerLoops(functions, ir) : []
  const marks = [...marksOf(STAYS, outer), ...marksOf(WHOLE, functions.flatMap(arrayLoops))]
  const names = new Map(Object.keys(files).map(path => [resolvePath(workingDirectory, path), path]))
  const found = new Map<string, Map<number, Mark>>()
  for (const mark of marks) {
    const { place } = mark
    const path = names.get(resolvePath(workingDirectory, place.file))
    if (path === undefined || !isOwn(path, files[path]!)) continue
    const ofFile = found.get(path) ?? new Map<number, Mark>()
    found.set(path, ofFile.set(place.line * MOST_COLUMNS + place.column, mark))
  }
  const result: Record<string, string | Uint8Array> = { ...files }
  let isChanged = false
  for (const [path, ofFile] of found) {
    let text = repairSource(files[path] as string)
    const before = text
    // From the last to the first: what is inserted moves what is behind it.
    for (const [, mark] of [...ofFile].sort(([a], [b]) => b - a)) text = marked(text, mark)
    if (text === before) continue
    result[path] = text
    isChanged = true
  }
  return isChanged ? result : undefined
}

const MOST_COLUMNS = 1 << 20

/** Cheaper than reading the IR: a function of three loops, two that begin at one place or the remaining rounds of one among them. */
function hasWrittenOut(ir: string): boolean {
  const nodes = new Map(
    [...ir.matchAll(/^!(\d+) = distinct !\{!\d+, !(\d+)/gm)].map(([, loop, start]) => [loop, start]),
  )
  const hasRemainders = ir.includes('!"llvm.loop.unroll.disable"')
  return ir.split('\n}\n').some(func => {
    const starts = [...func.matchAll(/!llvm\.loop !(\d+)/g)].map(([, loop]) => nodes.get(loop))
    return starts.length > 2 && (hasRemainders || new Set(starts).size < starts.length)
  })
}

const hasArrayInLoop = (ir: string): boolean => ir.includes(' = alloca ') && ir.includes('!llvm.loop')

/** Whether one of a function's loops has rounds written out, and another loop in them: this is there several times, or in a loop of remaining rounds. */
function writesOutOuter(func: Func): boolean {
  return loops(func).some(loop => {
    const starts = loop.children.flatMap(startsOf)
    return new Set(starts).size < starts.length || (loop.children.length > 0 && isRemainder(loop))
  })
}

/** LLVM's own loops of remaining rounds begin nowhere. */
const isRemainder = (loop: Loop): boolean =>
  startsOf(loop).length === 0 && backwards(loop).some(last => last.op === 'condbr' && last.staysLoop)

/**
 * Where loops around loops begin in the source. LLVM forgets it of a loop whose rounds it wrote out by a part of their number: it is the
 * loop around those that are in it several times, as it stood in front of the passes.
 */
function outerLoops(functions: readonly Func[], { file, unoptimised }: IrText): Location[] {
  const around = functions.flatMap(func => loops(func)).filter(({ children }) => children.length > 0)
  const known = around.flatMap(startsOf)
  const forgotten = around.filter(loop => startsOf(loop).length === 0 && !isRemainder(loop))
  if (forgotten.length === 0) return known
  const parents = parentsOf(readModule(unoptimised(), file).functions)
  return [...known, ...forgotten.flatMap(({ children }) => parentsOfAll(children.flatMap(startsOf), parents))]
}

const placeOf = ({ file, line, column }: Location): string => `${file}:${line}:${column}`

/** By where a loop begins, where the loop around it does. */
function parentsOf(functions: readonly Func[]): ReadonlyMap<string, Location> {
  const parents = new Map<string, Location>()
  for (const loop of functions.flatMap(func => loops(func)))
    for (const child of loop.children.flatMap(startsOf)) {
      const [start] = startsOf(loop)
      if (start) parents.set(placeOf(child), start)
    }
  return parents
}

/** Of loops that are written down several times. */
function parentsOfAll(starts: readonly Location[], parents: ReadonlyMap<string, Location>): Location[] {
  const repeated = starts.filter((start, at) => starts.findIndex(other => placeOf(other) === placeOf(start)) < at)
  return repeated.flatMap(start => parents.get(placeOf(start)) ?? [])
}

const isOfSource = ({ library, line }: Location): boolean => library === undefined && line > 0

const startsOf = (loop: Loop): Location[] => backwards(loop).flatMap(({ loopStart }) => loopStart ?? [])

function backwards({ latches }: Loop): (BrInstruction | CondBrInstruction)[] {
  return latches.map(terminatorOf).filter(last => last.op === 'condbr' || last.op === 'br')
}

/** The text with the mark in front of the loop that begins there, behind the code before it; unless the program says itself how it is to be written out. */
function marked(text: string, { place: { line, column }, keyword }: Mark): string {
  const start = offsetOf(text, line, column)
  if (start === undefined || !/[A-Za-z_]/.test(text[start] ?? '')) return text
  const code = withoutTexts(text)
  const before = code.slice(0, start).trimEnd()
  const lastLine = before.slice(before.lastIndexOf('\n') + 1)
  const saysItself = /#\s*pragma\b.*\b(?:no)?unroll|_Pragma\s*\(\s*\)$/.test(lastLine)
  if (saysItself) return text
  const isBehindLine = code.slice(before.length, start).includes('\n') && !/^\s*#/.test(lastLine) && before.length > 0
  const at = isBehindLine ? before.length : start
  return `${text.slice(0, at)} ${keyword} ${text.slice(at)}`
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
