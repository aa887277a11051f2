/**
 * A choice between two places is loaded again: `m = a[i] > a[j] ? a[i] : a[j]` is three loads in nvcc, which makes one load of those of
 * both branches before it knows that each value was loaded in front of them; LLVM of today knows first. So for `?:` and for `if` and `else`
 * that set one variable, where the two places differ in one thing only: in the array (`a[i]`, `b[i]`) or in an index (PTX of 90 kernels;
 * test/cases/machine_chosen.cu).
 *
 * In: LLVM IR as clang writes it before any pass. Out: the same with one load of a chosen pointer that LLVM's passes do not look through;
 * {@link openPlaces} takes what keeps them from it away again.
 */

const NAME = '%(?:"[^"]+"|[\\w.$-]+)'
const LOAD = new RegExp(`^ {2}(${NAME}) = load (float|double|half|bfloat|i\\d+), ptr (${NAME}), (align \\d+.*)$`)
const STORE = new RegExp(`^ {2}store (\\S+) (\\S+), ptr (${NAME}),`)
const PHI = new RegExp(
  `^ {2}(${NAME}) = phi (?:[a-z]+ )*(?:float|double|half|bfloat|i\\d+) \\[ (${NAME}), (${NAME}) \\], \\[ (${NAME}), (${NAME}) \\]`,
)
const ELEMENT = /^getelementptr (?:inbounds |nuw |nusw )*(.+?), ptr (.+?), i32 ([^,\s()]+)(?:, i32 ([^,\s()]+))?$/
const LABEL = /^("[^"]+"|[\w.$-]+):/
const JUMP = new RegExp(`^ {2}br label (${NAME})`)
const BRANCH = new RegExp(`^ {2}br i1 [^,]+, label (${NAME}), label (${NAME})`)
const DEFINITION = new RegExp(`^ {2}(${NAME}) = (.*)$`)
const LOCAL = new RegExp(`^ {2}(${NAME}) = alloca (.*)$`)

const OPAQUE = 'llvm.strip.invariant.group.p0'
const DECLARATION = `declare ptr @${OPAQUE}(ptr)`
const OPAQUE_CALL =
  /= (?:tail )?call ptr(?: addrspace\(\d+\))? @llvm\.strip\.invariant\.group\.p\d+\(ptr ((?:noundef |nonnull )*)([^)]+)\)[^\n]*/g

export function keepChosenPlaces(ir: string): string {
  let isChanged = false
  const text = ir.replace(/^define [^\n]*\{\n[\s\S]*?^\}$/gm, body => {
    if (!body.includes(' = load ') || !body.includes('\n  br i1 ')) return body
    const chosen = new ChosenPlaces(body.split('\n'))
    if (!chosen.find()) return body
    isChanged = true
    return chosen.text
  })
  return isChanged && !ir.includes(DECLARATION) ? `${text}\n${DECLARATION}\n` : text
}

/** What LLVM's passes left, with the pointers as they are. */
export function openPlaces(ir: string): string {
  if (!ir.includes('@llvm.strip.invariant.group')) return ir
  return ir.replace(OPAQUE_CALL, '= getelementptr i8, ptr $2, i32 0')
}

interface Load {
  readonly line: number
  readonly value: string
  readonly type: string
  readonly pointer: string
  /** Alignment and metadata. */
  readonly rest: string
}

/** An element of an array, perhaps a member of it: what it starts from, and the steps from there. */
interface PlaceInMemory {
  readonly base: string
  readonly steps: readonly { readonly index: string; readonly isMember: boolean }[]
}

/** Of one function; lines keep their places, those that go become empty. */
class ChosenPlaces {
  readonly #lines: string[]
  readonly #definitions = new Map<string, { readonly line: number; readonly text: string }>()
  /** First and last line of each block, by its name as branches have it. */
  readonly #blocks = new Map<string, { readonly first: number; readonly last: number }>()
  readonly #predecessors = new Map<string, string[]>()
  readonly #locals = new Set<string>()
  /** Variables that are not only loaded and stored. */
  readonly #escaping = new Set<string>()
  /** Instructions that use a value. */
  readonly #uses = new Map<string, number>()
  /** A `switch` or the like: predecessors are not all known. */
  #hasOtherTerminators = false
  /** Values of choices found so far, with the chosen pointers. */
  readonly #chosen = new Map<string, Load>()
  /** Chosen pointers, with one of the two. */
  readonly #oneOf = new Map<string, string>()
  #count = 0

