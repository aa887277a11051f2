/** cudaGetLastError and its family, and the calls that exist only to be refused. */
import type { CudaContext, HostFunctions } from '../context.ts'
import { describeError, errorCode } from '../cudaErrors.ts'

/** Declared in cuda_runtime_api.h so that programs compile; each says once that it is not there. */
const REFUSED = [
  'cudaGetDriverEntryPoint',
  'cudaIpcGetMemHandle',
  'cudaIpcOpenMemHandle',
  'cudaIpcCloseMemHandle',
  'cudaIpcGetEventHandle',
  'cudaIpcOpenEventHandle',
] as const

export function errorCalls(context: CudaContext): HostFunctions {
  const strings = new Map<string, number>()
  const hostText = (text: string): number => {
    const known = strings.get(text)
    if (known !== undefined) return known
    const capacity = new TextEncoder().encode(text).length + 1
    const address = context.parts.hostMalloc(capacity)
    if (address !== 0) context.parts.host.setText(address, text, capacity)
    strings.set(text, address)
    return address
  }
  const described = (code: number, key: 'name' | 'text'): number => {
    context.explain(code)
    return hostText(describeError(code)[key])
  }
  const refused = REFUSED.map(name => [name, context.call(() => context.unsupported(name))] as const)
  return {
    cudaGetLastError: () => errorCode(context.lastError(true)),
    cudaPeekAtLastError: () => errorCode(context.lastError(false)),
    cudaGetErrorName: (code: number) => described(code, 'name'),
    cudaGetErrorString: (code: number) => described(code, 'text'),
    ...Object.fromEntries(refused),
  }
}
