/**
 * What nvcc knows of two accesses by their types: nothing, but that different members of one structure are apart, whatever pointers they
 * are reached by (`q[i].x = 1` leaves `p[j].y` alone; `int` and `float`, or members of two structures, may be the same memory). Two members
 * are compared where the ways to them, from the structure that the source names first, have one length, and then by their last steps alone:
 * `p->a.x` and `q->b.y` are apart, `p->a.y` and `q->b.y` may be the same (PTX of 90 kernels; test/cases/machine_aliases.cu).
 *
 * In: LLVM IR as clang writes it before any pass, with aliasing metadata (TBAA) that tells all types apart. Out: the same with metadata
 * that says what nvcc knows. LLVM takes types below different roots for the same memory, and members of one structure at different
 * offsets for apart; so each scalar type gets a root of its own, and each structure one for each length of way, its last steps as offsets.
 * Names of types stay (ir/readSourceTypes.ts).
 */
import { SourceTypes } from '../../ir/readSourceTypes.ts'

const NODE = /^!(\d+) = (!\{.*\})$/gm
const ACCESS = /^!\{!(\d+), !(\d+), i64 (\d+)(?:, i64 1)?\}$/
const TYPE = /^!\{!"([^"]*)"/
const MEMBER = /!(\d+), i64 (\d+)/g

/** A last step's place in the new structure: they need to differ, and no more. */
const STEP_BYTES = 4

interface Structure {
  /** Steps used so far, by place in the structure, with the nodes of their types. */
  readonly steps: Map<number, { readonly type: string; readonly node: number }>
  readonly root: number
  readonly node: number
  readonly isNarrowed: boolean
}

export function tellMembersApart(ir: string): string {
  const nodes = metadataNodes(ir)
  let last = 0
  for (const [, number] of ir.matchAll(/^!(\d+) = /gm)) last = Math.max(last, Number(number))
  const types = new SourceTypes(node => nodes.get(node))
  const added: string[] = []
  const add = (text: string): number => {
    added.push(`!${++last} = ${text}`)
    return last
  }
  const reserve = (): number => ++last

  const scalars = new Map<string, number>()
  const scalarOf = (node: number): number => {
    const name = scalarName(node, nodes)
    let scalar = scalars.get(name)
    if (scalar === undefined) {
      scalar = add(`!{!"${name}", !${add(`!{!"alone: ${name}"}`)}, i64 0}`)
      scalars.set(name, scalar)
    }
    return scalar
  }

  const structures = new Map<string, Structure>()
  const structureOf = (base: number, length: number): Structure => {
    const key = `${nameOf(nodes.get(base)) || `unnamed ${base}`}, ${length}`
    let structure = structures.get(key)
    if (!structure) {
      const root = add(`!{!"members: ${key}"}`)
      structure = { steps: new Map(), root, node: reserve(), isNarrowed: types.isNarrowed(base) }
      structures.set(key, structure)
    }
    return structure
  }

  const replaced = new Map<number, string>()
  for (const [node, text] of nodes) {
    const [, base, type, offset] = (ACCESS.exec(text) ?? []).map(Number)
    if (base === undefined || type === undefined || offset === undefined) continue
    const way = base === type ? undefined : wayTo(offset, base, type, nodes)
    const structure = way && structureOf(base, way.length)
    const name = scalarName(type, nodes)
    if (way && structure) {
      const place = way.at(-1)!
      const step = structure.steps.get(place) ?? { type: name, node: add(`!{!"${name}", !${structure.root}, i64 0}`) }
      structure.steps.set(place, step)
      if (step.type === name) {
        replaced.set(node, `!{!${structure.node}, !${step.node}, i64 ${place * STEP_BYTES}}`)
        continue
      }
    }
    const scalar = scalarOf(type)
    replaced.set(node, `!{!${scalar}, !${scalar}, i64 0}`)
  }
  for (const [key, { steps, root, node, isNarrowed }] of structures) {
    const members = [...steps].sort(([a], [b]) => a - b).map(([place, step]) => [step.node, place] as const)
    // What is 8 bytes on the machine moves the members behind it, used or not.
    const beyond = Math.max(...steps.keys()) + 1
    const all = isNarrowed ? [...members, [add(`!{!"any pointer", !${root}, i64 0}`), beyond] as const] : members
    added.push(
      `!${node} = !{!"${key}", ${all.map(([type, place]) => `!${type}, i64 ${place * STEP_BYTES}`).join(', ')}}`,
    )
  }
  if (replaced.size === 0) return ir
  const text = ir.replace(NODE, (line, number: string) => {
    const other = replaced.get(Number(number))
    return other === undefined ? line : `!${number} = ${other}`
  })
  return `${text.trimEnd()}\n${added.join('\n')}\n`
}

/** The texts of IR's metadata nodes, by number; of those without a kind of their own (`!{...}`). */
export function metadataNodes(ir: string): Map<number, string> {
  return new Map([...ir.matchAll(NODE)].map(([, number, text]) => [Number(number), text!] as const))
}

const nameOf = (text = ''): string => TYPE.exec(text)?.[1] ?? ''

/** A pointer to whatever is a pointer. */
function scalarName(node: number, nodes: ReadonlyMap<number, string>): string {
  const text = nodes.get(node)
  const [, , parent] = /^!\{!"([^"]*)", !(\d+), i64 0\}$/.exec(text ?? '') ?? []
  return parent !== undefined && nameOf(nodes.get(Number(parent))) === 'any pointer' ? 'any pointer' : nameOf(text)
}

/** Which member to take at each step, from a structure to the scalar at that offset; undefined where there is none. */
function wayTo(
  offset: number,
  structure: number,
  scalar: number,
  nodes: ReadonlyMap<number, string>,
): readonly number[] | undefined {
  const way: number[] = []
  let [at, rest] = [structure, offset]
  while (at !== scalar) {
    const members = [...(nodes.get(at) ?? '').matchAll(MEMBER)].map(
      ([, type, start]) => [Number(type), Number(start)] as const,
    )
    const place = members.findLastIndex(([, start]) => start <= rest)
    const member = members[place]
    if (!member || way.length > DEEPEST) return undefined
    way.push(place)
    at = member[0]
    rest -= member[1]
  }
  return rest === 0 && way.length > 0 ? way : undefined
}

/** Structures in structures; of scalar types, whose nodes have a parent where structures have members, the way does not end. */
const DEEPEST = 100
