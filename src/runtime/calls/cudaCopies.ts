/** The copying calls: between the two sides, in rectangles and boxes, to and from variables; fills. */
import type { CallResult, CudaContext, HostFunctions } from '../context.ts'
import type { AddressBook } from '../memory/addresses.ts'
import { type Extent, linear, MEMCPY_DEFAULT, runCopy, runFill, suitsSymbol } from '../memory/copies.ts'
import type { Registry } from '../program/cudaRegistration.ts'
import type { StreamTable } from '../timeline/streamTable.ts'

export interface CopyParts {
  readonly addresses: AddressBook
  readonly registry: Registry
  readonly streams: StreamTable
}

export function copyCalls(context: CudaContext, parts: CopyParts): HostFunctions {
  return { ...memoryCopyCalls(context, parts), ...symbolCalls(context, parts) }
}

function memoryCopyCalls(context: CudaContext, { addresses, streams }: CopyParts): HostFunctions {
  const { devices } = context.parts
  const copy = (
    caller: string,
    to: number,
    toPitch: number,
    from: number,
    fromPitch: number,
    extent: Extent,
    kind: number,
    stream: number,
    isAsync: boolean,
  ): CallResult => {
    const request = {
      to: { address: to >>> 0, pitch: toPitch >>> 0, sliceRows: extent.height },
      from: { address: from >>> 0, pitch: fromPitch >>> 0, sliceRows: extent.height },
      extent,
      kind,
      isAsync,
      caller,
    }
    return streams.enqueue(stream, 'memcpy', number => runCopy(context, addresses, { ...request, stream: number }))
  }
  const flat = (
    caller: string,
    to: number,
    from: number,
    bytes: number,
    kind: number,
    stream: number,
    isAsync: boolean,
  ): CallResult =>
    copy(caller, to, bytes, from, bytes, { width: bytes >>> 0, height: 1, depth: 1 }, kind, stream, isAsync)
  const plane = (width: number, height: number): Extent => ({ width: width >>> 0, height: height >>> 0, depth: 1 })
  const fill = (
    caller: string,
    pointer: number,
    pitch: number,
    rows: number,
    value: number,
    extent: Extent,
    stream: number,
  ): CallResult =>
    streams.enqueue(stream, 'memset', number =>
      runFill(
        context,
        addresses,
        { address: pointer >>> 0, pitch: pitch >>> 0, sliceRows: rows },
        extent,
        value,
        number,
        caller,
      ),
    )
  return {
    cudaMemcpy: context.call((to: number, from: number, bytes: number, kind: number) =>
      flat('cudaMemcpy', to, from, bytes, kind, 0, false),
    ),
    cudaMemcpyAsync: context.call((to: number, from: number, bytes: number, kind: number, stream: number) =>
      flat('cudaMemcpyAsync', to, from, bytes, kind, stream, true),
    ),
    cudaMemcpyPeer: context.call((to: number, toDevice: number, from: number, fromDevice: number, bytes: number) =>
      !devices.has(toDevice) || !devices.has(fromDevice)
        ? 'cudaErrorInvalidDevice'
        : flat('cudaMemcpyPeer', to, from, bytes, MEMCPY_DEFAULT, 0, false),
    ),
    cudaMemcpyPeerAsync: context.call(
      (to: number, toDevice: number, from: number, fromDevice: number, bytes: number, stream: number) =>
        !devices.has(toDevice) || !devices.has(fromDevice)
          ? 'cudaErrorInvalidDevice'
          : flat('cudaMemcpyPeerAsync', to, from, bytes, MEMCPY_DEFAULT, stream, true),
    ),
    cudaMemcpy2D: context.call(
      (to: number, toPitch: number, from: number, fromPitch: number, width: number, height: number, kind: number) =>
        copy('cudaMemcpy2D', to, toPitch, from, fromPitch, plane(width, height), kind, 0, false),
    ),
    cudaMemcpy2DAsync: context.call(
      (
        to: number,
        toPitch: number,
        from: number,
        fromPitch: number,
        width: number,
        height: number,
        kind: number,
        stream: number,
      ) => copy('cudaMemcpy2DAsync', to, toPitch, from, fromPitch, plane(width, height), kind, stream, true),
    ),
    cudaMemset: context.call((pointer: number, value: number, bytes: number) =>
      fill('cudaMemset', pointer, bytes, 1, value, plane(bytes, 1), 0),
    ),
    cudaMemsetAsync: context.call((pointer: number, value: number, bytes: number, stream: number) =>
      fill('cudaMemsetAsync', pointer, bytes, 1, value, plane(bytes, 1), stream),
    ),
    cudaMemset2D: context.call((pointer: number, pitch: number, value: number, width: number, height: number) =>
      fill('cudaMemset2D', pointer, pitch, height, value, plane(width, height), 0),
    ),
    cudaMemset2DAsync: context.call(
      (pointer: number, pitch: number, value: number, width: number, height: number, stream: number) =>
        fill('cudaMemset2DAsync', pointer, pitch, height, value, plane(width, height), stream),
    ),
    __warplens_memset_3d: context.call(
      (
        pointer: number,
        pitch: number,
        rows: number,
        value: number,
        width: number,
        height: number,
        depth: number,
        stream: number,
      ) => fill('cudaMemset3D', pointer, pitch, rows, value, { ...plane(width, height), depth: depth >>> 0 }, stream),
    ),
  }
}

