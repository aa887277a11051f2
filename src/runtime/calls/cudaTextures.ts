/**
 * Texture and surface objects, and the older references. Each is a descriptor in device memory that device code reads
 * (include/warplens/device_texture.h has the same list of words); the object's value is the descriptor's address. A reference
 * is a device variable that holds such an address.
 */
import type { CallResult, CudaContext, HostFunctions } from '../context.ts'
import type { AddressBook } from '../memory/addresses.ts'
import type { MirroredMemory } from '../memory/mirroredMemory.ts'
import type { Registry } from '../program/cudaRegistration.ts'
import { type ArrayTable, type ChannelFormat, type CudaArray, ROW_ALIGNMENT, texelBytesOf } from './cudaArrays.ts'

export interface TextureParts {
  readonly arrays: ArrayTable
  readonly addresses: AddressBook
  readonly registry: Registry
  readonly mirrored: MirroredMemory
}

/** cudaResourceType. */
const RESOURCE = { array: 0, mipmapped: 1, linear: 2, pitched: 3 } as const
const WORDS = 27
/** Texels of a texture over linear memory (cudaDeviceProp::maxTexture1DLinear of 7.0 and later). */
const MAX_LINEAR_TEXELS = 2 ** 28
const LINEAR_FILTER = 1
/** cudaTextureAddressMode. */
const BORDER_MODE = 3
/** formatNumber() of half. */
const HALF_FORMAT = 6
const NORMALIZED_FLOAT = 1
const FLOAT_KIND = 2

/** What the program said about a texture, word by word as include/warplens/host_textures.h lists them. */
interface Request {
  readonly resource: number
  readonly address: number
  readonly width: number
  readonly height: number
  readonly pitch: number
  readonly bytes: number
  readonly format: ChannelFormat
  readonly modes: readonly number[]
  readonly filter: number
  readonly readMode: number
  readonly normalized: number
  readonly border: readonly number[]
  readonly mipmaps: Mipmaps
}

/** Which levels lookups may have, and how they choose. */
interface Mipmaps {
  readonly filter: number
  readonly bias: number
  readonly lowest: number
  readonly highest: number
  readonly first: number
  readonly last: number
}

/** A reference's descriptor and what it was written from. */
interface Binding {
  readonly descriptor: number
  readonly levels: readonly Texels[]
  readonly request: Request
  readonly isTexture: boolean
}

/** The texels, wherever they are. */
interface Texels {
  readonly address: number
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly rowBytes: number
  readonly sliceBytes: number
  readonly texelBytes: number
  readonly format: ChannelFormat
}

