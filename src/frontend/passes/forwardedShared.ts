/**
 * Shared variables that a kernel reads only right behind where it writes them, which nvcc drops with their stores: `t` in a register,
 * `m[t] = x; out[t] = m[t];`. Its compiler looks for the stored value in the same block, up to six instructions back and past what
 * writes elsewhere, before it drops variables that nothing reads; `threadIdx.x` or `t + n` written twice are two values to it then
 * (LLVM's InstCombine and `FindAvailableLoadedValue`; PTX of 57 kernels). What it finds later, over blocks or by numbering values,
 * comes too late, which is why keepShared.ts keeps variables.
 *
 * In: LLVM IR as clang writes it before any pass, with annotations of the variables that keepShared.ts keeps. Out: the same without
 * the annotations of those that nvcc drops, so that LLVM's passes drop them too.
 */
import { annotatedShared, withoutAnnotations } from './annotations.ts'

const FUNCTION = /^define [^\n]*\{\n[\s\S]*?^\}$/gm

const NAME = '(?:%|@)(?:"[^"]+"|[\\w.$-]+)'
const NAMES = new RegExp(NAME, 'g')
const SHARED_PLACE = new RegExp(`ptr addrspacecast \\(ptr addrspace\\(3\\) (${NAME}) to ptr\\)`, 'g')
const CONSTANT_PLACE = new RegExp(
  `ptr getelementptr (?:inbounds |nuw |nusw )*\\((.+?), ptr (${NAME}), ((?:i\\d+ -?\\d+(?:, )?)+)\\)`,
  'g',
)
const LABEL = /^(?:"[^"]+"|[\w.$-]+):/
const DEFINITION = new RegExp(`^ {2}(?:(${NAME}) = )?(.*)$`)
const LOAD = new RegExp(`^load (volatile )?(\\S+|<[^>]+>), ptr (${NAME}),`)
const STORE = new RegExp(`^store (volatile )?(\\S+|<[^>]+>) (\\S+), ptr (${NAME}),`)
const ELEMENT = new RegExp(`^getelementptr (?:inbounds |nuw |nusw )*(.+?), ptr (${NAME}), (i\\d+ .+)$`)
const SUM = new RegExp(`^add (?:nuw |nsw )*i\\d+ (${NAME}), (-?\\d+)$`)
const CAST = new RegExp(`^(?:sext|zext|trunc) (?:nneg |nuw |nsw )*i\\d+ (${NAME}) to `)
const CALL = /^(?:tail )?call .*?(@(?:"[^"]+"|[\w.$-]+))\(/
/** Neither reads nor writes memory. */
const PURE = /^@(?:llvm\.(?:fma|fabs|sqrt|min|max|umin|umax|smin|smax|ctpop|ctlz|nvvm\.read)|\w*__fetch_builtin_)/
/** Nothing in nvcc's IR. */
const NOTHING = /^@llvm\.(?:lifetime|dbg|assume|experimental\.noalias)/

/** InstCombine's `DefMaxInstsToScan`, the store itself among them. */
const FARTHEST = 6

export function dropForwardedShared(ir: string): string {
  const annotated = annotatedShared(ir)
  if (annotated.length === 0) return ir
  const bodies = ir.match(FUNCTION) ?? []
  return withoutAnnotations(ir, new Set(annotated.filter(name => isForwarded(name, bodies))))
}

/** Whether no load of a variable remains. */
function isForwarded(variable: string, bodies: readonly string[]): boolean {
  const mentions = new RegExp(`${variable.replace(/[$.]/g, '\\$&')}(?![\\w$.-])`)
  const using = bodies.filter(body => mentions.test(body))
  return using.length > 0 && using.every(body => new FunctionBody(body).forwards(variable))
}

interface Place {
  /** A global variable, or a value that is not followed further. */
  readonly root: string
  /** Value and constant of each index, from the root on; members of structures have no value. */
  readonly steps: readonly Sum[]
}

interface Sum {
  readonly value: string
  readonly constant: number
}

interface Access {
  readonly kind: 'load' | 'store'
  readonly place: Place
  readonly type: string
  readonly isVolatile: boolean
}

/** `barrier`: may read and write anything. */
type Instruction = Access | { readonly kind: 'other' | 'barrier' }

class FunctionBody {
  readonly #lines: readonly string[]
  readonly #definitions = new Map<string, string>()
  /** Variables of the function that are only loaded and stored, with how often they are stored to and loaded. */
  readonly #locals = new Map<string, { stores: string[]; loads: number }>()
  readonly #uses = new Map<string, number>()
  /** What each variable of the function holds, at the present line of the present block. */
  readonly #contents = new Map<string, string>()
  /** Values of loads of such variables. */
  readonly #values = new Map<string, string>()

  constructor(body: string) {
    this.#lines = body
      .replace(SHARED_PLACE, 'ptr $1')
      .replace(
        CONSTANT_PLACE,
        (_, type, base, indices) => `ptr ${this.#named(`getelementptr ${type}, ptr ${base}, ${indices}`)}`,
      )
      .split('\n')
      .slice(1, -1)
      .map(line => line.replace(/, !.*$/, ''))
    for (const line of this.#lines) {
      const [, name, text] = DEFINITION.exec(line) ?? []
      if (text === undefined) continue
      if (name !== undefined) this.#definitions.set(name, text)
      if (name !== undefined && text.startsWith('alloca ')) this.#locals.set(name, { stores: [], loads: 0 })
    }
    this.#findLocals()
  }

  /** A name for a place at constant indices, which stands where it is used. */
  #named(place: string): string {
    const name = `%"${place}"`
    this.#definitions.set(name, place)
    return name
  }

  #findLocals(): void {
    for (const line of this.#lines) {
      const [, , text] = DEFINITION.exec(line) ?? []
      if (text === undefined) continue
      for (const [used] of text.matchAll(NAMES)) this.#uses.set(used, (this.#uses.get(used) ?? 0) + 1)
      const [, , , from] = LOAD.exec(text) ?? []
      const [, , , stored, to] = STORE.exec(text) ?? []
      if (from !== undefined && this.#locals.has(from)) this.#locals.get(from)!.loads++
      else if (to !== undefined && this.#locals.has(to)) {
        this.#locals.get(to)!.stores.push(stored!)
        this.#locals.delete(stored!)
      } else if (!/@llvm\.lifetime\./.test(text)) for (const [used] of text.matchAll(NAMES)) this.#locals.delete(used)
    }
  }

  forwards(variable: string): boolean {
    let block: Instruction[] = []
    for (const line of this.#lines) {
      if (LABEL.test(line)) {
        block = []
        this.#enter(line)
        continue
      }
      const [, name, text] = DEFINITION.exec(line) ?? []
      if (!text) continue
      if (this.#escapes(text, variable)) return false
      const found = this.#instruction(name, text)
      if (found === undefined) continue
      if ('place' in found && found.place.root === variable) {
        if (found.isVolatile) return false
        if (found.kind === 'load' && !this.#isUnused(name!) && !isAvailable(found, block)) return false
      }
      block.push(found)
      // The index of what is not in shared memory is made 64 bits wide.
      if (ELEMENT.test(text) && !this.#place(name!).root.startsWith('@') && /, i32 %/.test(text))
        block.push({ kind: 'other' })
    }
    return true
  }

  #enter(label: string): void {
    this.#contents.clear()
    for (const [local, { stores }] of this.#locals)
      this.#contents.set(local, stores.length === 1 ? this.#valueOf(stores[0]!) : `${label} ${local}`)
  }

  /** Undefined for what is none in nvcc's IR by then: variables in registers, casts of indices. */
  #instruction(name: string | undefined, text: string): Instruction | undefined {
    const [, volatile, type, from] = LOAD.exec(text) ?? []
    if (from !== undefined) {
      if (!this.#locals.has(from))
        return { kind: 'load', place: this.#place(from), type: type!, isVolatile: volatile !== undefined }
      this.#values.set(name!, this.#contents.get(from)!)
      return undefined
    }
    const [, isVolatile, storedType, stored, to] = STORE.exec(text) ?? []
    if (to !== undefined) {
      if (!this.#locals.has(to))
        return { kind: 'store', place: this.#place(to), type: storedType!, isVolatile: isVolatile !== undefined }
      this.#contents.set(to, this.#valueOf(stored!))
      return undefined
    }
    if (text.startsWith('alloca ') || CAST.test(text)) return undefined
    const [, callee] = CALL.exec(text) ?? []
    if (callee !== undefined && NOTHING.test(callee)) return undefined
    if (callee === undefined)
      return { kind: /^(?:call|tail call|atomicrmw|cmpxchg|fence|invoke) /.test(text) ? 'barrier' : 'other' }
    return { kind: PURE.test(callee) ? 'other' : 'barrier' }
  }

  /** Whether a pointer into a variable goes where its loads are not seen: to a call, a choice, memory, a pointer that is set twice. */
  #escapes(text: string, variable: string): boolean {
    if (LOAD.test(text) || ELEMENT.test(text) || NOTHING.test(CALL.exec(text)?.[1] ?? '')) return false
    const [, , , stored, to] = STORE.exec(text) ?? []
    if (stored === undefined || to === undefined)
      return [...text.matchAll(NAMES)].some(([used]) => this.#place(used).root === variable)
    return this.#place(stored).root === variable && this.#locals.get(to)?.stores.length !== 1
  }

  /** Stored to a variable that is never loaded, or not at all. */
  #isUnused(value: string): boolean {
    const uses = this.#uses.get(value) ?? 0
    const ends = [...this.#locals.values()].filter(({ stores, loads }) => loads === 0 && stores.includes(value))
    return uses === ends.length
  }

  #valueOf(value: string): string {
    const seen = this.#values.get(value)
    if (seen !== undefined) return seen
    const [, source] = CAST.exec(this.#definitions.get(value) ?? '') ?? []
    return source === undefined ? value : this.#valueOf(source)
  }

  #sumOf(operand: string): Sum {
    if (/^-?\d+$/.test(operand)) return { value: '', constant: Number(operand) }
    const value = this.#valueOf(operand)
    const [, of, constant] = SUM.exec(this.#definitions.get(value) ?? '') ?? []
    return of === undefined ? { value, constant: 0 } : { value: this.#valueOf(of), constant: Number(constant) }
  }

  #place(pointer: string): Place {
    const value = this.#valueOf(pointer)
    const [, , base, indices] = ELEMENT.exec(this.#definitions.get(value) ?? '') ?? []
    if (base === undefined) return { root: value, steps: [] }
    const { root, steps } = this.#place(base)
    const operands = indices!.split(',').map(each => each.trim().split(' ')[1]!)
    return { root, steps: [...steps, ...operands.map(each => this.#sumOf(each))] }
  }
}

/** Whether the value of a load is found in the instructions in front of it. */
function isAvailable(load: Access, before: readonly Instruction[]): boolean {
  for (const each of before.slice(-FARTHEST).reverse()) {
    if (each.kind === 'barrier') return false
    if (!('place' in each)) continue
    const relation = compare(each.place, load.place)
    if (relation === 'same') return each.type === load.type
    if (relation === 'maybe' && each.kind === 'store') return false
  }
  return false
}

function compare(a: Place, b: Place): 'same' | 'apart' | 'maybe' {
  // Variables of a kernel have places of their own, and pointers that it is given are to global memory.
  if (a.root !== b.root) return 'apart'
  if (a.steps.length !== b.steps.length || a.steps.some(({ value }, at) => value !== b.steps[at]!.value)) return 'maybe'
  return a.steps.every(({ constant }, at) => constant === b.steps[at]!.constant) ? 'same' : 'apart'
}
