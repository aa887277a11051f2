/**
 * CUDA arrays: texels in device memory, rows padded, slices or layers one after the other, known by the device address of
 * the first texel. Their copies are copies of boxes (copies.ts) once offsets are addresses.
 */
import { alignUp } from '../../ir/types.ts'
import type { CallResult, CudaContext, HostFunctions } from '../context.ts'
import type { AddressBook } from '../memory/addresses.ts'
import { type Box, type Copy, type Extent, runCopy } from '../memory/copies.ts'
import type { Operation, StreamTable } from '../timeline/streamTable.ts'

/** Bits of each channel (0: absent) and cudaChannelFormatKind. */
export interface ChannelFormat {
  readonly bits: readonly number[]
  readonly kind: number
}

export interface CudaArray {
  readonly address: number
  /** In texels. Height and depth are 0 where the program gave 0. */
  readonly extent: Extent
  readonly rowBytes: number
  readonly sliceBytes: number
  readonly texelBytes: number
  readonly format: ChannelFormat
  readonly flags: number
}

export interface ArrayParts {
  readonly addresses: AddressBook
  readonly streams: StreamTable
}

/** Rows of arrays and of textures over pitched memory start at such multiples (cudaDevAttrTexturePitchAlignment). */
export const ROW_ALIGNMENT = 32
const FORMAT_WORDS = 5

/** Bytes of a texel; undefined for formats that CUDA does not have: 1, 2 or 4 channels of 8, 16 or 32 bits. */
export function texelBytesOf({ bits, kind }: ChannelFormat): number | undefined {
  const present = bits.filter(bit => bit !== 0)
  const [first] = present
  const isKnown =
    first !== undefined &&
    [8, 16, 32].includes(first) &&
    [1, 2, 4].includes(present.length) &&
    present.every(bit => bit === first) &&
    kind >= 0 &&
    (kind < 2 || (kind === 2 && first > 8))
  return isKnown ? (first / 8) * present.length : undefined
}

export class ArrayTable {
  readonly #arrays = new Map<number, CudaArray>()
  /** Levels of mipmapped arrays, by the address of the first, which is their handle. */
  readonly #mipmapped = new Map<number, readonly CudaArray[]>()

  find(handle: number): CudaArray | undefined {
    return this.#arrays.get(handle >>> 0)
  }

  add(array: CudaArray): void {
    this.#arrays.set(array.address, array)
  }

  remove(handle: number): boolean {
    return this.#arrays.delete(handle >>> 0)
  }

  levelsOf(handle: number): readonly CudaArray[] | undefined {
    return this.#mipmapped.get(handle >>> 0)
  }

  addMipmapped(levels: readonly CudaArray[]): void {
    for (const level of levels) this.add(level)
    this.#mipmapped.set(levels[0]!.address, levels)
  }

  removeMipmapped(handle: number): readonly CudaArray[] | undefined {
    const levels = this.levelsOf(handle)
    this.#mipmapped.delete(handle >>> 0)
    for (const { address } of levels ?? []) this.remove(address)
    return levels
  }
}