/** The parts of a range that variables of the program have; what lies between and behind them is nobody's. */
function variablesWithin(context: CudaContext, start: number, length: number): { address: number; bytes: number }[] {
  const end = start + length
  return [...context.parts.image.loaded.variables.values()]
    .map(({ address, bytes }) => ({ address: Math.max(start, address), end: Math.min(end, address + bytes) }))
    .filter(part => part.address < part.end)
    .sort((a, b) => a.address - b.address)
    .map(part => ({ address: part.address, bytes: part.end - part.address }))
}

function symbolCalls(context: CudaContext, { addresses, registry, streams }: CopyParts): HostFunctions {
  const { host } = context.parts
  const transfer = (
    caller: string,
    symbol: number,
    other: number,
    bytes: number,
    offset: number,
    kind: number,
    stream: number,
    isAsync: boolean,
    toSymbol: boolean,
  ): CallResult => {
    const variable = registry.variableOf(symbol)
    if (variable === undefined) return 'cudaErrorInvalidSymbol'
    if (!suitsSymbol(kind, toSymbol)) return 'cudaErrorInvalidMemcpyDirection'
    const length = bytes >>> 0
    const start = variable.address + (offset >>> 0)
    let parts = [{ address: start, bytes: length }]
    if ((offset >>> 0) + length > variable.bytes) {
      // The asynchronous ones do not look (read on an H100, CUDA 13: 120 bytes to 60, the next variable has the rest).
      if (!isAsync) return 'cudaErrorInvalidValue'
      context.mentionOnce(
        `${caller}: ${length} bytes ${toSymbol ? 'to' : 'from'} ${variable.name}, which has ${variable.bytes}: goes on in what lies behind it, on a GPU too`,
      )
      parts = variablesWithin(context, start, length)
    }
    const copies = parts.map(({ address, bytes: part }) => {
      const inSymbol = linear(address, part)
      const elsewhere = linear((other >>> 0) + address - start, part)
      const [to, from] = toSymbol ? [inSymbol, elsewhere] : [elsewhere, inSymbol]
      return { to, from, extent: { width: part, height: 1, depth: 1 }, kind, isAsync, caller }
    })
    return streams.enqueue(stream, 'memcpy', number => {
      const results = copies.map(request => runCopy(context, addresses, { ...request, stream: number }))
      return results.find(result => result !== 'cudaSuccess') ?? 'cudaSuccess'
    })
  }
  return {
    cudaMemcpyToSymbol: context.call((symbol: number, from: number, bytes: number, offset: number, kind: number) =>
      transfer('cudaMemcpyToSymbol', symbol, from, bytes, offset, kind, 0, false, true),
    ),
    cudaMemcpyToSymbolAsync: context.call(
      (symbol: number, from: number, bytes: number, offset: number, kind: number, stream: number) =>
        transfer('cudaMemcpyToSymbolAsync', symbol, from, bytes, offset, kind, stream, true, true),
    ),
    cudaMemcpyFromSymbol: context.call((to: number, symbol: number, bytes: number, offset: number, kind: number) =>
      transfer('cudaMemcpyFromSymbol', symbol, to, bytes, offset, kind, 0, false, false),
    ),
    cudaMemcpyFromSymbolAsync: context.call(
      (to: number, symbol: number, bytes: number, offset: number, kind: number, stream: number) =>
        transfer('cudaMemcpyFromSymbolAsync', symbol, to, bytes, offset, kind, stream, true, false),
    ),
    cudaGetSymbolAddress: context.call((out: number, symbol: number) => {
      const variable = registry.variableOf(symbol)
      if (variable === undefined) return 'cudaErrorInvalidSymbol'
      host.setU32(out, variable.address)
      return 'cudaSuccess'
    }),
    cudaGetSymbolSize: context.call((out: number, symbol: number) => {
      const variable = registry.variableOf(symbol)
      if (variable === undefined) return 'cudaErrorInvalidSymbol'
      host.setU32(out, variable.bytes)
      return 'cudaSuccess'
    }),
  }
}
