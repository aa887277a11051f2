/**
 * UTF-8 and a clock, the three things of the host environment that the front end needs besides WebAssembly. They exist
 * in browsers and in Node alike; declared here because the core compiles without either's types.
 */
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string }
declare const TextEncoder: new () => { encode(text: string): Uint8Array }
declare const performance: { now(): number }

export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Milliseconds since some fixed moment. */
export function nowMs(): number {
  return performance.now()
}
