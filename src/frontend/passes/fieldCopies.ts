/**
 * Structures with gaps between their members are copied member by member to and from a local variable, as nvcc has it: LLVM of today copies what
 * lies between two members that the program uses in one piece, gap and all, byte by byte where the piece has no power of two's size
 * (`struct { int a; float b; char c; double d; } s = p[i]; s.c++;`), and `warplens check` takes the gap for memory that nobody wrote.
 *
 * In: LLVM IR as clang writes it before any pass. Out: the same with one copy for each member in the place of such copies, by what
 * `!tbaa.struct` says of them. A copy by way of a variable that nothing else uses stays one (`s = p[i]; q[i] = s;`), as there, unless memory
 * is written meanwhile (PTX and machine code of 21 kernels, nvcc 13.0).
 */
import { ALLOCA, COPY } from './copyTexts.ts'
import { END } from './functionTexts.ts'
import { metadataNodes } from './memberAliases.ts'

/** Bytes of what one instruction moves. */
const REGISTERS: ReadonlySet<number> = new Set([1, 2, 4, 8])
/** Bytes of an array that is copied in parts. */
const LONGEST = 128
const FIELD = /i64 (\d+), i64 (\d+), (!\d+)/g

interface Member {
  readonly offset: number
  readonly size: number
  /** The access's node of metadata. */
  readonly tag: string
}

interface Copy {
  readonly to: string
  readonly from: string
  /** Where it begins in the function's text, and where it ends. */
  readonly start: number
  readonly end: number
}

export function copyFields(ir: string): string {
  if (!ir.includes('!tbaa.struct')) return ir
  const nodes = metadataNodes(ir)
  let pieces = 0
  const copyOf = (func: string): string => {
    if (!func.includes('!tbaa.struct')) return func
    const variables = [...func.matchAll(ALLOCA)].map(([, name]) => name!)
    const isKept = keptVariables(func, new Set(variables))
    const locals = new Set([...variables, ...parametersByValue(func)])
    return func.replace(
      COPY,
      (call, toAlign: string, to: string, fromAlign: string, from: string, bytes: string, debug = '', node: string) => {
        const own = [to, from].filter(name => locals.has(name))
        if (own.length === 0 || own.some(isKept)) return call
        // One whose elements are chosen as the kernel runs is in memory, and is copied from there as it is.
        if (!locals.has(to) && isIndexed(func, from)) return call
        const members = membersOf(nodes.get(Number(node)) ?? '', Number(bytes))
        if (!haveGap(members)) return call
        const pointer = (base: string, offset: number) => {
          if (offset === 0) return { name: base, text: '' }
          const name = `%wl.member${pieces++}`
          return { name, text: `  ${name} = getelementptr inbounds i8, ptr ${base}, i32 ${offset}${debug}\n` }
        }
        return members
          .flatMap(member => piecesOf(member, Math.min(Number(toAlign), Number(fromAlign))))
          .map(({ offset, size, tag }) => {
            const [target, source] = [pointer(to, offset), pointer(from, offset)]
            const [a, b] = [alignAt(Number(toAlign), offset), alignAt(Number(fromAlign), offset)]
            const type = `i${8 * size}`
            const value = `%wl.member${pieces++}`
            const moved =
              locals.has(to) && REGISTERS.has(size)
                ? `  ${value} = load ${type}, ptr ${source.name}, align ${b}${debug}, !tbaa ${tag}\n  store ${type} ${value}, ptr ${target.name}, align ${a}${debug}, !tbaa ${tag}`
                : `  call void @llvm.memcpy.p0.p0.i32(ptr align ${a} ${target.name}, ptr align ${b} ${source.name}, i32 ${size}, i1 false)${debug}, !tbaa ${tag}`
            return `${target.text}${source.text}${moved}`
          })
          .join('\n')
      },
    )
  }
  return ir.split(END).map(copyOf).join(END)
}

