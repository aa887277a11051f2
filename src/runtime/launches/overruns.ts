/**
 * Stores past the end of an allocation, which no GPU reports where the driver gave the program a little more than it asked for: a kernel
 * without its bounds check works and spoils what others keep there. Looked for behind each launch, for as long as that costs little.
 */
import type { SourceRange } from '../../diagnostic.ts'
import type { CudaContext } from '../context.ts'
import { nameOf, nameOfShared } from '../memory/deviceMemory.ts'
import type { MirroredMemory } from '../memory/mirroredMemory.ts'
import type { CallConfiguration } from '../program/cudaRegistration.ts'
import type { KernelState } from '../program/kernelTable.ts'

/** A program of more launches has made its mistakes by then. */
const MOST_LAUNCHES = 1000

/** Called when a launch has ended; `parameters`: its arguments, as the kernel has them. */
export function mentionOverruns(
  context: CudaContext,
  mirrored: MirroredMemory,
  kernel: KernelState,
  parameters: Uint8Array,
  launching: CallConfiguration | undefined,
): void {
  const { memory, displayName, callSite } = context.parts
  if (context.launchCount > MOST_LAUNCHES) return
  const inDevice = memory.overrun().map(allocation => ({
    name: nameOf(allocation),
    has: (pointer: number) => memory.allocationAt(pointer) === allocation,
  }))
  const inBoth = mirrored.overrun().map(range => ({
    name: nameOfShared(range),
    has: (pointer: number) => pointer >= range.address && pointer < range.address + range.bytes,
  }))
  for (const spoiled of [...inDevice, ...inBoth]) {
    const where = () => storeInto(kernel, parameters, spoiled) ?? (launching?.stack && callSite(launching.stack))
    context.mentionOnce(
      `kernel ${displayName(kernel.name)} stores past the end of ${spoiled.name}: is there no bounds check, or a wrong one? A GPU says nothing of it either, and spoils what lies there`,
      where,
    )
  }
}

/** Memory past whose end a kernel stored. */
interface Spoiled {
  readonly name: string
  readonly has: (pointer: number) => boolean
}

/** The first store through a parameter that points into the allocation; where there is none, the kernel's only one. */
function storeInto({ program }: KernelState, parameters: Uint8Array, spoiled: Spoiled): SourceRange | undefined {
  const view = new DataView(parameters.buffer, parameters.byteOffset)
  const pointers = program.kernel.parameters.filter(({ type, byval }) => type.kind === 'pointer' && !byval)
  const names = pointers
    .filter(({ index }) => spoiled.has(view.getUint32(program.parameterOffsets[index]!, true)))
    .map(({ name }) => name)
  const stores = program.sites.filter(({ space, op }) => space === 'global' && op !== 'load')
  const through = stores.find(({ array }) => array !== undefined && names.includes(array))
  const { location } = through ?? (stores.length === 1 ? stores[0]! : {})
  return location && { file: location.file, line: location.line, column: location.column }
}
