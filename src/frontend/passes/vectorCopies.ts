/**
 * Vectors are copied as vectors, as nvcc has it: clang copies their bytes, which LLVM then cuts into pieces by how each is used
 * (`best = candidate;` of a `float4` whose `x` was compared is 4 and 4 and 8 bytes), and pieces of several sizes join no more.
 *
 * In: LLVM IR as clang writes it before any pass. Out: the same with a load and a store in the place of each copy whose members are 2 to
 * 16 bytes of one type and aligned so (`float4`, `int2`, structures that are declared so), by what `!tbaa.struct` says of them. Elements of an
 * array of the thread's own count as aligned (`*(float4 *)&registers[4] = p[i]`): else LLVM of today keeps them in memory.
 */
import { SourceTypes } from '../../ir/readSourceTypes.ts'
import { COPY } from './copyTexts.ts'
import { END } from './functionTexts.ts'
import { metadataNodes } from './memberAliases.ts'

const FIELD = /i64 (\d+), i64 (\d+), !(\d+)/g
const FLOATS = /^!\{!"(float|double)"/
const WIDEST = 16
/** What a function returns is no copy: its members are stored one by one (`o[t] = make_float4(o[t].x + 1, o[t].y, ...)`). */
const TEMPORARY = /^%(?:ref|agg)\.tmp/

export function copyVectors(ir: string): string {
  if (!ir.includes('!tbaa.struct')) return ir
  const nodes = metadataNodes(ir)
  const sourceTypes = new SourceTypes(node => nodes.get(node))
  const types = new Map<number, string | undefined>()
  const typeOf = (node: number, bytes: number): string | undefined => {
    if (!types.has(node)) types.set(node, vectorType(nodes.get(node) ?? '', bytes, nodes))
    return types.get(node)
  }
  let copies = 0
  const copyIn = (func: string): string => {
    if (!func.includes('!tbaa.struct')) return func
    const isLocal = localPlaces(func)
    return func.replace(
      COPY,
      (call, toAlign: string, to: string, fromAlign: string, from: string, bytes: string, debug = '', node: string) => {
        const isPower = (Number(bytes) & (Number(bytes) - 1)) === 0
        const isWide = (align: string, name: string) => Number(align) >= Number(bytes) || (isPower && isLocal(name))
        const isAligned = isWide(toAlign, to) && isWide(fromAlign, from)
        const isVector = isAligned && Number(bytes) <= WIDEST && !TEMPORARY.test(from)
        const type = isVector ? typeOf(Number(node), Number(bytes)) : undefined
        if (type === undefined) return call
        const value = `%wl.copy${copies++}`
        // What has 8 bytes on the machine and 4 here stays known for it (ir/readSourceTypes.ts).
        const access = sourceTypes.isNarrowed(Number(node)) ? /!\d+/.exec(nodes.get(Number(node))!)?.[0] : undefined
        const tags = `${debug}${access === undefined ? '' : `, !tbaa ${access}`}`
        return `  ${value} = load ${type}, ptr ${from}, align ${fromAlign}${tags}\n  store ${type} ${value}, ptr ${to}, align ${toAlign}${tags}`
      },
    )
  }
  return ir.split(END).map(copyIn).join(END)
}

const ELEMENT = /^ {2}(%[\w.$-]+) = (?:alloca |getelementptr [^\n]*?, ptr (%[\w.$-]+),)/gm

/** Which names are those of local variables, or of places in them: they end in registers, whatever they are aligned to. */
function localPlaces(func: string): (name: string) => boolean {
  const bases = new Map([...func.matchAll(ELEMENT)].map(([, name, base]) => [name!, base]))
  const isLocal = (name: string): boolean => {
    const base = bases.get(name)
    return base === undefined ? bases.has(name) : isLocal(base)
  }
  return isLocal
}

/** Of members of one size that leave no gap, also none behind them; undefined where they are otherwise. */
function vectorType(structure: string, bytes: number, nodes: ReadonlyMap<number, string>): string | undefined {
  const members = [...structure.matchAll(FIELD)].map(([, offset, size, access]) => {
    const [, type] = /^!\{!(\d+), /.exec(nodes.get(Number(access)) ?? '') ?? []
    const [, float] = FLOATS.exec(nodes.get(Number(type)) ?? '') ?? []
    return { offset: Number(offset), size: Number(size), float }
  })
  const [first] = members
  if (!first || members.length < 2 || ![1, 2, 4, 8].includes(first.size)) return undefined
  if (members.length * first.size !== bytes) return undefined
  if (!members.every(({ offset, size }, at) => size === first.size && offset === at * first.size)) return undefined
  const areFloats = members.every(({ float }) => float !== undefined && float === first.float)
  return `<${members.length} x ${areFloats ? first.float : `i${8 * first.size}`}>`
}
