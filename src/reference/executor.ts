/**
 * The reference interpreter: runs a launch thread by thread and says what must come out. Slow, and meant to be obviously
 * right; the generated code is compared with it bit for bit (memory, counters, block counts, printed text).
 */

import { reachesOtherBlocks } from '../analysis/facts/clusterPointers.ts'
import { accessibleBytes } from '../analysis/facts/layout.ts'
import type { KernelProgram } from '../analysis/prepare.ts'
import { clusterSize, firstPlaceOf } from '../clusters.ts'
import { InternalError, UserError } from '../diagnostic.ts'
import type { Func } from '../ir/ir.ts'
import { alignUp } from '../ir/types.ts'
import type { Executor, Fault, LaunchOutcome, LaunchRequest } from '../launch.ts'
import { emptyCounters } from '../trace.ts'
import type { Bytes } from './arithmetic/values.ts'
import { checksOf } from './machine/checks.ts'
import { runBlocks } from './machine/grid.ts'
import { DeviceMemory, OverlayBytes } from './machine/memory.ts'
import { type Code, FaultSignal, type LaunchState, type LocalLayout } from './machine/state.ts'
import { decode } from './steps/decode.ts'
import { findUnsupported } from './unsupported.ts'

/** Stack of each thread for the functions that are called and not inlined; cudaLimitStackSize is 1 KB on real devices. */
const STACK_BYTES = 16 * 1024

/** Throws a UserError when the kernel uses something that is not supported; a program's own failure is a fault. */
export const referenceExecutor: Executor = {
  execute(request: LaunchRequest): LaunchOutcome {
    const launch = prepareLaunch(request, new DataView(request.memory.buffer))
    const { grid } = request
    const fault = catchFault(() => runBlocks(launch, 0, grid.x * grid.y * grid.z, request.print))
    return { sites: launch.counters, blocks: launch.blockCounts, fault }
  },
}

/**
 * Runs one block of a launch, with the others of its cluster, again without changing the memory, to find the thread, address and line of a fault that the
 * generated code only noticed. Returns undefined when this time nothing went wrong.
 */
export function replayBlock(request: LaunchRequest, blockIndex: number): Fault | undefined {
  // What the block printed or launched it does not do again.
  const { children: _, checker: __, ...alone } = request
  const launch = prepareLaunch(alone, new OverlayBytes(new DataView(request.memory.buffer)))
  const first = firstPlaceOf(blockIndex, request.grid, request.cluster)
  return catchFault(() => runBlocks(launch, first, first + clusterSize(request.cluster), () => {}))
}

function catchFault(run: () => void): Fault | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof FaultSignal) return error.fault
    throw error
  }
}

function prepareLaunch(request: LaunchRequest, bytes: Bytes): LaunchState {
  const { program, block, memory } = request
  const unsupported = findUnsupported(program)
  if (unsupported.length > 0) throw new UserError(...unsupported)
  const threadsPerBlock = block.x * block.y * block.z
  const codes = new Map<Func, Code>()
  const functions = new Map<number, Func>()
  for (const func of program.module.functions) {
    const address = request.symbols.get(func.name)
    if (address !== undefined) functions.set(address, func)
  }
  const launch: LaunchState = {
    request,
    program,
    memory: new DeviceMemory(bytes, memory.buffer.byteLength),
    counters: program.sites.map(emptyCounters),
    blockCounts: program.kernel.blocks.map(() => ({ warps: 0, threads: 0 })),
    sharedBytes: accessibleBytes(program.shared, request.dynamicSharedBytes),
    threadsPerBlock,
    warpsPerBlock: Math.ceil(threadsPerBlock / 32),
    local: layoutLocal(program),
    reachesOtherBlocks: reachesOtherBlocks(program.kernel),
    codeOf(func) {
      let code = codes.get(func)
      if (!code) codes.set(func, (code = decode(func, launch)))
      return code
    },
    observed: new Set(),
    checks: checksOf(request),
    functionAt: address => functions.get(address),
    steps: 0,
  }
  if (launch.warpsPerBlock === 0) throw new InternalError('a launch without threads')
  return launch
}

function layoutLocal(program: KernelProgram): LocalLayout {
  const hasByval = program.kernel.parameters.some(({ byval }) => byval !== undefined)
  const parametersAt = alignUp(program.localBytes, 16)
  const stackAt = parametersAt + (hasByval ? alignUp(program.parameterBytes, 16) : 0)
  const stackBytes = callsFunctions(program.kernel) ? STACK_BYTES : 0
  return { parametersAt, stackAt, stackBytes, threadBytes: stackAt + stackBytes }
}

function callsFunctions(func: Func): boolean {
  return func.blocks.some(({ instructions }) =>
    instructions.some(
      instruction =>
        instruction.op === 'call' && (instruction.callee.kind !== 'function' || instruction.callee.blocks.length > 0),
    ),
  )
}
