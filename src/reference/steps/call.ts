/** Calls: intrinsics by kind, and the functions that prepareKernel leaves as calls (recursive, or through a pointer). */
import { addressOf } from '../../addressSpace.ts'
import { InternalError, userError } from '../../diagnostic.ts'
import type { CallInstruction, Func } from '../../ir/ir.ts'
import { SPACE, sizeOf } from '../../ir/types.ts'
import { type Bits, toNumber } from '../arithmetic/values.ts'
import type { Intrinsic } from '../functions/intrinsic.ts'
import { findIntrinsic, unsupportedCall } from '../functions/intrinsics.ts'
import { maskOf, tellMembers } from '../machine/checks.ts'
import { locate, threadLocalBase } from '../machine/memory.ts'
import {
  type Code,
  type Frame,
  type LaneStatus,
  type Lanes,
  laneFault,
  type Step,
  threadOf,
  type WarpState,
} from '../machine/state.ts'
import { endThread } from './control.ts'
import type { StepContext } from './decode.ts'
import { type Operand, spaceOf } from './operands.ts'

export function callStep(instruction: CallInstruction, index: number, context: StepContext): Step {
  const { operand, slotOf } = context
  const { callee } = instruction
  const slot = instruction.type.kind === 'void' ? -1 : slotOf(instruction)
  const args = instruction.args.map(operand)
  if (callee.kind !== 'function') return indirectStep(instruction, operand(callee), args, slot, index + 1)
  if (callee.blocks.length > 0)
    return {
      instruction,
      transfers: true,
      run: (warp, frame, lanes) => enterFunction(warp, frame, lanes, callee, instruction, args, slot, index + 1),
    }
  const intrinsic = findIntrinsic(callee, instruction)
  if (!intrinsic) throw userError('unsupported-intrinsic', unsupportedCall(callee), instruction.location)
  return intrinsicStep(instruction, intrinsic, args, slot, index + 1)
}

function intrinsicStep(
  instruction: CallInstruction,
  intrinsic: Intrinsic,
  args: readonly Operand[],
  slot: number,
  resumeAt: number,
): Step {
  const argumentsOf = (warp: WarpState, frame: Frame, lane: number): Bits[] => args.map(arg => arg(warp, frame, lane))
  const set = (frame: Frame, lane: number, value: Bits): void => {
    if (slot >= 0) frame.registers[slot]![lane] = value
  }
  /** Of calls that name lanes. */
  const members = membersIn(instruction, args)
  const tell = (warp: WarpState, frame: Frame, lanes: Lanes): void => {
    const { checks } = warp.launch
    const point = members && checks?.points.get(instruction)
    if (!checks || point === undefined) return
    tellMembers(
      checks,
      warp,
      frame,
      lanes,
      lanes.map(lane => members!(warp, frame, lane)),
      point,
    )
  }
  switch (intrinsic.kind) {
    case 'ignored':
      return { instruction, transfers: false, run: tell }
    case 'pure':
      return {
        instruction,
        transfers: false,
        run(warp, frame, lanes) {
          for (const lane of lanes) set(frame, lane, intrinsic.evaluate(argumentsOf(warp, frame, lane)))
        },
      }
    case 'thread':
      return {
        instruction,
        transfers: false,
        run(warp, frame, lanes) {
          for (const lane of lanes)
            set(frame, lane, intrinsic.evaluate(warp, lane, argumentsOf(warp, frame, lane), instruction.location))
        },
      }
    case 'warp':
      return {
        instruction,
        transfers: false,
        run(warp, frame, lanes) {
          tell(warp, frame, lanes)
          const results = intrinsic.evaluate(
            lanes,
            lanes.map(lane => argumentsOf(warp, frame, lane)),
          )
          lanes.forEach((lane, i) => {
            set(frame, lane, results[i]!)
          })
        },
      }
    case 'fragments':
      return {
        instruction,
        transfers: false,
        run: (warp, frame, lanes) =>
          intrinsic.run(
            warp,
            lanes,
            lanes.map(lane => argumentsOf(warp, frame, lane)),
          ),
      }
    case 'barrier':
      return {
        instruction,
        transfers: true,
        run(warp, frame, lanes) {
          const { checks, block } = { checks: warp.launch.checks, block: warp.block.linear }
          const point = checks?.points.get(instruction)
          if (checks && point !== undefined) checks.checker.arrive(block, warp.index, maskOf(lanes), point)
          for (const lane of lanes) {
            const { waits, ...arrival } = intrinsic.arrive(argumentsOf(warp, frame, lane))
            frame.pc[lane] = resumeAt
            if (waits) {
              frame.status[lane] = 'barrier'
              warp.barriers[lane] = { ...arrival, frame, resultSlot: slot, instruction }
            } else {
              const { arrivals, cluster, rank } = warp.block
              if (arrival.isOfCluster) cluster.arrive(rank, threadOf(warp, lane))
              else {
                arrivals.set(arrival.id, (arrivals.get(arrival.id) ?? 0) + 1)
                warp.block.announcers.push({ id: arrival.id, thread: threadOf(warp, lane) })
              }
              warp.changes++
            }
          }
        },
      }
    case 'exit':
      return {
        instruction,
        transfers: true,
        run(warp, _, lanes) {
          for (const lane of lanes) endThread(warp, lane)
        },
      }
  }
}