const parametersByValue = (func: string): string[] =>
  [...(/^define [^\n]*/m.exec(func)?.[0] ?? '').matchAll(/ptr byval\([^)]*\) align \d+ (%[\w.$-]+)/g)].map(
    ([, name]) => name!,
  )

/** The last one with what is behind it: nvcc's structures have the gap at their end as one more member. */
const membersOf = (structure: string, bytes: number): Member[] =>
  [...structure.matchAll(FIELD)].map(([, offset, size, tag], at, { length }) => ({
    offset: Number(offset),
    size: at === length - 1 ? bytes - Number(offset) : Number(size),
    tag: tag!,
  }))

/** Whether the members leave bytes between them; such that overlap (unions) are one whole. */
function haveGap(members: readonly Member[]): boolean {
  let [end, hasGap] = [0, false]
  for (const { offset, size } of members) {
    if (offset < end) return false
    hasGap ||= offset > end
    end = offset + size
  }
  return hasGap
}

/** The parts of a short array, each as long as it is aligned, which is known of the structure and not of where in it a part begins. */
function piecesOf({ offset, size, tag }: Member, align: number): Member[] {
  if (size > LONGEST) return [{ offset, size, tag }]
  const pieces: Member[] = []
  for (let at = offset; at < offset + size; ) {
    const piece = Math.min(alignAt(align, at), offset + size - at)
    pieces.push({ offset: at, size: piece, tag })
    at += piece
  }
  return pieces
}

/** Of an address so far behind one that is aligned. */
const alignAt = (align: number, offset: number): number => (offset === 0 ? align : Math.min(align, offset & -offset))

/** What does nothing to memory that others see. */
const HARMLESS = /__fetch_builtin|@llvm\.(?:lifetime|dbg|assume|nvvm\.read)|@__wl_/

/** Whether a variable only takes a value from one place to another in one block, where nothing is written between. */
function keptVariables(func: string, locals: ReadonlySet<string>): (name: string) => boolean {
  const copies = [...func.matchAll(COPY)].map(
    (found): Copy => ({ to: found[2]!, from: found[4]!, start: found.index, end: found.index + found[0].length }),
  )
  const isKept = (name: string): boolean => {
    const [first, last, ...others] = copies.filter(({ to, from }) => to === name || from === name)
    if (!first || !last || others.length > 0 || first.to !== name || last.from !== name) return false
    const uses = func.split('\n').filter(line => mentions(line, name) && !HARMLESS.test(line))
    const between = func.slice(first.end, last.start)
    // Where it is declared, and the two copies.
    return uses.length === 3 && !/^\S+:/m.test(between) && !between.split('\n').some(line => writes(line, locals))
  }
  const known = new Map<string, boolean>()
  return name => {
    if (!known.has(name)) known.set(name, isKept(name))
    return known.get(name)!
  }
}

const isIndexed = (func: string, name: string): boolean => {
  const chosen = (base: string): boolean =>
    func.split('\n').some(line => {
      if (!mentions(line, base)) return false
      const [, element, indices] =
        /^ +(%[\w.$-]+) = getelementptr [^,]+, ptr [^,]+((?:, i32 [^\s,]+)+)/.exec(line) ?? []
      return element !== undefined && element !== base && (/ %/.test(indices!.replaceAll(',', ' ')) || chosen(element))
    })
  return chosen(name)
}

const mentions = (line: string, name: string): boolean => {
  const at = line.indexOf(name)
  return at >= 0 && (!/[\w.$-]/.test(line[at + name.length] ?? '') || mentions(line.slice(at + 1), name))
}

/** Whether a line of IR may change memory that is no local variable's own. */
function writes(line: string, locals: ReadonlySet<string>): boolean {
  const [, stored, copied] =
    /^ +(?:store .*, ptr (\S+),|call void @llvm\.memcpy[^(]*\(ptr [^%@]*(\S+),)/.exec(line) ?? []
  const target = stored ?? copied
  return target === undefined ? / call /.test(line) && !HARMLESS.test(line) : !locals.has(target)
}
