/**
 * Source lines of the host program's WebAssembly code, from its `.debug_line` section (DWARF 4, section 6.2; addresses count
 * from the start of the code section's content: "DWARF for WebAssembly"). Read only when a program has crashed.
 */
import type { SourceRange } from '../../diagnostic.ts'

const CODE_SECTION = 10
const CUSTOM_SECTION = 0
const HEADER_BYTES = 8
const DWARF_VERSION = 4

/** The line of the instruction at a byte offset of the module; undefined without debug information for it. */
export function sourceLineAt(wasm: Uint8Array, offset: number): SourceRange | undefined {
  const { codeStart, lines } = findSections(wasm)
  if (codeStart === undefined || lines === undefined) return undefined
  const address = offset - codeStart
  const reader = new Reader(lines)
  while (!reader.atEnd) {
    const found = readUnit(reader, address)
    if (found !== undefined) return found
  }
  return undefined
}

function findSections(wasm: Uint8Array): { codeStart: number | undefined; lines: Uint8Array | undefined } {
  const reader = new Reader(wasm, HEADER_BYTES)
  let codeStart: number | undefined
  let lines: Uint8Array | undefined
  while (!reader.atEnd) {
    const id = reader.u8()
    const end = reader.unsigned() + reader.at
    if (id === CODE_SECTION) codeStart = reader.at
    if (id === CUSTOM_SECTION && reader.text(reader.unsigned()) === '.debug_line') lines = wasm.subarray(reader.at, end)
    reader.at = end
  }
  return { codeStart, lines }
}

interface UnitHeader {
  readonly lineBase: number
  readonly lineRange: number
  readonly opcodeBase: number
  readonly opcodeLengths: readonly number[]
  readonly files: readonly string[]
}

/** Reads one line program; leaves the reader at its end. */
function readUnit(reader: Reader, address: number): SourceRange | undefined {
  const length = reader.u32()
  const end = reader.at + length
  const version = reader.u16()
  if (version !== DWARF_VERSION) {
    reader.at = end
    return undefined
  }
  const header = readHeader(reader)
  const found = runLineProgram(reader, end, header, address)
  reader.at = end
  return found
}

function readHeader(reader: Reader): UnitHeader {
  const headerLength = reader.u32()
  const programStart = reader.at + headerLength
  reader.u8() // minimum_instruction_length: 1
  reader.u8() // maximum_operations_per_instruction: 1
  reader.u8() // default_is_stmt
  const lineBase = reader.i8()
  const lineRange = reader.u8()
  const opcodeBase = reader.u8()
  const opcodeLengths = Array.from({ length: opcodeBase - 1 }, () => reader.u8())
  const folders = ['']
  for (let folder = reader.cString(); folder !== ''; folder = reader.cString()) folders.push(folder)
  const files = ['']
  for (let file = reader.cString(); file !== ''; file = reader.cString()) {
    const folder = folders[reader.unsigned()] ?? ''
    reader.unsigned()
    reader.unsigned()
    files.push(folder === '' || file.startsWith('/') ? file : `${folder}/${file}`)
  }
  reader.at = programStart
  return { lineBase, lineRange, opcodeBase, opcodeLengths, files }
}

interface Row {
  address: number
  file: number
  line: number
  column: number
}

function startRow(): Row {
  return { address: 0, file: 1, line: 1, column: 0 }
}

const EXTENDED = { endSequence: 1, setAddress: 2 } as const
const STANDARD = {
  copy: 1,
  advancePc: 2,
  advanceLine: 3,
  setFile: 4,
  setColumn: 5,
  constAddPc: 8,
  fixedAdvancePc: 9,
} as const

/** Runs the state machine; the row that covers the address is the last one at or before it. */
function runLineProgram(reader: Reader, end: number, header: UnitHeader, address: number): SourceRange | undefined {
  let row = startRow()
  let previous: Row | undefined
  const rangeOf = ({ file, line, column }: Row): SourceRange => ({ file: header.files[file] ?? '', line, column })
  /** True when the row before this one covers the address. */
  const emit = (): boolean => {
    if (previous !== undefined && previous.address <= address && address < row.address) return true
    // Line 0: code that belongs to no line (section 6.2.5.2); what came before it is the next best answer.
    const isNowhere = row.line === 0 && previous !== undefined
    previous = isNowhere ? { ...previous!, address: row.address } : { ...row }
    return false
  }
  const advanceSpecial = (opcode: number): void => {
    row.address += Math.floor((opcode - header.opcodeBase) / header.lineRange)
  }
  while (reader.at < end) {
    const opcode = reader.u8()
    if (opcode >= header.opcodeBase) {
      advanceSpecial(opcode)
      row.line += header.lineBase + ((opcode - header.opcodeBase) % header.lineRange)
      if (emit() && previous) return rangeOf(previous)
      continue
    }
    switch (opcode) {
      case 0: {
        const next = reader.unsigned() + reader.at
        const extended = reader.u8()
        if (extended === EXTENDED.setAddress) row.address = reader.u32()
        if (extended === EXTENDED.endSequence) {
          if (emit() && previous) return rangeOf(previous)
          previous = undefined
          row = startRow()
        }
        reader.at = next
        break
      }
      case STANDARD.copy:
        if (emit() && previous) return rangeOf(previous)
        break
      case STANDARD.advancePc:
        row.address += reader.unsigned()
        break
      case STANDARD.advanceLine:
        row.line += reader.signed()
        break
      case STANDARD.setFile:
        row.file = reader.unsigned()
        break
      case STANDARD.setColumn:
        row.column = reader.unsigned()
        break
      case STANDARD.constAddPc:
        advanceSpecial(255)
        break
      case STANDARD.fixedAdvancePc:
        row.address += reader.u16()
        break
      default:
        for (let operand = header.opcodeLengths[opcode - 1] ?? 0; operand > 0; operand--) reader.unsigned()
    }
  }
  return undefined
}

/** Little-endian reads and LEB128 numbers. */
class Reader {
  at: number
  readonly #bytes: Uint8Array
  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.at = at
  }
  get atEnd(): boolean {
    return this.at >= this.#bytes.length
  }
  u8(): number {
    return this.#bytes[this.at++] ?? 0
  }
  i8(): number {
    return (this.u8() << 24) >> 24
  }
  u16(): number {
    return this.u8() | (this.u8() << 8)
  }
  u32(): number {
    return (this.u16() | (this.u16() << 16)) >>> 0
  }
  unsigned(): number {
    let value = 0
    let scale = 1
    for (let byte = this.u8(); ; byte = this.u8()) {
      value += (byte & 0x7f) * scale
      if ((byte & 0x80) === 0) return value
      scale *= 128
    }
  }
  signed(): number {
    let value = 0
    let shift = 0
    for (let byte = this.u8(); ; byte = this.u8()) {
      value |= (byte & 0x7f) << shift
      shift += 7
      if ((byte & 0x80) === 0) return shift < 32 && (byte & 0x40) !== 0 ? value | (-1 << shift) : value
    }
  }
  text(length: number): string {
    const text = new TextDecoder().decode(this.#bytes.slice(this.at, this.at + length))
    this.at += length
    return text
  }
  cString(): string {
    const end = this.#bytes.indexOf(0, this.at)
    const text = this.text(end - this.at)
    this.at = end + 1
    return text
  }
}
