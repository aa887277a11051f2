/** Steps that decide where lanes go on: branches with their phis, returns, the end of a thread. */
import type { Instruction } from '../../ir/ir.ts'
import type { Bits } from '../arithmetic/values.ts'
import { noteBackEdge, noteLoopEntry } from '../machine/progress.ts'
import { type Frame, type Lanes, laneFault, type Step, type WarpState } from '../machine/state.ts'
import type { Operand } from './operands.ts'

export interface Edge {
  /** Index of the target block, and of its first step. */
  readonly target: number
  readonly start: () => number
  /** The phis' new values, taken all at once. */
  readonly moves: readonly { readonly slot: number; readonly value: Operand }[]
  readonly isBackEdge: boolean
}

/** A branch: each lane takes the edge that `choose` names. */
export function edgeStep(
  instruction: Instruction,
  edges: readonly Edge[],
  choose: (warp: WarpState, frame: Frame, lane: number) => number,
): Step {
  return {
    instruction,
    transfers: true,
    run(warp, frame, lanes) {
      const chosen = new Map<Edge, number[]>()
      for (const lane of lanes) {
        const edge = edges[choose(warp, frame, lane)]!
        const taking = chosen.get(edge)
        if (taking) taking.push(lane)
        else chosen.set(edge, [lane])
      }
      for (const [edge, taking] of chosen) takeEdge(warp, frame, taking, edge)
    },
  }
}

function takeEdge(warp: WarpState, frame: Frame, lanes: Lanes, edge: Edge): void {
  for (const lane of lanes) {
    const values = edge.moves.map(({ value }) => value(warp, frame, lane))
    values.forEach((value, i) => {
      frame.registers[edge.moves[i]!.slot]![lane] = value
    })
    frame.pc[lane] = edge.start()
  }
  if (edge.isBackEdge) {
    const phis = edge.moves.flatMap(({ slot }) => lanes.map(lane => frame.registers[slot]![lane]!))
    noteBackEdge(warp, frame, edge.target, lanes, phis)
  } else noteLoopEntry(frame, edge.target)
}

export function returnStep(instruction: Instruction, value: Operand | undefined): Step {
  return {
    instruction,
    transfers: true,
    run(warp, frame, lanes) {
      for (const lane of lanes) {
        const { caller } = frame
        if (!caller) {
          endThread(warp, lane)
          continue
        }
        const result: Bits = value ? value(warp, frame, lane) : 0
        caller.results[lane] = result
        frame.status[lane] = 'returned'
      }
    },
  }
}

/** The thread is gone from every function it was in. */
export function endThread(warp: WarpState, lane: number): void {
  for (const frame of warp.frames) frame.status[lane] = 'absent'
  warp.liveLanes--
  warp.changes++
}

export function unreachableStep(instruction: Instruction): Step {
  return {
    instruction,
    transfers: true,
    run(warp, _, lanes) {
      throw laneFault(warp, lanes[0]!, 'trap', 'the program reached code that it declares unreachable', {
        location: instruction.location,
      })
    },
  }
}
