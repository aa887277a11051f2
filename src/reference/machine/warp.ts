/**
 * A warp runs: from where it stands until all of its threads have ended, wait at a barrier, or wait for somebody else.
 * Among a frame's blocks the walk of orderBlocks.ts decides which group of lanes goes next; of several frames the one
 * opened last.
 */
import { addressOf, WARP_LANES } from '../../addressSpace.ts'
import { nextBlock } from '../../analysis/execution/orderBlocks.ts'
import type { Dim3 } from '../../launch.ts'
import { readValue } from '../arithmetic/values.ts'
import { newFrame } from '../steps/call.ts'
import { maskOf } from './checks.ts'
import { threadLocalBase } from './memory.ts'
import { type BlockState, FaultSignal, type Frame, type Lanes, type LaunchState, type WarpState } from './state.ts'

/** `ended`: no thread is left. `barrier`: every thread left waits at one. `waiting`: some wait for other warps. */
export type WarpStop = 'ended' | 'barrier' | 'waiting'

/** Steps between two looks at the clock. */
const STEPS_PER_DEADLINE_CHECK = 4096

export function startWarp(launch: LaunchState, block: BlockState, index: number): WarpState {
  const { block: size } = launch.request
  const first = index * WARP_LANES
  const threads: Dim3[] = []
  for (let linear = first; linear < Math.min(first + WARP_LANES, launch.threadsPerBlock); linear++)
    threads.push({
      x: linear % size.x,
      y: Math.floor(linear / size.x) % size.y,
      z: Math.floor(linear / (size.x * size.y)),
    })
  const warp: WarpState = {
    launch,
    block,
    index,
    frames: [],
    threads,
    liveLanes: threads.length,
    barriers: [],
    printed: '',
    changes: 0,
    quietBackEdges: 0,
    quietLooks: 0,
    quietSince: 0,
    interrupted: false,
    undecided: false,
    stackUsed: threads.map(() => 0),
  }
  const lanes = threads.map((_, lane) => lane)
  const frame = newFrame(launch.codeOf(launch.program.kernel), lanes, undefined)
  warp.frames.push(frame)
  for (const lane of lanes) passParameters(warp, frame, lane)
  return warp
}

/** Parameters come from the launch's buffer; each thread has its own copy of the structures passed by value. */
function passParameters(warp: WarpState, frame: Frame, lane: number): void {
  const { program, request, local, memory } = warp.launch
  const buffer = new DataView(request.parameters.buffer, request.parameters.byteOffset, request.parameters.byteLength)
  const copyAt = threadLocalBase(warp, lane) + local.parametersAt
  program.kernel.parameters.forEach((parameter, i) => {
    const offset = program.parameterOffsets[i]!
    const slot = frame.code.parameterSlots[i]!
    if (parameter.byval) frame.registers[slot]![lane] = addressOf(copyAt + offset)
    else frame.registers[slot]![lane] = readValue(buffer, offset, parameter.type)
  })
  if (local.stackAt > local.parametersAt)
    for (let i = 0; i < program.parameterBytes; i++) memory.bytes.setUint8(copyAt + i, buffer.getUint8(i))
}

export function runWarp(warp: WarpState): WarpStop {
  warp.interrupted = false
  warp.undecided = false
  for (const frame of warp.frames) {
    frame.backEdges.clear()
    frame.status.forEach((status, lane) => {
      if (status === 'waiting') frame.status[lane] = 'ready'
    })
  }
  for (;;) {
    closeFrames(warp)
    if (warp.liveLanes === 0) return 'ended'
    if (warp.interrupted) return 'waiting'
    const frame = warp.frames.findLast(({ status }) => status.includes('ready'))
    if (frame) runGroup(warp, frame, chooseGroup(frame))
    else if (!releaseReturned(warp))
      return warp.frames.some(({ status }) => status.includes('waiting')) ? 'waiting' : 'barrier'
  }
}

/** The lanes that go next: those at the first step waited for in the block that the walk comes to. */
function chooseGroup(frame: Frame): Lanes {
  const { code, status, pc } = frame
  const ready: number[] = []
  status.forEach((state, lane) => {
    if (state === 'ready') ready.push(lane)
  })
  const blocks = new Set(ready.map(lane => code.blockOf[pc[lane]!]!))
  frame.cursor = nextBlock(frame.cursor, code.blockStart.length, code.loops, block => blocks.has(block))!
  const there = ready.filter(lane => code.blockOf[pc[lane]!] === frame.cursor)
  const step = Math.min(...there.map(lane => pc[lane]!))
  return there.filter(lane => pc[lane] === step)
}

/** Runs the lanes in lockstep, one step after another, until control is transferred. */
function runGroup(warp: WarpState, frame: Frame, lanes: Lanes): void {
  const { launch } = warp
  const { code } = frame
  let at = frame.pc[lanes[0]!]!
  if (code.func === launch.program.kernel && at === code.blockStart[frame.cursor]) {
    const counts = launch.blockCounts[frame.cursor]!
    counts.warps++
    counts.threads += lanes.length
    const { checks } = launch
    for (const skip of checks?.skips.get(code.func.blocks[frame.cursor]!) ?? [])
      checks!.checker.pass(warp.block.linear, warp.index, maskOf(lanes), skip)
  }
  for (;;) {
    const step = code.steps[at]!
    if (++launch.steps % STEPS_PER_DEADLINE_CHECK === 0 && performance.now() > launch.request.deadline)
      throw new FaultSignal({
        kind: 'timeout',
        message: 'the kernel ran longer than the time limit',
        block: warp.block.index,
        thread: warp.threads[lanes[0]!],
        address: undefined,
        accessBytes: undefined,
        location: step.instruction.location,
      })
    step.run(warp, frame, lanes)
    if (step.transfers) return
    at++
  }
}

/** Frames whose lanes have all returned or ended give their results to their callers. */
function closeFrames(warp: WarpState): void {
  for (let i = warp.frames.length - 1; i > 0; i--) {
    const frame = warp.frames[i]!
    if (!frame.status.every(status => status === 'absent' || status === 'returned')) continue
    resumeCallers(warp, frame)
    warp.frames.splice(i, 1)
  }
}

/**
 * Lanes that have returned go on without those that still wait in the function: somebody must, when nobody else can.
 * Returns whether there were any.
 */
function releaseReturned(warp: WarpState): boolean {
  const frame = warp.frames.findLast(({ status }) => status.includes('returned'))
  if (frame) resumeCallers(warp, frame)
  return frame !== undefined
}

function resumeCallers(warp: WarpState, frame: Frame): void {
  const { caller } = frame
  if (!caller) return
  frame.status.forEach((status, lane) => {
    if (status !== 'returned') return
    frame.status[lane] = 'absent'
    caller.frame.status[lane] = 'ready'
    if (caller.resultSlot >= 0) caller.frame.registers[caller.resultSlot]![lane] = caller.results[lane]!
    warp.stackUsed[lane]! -= frame.code.frameBytes
  })
}
