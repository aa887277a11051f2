/**
 * Literals that macros make of their arguments (`#x`): in the copy that is compiled they say what `long` and `size_t` became
 * (wideLongs.ts, wideSizes.ts), and the program prints them. Those names are as long as the user's, so the words can be put back
 * in what clang has made.
 */
import { asWritten } from './wideLongs.ts'
import { sizesAsWritten } from './wideSizes.ts'

const HEADER_BYTES = 8
const DATA_SECTION = 11
const UNDERSCORE = 0x5f
const LONGEST = 8
const NAME = /^__(?:sz8t|szof|szmax_|l[lfaz]|ul[lna]|i64la|u64la_)(?!\w)/
const WORD = /\w/
const CONSTANT = /^@.* c"[^"]*__[^"]*"/gm

/** A device side's LLVM IR, with the user's words in its texts. */
export const textsAsWritten = (ir: string): string =>
  ir.replace(CONSTANT, constant => constant.replace(/(?<=c").*/, usersWords))

/** The host's module, with the user's words in its data. Changes the bytes where they are. */
export function dataAsWritten(wasm: Uint8Array): Uint8Array {
  for (let at = HEADER_BYTES; at < wasm.length; ) {
    const section = wasm[at]
    const size = unsignedAt(wasm, at + 1)
    if (section === DATA_SECTION) putBack(wasm.subarray(size.end, size.end + size.value))
    at = size.end + size.value
  }
  return wasm
}

function putBack(data: Uint8Array): void {
  for (let at = data.indexOf(UNDERSCORE); at >= 0; at = data.indexOf(UNDERSCORE, at + 1)) {
    if (data[at + 1] !== UNDERSCORE || WORD.test(String.fromCharCode(data[at - 1] ?? 0))) continue
    const [name] = NAME.exec(String.fromCharCode(...data.subarray(at, at + LONGEST + 1))) ?? []
    if (name) data.set(new TextEncoder().encode(usersWords(name)), at)
  }
}

const usersWords = (text: string): string => sizesAsWritten(asWritten(text))

/** A number of the format: seven bits a byte, the lowest first. */
function unsignedAt(bytes: Uint8Array, from: number): { value: number; end: number } {
  let value = 0
  let end = from
  for (let shift = 1; ; shift *= 128) {
    const byte = bytes[end++] ?? 0
    value += (byte & 127) * shift
    if (byte < 128) return { value, end }
  }
}