export function arrayCalls(context: CudaContext, arrays: ArrayTable, parts: ArrayParts): HostFunctions {
  const { host, memory } = context.parts
  const readFormat = (at: number): ChannelFormat => {
    const words = Array.from({ length: FORMAT_WORDS }, (_, index) => host.u32(at + 4 * index))
    return { bits: words.slice(0, 4), kind: words[4]! }
  }
  const allocate = (format: ChannelFormat, extent: Extent, flags: number): CudaArray | CallResult => {
    if (extent.width === 0) return 'cudaErrorInvalidValue'
    const texelBytes = texelBytesOf(format)
    if (texelBytes === undefined) return 'cudaErrorInvalidChannelDescriptor'
    const rowBytes = alignUp(extent.width * texelBytes, ROW_ALIGNMENT)
    const sliceBytes = rowBytes * Math.max(1, extent.height)
    const address = memory.allocate(sliceBytes * Math.max(1, extent.depth), 'cudaArray')
    if (address === undefined) return 'cudaErrorMemoryAllocation'
    return { address, extent, rowBytes, sliceBytes, texelBytes, format, flags }
  }
  return {
    __warplens_malloc_array: context.call(
      (out: number, format: number, width: number, height: number, depth: number, flags: number) => {
        if (out === 0) return 'cudaErrorInvalidValue'
        const extent = { width: width >>> 0, height: height >>> 0, depth: depth >>> 0 }
        const array = allocate(readFormat(format), extent, flags)
        if (typeof array === 'string') return array
        arrays.add(array)
        host.setU32(out, array.address)
        return 'cudaSuccess'
      },
    ),
    cudaMallocMipmappedArray: context.call(
      (out: number, format: number, extentAt: number, count: number, flags: number) => {
        if (out === 0) return 'cudaErrorInvalidValue'
        const [width, height, depth] = [0, 4, 8].map(at => host.u32(extentAt + at)) as [number, number, number]
        const levels: CudaArray[] = []
        for (const extent of levelExtents({ width, height, depth }, count >>> 0, (flags & LAYERS) !== 0)) {
          const level = allocate(readFormat(format), extent, flags)
          if (typeof level === 'string') {
            for (const { address } of levels) memory.free(address)
            return level
          }
          levels.push(level)
        }
        arrays.addMipmapped(levels)
        host.setU32(out, levels[0]!.address)
        return 'cudaSuccess'
      },
    ),
    cudaGetMipmappedArrayLevel: context.call((out: number, handle: number, index: number) => {
      const levels = arrays.levelsOf(handle)
      if (levels === undefined) return 'cudaErrorInvalidResourceHandle'
      const level = levels[index >>> 0]
      if (level === undefined) return 'cudaErrorInvalidValue'
      host.setU32(out, level.address)
      return 'cudaSuccess'
    }),
    cudaFreeMipmappedArray: context.call((handle: number) => {
      if (handle === 0) return 'cudaSuccess'
      const levels = arrays.removeMipmapped(handle)
      if (levels === undefined) return 'cudaErrorInvalidResourceHandle'
      context.parts.timeline.synchronizeDevice()
      for (const { address } of levels) memory.free(address)
      return 'cudaSuccess'
    }),
    cudaFreeArray: context.call((handle: number) => {
      if (handle === 0) return 'cudaSuccess'
      if (!arrays.remove(handle)) return 'cudaErrorInvalidResourceHandle'
      context.parts.timeline.synchronizeDevice()
      memory.free(handle >>> 0)
      return 'cudaSuccess'
    }),
    __warplens_array_info: context.call((handle: number, out: number) => {
      const array = arrays.find(handle)
      if (array === undefined) return 'cudaErrorInvalidResourceHandle'
      const { format, extent, flags } = array
      const info = [...format.bits, format.kind, extent.width, extent.height, extent.depth, flags]
      for (const [index, value] of info.entries()) host.setU32(out + 4 * index, value)
      return 'cudaSuccess'
    }),
    ...arrayCopyCalls(context, arrays, parts),
  }
}

/** cudaArrayLayered and cudaArrayCubemap: what depth counts then is no direction. */
const LAYERS = 1 | 4

/** Each level has half of the texels in each direction; `wanted` levels, of which there are at least one and at most down to one texel. */
function levelExtents(extent: Extent, wanted: number, isLayered: boolean): Extent[] {
  const longest = Math.max(extent.width, extent.height, isLayered ? 0 : extent.depth, 1)
  const count = Math.max(1, Math.min(wanted, 1 + Math.floor(Math.log2(longest))))
  const half = (size: number, level: number) => (size === 0 ? 0 : Math.max(1, Math.floor(size / 2 ** level)))
  return Array.from({ length: count }, (_, level) => ({
    width: half(extent.width, level),
    height: half(extent.height, level),
    depth: isLayered ? extent.depth : half(extent.depth, level),
  }))
}

/** One side of a copy, as the header hands it over: an array with a position, or a pointer with a pitch and a position. */
interface Side {
  readonly array: number
  readonly x: number
  readonly y: number
  readonly z: number
  readonly pointer: number
  readonly pitch: number
  readonly rows: number
}
const SIDE_WORDS = 7

