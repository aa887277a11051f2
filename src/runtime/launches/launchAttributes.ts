/**
 * Attributes of streams and of graphs' kernel nodes (cudaStreamSetAttribute, cudaGraphKernelNodeSetAttribute): kept, and told
 * when the program asks. They are hints about caches, priorities and fences, which change nothing that is counted; those that
 * would change what a launch does are refused.
 */
import type { CallResult, CudaContext, HostFunctions } from '../context.ts'
import type { StreamTable } from '../timeline/streamTable.ts'

/** sizeof(cudaLaunchAttributeValue). */
const VALUE_BYTES = 64
/** cudaLaunchAttributePriority. */
const PRIORITY = 8
/** cudaLaunchAttributeCooperative and ClusterDimension: what a launch does depends on them. */
const DECISIVE: readonly number[] = [2, 4]

type Values = Map<number, Uint8Array>

export interface AttributeOwners {
  readonly streams: StreamTable
  readonly isKernelNode: (handle: number) => boolean
}

export function attributeCalls(context: CudaContext, { streams, isKernelNode }: AttributeOwners): HostFunctions {
  const { host } = context.parts
  const [ofNodes, ofStreams] = [new Map<number, Values>(), new Map<number, Values>()]
  const valuesIn = (owners: Map<number, Values>, handle: number): Values => {
    const values = owners.get(handle) ?? new Map()
    owners.set(handle, values)
    return values
  }
  /** The values of an owner of that kind, or why there are none. */
  const owned = (isStream: number, handle: number): Values | CallResult => {
    if (isStream !== 0) return streams.info(handle) ? valuesIn(ofStreams, handle) : 'cudaErrorInvalidResourceHandle'
    return isKernelNode(handle) ? valuesIn(ofNodes, handle) : 'cudaErrorInvalidValue'
  }
  const initial = (isStream: number, handle: number, id: number): Uint8Array => {
    const value = new Uint8Array(VALUE_BYTES)
    const priority = isStream !== 0 && id === PRIORITY ? streams.info(handle)?.priority : undefined
    if (priority !== undefined) new DataView(value.buffer).setInt32(0, priority, true)
    return value
  }
  return {
    __warplens_set_attribute: context.call((isStream: number, handle: number, id: number, value: number) => {
      const values = owned(isStream, handle)
      if (typeof values === 'string') return values
      if (value === 0) return 'cudaErrorInvalidValue'
      const bytes = host.bytes(value >>> 0, VALUE_BYTES).slice()
      if (DECISIVE.includes(id) && host.u32(value >>> 0) !== 0)
        return context.unsupported('an attribute that makes a graph node cooperative, or gives it clusters,')
      values.set(id, bytes)
      return 'cudaSuccess'
    }),
    __warplens_get_attribute: context.call((isStream: number, handle: number, id: number, out: number) => {
      const values = owned(isStream, handle)
      if (typeof values === 'string') return values
      if (out === 0) return 'cudaErrorInvalidValue'
      host.bytes(out >>> 0, VALUE_BYTES).set(values.get(id) ?? initial(isStream, handle, id))
      return 'cudaSuccess'
    }),
    __warplens_copy_attributes: context.call((isStream: number, to: number, from: number) => {
      const [target, source] = [owned(isStream, to), owned(isStream, from)]
      if (typeof target === 'string') return target
      if (typeof source === 'string') return source
      for (const [id, value] of source) target.set(id, value)
      return 'cudaSuccess'
    }),
  }
}
