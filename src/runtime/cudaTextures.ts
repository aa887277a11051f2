/**
 * Texture and surface objects, and the older references. Each is a descriptor in device memory that device code reads
 * (include/warplens/device_texture.h has the same list of words); the object's value is the descriptor's address. A reference
 * is a device variable that holds such an address.
 */
import type { AddressBook } from './addresses.ts'
import type { CallResult, CudaContext, HostFunctions } from './context.ts'
import { type ArrayTable, type ChannelFormat, ROW_ALIGNMENT, texelBytesOf } from './cudaArrays.ts'
import type { Registry } from './cudaRegistration.ts'
import type { MirroredMemory } from './mirroredMemory.ts'

export interface TextureParts {
  readonly arrays: ArrayTable
  readonly addresses: AddressBook
  readonly registry: Registry
  readonly mirrored: MirroredMemory
}

/** cudaResourceType. */
const RESOURCE = { array: 0, mipmapped: 1, linear: 2, pitched: 3 } as const
const WORDS = 21
const DESCRIPTOR_WORDS = 19
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
}

/** A reference's descriptor and what it was written from. */
interface Binding {
  readonly descriptor: number
  readonly texels: Texels
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
  const descriptors = new Set<number>()
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
    return { resource, address, width, height, pitch, bytes, format, modes, filter, readMode, normalized, border }
  }
  const writeDescriptor = (address: number, texels: Texels, request: Request): void => {
    const view = memory.viewOf(address, 4 * DESCRIPTOR_WORDS)
    const data = new DataView(view.buffer, view.byteOffset, view.byteLength)
    for (const [index, word] of descriptorWords(texels, request).entries()) data.setUint32(4 * index, word, true)
  }
  /** Writes the descriptor for a request and calls `use` with its address. */
  const describe = (request: Request, use: (address: number, texels: Texels) => void): CallResult => {
    const texels = texelsOf(context, parts, request)
    if (typeof texels === 'string') return texels
    const problem = checkModes(request, texels.format)
    if (problem !== undefined) return problem
    const address = memory.allocate(4 * DESCRIPTOR_WORDS, 'texture')
    if (address === undefined) return 'cudaErrorMemoryAllocation'
    writeDescriptor(address, texels, request)
    descriptors.add(address)
    use(address, texels)
    return 'cudaSuccess'
  }
  const destroy = (object: bigint): CallResult => {
    const address = Number(object)
    objects.delete(address)
    if (!descriptors.delete(address)) return object === 0n ? 'cudaSuccess' : 'cudaErrorInvalidValue'
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
    for (const [reference, { descriptor, texels, request, isTexture }] of bound) {
      const now = isTexture ? withAttributes(request, reference) : request
      if (checkModes(now, texels.format) === undefined) writeDescriptor(descriptor, texels, now)
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
      return describe(request, (descriptor, texels) => {
        setReference(reference, { descriptor, texels, request, isTexture: isTexture !== 0 })
      })
    }),
    __warplens_unbind_reference: context.call((reference: number) => setReference(reference, undefined)),
  }
}

function texelsOf(context: CudaContext, { arrays, addresses }: TextureParts, request: Request): Texels | CallResult {
  const { resource, address, width, height, pitch, format } = request
  if (resource === RESOURCE.array) {
    const array = arrays.find(address)
    if (array === undefined) return address === 0 ? 'cudaErrorInvalidValue' : 'cudaErrorInvalidResourceHandle'
    const size = { width: array.extent.width, height: Math.max(1, array.extent.height) }
    return { ...array, ...size, depth: Math.max(1, array.extent.depth) }
  }
  if (resource === RESOURCE.mipmapped) return context.unsupported('a texture of a mipmapped array')
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

/** In the order of `__warplens_texture` in include/warplens/device_texture.h. */
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
