/**
 * Alignments as nvcc has them where a named array is cast: `*(float4 *)&tile[i]`, `*(int *)(bytes + i)`. CUDA's compiler takes the alignment
 * from the type that the source casts to; clang keeps what it knows of the array's elements, which would split the access into them
 * (PTX and machine code of 28 kernels; reading: test/cases/machine_cast_elements.cu). As on the machine, an address that is not aligned then faults.
 *
 * In: LLVM IR as clang writes it before any pass. Out: the same with the type's alignment in accesses, and copies of a type's, that begin
 * somewhere in a shared or `__device__` variable. A `memcpy` of the source has no type and stays; so do packed structures.
 */
const END = '\n}\n'
const NAME = '@(?:"[^"]+"|[\\w.$-]+)'
const NAMED = new RegExp(
  `^(${NAME}) = .*?\\baddrspace\\([13]\\) (?:externally_initialized )?(?:global|constant) `,
  'gm',
)
const PACKED = /^(%(?:"[^"]+"|[\w.$-]+)) = type <\{/gm
const VALUE = '%(?:"[^"]+"|[\\w.$-]+)'
const FLAGS = '(?:inbounds |nuw |nusw )*'
const VARIABLE = `addrspacecast \\(ptr addrspace\\(\\d\\) ${NAME} to ptr\\)`
const POINTER = `(${VALUE}|${NAME}|${VARIABLE}|getelementptr ${FLAGS}\\([^()]*${VARIABLE}[^()]*\\))`
const ELEMENT = new RegExp(`^  (${VALUE}) = getelementptr ${FLAGS}(.+?), ptr ${POINTER}, `)
const ACCESS = new RegExp(
  `^(  (?:${VALUE} = load|store) (?:volatile )?(<\\d+ x \\w+>|\\w+)(?: [^,]+)?, ptr ${POINTER}, align )(\\d+)(.*)$`,
)
const OPERAND = `((?:noundef )?(?:nonnull )?align )(\\d+) ${POINTER}`
const COPY = new RegExp(
  `^(  (?:tail )?call void @llvm\\.memcpy\\.p0\\.p0\\.i32\\(ptr )${OPERAND}, ptr ${OPERAND}(, i32 \\d+, i1 false\\).*)$`,
)

export function raiseCastAlignments(ir: string): string {
  const named = new Set([...ir.matchAll(NAMED)].map(([, name]) => name!))
  if (named.size === 0) return ir
  const packed = [...ir.matchAll(PACKED)].map(([, name]) => name!)
  // Without optimization nothing tells whose copies are a type's.
  const isOfType = ir.includes(' !tbaa ') ? (line: string) => line.includes(', !tbaa.struct ') : () => true
  const functions = ir.split(END)
  return functions
    .map(func => (func.includes(' addrspacecast (ptr addrspace(') ? raiseIn(func, named, packed, isOfType) : func))
    .join(END)
}

function raiseIn(
  func: string,
  named: ReadonlySet<string>,
  packed: readonly string[],
  isOfType: (copy: string) => boolean,
): string {
  const elements = new Set<string>()
  const isNamed = (pointer: string): boolean => {
    const [name] = NAME_IN.exec(pointer) ?? []
    return name === undefined ? elements.has(pointer) : named.has(name) && !isPacked(pointer)
  }
  const isPacked = (text: string): boolean => packed.some(type => text.includes(type))
  const raise = (line: string): string => {
    const [, element, type, array] = ELEMENT.exec(line) ?? []
    if (element !== undefined) {
      if (isNamed(array!) && !isPacked(type!)) elements.add(element)
      return line
    }
    const [, access, accessed, pointer, align, behind] = ACCESS.exec(line) ?? []
    if (access !== undefined)
      return isNamed(pointer!) ? `${access}${Math.max(Number(align), alignmentOf(accessed!))}${behind}` : line
    const [, call, toWords, toAlign, to, fromWords, fromAlign, from, rest] = COPY.exec(line) ?? []
    if (call === undefined || !isOfType(line) || isNamed(to!) === isNamed(from!)) return line
    // The other side has its type's alignment.
    const aligned = Math.max(Number(toAlign), Number(fromAlign))
    const [ofTo, ofFrom] = isNamed(to!) ? [aligned, fromAlign] : [toAlign, aligned]
    return `${call}${toWords}${ofTo} ${to}, ptr ${fromWords}${ofFrom} ${from}${rest}`
  }
  return func.split('\n').map(raise).join('\n')
}

const NAME_IN = new RegExp(NAME)
const BYTES: Readonly<Record<string, number>> = { half: 2, bfloat: 2, float: 4, double: 8 }

const WIDEST = 16

/** Of numbers, and of vectors of them as CUDA has them; 0 of anything else. */
function alignmentOf(type: string): number {
  const [, count = 1, element = type] = /^<(\d+) x (\w+)>$/.exec(type) ?? []
  const [, bits] = /^i(8|16|32|64|128)$/.exec(element) ?? []
  const bytes = Number(count) * (bits === undefined ? (BYTES[element] ?? 0) : Number(bits) / 8)
  return bytes <= WIDEST && (bytes & (bytes - 1)) === 0 ? bytes : 0
}
