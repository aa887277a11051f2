/** Functions of the device runtime: printing and the ways a thread stops the launch. */
import { offsetOf, SYSTEM_BYTES } from '../../addressSpace.ts'
import { STACK_OVERFLOW } from '../../analysis/calls/expandRecursion.ts'
import { UNKNOWN_FUNCTION } from '../../analysis/calls/indirectCalls.ts'
import { renderPrintf } from '../../runtime/launches/printf.ts'
import { toNumber } from '../arithmetic/values.ts'
import { laneFault, type WarpState } from '../machine/state.ts'
import { callChildGrids } from './childGrids.ts'
import type { Intrinsic, Signature } from './intrinsic.ts'

/** Strings end here at the latest: what an unterminated one would show is no use. */
const LONGEST_TEXT = 1 << 16

export function runtimeFunction({ name }: Signature): Intrinsic | undefined {
  switch (name) {
    case 'vprintf':
      return {
        kind: 'thread',
        evaluate(warp, _, [format, args]) {
          const { bytes } = warp.launch.memory
          const { text, argumentCount } = renderPrintf(
            { byteLength: warp.launch.memory.byteLength, bytes },
            toNumber(format!),
            toNumber(args!),
          )
          warp.printed += text
          warp.changes++
          return argumentCount
        },
      }
    case '__assertfail':
      return {
        kind: 'thread',
        evaluate(warp, lane, [assertion, file, line, scope], location) {
          const { index: block } = warp.block
          const thread = warp.threads[lane]!
          const where = `block: [${block.x},${block.y},${block.z}], thread: [${thread.x},${thread.y},${thread.z}]`
          const message = `${text(warp, assertion)}`
          throw laneFault(
            warp,
            lane,
            'assert',
            `${text(warp, file)}:${toNumber(line!)}: ${text(warp, scope)}: ${where} Assertion \`${message}\` failed.`,
            { location },
          )
        },
      }
    case 'malloc':
      return {
        kind: 'thread',
        evaluate(warp, _, [bytes]) {
          warp.changes++
          return warp.launch.request.heap?.allocate(toNumber(bytes!)) ?? 0
        },
      }
    case 'free':
      return {
        kind: 'thread',
        evaluate(warp, lane, [pointer], location) {
          warp.changes++
          const { heap, checker } = warp.launch.request
          const address = toNumber(pointer!)
          const reason = heap?.release(address)
          if (reason) checker?.free({ reason, block: warp.block.linear, warp: warp.index, lane, address, location })
          return 0
        },
      }
    case 'cudaGetParameterBuffer':
    case 'cudaLaunchDevice':
    case 'cudaDeviceSynchronize':
    case 'cudaGetLastError':
    case 'cudaPeekAtLastError':
      return {
        kind: 'thread',
        evaluate(warp, lane, args) {
          warp.changes++
          const { request, memory } = warp.launch
          const launcher = { block: warp.block.linear, thread: warp.index * 32 + lane }
          return callChildGrids(request.children, name, args.map(toNumber), launcher, memory.bytes, SYSTEM_BYTES)
        },
      }
    case STACK_OVERFLOW:
      return {
        kind: 'thread',
        evaluate(warp, lane, [bytes], location) {
          const message = `the stack of ${toNumber(bytes!)} bytes overflows`
          throw laneFault(warp, lane, 'illegal-address', message, { location })
        },
      }
    case UNKNOWN_FUNCTION:
      return {
        kind: 'thread',
        evaluate(warp, lane, [pointer], location) {
          const address = toNumber(pointer!).toString(16)
          throw laneFault(warp, lane, 'illegal-instruction', `call of 0x${address}, which is no function`, { location })
        },
      }
    case 'llvm.trap':
    case 'llvm.ubsantrap':
    case 'llvm.debugtrap':
      return {
        kind: 'thread',
        evaluate(warp, lane, _, location) {
          throw laneFault(warp, lane, 'trap', 'the program executed a trap', { location })
        },
      }
    default:
      return undefined
  }
}

function text(warp: WarpState, pointer: unknown): string {
  const { memory } = warp.launch
  const codes: number[] = []
  for (
    let at = offsetOf(typeof pointer === 'number' ? pointer : 0);
    at < memory.byteLength && codes.length < LONGEST_TEXT;
    at++
  ) {
    const code = memory.bytes.getUint8(at)
    if (code === 0) break
    codes.push(code)
  }
  return new TextDecoder().decode(Uint8Array.from(codes))
}
