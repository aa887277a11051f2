/**
 * The host program's memory: reads and writes of C data by address. Every method checks the range, because addresses come
 * from the program: a bad one is a {@link HostFault}, which stops the program as a segmentation fault would.
 */

/** The program handed a bad host address to a call of the runtime. */
export class HostFault extends Error {
  readonly address: number
  readonly bytes: number
  constructor(address: number, bytes: number) {
    super(`no host memory at 0x${address.toString(16).padStart(8, '0')}`)
    this.name = 'HostFault'
    this.address = address
    this.bytes = bytes
  }
}

/** The program has written where no pointer points: a machine would have ended it there. */
export class NullWrite extends Error {
  constructor() {
    super('a write through a null pointer')
    this.name = 'NullWrite'
  }
}

/** The deep end of the stack (`--stack-first`), which no program comes to that a machine's stack has room for. */
const NULL_BYTES = 1024

export class HostMemory {
  readonly memory: WebAssembly.Memory
  /**
   * Of the memory as it was when it was last too small: asking a WebAssembly memory for its buffer costs more than an access. A buffer
   * that the memory outgrew is empty, or shared and still the beginning of it.
   */
  #view: DataView<ArrayBufferLike>
  constructor(memory: WebAssembly.Memory) {
    this.memory = memory
    this.#view = new DataView(memory.buffer)
  }

  /** @throws NullWrite where something lies at address 0, or close to it, that was not there when the program started */
  checkNull(): void {
    const words = new Uint32Array(this.memory.buffer, 0, NULL_BYTES / Uint32Array.BYTES_PER_ELEMENT)
    for (let at = 0; at < words.length; at++) if (words[at] !== 0) throw new NullWrite()
  }

  /** Whether the bytes lie in the host's memory. Null is not valid for a positive size. */
  holds(address: number, bytes: number): boolean {
    const end = (address >>> 0) + bytes
    if (address >>> 0 === 0) return false
    if (end <= this.#view.buffer.byteLength) return true
    if (this.#view.buffer !== this.memory.buffer) this.#view = new DataView(this.memory.buffer)
    return end <= this.#view.buffer.byteLength
  }

  /** A view of host memory, valid until the program allocates. */
  bytes(address: number, length: number): Uint8Array {
    if (length === 0) return new Uint8Array(this.memory.buffer, 0, 0)
    if (!this.holds(address, length)) throw new HostFault(address >>> 0, length)
    return new Uint8Array(this.#view.buffer, address >>> 0, length)
  }

  u32(address: number): number {
    return this.#at(address, 4).getUint32(address >>> 0, true)
  }

  setU32(address: number, value: number): void {
    this.#at(address, 4).setUint32(address >>> 0, value, true)
  }

  setF32(address: number, value: number): void {
    this.#at(address, 4).setFloat32(address >>> 0, value, true)
  }

  /** A NUL-terminated string, UTF-8. */
  text(address: number): string {
    const all = this.bytes(address, this.memory.buffer.byteLength - (address >>> 0))
    const end = all.indexOf(0)
    // slice: decoders refuse views of shared memory.
    return new TextDecoder().decode(all.slice(0, end < 0 ? all.length : end))
  }

  /** Writes a string with its NUL, cut to `capacity` bytes in all. */
  setText(address: number, text: string, capacity: number): void {
    if (capacity <= 0) return
    const encoded = new TextEncoder().encode(text).subarray(0, capacity - 1)
    const to = this.bytes(address, encoded.length + 1)
    to.set(encoded)
    to[encoded.length] = 0
  }

  #at(address: number, bytes: number): DataView {
    if (!this.holds(address, bytes)) throw new HostFault(address >>> 0, bytes)
    return this.#view
  }
}
