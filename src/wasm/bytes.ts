/** A growing byte buffer with the integer encodings of the WebAssembly binary format (LEB128). */
export class ByteWriter {
  private buffer = new Uint8Array(256)
  private view = new DataView(this.buffer.buffer)
  length = 0

  byte(value: number): void {
    if (this.length === this.buffer.length) this.grow(1)
    this.buffer[this.length++] = value
  }

  unsigned(value: number): void {
    let rest = value >>> 0
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.byte(rest)
  }

  signed(value: number): void {
    let rest = value | 0
    for (;;) {
      const low = rest & 0x7f
      rest >>= 7
      if ((rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)) {
        this.byte(low)
        return
      }
      this.byte(low | 0x80)
    }
  }

  signed64(value: bigint): void {
    let rest = BigInt.asIntN(64, value)
    for (;;) {
      const low = Number(rest & 0x7fn)
      rest >>= 7n
      if ((rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0)) {
        this.byte(low)
        return
      }
      this.byte(low | 0x80)
    }
  }

  uint32(value: number): void {
    this.reserve(4)
    this.view.setUint32(this.length, value, true)
    this.length += 4
  }

  uint64(value: bigint): void {
    this.reserve(8)
    this.view.setBigUint64(this.length, value, true)
    this.length += 8
  }

  float64(value: number): void {
    this.reserve(8)
    this.view.setFloat64(this.length, value, true)
    this.length += 8
  }

  bytes(values: ArrayLike<number>): void {
    this.reserve(values.length)
    this.buffer.set(values, this.length)
    this.length += values.length
  }

  /** Length in bytes, then the ASCII characters. */
  name(text: string): void {
    this.unsigned(text.length)
    for (let i = 0; i < text.length; i++) this.byte(text.charCodeAt(i) & 0x7f)
  }

  result(): Uint8Array {
    return this.buffer.subarray(0, this.length)
  }

  private reserve(count: number): void {
    if (this.length + count > this.buffer.length) this.grow(count)
  }

  private grow(count: number): void {
    const next = new Uint8Array(Math.max(this.buffer.length * 2, this.length + count))
    next.set(this.buffer)
    this.buffer = next
    this.view = new DataView(next.buffer)
  }
}