function membersIn({ callee }: CallInstruction, args: readonly Operand[]): Operand | undefined {
  const name = callee.kind === 'function' ? callee.name : ''
  return name.startsWith('llvm.nvvm.redux.') ? args[1] : args[0]
}

/** Lanes that call different functions go one function after the other, in the order of their first lanes. */
function indirectStep(
  instruction: CallInstruction,
  callee: Operand,
  args: readonly Operand[],
  slot: number,
  resumeAt: number,
): Step {
  return {
    instruction,
    transfers: true,
    run(warp, frame, lanes) {
      const callers = new Map<Func, number[]>()
      for (const lane of lanes) {
        const address = toNumber(callee(warp, frame, lane))
        const target = warp.launch.functionAt(address)
        if (!target || target.blocks.length === 0)
          throw laneFault(
            warp,
            lane,
            'illegal-instruction',
            `call of 0x${address.toString(16)}, which is no function`,
            {
              location: instruction.location,
            },
          )
        const together = callers.get(target)
        if (together) together.push(lane)
        else callers.set(target, [lane])
      }
      // The frame opened last runs first.
      for (const [target, together] of [...callers].reverse())
        enterFunction(warp, frame, together, target, instruction, args, slot, resumeAt)
    },
  }
}

function enterFunction(
  warp: WarpState,
  caller: Frame,
  lanes: Lanes,
  func: Func,
  instruction: CallInstruction,
  args: readonly Operand[],
  resultSlot: number,
  resumeAt: number,
): void {
  const code = warp.launch.codeOf(func)
  if (code.parameterSlots.length !== args.length)
    throw new InternalError(
      `call of ${func.name} with ${args.length} arguments instead of ${code.parameterSlots.length}`,
    )
  const { stackAt, stackBytes } = warp.launch.local
  const frame = newFrame(code, lanes, { frame: caller, resultSlot, resumeAt, results: [] })
  for (const lane of lanes) {
    const used = warp.stackUsed[lane]!
    if (used + code.frameBytes > stackBytes)
      throw laneFault(warp, lane, 'illegal-address', `the stack of ${stackBytes} bytes overflows in ${func.name}`, {
        location: instruction.location,
      })
    frame.localBase[lane] = stackAt + used
    warp.stackUsed[lane] = used + code.frameBytes
    caller.status[lane] = 'calling'
    caller.pc[lane] = resumeAt
    args.forEach((arg, i) => {
      frame.registers[code.parameterSlots[i]!]![lane] = passArgument(
        warp,
        caller,
        frame,
        lane,
        func,
        i,
        arg,
        instruction,
      )
    })
  }
  warp.frames.push(frame)
}

/** By-value structures are copied to the callee's activation, at the front of which decode.ts has their places. */
function passArgument(
  warp: WarpState,
  caller: Frame,
  callee: Frame,
  lane: number,
  func: Func,
  index: number,
  arg: Operand,
  instruction: CallInstruction,
): Bits {
  const value = arg(warp, caller, lane)
  const parameter = func.parameters[index]!
  if (!parameter.byval) return value
  const { memory } = warp.launch
  const { location } = instruction
  const copyAt = callee.localBase[lane]! + callee.code.byvalOffsets[index]!
  const space = spaceOf(instruction.args[index]!)
  for (let i = 0; i < sizeOf(parameter.byval.type); i++) {
    const from = locate(warp, lane, space, (toNumber(value) + i) >>> 0, { verb: 'load', bytes: 1, align: 1, location })
    memory.bytes.setUint8(threadLocalBase(warp, lane) + copyAt + i, memory.bytes.getUint8(from.offset))
  }
  return spaceOf(parameter) === SPACE.local ? copyAt : addressOf(threadLocalBase(warp, lane) + copyAt)
}

/** An activation in which the given lanes start at the first block. */
export function newFrame(code: Code, lanes: Lanes, caller: Frame['caller']): Frame {
  const status: LaneStatus[] = Array.from({ length: 32 }, () => 'absent')
  for (const lane of lanes) status[lane] = 'ready'
  return {
    code,
    registers: Array.from({ length: code.registerCount }, () => []),
    status,
    pc: Array.from({ length: 32 }, () => 0),
    cursor: -1,
    caller,
    localBase: Array.from({ length: 32 }, () => 0),
    backEdges: new Map(),
  }
}
