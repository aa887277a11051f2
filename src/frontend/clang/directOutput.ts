/**
 * What clang writes, taken where it leaves the WebAssembly program. LLVM asks the file system how long a buffer for a stream should be,
 * WASI has no answer, and so it writes text unbuffered: a million writes for 3 MB of IR, each through two adapters of the package
 * (measured: 7 us each, a fifth of what the device side of a Thrust program took). Here one costs a copy.
 */

/** Bytes that a stream has got so far. */
export class OutputBuffer {
  #bytes = new Uint8Array(1 << 12)
  #length = 0

  append(bytes: Uint8Array): void {
    const end = this.#length + bytes.length
    if (end > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(end, 2 * this.#bytes.length))
      longer.set(this.#bytes)
      this.#bytes = longer
    }
    this.#bytes.set(bytes, this.#length)
    this.#length = end
  }

  /** A copy. */
  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }
}

/**
 * The buffer that a callback of the package has just written to. An instance's first write on a stream goes the long way and tells so
 * which run the instance is of.
 */
let written: OutputBuffer | undefined

/** The package's callback for one stream of one run. */
export const writingTo =
  (buffer: OutputBuffer) =>
  (bytes: Uint8Array | null): void => {
    if (bytes) buffer.append(bytes)
    written = buffer
  }

type WriteToDescriptor = (descriptor: number, vectors: number, count: number, writtenAt: number) => number

const SUCCESS = 0
let isDirect = false

/** From now on instances of WASI programs on this thread write directly where their first write went through {@link writingTo}. */
export function writeDirectly(): void {
  if (isDirect) return
  isDirect = true
  const { instantiate } = WebAssembly
  const instantiateDirect = async (
    module: WebAssembly.Module,
    imports?: WebAssembly.Imports,
  ): Promise<WebAssembly.Instance> => {
    const wasi = imports?.wasi_snapshot_preview1
    if (typeof wasi?.fd_write !== 'function') return instantiate(module, imports)
    let memory: WebAssembly.Memory | undefined
    const direct = directWrite(wasi.fd_write as WriteToDescriptor, () => memory)
    const instance = await instantiate(module, {
      ...imports,
      wasi_snapshot_preview1: { ...wasi, fd_write: direct },
    })
    memory = instance.exports.memory as WebAssembly.Memory
    return instance
  }
  Object.assign(WebAssembly, { instantiate: instantiateDirect })
}

function directWrite(long: WriteToDescriptor, memoryOf: () => WebAssembly.Memory | undefined): WriteToDescriptor {
  const buffers = new Map<number, OutputBuffer>()
  let view: DataView<ArrayBuffer | SharedArrayBuffer> = new DataView(new ArrayBuffer(0))
  return (descriptor, vectors, count, writtenAt) => {
    const buffer = buffers.get(descriptor)
    const memory = memoryOf()?.buffer
    if (buffer === undefined || memory === undefined) {
      written = undefined
      const status = long(descriptor, vectors, count, writtenAt)
      if (written) buffers.set(descriptor, written)
      return status
    }
    if (view.buffer !== memory) view = new DataView(memory)
    let total = 0
    for (let at = vectors; at < vectors + 8 * count; at += 8) {
      const length = view.getUint32(at + 4, true)
      buffer.append(new Uint8Array(memory, view.getUint32(at, true), length))
      total += length
    }
    view.setUint32(writtenAt, total, true)
    return SUCCESS
  }
}