export function textureCalls(context: CudaContext, parts: TextureParts): HostFunctions {
  const { host, memory } = context.parts
  const known = new Set<number>()
  /** What texture and surface objects were made of, as the program gave it. */
  const objects = new Map<number, readonly number[]>()
  const bound = new Map<number, Binding>()

  const readRequest = (at: number): Request => {
    const words = Array.from({ length: WORDS }, (_, index) => host.u32(at + 4 * index))
    const [resource, address, width, height, pitch, bytes] = words.slice(0, 6) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    const [filter, readMode, normalized] = words.slice(14, 17) as [number, number, number]
    const format = { bits: words.slice(6, 10), kind: words[10]! }
    const modes = words.slice(11, 14)
    const border = words.slice(17, 21)
    const mipmaps = readMipmaps(words.slice(21))
    return {
      resource,
      address,
      width,
      height,
      pitch,
      bytes,
      format,
      modes,
      filter,
      readMode,
      normalized,
      border,
      mipmaps,
    }
  }
  const writeDescriptor = (address: number, levels: readonly Texels[], request: Request): void => {
    const all = descriptors(levels, request)
    const view = memory.viewOf(address, 4 * all.length)
    const data = new DataView(view.buffer, view.byteOffset, view.byteLength)
    for (const [index, word] of all.entries()) data.setUint32(4 * index, word, true)
  }
  /** Writes the descriptor for a request and calls `use` with its address. */
  const describe = (request: Request, use: (address: number, levels: readonly Texels[]) => void): CallResult => {
    const levels = levelsOf(context, parts, request)
    if (typeof levels === 'string') return levels
    const problem = checkModes(request, levels[0]!.format)
    if (problem !== undefined) return problem
    const { lowest, filter } = request.mipmaps
    if (request.resource === RESOURCE.mipmapped && filter === LINEAR_FILTER && !Number.isInteger(lowest))
      context.mentionOnce(
        `a lowest level of detail of ${lowest} is between two levels: lookups that name no level (tex2D) have the nearest one; tex2DLod has both`,
      )
    const address = memory.allocate(4 * descriptors(levels, request).length, 'texture')
    if (address === undefined) return 'cudaErrorMemoryAllocation'
    writeDescriptor(address, levels, request)
    known.add(address)
    use(address, levels)
    return 'cudaSuccess'
  }
  const destroy = (object: bigint): CallResult => {
    const address = Number(object)
    objects.delete(address)
    if (!known.delete(address)) return object === 0n ? 'cudaSuccess' : 'cudaErrorInvalidValue'
    memory.free(address)
    return 'cudaSuccess'
  }
  /** `request` with the attributes that the program gave its variable (`textureReference` in include/texture_types.h). */
  const withAttributes = (request: Request, reference: number): Request => {
    const [normalized, filter, ...modes] = Array.from({ length: 5 }, (_, index) => host.u32(reference + 4 * index))
    return { ...request, normalized: normalized!, filter: filter!, modes }
  }
  /**
   * A bound reference's attributes count as they are at a launch: CUDA's sample bicubicTexture changes the filter between launches.
   * What is no attribute leaves those before.
   */
  const updateBindings = (): void => {
    for (const [reference, { descriptor, levels, request, isTexture }] of bound) {
      const now = isTexture ? withAttributes(request, reference) : request
      if (checkModes(now, levels[0]!.format) === undefined) writeDescriptor(descriptor, levels, now)
    }
  }
  const setReference = (reference: number, binding: Binding | undefined): CallResult => {
    const variable = parts.registry.variableOf(reference)
    if (variable === undefined) return 'cudaErrorInvalidTexture'
    const view = memory.viewOf(variable.address, 4)
    new DataView(view.buffer, view.byteOffset, 4).setUint32(0, binding?.descriptor ?? 0, true)
    const previous = bound.get(reference)
    if (previous !== undefined) destroy(BigInt(previous.descriptor))
    if (binding === undefined) bound.delete(reference)
    else bound.set(reference, binding)
    return 'cudaSuccess'
  }
  parts.mirrored.addDerived(updateBindings)
  return {
    __warplens_create_texture: context.call((out: number, words: number) =>
      describe(readRequest(words), address => {
        host.setU32(out, address)
        host.setU32(out + 4, 0)
        objects.set(
          address,
          Array.from({ length: WORDS }, (_, index) => host.u32(words + 4 * index)),
        )
      }),
    ),
    __warplens_texture_words: context.call((object: bigint, words: number) => {
      const made = objects.get(Number(object))
      if (made === undefined) return 'cudaErrorInvalidValue'
      for (const [index, word] of made.entries()) host.setU32(words + 4 * index, word)
      return 'cudaSuccess'
    }),
    cudaDestroyTextureObject: context.call(destroy),
    cudaDestroySurfaceObject: context.call(destroy),
    __warplens_bind_reference: context.call((reference: number, words: number, isTexture: number) => {
      if (parts.registry.variableOf(reference) === undefined) return 'cudaErrorInvalidTexture'
      const given = readRequest(words)
      const request = isTexture ? withAttributes(given, reference) : given
      return describe(request, (descriptor, levels) => {
        setReference(reference, { descriptor, levels, request, isTexture: isTexture !== 0 })
      })
    }),
    __warplens_unbind_reference: context.call((reference: number) => setReference(reference, undefined)),
  }
}

/** The texels of each level that there is; of all but mipmapped arrays one. */
function levelsOf(context: CudaContext, parts: TextureParts, request: Request): readonly Texels[] | CallResult {
  const { resource, address, mipmaps, normalized } = request
  if (resource !== RESOURCE.mipmapped) {
    const texels = texelsOf(context, parts, request)
    return typeof texels === 'string' ? texels : [texels]
  }
  const levels = parts.arrays.levelsOf(address)?.slice(mipmaps.first, mipmaps.last + 1)
  if (levels === undefined) return address === 0 ? 'cudaErrorInvalidValue' : 'cudaErrorInvalidResourceHandle'
  return levels.length === 0 || normalized === 0 ? 'cudaErrorInvalidValue' : levels.map(texelsOfArray)
}

function texelsOfArray(array: CudaArray): Texels {
  const size = { width: array.extent.width, height: Math.max(1, array.extent.height) }
  return { ...array, ...size, depth: Math.max(1, array.extent.depth) }
}

