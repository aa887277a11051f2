/**
 * Names with letters beyond ASCII: LLVM writes their bytes, UTF-8, one by one, and mangled names count bytes. In: strings in which each
 * character is a byte, or text. Out: the other one. What is no UTF-8 stays as it is.
 */

/** Outside ASCII. */
const BEYOND = /[\x80-\uffff]/

export function textOfBytes(bytes: string): string {
  if (!BEYOND.test(bytes)) return bytes
  try {
    return decodeURIComponent(
      bytes.replace(/[%\x80-\xff]/g, byte => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`),
    )
  } catch {
    return bytes
  }
}

export function bytesOfText(text: string): string {
  if (!BEYOND.test(text)) return text
  return encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
