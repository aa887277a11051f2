/**
 * Objects of the program that graphs keep alive (`cudaUserObjectCreate`): each has references, of the program's and of graphs', and
 * is destroyed by its function when the last one goes. Instances and clones of a graph have references of their own.
 */
import type { CallResult, CudaContext, HostFunctions } from '../context.ts'

interface UserObject {
  count: number
  readonly destroy: () => void
}

const HANDLE_STEP = 16
/** cudaGraphUserObjectMove. */
const MOVE_REFERENCES = 1

export class UserObjects {
  readonly #objects = new Map<number, UserObject>()
  /** References by holder: a graph's or an instance's handle, then the object's. */
  readonly #held = new Map<number, Map<number, number>>()
  #nextHandle = HANDLE_STEP

  create(count: number, destroy: () => void): number {
    const handle = this.#nextHandle
    this.#nextHandle += HANDLE_STEP
    this.#objects.set(handle, { count, destroy })
    return handle
  }

  retain(handle: number, count: number): CallResult {
    const object = this.#objects.get(handle)
    if (object === undefined || count < 1) return 'cudaErrorInvalidValue'
    object.count += count
    return 'cudaSuccess'
  }

  release(handle: number, count: number): CallResult {
    const object = this.#objects.get(handle)
    if (object === undefined || count < 1 || count > object.count) return 'cudaErrorInvalidValue'
    object.count -= count
    if (object.count === 0) {
      this.#objects.delete(handle)
      object.destroy()
    }
    return 'cudaSuccess'
  }

  /** `isMoved`: the references are the caller's own so far. */
  hold(holder: number, handle: number, count: number, isMoved: boolean): CallResult {
    const result = isMoved ? this.#check(handle, count) : this.retain(handle, count)
    if (result !== 'cudaSuccess') return result
    const held = this.#held.get(holder) ?? new Map<number, number>()
    this.#held.set(holder, held.set(handle, (held.get(handle) ?? 0) + count))
    return 'cudaSuccess'
  }

  drop(holder: number, handle: number, count: number): CallResult {
    const held = this.#held.get(holder)
    const has = held?.get(handle) ?? 0
    if (count < 1 || count > has) return 'cudaErrorInvalidValue'
    held!.set(handle, has - count)
    return this.release(handle, count)
  }

  /** What `from` holds, `to` holds too. */
  share(from: number, to: number): void {
    for (const [handle, count] of this.#held.get(from) ?? []) if (count > 0) this.hold(to, handle, count, false)
  }

  dropAll(holder: number): void {
    for (const [handle, count] of this.#held.get(holder) ?? []) if (count > 0) this.release(handle, count)
    this.#held.delete(holder)
  }

  #check(handle: number, count: number): CallResult {
    const object = this.#objects.get(handle)
    return object === undefined || count < 1 || count > object.count ? 'cudaErrorInvalidValue' : 'cudaSuccess'
  }
}

/** The calls that make them and hand references on. */
export function userObjectCalls(
  context: CudaContext,
  objects: UserObjects,
  isGraph: (handle: number) => boolean,
): HostFunctions {
  const { host, callHost } = context.parts
  return {
    cudaUserObjectCreate: context.call((out: number, pointer: number, destroy: number, count: number) => {
      if (out === 0 || destroy === 0 || count < 1) return 'cudaErrorInvalidValue'
      host.setU32(
        out,
        objects.create(count, () => callHost(destroy, pointer)),
      )
      return 'cudaSuccess'
    }),
    cudaUserObjectRetain: context.call((object: number, count: number) => objects.retain(object, count)),
    cudaUserObjectRelease: context.call((object: number, count: number) => objects.release(object, count)),
    cudaGraphRetainUserObject: context.call((graph: number, object: number, count: number, flags: number) =>
      isGraph(graph) ? objects.hold(graph, object, count, flags === MOVE_REFERENCES) : 'cudaErrorInvalidValue',
    ),
    cudaGraphReleaseUserObject: context.call((graph: number, object: number, count: number) =>
      objects.drop(graph, object, count),
    ),
  }
}