function texelsOf(context: CudaContext, { arrays, addresses }: TextureParts, request: Request): Texels | CallResult {
  const { resource, address, width, height, pitch, format } = request
  if (resource === RESOURCE.array) {
    const array = arrays.find(address)
    if (array === undefined) return address === 0 ? 'cudaErrorInvalidValue' : 'cudaErrorInvalidResourceHandle'
    return texelsOfArray(array)
  }
  const texelBytes = texelBytesOf(format)
  if (texelBytes === undefined) return 'cudaErrorInvalidChannelDescriptor'
  if (resource === RESOURCE.linear) {
    const available = bytesFrom(context, addresses, address)
    // The driver does not ask whether the allocation is that long (SHOC's MD binds a buffer of floats as one of doubles).
    const bytes = Math.min(request.bytes, available ?? 0)
    const texels = Math.min(MAX_LINEAR_TEXELS, Math.floor(bytes / texelBytes))
    if (texels === 0 || address % texelBytes !== 0) return 'cudaErrorInvalidValue'
    const rowBytes = texels * texelBytes
    return { address, width: texels, height: 1, depth: 1, rowBytes, sliceBytes: rowBytes, texelBytes, format }
  }
  const isGood = width > 0 && height > 0 && pitch >= width * texelBytes && pitch % ROW_ALIGNMENT === 0
  if (!isGood || !addresses.isDevice(address, (height - 1) * pitch + width * texelBytes)) return 'cudaErrorInvalidValue'
  return { address, width, height, depth: 1, rowBytes: pitch, sliceBytes: pitch * height, texelBytes, format }
}

/** Bytes of the allocation from the address to its end. */
function bytesFrom(context: CudaContext, addresses: AddressBook, address: number): number | undefined {
  const range = context.parts.memory.allocationAt(address) ?? addresses.rangeAt(address)
  return range && range.address + range.bytes - address
}

/** Linear filtering gives floats, so texels must be floats or be read as such (Programming Guide, "Texture Object API"). */
function checkModes({ filter, readMode, modes }: Request, { bits, kind }: ChannelFormat): CallResult | undefined {
  if (filter > 1 || readMode > 1 || modes.some(mode => mode > 3)) return 'cudaErrorInvalidValue'
  const isFloat = kind === FLOAT_KIND
  if (readMode === NORMALIZED_FLOAT && !isFloat && (bits[0] ?? 0) > 16) return 'cudaErrorInvalidNormSetting'
  if (filter === LINEAR_FILTER && !isFloat && readMode !== NORMALIZED_FLOAT) return 'cudaErrorInvalidFilterSetting'
  return undefined
}

function readMipmaps(words: readonly number[]): Mipmaps {
  const [filter = 0, bias = 0, lowest = 0, highest = 0, first = 0, last = 0] = words
  const [biasLevels = 0, lowestLevel = 0, highestLevel = 0] = new Float32Array(
    Uint32Array.of(bias, lowest, highest).buffer,
  )
  return { filter, bias: biasLevels, lowest: lowestLevel, highest: highestLevel, first, last }
}

/** A level's steps: what the texture unit knows of one. */
const STEPS = 256

/**
 * The descriptor that the object points to, and those of the levels behind it. The first is that of the level which lookups have that
 * name none: the lowest (readings of an H200: the bias does not count for them).
 */
function descriptors(levels: readonly Texels[], request: Request): number[] {
  if (request.resource !== RESOURCE.mipmapped) return [...descriptorWords(levels[0]!, request), 0, 0, 0, 0, 0]
  const { filter, bias, lowest, highest } = request.mipmaps
  const end = (levels.length - 1) * STEPS
  const steps = (level: number) => Math.min(end, Math.max(0, Math.trunc(level * STEPS)))
  const range = [steps(lowest), Math.max(steps(lowest), steps(highest))] as const
  const choice = [1, filter, Math.trunc(bias * STEPS), ...range]
  const unnamed = levels[Math.floor(range[0] / STEPS + 0.5)]!
  return [unnamed, ...levels].flatMap(level => [...descriptorWords(level, request), ...choice])
}

/** In the order of `__warplens_texture` in include/warplens/device_texture.h, without what levels are chosen by. */
function descriptorWords(texels: Texels, request: Request): number[] {
  const { address, width, height, depth, rowBytes, sliceBytes, texelBytes, format } = texels
  const { filter, normalized, readMode, modes, border } = request
  const stored = formatNumber(format)
  const size = [address, width, height, depth, rowBytes, sliceBytes, texelBytes, stored]
  const isConverted = stored === HALF_FORMAT || (readMode === NORMALIZED_FLOAT && format.kind !== FLOAT_KIND)
  const isPlain = !normalized && !isConverted && !modes.includes(BORDER_MODE)
  const plain = !isPlain ? 0 : filter === LINEAR_FILTER ? 2 : 1
  return [...size, filter, normalized ? 1 : 0, readMode, ...modes, ...border, plain]
}

/** `__warplens_u8` and so on: unsigned before signed, by size; then half and float. */
function formatNumber({ bits, kind }: ChannelFormat): number {
  if (kind === FLOAT_KIND) return bits[0] === 16 ? 6 : 7
  return 2 * Math.log2((bits[0] ?? 8) / 8) + (kind === 0 ? 1 : 0)
}
