/** What `nvcc -cubin -lineinfo` writes: an ELF file with one section of code a kernel, and DWARF 2 line programs. */

export interface KernelCode {
  readonly name: string
  readonly code: Uint8Array
  /** By address, in order: the line of the innermost function. */
  readonly lines: readonly { readonly address: number; readonly line: number }[]
}

interface Section {
  readonly name: string
  readonly data: Uint8Array
  readonly link: number
}

const decoder = new TextDecoder()

export function readCubin(bytes: Uint8Array): KernelCode[] {
  const sections = readSections(bytes)
  const lines = linesByKernel(sections)
  return sections
    .filter(({ name }) => name.startsWith('.text.'))
    .map(({ name, data }) => ({ name: kernelOf(name), code: data, lines: lines.get(kernelOf(name)) ?? [] }))
}

const kernelOf = (section: string): string => section.slice('.text.'.length)

/** ELF64, little endian. */
function readSections(bytes: Uint8Array): Section[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const table = Number(view.getBigUint64(0x28, true))
  const [size, count, names] = [view.getUint16(0x3a, true), view.getUint16(0x3c, true), view.getUint16(0x3e, true)]
  const NO_BITS = 8
  const headers = Array.from({ length: count }, (_, index) => {
    const at = table + index * size
    const start = Number(view.getBigUint64(at + 0x18, true))
    const length = view.getUint32(at + 4, true) === NO_BITS ? 0 : Number(view.getBigUint64(at + 0x20, true))
    return {
      nameAt: view.getUint32(at, true),
      data: bytes.subarray(start, start + length),
      link: view.getUint32(at + 0x28, true),
    }
  })
  const texts = headers[names]!.data
  return headers.map(({ nameAt, data, link }) => ({ name: textAt(texts, nameAt), data, link }))
}

const textAt = (bytes: Uint8Array, at: number): string => decoder.decode(bytes.subarray(at, bytes.indexOf(0, at)))

type Lines = Map<string, { address: number; line: number }[]>

function linesByKernel(sections: readonly Section[]): Lines {
  const program = sections.find(({ name }) => name === '.debug_line')?.data
  const lines: Lines = new Map()
  if (!program) return lines
  const kernels = relocatedKernels(sections)
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength)
  for (let at = 0; at + 4 < program.length; ) {
    const end = at + 4 + view.getUint32(at, true)
    readLineProgram(new ByteReader(program, at + 4), end, kernels, lines)
    at = end
  }
  for (const each of lines.values()) each.sort((a, b) => a.address - b.address)
  return lines
}

/** For places of the line programs the kernel whose address stands there. */
function relocatedKernels(sections: readonly Section[]): Map<number, string> {
  const kernels = new Map<number, string>()
  for (const { name, data, link } of sections) {
    if (!/^\.rela?\.debug_line$/.test(name)) continue
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
    const symbols = sections[link]!
    const table = new DataView(symbols.data.buffer, symbols.data.byteOffset, symbols.data.byteLength)
    const entry = name.startsWith('.rela') ? 24 : 16
    for (let at = 0; at < data.length; at += entry) {
      const symbol = 24 * view.getUint32(at + 12, true)
      const own = textAt(sections[symbols.link]!.data, table.getUint32(symbol, true))
      const named = own === '' ? sections[table.getUint16(symbol + 6, true)]!.name : own
      kernels.set(Number(view.getBigUint64(at, true)), named.startsWith('.text.') ? kernelOf(named) : named)
    }
  }
  return kernels
}

class ByteReader {
  constructor(
    private readonly bytes: Uint8Array,
    public at: number,
  ) {}
  u8(): number {
    return this.bytes[this.at++]!
  }
  i8(): number {
    return (this.u8() << 24) >> 24
  }
  u16(): number {
    return this.u8() | (this.u8() << 8)
  }
  u32(): number {
    return this.u16() + this.u16() * 0x10000
  }
  unsigned(): number {
    let [value, scale] = [0, 1]
    for (;;) {
      const byte = this.u8()
      value += (byte & 127) * scale
      scale *= 128
      if (byte < 128) return value
    }
  }
  signed(): number {
    const start = this.at
    const value = this.unsigned()
    const range = 128 ** (this.at - start)
    return value >= range / 2 ? value - range : value
  }
}

/** DWARF 2, section 6.2; the extensions for inlined functions are skipped. */
function readLineProgram(reader: ByteReader, end: number, kernels: Map<number, string>, lines: Lines): void {
  const version = reader.u16()
  const start = reader.u32() + reader.at
  const step = reader.u8()
  if (version >= 4) reader.u8()
  reader.u8()
  const [lineBase, lineRange, opcodeBase] = [reader.i8(), reader.u8(), reader.u8()]
  reader.at = start
  let [address, line] = [0, 1]
  let kernel: string | undefined
  const row = () => {
    if (kernel === undefined) return
    const known = lines.get(kernel) ?? []
    lines.set(kernel, known)
    known.push({ address, line })
  }
  while (reader.at < end) {
    const opcode = reader.u8()
    if (opcode >= opcodeBase) {
      address += Math.floor((opcode - opcodeBase) / lineRange) * step
      line += lineBase + ((opcode - opcodeBase) % lineRange)
      row()
    } else if (opcode === 0) {
      const next = reader.unsigned() + reader.at
      const extended = reader.u8()
      if (extended === 1) [address, line, kernel] = [0, 1, undefined]
      if (extended === 2) {
        kernel = kernels.get(reader.at)
        address = reader.u32()
      }
      reader.at = next
    } else if (opcode === 1) row()
    else if (opcode === 2) address += reader.unsigned() * step
    else if (opcode === 3) line += reader.signed()
    else if (opcode === 4 || opcode === 5 || opcode === 12) reader.unsigned()
    else if (opcode === 8) address += Math.floor((255 - opcodeBase) / lineRange) * step
    else if (opcode === 9) address += reader.u16()
  }
}