  constructor(lines: string[]) {
    this.#lines = lines
    this.#read()
  }

  get text(): string {
    return this.#lines.filter(line => line !== GONE).join('\n')
  }

  /** Whether there was any. */
  find(): boolean {
    for (let line = 0; line < this.#lines.length; line++) {
      const phi = PHI.exec(this.#lines[line]!)
      if (phi) this.#chooseByPhi(line, phi)
    }
    for (const [name] of this.#blocks) this.#chooseByStores(name)
    return this.#count > 0
  }

  #read(): void {
    let name = '%entry'
    let first = 1
    const close = (end: number) => {
      const last = end - 1
      this.#blocks.set(name, { first, last })
      const terminator = this.#lines[last] ?? ''
      const targets = BRANCH.exec(terminator) ?? JUMP.exec(terminator)
      for (const target of targets?.slice(1) ?? [])
        this.#predecessors.set(target, [...(this.#predecessors.get(target) ?? []), name])
      if (!targets && !/^ {2}(ret|unreachable)\b/.test(terminator)) this.#hasOtherTerminators = true
    }
    for (const [at, line] of this.#lines.entries()) {
      const label = LABEL.exec(line)
      if (label || line === '}') {
        let end = at
        while (this.#lines[end - 1] === '') end--
        if (end > first || at > 1) close(end)
        if (label) [name, first] = [`%${label[1]}`, at + 1]
        continue
      }
      const definition = DEFINITION.exec(line)
      if (definition) this.#definitions.set(definition[1]!, { line: at, text: withoutTags(definition[2]!) })
      this.#noteUses(line, definition?.[1])
      const local = LOCAL.exec(line)
      if (local) this.#locals.add(local[1]!)
    }
  }
  #noteUses(line: string, defined: string | undefined): void {
    const used = new Set(line.match(OPERANDS))
    for (const name of used) {
      if (name === defined) continue
      this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1)
      if (this.#locals.has(name) && !isPlainUse(line, name)) this.#escaping.add(name)
    }
  }

  /** `?:`, which clang makes of a load in each branch. */
  #chooseByPhi(line: number, [, value, one, oneBlock, other, otherBlock]: RegExpExecArray): void {
    const loads = [this.#lastLoad(one!, oneBlock!), this.#lastLoad(other!, otherBlock!)]
    const [first, second] = loads
    if (!first || !second || first.type !== second.type || !this.#isOneChoice(first, second)) return
    const place = this.#name('place')
    const debug = /, !dbg !\d+/.exec(this.#lines[line]!)?.[0] ?? ''
    this.#lines[line] =
      `  ${place} = phi ptr [ ${first.pointer}, ${oneBlock} ], [ ${second.pointer}, ${otherBlock} ]${debug}`
    for (const load of [first, second]) this.#remove(load)
    let behind = line
    while (/^ {2}%\S+ = phi /.test(this.#lines[behind + 1] ?? '')) behind++
    const chosen = this.#name('chosen')
    const load = `load ${first.type}, ptr ${chosen}, ${first.rest}`
    this.#lines[behind] += `\n  ${chosen} = call ptr @${OPAQUE}(ptr ${place})${debug}\n  ${value} = ${load}`
    this.#definitions.set(value!, { line: behind, text: load })
    this.#chosen.set(value!, { line: behind, value: value!, type: first.type, pointer: place, rest: first.rest })
    this.#oneOf.set(place, first.pointer)
  }
  /** `if (…) m = a[i]; else m = a[j];` with more behind it. */
  #chooseByStores(end: string): void {
    const [one, other, ...more] = this.#predecessors.get(end) ?? []
    if (!one || !other || more.length > 0 || this.#hasOtherTerminators) return
    const { first, last } = this.#blocks.get(end)!
    if (first >= last || PHI.test(this.#lines[first]!)) return
    const from = [one, other].map(block => this.#predecessors.get(block) ?? [])
    if (from.some(blocks => blocks.length !== 1) || from[0]![0] !== from[1]![0]) return
    for (const stored of this.#storesOfLoads(one)) {
      const alike = this.#storesOfLoads(other).find(({ local }) => local === stored.local)
      if (!alike || alike.load.type !== stored.load.type || !this.#isOneChoice(stored.load, alike.load)) continue
      const place = this.#name('place')
      const [kept, chosen, value] = [this.#name('kept'), this.#name('chosen'), this.#name('value')]
      for (const { line, load } of [stored, alike]) {
        this.#lines[line] = `  store ptr ${load.pointer}, ptr ${place}, align 4`
        this.#remove(load)
      }
      const { type, rest } = stored.load
      const debug = /, !dbg !\d+/.exec(rest)?.[0] ?? ''
      const { first: start } = this.#blocks.get('%entry')!
      this.#lines[start] = `  ${place} = alloca ptr, align 4\n${this.#lines[start]}`
      this.#lines[first] = [
        `  ${kept} = load ptr, ptr ${place}, align 4${debug}`,
        `  ${chosen} = call ptr @${OPAQUE}(ptr ${kept})${debug}`,
        `  ${value} = load ${type}, ptr ${chosen}, ${rest}`,
        `  store ${type} ${value}, ptr ${stored.local}, align ${/align (\d+)/.exec(rest)![1]}${debug}`,
        this.#lines[first],
      ].join('\n')
    }
  }

  /** What a block loads and keeps in a variable, with nothing behind the load that may write elsewhere. */
  #storesOfLoads(block: string): { readonly line: number; readonly local: string; readonly load: Load }[] {
    const { first, last } = this.#blocks.get(block)!
    const found: { line: number; local: string; load: Load }[] = []
    for (let line = last - 1; line >= first; line--) {
      const text = this.#lines[line]!
      const [, type, value, local] = STORE.exec(text) ?? []
      const isOfLocal = local !== undefined && this.#locals.has(local)
      if (!isOfLocal && mayWrite(text)) break
      if (!isOfLocal || found.some(each => each.local === local)) continue
      const load = this.#loadAt(value!)
      const isOfBlock = load !== undefined && load.line >= first && load.line < line && load.type === type
      const isReadAgain = this.#lines.slice(line + 1, last).some(each => mentions(each, local))
      if (isOfBlock && !isReadAgain && !this.#escaping.has(local)) found.push({ line, local, load })
    }
    return found
  }

  /** The load of a value that only one instruction uses. */
  #loadAt(value: string): Load | undefined {
    const definition = this.#definitions.get(value)
    const [, , type, pointer, rest] = (definition && LOAD.exec(this.#lines[definition.line]!)) ?? []
    if (definition === undefined || pointer === undefined || this.#uses.get(value) !== 1) return undefined
    return { line: definition.line, value, type: type!, pointer, rest: rest! }
  }

  /** A load that is the last thing a block does. */
  #lastLoad(value: string, block: string): Load | undefined {
    const bounds = this.#blocks.get(block)
    const load = this.#chosen.get(value) ?? this.#loadAt(value)
    if (!bounds || !load || this.#uses.get(value) !== 1) return undefined
    return load.line === bounds.last - 1 && JUMP.test(this.#lines[bounds.last]!) ? load : undefined
  }

  /** The load itself, of a chosen pointer the last of its lines. */
  #remove({ line, value }: Load): void {
    const lines = this.#lines[line]!.split('\n').filter(each => !each.startsWith(`  ${value} = load `))
    this.#lines[line] = lines.length > 0 ? lines.join('\n') : GONE
  }

  #isOneChoice(one: Load, other: Load): boolean {
    const [a, b] = [this.#place(one.pointer), this.#place(other.pointer)]
    if (!a || !b || a.steps.length !== b.steps.length || a.steps.length === 0) return false
    const isBaseSame = this.#isSame(a.base, b.base)
    const differing = a.steps.flatMap((step, at) => (this.#isSame(step.index, b.steps[at]!.index) ? [] : [at]))
    if (a.steps.some((step, at) => step.isMember !== b.steps[at]!.isMember)) return false
    if (differing.length + (isBaseSame ? 0 : 1) !== 1) return false
    const [at = -1] = differing
    if (a.steps[at]?.isMember) return false
    if (a.steps.length === 1) return true
    const sameBehind = a.steps.slice(at + 1).map(({ index }) => index)
    const areNumbers = at >= 0 && [a, b].some(({ steps }) => isNumber(steps[at]!.index))
    if (areNumbers) return false
    if (sameBehind.every(isNumber)) return true
    // Indices of shared memory stay as they are; others are widened, in each branch anew.
    if (![a, b].every(({ base }) => base.includes('addrspace(3)'))) return false
    const areRead = at < 0 || [a, b].every(({ steps }) => !this.#callsBuiltin(steps[at]!.index))
    return areRead && sameBehind.every(index => isNumber(index) || this.#isVariable(index))
  }

  #isVariable(operand: string): boolean {
    const [, variable] = /^load \S+, ptr (%[^,]+),/.exec(this.#definitions.get(operand)?.text ?? '') ?? []
    return variable !== undefined && this.#locals.has(variable)
  }

  #callsBuiltin(operand: string, depth = 0): boolean {
    const text = this.#definitions.get(operand)?.text
    if (text === undefined || depth > DEEPEST) return false
    return BUILTIN.test(text) || (text.match(OPERANDS) ?? []).some(each => this.#callsBuiltin(each, depth + 1))
  }

  /** Undefined where it is no element, or the first one. */
  #place(pointer: string): PlaceInMemory | undefined {
    const steps: { index: string; isMember: boolean }[] = []
    let base = this.#oneOf.get(pointer) ?? pointer
    let isScalar = true
    for (;;) {
      const text = this.#definitions.get(base)?.text
      const [, type, from, first, second] = (text !== undefined && ELEMENT.exec(text)) || []
      if (type === undefined) break
      if (second !== undefined && first !== '0') return undefined
      const isMember = second !== undefined && !type.startsWith('[')
      // `*(p + i + j)` is one step of `i + j`.
      const isSum =
        second === undefined && steps.length > 0 && isScalar && !type.startsWith('[') && !type.startsWith('%')
      const index = second ?? first!
      if (isSum) steps[0] = { index: `${index} + ${steps[0]!.index}`, isMember: false }
      else steps.unshift({ index, isMember })
      isScalar = second === undefined && !type.startsWith('%')
      base = from!
    }
    // Rows of one number belong to the array.
    while (steps.length > 1 && !base.startsWith('%') && isNumber(steps[0]!.index) && !steps[0]!.isMember) {
      base += `[${steps[0]!.index}]`
      steps.shift()
    }
    const isFirst = steps.every(({ index }) => index === '0')
    return isFirst ? undefined : { base, steps }
  }

  /** Whether two operands compute the same from variables. */
  #isSame(a: string, b: string, depth = 0): boolean {
    if (a === b) return true
    if (a.includes(' + ') || b.includes(' + ')) {
      const [left, right] = [a.split(' + '), b.split(' + ')]
      return left.length === right.length && left.every((each, at) => this.#isSame(each, right[at]!, depth))
    }
    const [one, other] = [this.#definitions.get(a)?.text, this.#definitions.get(b)?.text]
    if (one === undefined || other === undefined || depth > DEEPEST) return false
    if (/^(phi|alloca|atomicrmw|cmpxchg)\b/.test(one) || (isCall(one) && !BUILTIN.test(one))) return false
    const operands = (text: string) => text.match(OPERANDS) ?? []
    if (one.replace(OPERANDS, '%') !== other.replace(OPERANDS, '%')) return false
    const [left, right] = [operands(one), operands(other)]
    return left.every((operand, at) => this.#isSame(operand, right[at]!, depth + 1))
  }

  #name(kind: string): string {
    return `%wl.${kind}${this.#count++}`
  }
}

/** In the place of a line that is no more. */
const GONE = '\0'
const DEEPEST = 20
const OPERANDS = new RegExp(NAME, 'g')
const BUILTIN = /__fetch_builtin_[xyz]Ev\(\)|@llvm\.nvvm\.read\.ptx\.sreg\./
const isCall = (text: string): boolean => /^(?:(?:tail|musttail|notail) )?call\b/.test(text)

/** Instructions that may write something else than a variable. */
const mayWrite = (line: string): boolean =>
  /^ {2}(?:%\S+ = )?(?:(?:tail |musttail |notail )?call\b|store\b|atomicrmw\b|cmpxchg\b|fence\b)/.test(line) &&
  !BUILTIN.test(line)

/** A load of a variable, or a store of something else to it. */
function isPlainUse(line: string, local: string): boolean {
  const [, stored, to] = /^ {2}store \S+ (.+), ptr (%[^,]+),/.exec(line) ?? []
  if (to !== undefined) return to === local && stored !== local
  return /= load \S+, ptr (%[^,]+),/.exec(line)?.[1] === local
}

const isNumber = (operand: string): boolean => /^-?\d+$/.test(operand)

const withoutTags = (text: string): string => text.replace(/, !\w+ !\d+/g, '').replace(/ #\d+$/, '')

function mentions(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1))
    if (!/[\w.$-]/.test(line[at + name.length] ?? ' ')) return true
  return false
}