/** The copies that words of `__warplens_copy_box` describe, for now or for a graph. */
export function boxCopier(
  context: CudaContext,
  arrays: ArrayTable,
  addresses: AddressBook,
): (words: number, isAsync: boolean) => Operation | CallResult {
  const { host } = context.parts
  const readSide = (at: number): Side => {
    const [array, x, y, z, pointer, pitch, rows] = Array.from({ length: SIDE_WORDS }, (_, index) =>
      host.u32(at + 4 * index),
    )
    return { array: array!, x: x!, y: y!, z: z!, pointer: pointer!, pitch: pitch!, rows: rows! }
  }
  /** undefined for a handle that is none, or a box that leaves its array. */
  const boxOf = (side: Side, extent: Extent, inElements: boolean): Box | undefined => {
    if (side.array === 0) {
      const address = side.pointer + (side.z * side.rows + side.y) * side.pitch + side.x
      return { address: address >>> 0, pitch: side.pitch, sliceRows: side.rows }
    }
    const array = arrays.find(side.array)
    if (array === undefined) return undefined
    const x = inElements ? side.x * array.texelBytes : side.x
    const isInside =
      x + extent.width <= array.extent.width * array.texelBytes &&
      side.y + extent.height <= Math.max(1, array.extent.height) &&
      side.z + extent.depth <= Math.max(1, array.extent.depth)
    if (!isInside) return undefined
    return {
      address: array.address + side.z * array.sliceBytes + side.y * array.rowBytes + x,
      pitch: array.rowBytes,
      sliceRows: array.sliceBytes / array.rowBytes,
    }
  }
  /** The copy that the header's words ask for; an error where they make no sense. */
  const read = (words: number, isAsync: boolean): Omit<Copy, 'stream'> | CallResult => {
    const to = readSide(words)
    const from = readSide(words + 4 * SIDE_WORDS)
    const [width, height, depth, kind, inElements] = Array.from({ length: 5 }, (_, index) =>
      host.u32(words + 4 * (2 * SIDE_WORDS + index)),
    )
    const unit = inElements ? (arrays.find(to.array) ?? arrays.find(from.array))?.texelBytes : 1
    if (unit === undefined) return 'cudaErrorInvalidResourceHandle'
    const extent = { width: width! * unit, height: height!, depth: depth! }
    const toBox = boxOf(to, extent, inElements !== 0)
    const fromBox = boxOf(from, extent, inElements !== 0)
    if (toBox === undefined || fromBox === undefined) return 'cudaErrorInvalidValue'
    const caller = to.array || from.array ? 'a copy of a cudaArray' : 'cudaMemcpy3D'
    return { to: toBox, from: fromBox, extent, kind: kind!, isAsync, caller }
  }
  return (words, isAsync) => {
    const copy = read(words, isAsync)
    return typeof copy === 'string' ? copy : stream => runCopy(context, addresses, { ...copy, stream })
  }
}

function arrayCopyCalls(context: CudaContext, arrays: ArrayTable, { addresses, streams }: ArrayParts): HostFunctions {
  const boxCopy = boxCopier(context, arrays, addresses)
  const enqueueBox = (copy: Operation | CallResult, stream: number): CallResult =>
    typeof copy === 'string' ? copy : streams.enqueue(stream, 'memcpy', copy)
  /** Row after row from (x, y) on; x and the length in bytes. */
  const copyRun = (
    handle: number,
    start: { readonly x: number; readonly y: number },
    other: number,
    bytes: number,
    options: {
      readonly kind: number
      readonly stream: number
      readonly isAsync: boolean
      readonly toArray: boolean
    },
  ): CallResult => {
    const array = arrays.find(handle)
    if (array === undefined || !streams.has(options.stream)) return 'cudaErrorInvalidResourceHandle'
    const { kind, isAsync, toArray } = options
    const rowLength = array.extent.width * array.texelBytes
    const first = start.y * rowLength + start.x
    if (first + bytes > rowLength * Math.max(1, array.extent.height)) return 'cudaErrorInvalidValue'
    for (let done = 0; done < bytes; ) {
      const x = (first + done) % rowLength
      const y = Math.floor((first + done) / rowLength)
      const left = bytes - done
      const isWhole = x === 0 && left >= rowLength
      const width = isWhole ? rowLength : Math.min(left, rowLength - x)
      const height = isWhole ? Math.floor(left / rowLength) : 1
      const inArray = { address: array.address + y * array.rowBytes + x, pitch: array.rowBytes, sliceRows: height }
      const elsewhere = { address: other + done, pitch: width, sliceRows: height }
      const result = runCopy(context, addresses, {
        to: toArray ? inArray : elsewhere,
        from: toArray ? elsewhere : inArray,
        extent: { width, height, depth: 1 },
        kind,
        stream: streams.numberOf(options.stream),
        isAsync,
        caller: toArray ? 'cudaMemcpyToArray' : 'cudaMemcpyFromArray',
      })
      if (result !== 'cudaSuccess') return result
      done += width * height
    }
    return 'cudaSuccess'
  }
  return {
    __warplens_copy_box: context.call((words: number, stream: number, isAsync: number) =>
      enqueueBox(boxCopy(words >>> 0, isAsync !== 0), stream),
    ),
    __warplens_copy_run: context.call(
      (
        handle: number,
        x: number,
        y: number,
        other: number,
        bytes: number,
        kind: number,
        stream: number,
        isAsync: number,
        toArray: number,
      ) =>
        copyRun(handle, { x: x >>> 0, y: y >>> 0 }, other >>> 0, bytes >>> 0, {
          kind,
          stream,
          isAsync: isAsync !== 0,
          toArray: toArray !== 0,
        }),
    ),
  }
}
