/** Loops of LLVM IR as clang writes it, before any pass: variables are in memory, a loop asks for its end where it begins (`for`, `while`). */

/** The branch back to where a loop begins. */
const BACK = /^ +br label (%[\w.]+),.* !llvm\.loop !(\d+)$/gm

export interface LoopText {
  /** Of its node of metadata. */
  readonly node: string
  /** In the text of the function: of the block in which it begins, and of the branch back to it. */
  readonly start: number
  readonly end: number
  /** The block in which it begins. */
  readonly header: string
}

export function loopsIn(func: string): LoopText[] {
  return [...func.matchAll(BACK)].flatMap(back => {
    const [, name, node] = back
    const start = func.indexOf(`\n${name!.slice(1)}:`)
    const end = start < 0 ? -1 : func.indexOf('\n\n', start)
    return end < 0 ? [] : [{ node: node!, start, end: back.index, header: func.slice(start, end) }]
  })
}

/** The last definition of a value in a text, behind its ` = `. */
export const definitionOf = (text: string, value: string): string | undefined =>
  text.includes(`\n  ${value} = `) ? text.split(`\n  ${value} = `).at(-1)!.split('\n')[0] : undefined

/** What is stored to a variable of that type, in the text's order. */
export const storesTo = (text: string, variable: string, type = 'i32'): string[] =>
  [...text.matchAll(new RegExp(`^ +store ${type} (\\S+), ptr ${variable.replaceAll('.', '\\.')},`, 'gm'))].map(
    ([, value]) => value!,
  )

/** The IR with loops marked that are not to be written out, but for those of which the program says itself how they are. */
export const keepLoops = (ir: string, nodes: ReadonlySet<string>): string =>
  markLoops(ir, nodes, '!"llvm.loop.unroll.disable"')

/** The same for loops that are to be written out so many times, whatever LLVM knows of their rounds. */
export const repeatLoops = (ir: string, nodes: ReadonlySet<string>, times: number): string =>
  markLoops(ir, nodes, `!"llvm.loop.unroll.count", i32 ${times}`)

function markLoops(ir: string, nodes: ReadonlySet<string>, property: string): string {
  if (nodes.size === 0) return ir
  const said = saidLoops(ir)
  const mark = `!${1 + Math.max(...[...ir.matchAll(/^!(\d+) = /gm)].map(([, number]) => Number(number)))}`
  const marked = ir.replace(LOOP, (node, number: string) =>
    nodes.has(number) && !said.has(number) ? `${node}, ${mark}` : node,
  )
  return `${marked.trimEnd()}\n${mark} = !{${property}}\n`
}

/** A loop's node of metadata, but for the bracket at its end. */
const LOOP = /^!(\d+) = distinct !\{!\1, (.*)(?=\}$)/gm

/** The nodes of loops of which the program says itself how they are written out. */
export function saidLoops(ir: string): ReadonlySet<string> {
  const sayings = new Set([...ir.matchAll(/^!(\d+) = !\{!"llvm\.loop\.unroll\./gm)].map(([, number]) => number!))
  const isSaid = (parts: string) => [...parts.matchAll(/!(\d+)/g)].some(([, part]) => sayings.has(part!))
  return new Set([...ir.matchAll(LOOP)].filter(([, , parts]) => isSaid(parts!)).map(([, number]) => number!))
}
