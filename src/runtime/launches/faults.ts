/** A kernel's fault, told twice: to the program as the CUDA error of a real runtime, to the user with everything known. */
import type { Diagnostic, SourceRange } from '../../diagnostic.ts'
import type { Location } from '../../ir/ir.ts'
import type { Dim3, Fault, FaultKind } from '../../launch.ts'
import type { CudaErrorName } from '../cudaErrors.ts'
import { type DeviceMemory, hex } from '../memory/deviceMemory.ts'

/** CUDA Runtime API, "cudaError": what a real device reports for each. */
const ERROR_OF: Record<FaultKind, CudaErrorName> = {
  'illegal-address': 'cudaErrorIllegalAddress',
  'misaligned-address': 'cudaErrorMisalignedAddress',
  'illegal-instruction': 'cudaErrorIllegalInstruction',
  trap: 'cudaErrorLaunchFailure',
  assert: 'cudaErrorAssert',
  timeout: 'cudaErrorLaunchTimeout',
  deadlock: 'cudaErrorLaunchTimeout',
  unsupported: 'cudaErrorNotSupported',
}

export function errorOfFault(fault: Fault): CudaErrorName {
  return ERROR_OF[fault.kind]
}

export function describeFault(fault: Fault, kernel: string, memory: DeviceMemory): Diagnostic {
  const where =
    fault.thread === undefined
      ? `block ${triple(fault.block)}`
      : `block ${triple(fault.block)}, thread ${triple(fault.thread)}`
  const notes = [`in kernel ${kernel}, ${where}`]
  if (fault.address !== undefined && (fault.kind === 'illegal-address' || fault.kind === 'misaligned-address')) {
    notes.push(placeOf(fault, fault.address, memory))
  }
  for (let call = fault.location?.inlinedAt; call !== undefined; call = call.inlinedAt) {
    notes.push(`called from ${call.scope} at ${call.file}:${call.line}`)
  }
  const range = fault.location && rangeOf(fault.location)
  return { code: `kernel-${fault.kind}`, severity: 'error', message: fault.message, notes, ...(range && { range }) }
}

function placeOf(fault: Fault, address: number, memory: DeviceMemory): string {
  const access = fault.accessBytes === undefined ? '' : `, an access of ${fault.accessBytes} bytes`
  if (fault.kind === 'misaligned-address')
    return `address ${hex(address)} is not a multiple of ${fault.accessBytes ?? 'its size'}`
  return `${memory.describe(address)}${access}`
}

function rangeOf(location: Location): SourceRange {
  return { file: location.file, line: location.line, column: location.column }
}

/** As messages show the number of a block or a thread. */
export function triple({ x, y, z }: Dim3): string {
  return `(${x},${y},${z})`
}
