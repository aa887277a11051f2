/** The functions of CUDA's device runtime, which kernels call to launch grids (include/cuda_device_runtime_api.h). */
import { offsetOf } from '../../addressSpace.ts'
import type { ChildGrids, Dim3, Launcher } from '../../launch.ts'

/** cudaErrorNotSupported: where a block is run again to find a fault, nothing is launched. */
const NOT_SUPPORTED = 801

interface Words {
  getUint32(offset: number, littleEndian: true): number
}

/** One thread's call. `args`: numbers and addresses; grid and block are addresses of dim3. */
export function callChildGrids(
  children: ChildGrids | undefined,
  name: string,
  args: readonly number[],
  launcher: Launcher,
  memory: Words,
  systemBytes: number,
): number {
  switch (name) {
    case 'cudaGetParameterBuffer':
      return children?.parameterBuffer(args[1] ?? 0) ?? 0
    case 'cudaLaunchDevice': {
      const [func = 0, parameters = 0, grid = 0, block = 0, sharedBytes = 0, stream = 0] = args
      const shape = { grid: readDim3(memory, grid), block: readDim3(memory, block), dynamicSharedBytes: sharedBytes }
      return children?.launch(func, parameters, shape, stream, launcher) ?? NOT_SUPPORTED
    }
    case 'cudaDeviceSynchronize':
      return children?.synchronize(systemBytes) ?? 0
    default:
      return children?.lastError(name === 'cudaGetLastError') ?? 0
  }
}

function readDim3(memory: Words, address: number): Dim3 {
  const [x, y, z] = [0, 4, 8].map(at => memory.getUint32(offsetOf(address) + at, true)) as [number, number, number]
  return { x, y, z }
}
