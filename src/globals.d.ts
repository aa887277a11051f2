/** The few globals that Node and browsers share and that the core uses, so that it needs neither DOM nor Node types. */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean })
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string
}
declare class TextEncoder {
  encode(text?: string): Uint8Array
}
declare const performance: { now(): number }
interface ErrorConstructor {
  /** Frames that an error keeps; V8's. */
  stackTraceLimit: number
}
