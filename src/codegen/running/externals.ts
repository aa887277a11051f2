/**
 * Calls that generated code leaves to its host: printing, assertions, clocks, and whatever the reference interpreter defines and
 * the generator has no code for. Arguments and results are in the slot, 8 bytes a lane (slot.ts).
 */
import { offsetOf } from '../../addressSpace.ts'
import { InternalError } from '../../diagnostic.ts'
import type { CallInstruction, Func, Type } from '../../ir/ir.ts'
import type { Dim3, Fault, LaunchRequest } from '../../launch.ts'
import type { Bits } from '../../reference/arithmetic/values.ts'
import { callChildGrids } from '../../reference/functions/childGrids.ts'
import type { Arrival } from '../../reference/functions/intrinsic.ts'
import { findIntrinsic } from '../../reference/functions/intrinsics.ts'
import { renderPrintf } from '../../runtime/launches/printf.ts'
import type { KernelClock } from '../counting/kernelClock.ts'
import type { ExternalCall } from '../kernelContext.ts'
import { leavesOf } from '../operations/operations.ts'
import { CALL_ARGUMENTS, CALL_RESULTS } from '../slot.ts'
import type { Geometry } from '../values/geometry.ts'
import type { SlotPlaces } from './slotRunner.ts'

/** A fault on its way out of WebAssembly. */
export class FaultSignal extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

export type ExternalHandler = (call: number, mask: number, warp: number) => void

/** Passes on what kernels print: in block order, then warp order, however they ran. */
export class OrderedPrinter {
  private readonly print: (text: string) => void
  private readonly texts = new Map<number, string[]>()

  constructor(print: (text: string) => void) {
    this.print = print
  }

  add(block: number, warp: number, text: string): void {
    const ofBlock = this.texts.get(block) ?? []
    this.texts.set(block, ofBlock)
    ofBlock[warp] = (ofBlock[warp] ?? '') + text
  }

  /** Blocks below this one print nothing more. */
  release(below: number): void {
    const ready = [...this.texts.keys()].filter(block => block < below).sort((a, b) => a - b)
    for (const block of ready) {
      this.print(Object.values(this.texts.get(block)!).join(''))
      this.texts.delete(block)
    }
  }
}

export interface ExternalHost {
  readonly geometry: Geometry
  readonly printer: OrderedPrinter
  readonly currentBlock: () => number
  /** Of a kernel that times itself. */
  readonly clock: KernelClock | undefined
  /** A thread arrives at a barrier of a resumable kernel. */
  readonly arrive: (call: CallInstruction, thread: number, arrival: Arrival) => void
}

export function createExternals(
  request: LaunchRequest,
  externals: readonly ExternalCall[],
  { slot }: SlotPlaces,
  /** What the launch uses of the system region, from its start. */
  systemBytes: number,
  { geometry, printer, currentBlock, clock, arrive }: ExternalHost,
): ExternalHandler {
  const { memory, program } = request
  const start = performance.now()
  const readArgument = (view: DataView, position: number, lane: number): bigint =>
    view.getBigUint64(slot + CALL_ARGUMENTS + position * 256 + lane * 8, true)
  // Kernels wait for their clock, a million times and more.
  const readClock = (call: CallInstruction, mask: number, warp: number): void => {
    const cycles = clock ? clock.read(warp) : ((performance.now() - start) * request.clockHz) / 1000
    const reading = clockReading(call, request, cycles)
    const view = new DataView(memory.buffer)
    const at = slot + CALL_RESULTS
    view.setBigUint64(at, reading, true)
    for (let lane = 1; lane < 32; lane++) if ((mask >>> lane) & 1) view.setBigUint64(at + lane * 8, reading, true)
  }
  return (index, mask, warp) => {
    const { call, kind } = externals[index]!
    if (kind === 'warp-scalar') return readClock(call, mask, warp)
    const view = new DataView(memory.buffer)
    const lanes = Array.from({ length: 32 }, (_, lane) => lane).filter(lane => (mask >>> lane) & 1)
    const types = call.args.map(({ type }) => type)
    const writeResult = (lane: number, result: Bits): void => {
      flatten(result, call.type).forEach((bits, leaf) =>
        view.setBigUint64(slot + CALL_RESULTS + leaf * 256 + lane * 8, bits, true),
      )
    }
    const argumentsOf = (lane: number): Bits[] => {
      let position = 0
      return types.map(type => inflate(type, () => readArgument(view, position++, lane)))
    }
    switch (kind) {
      case 'print':
        for (const lane of lanes) {
          const source = { byteLength: memory.buffer.byteLength, bytes: view }
          const { text, argumentCount } = renderPrintf(
            source,
            Number(readArgument(view, 0, lane)),
            Number(readArgument(view, 1, lane)),
          )
          printer.add(currentBlock(), warp, text)
          writeResult(lane, argumentCount)
        }
        return
      case 'sleep': {
        const longest = lanes.reduce((most, lane) => Math.max(most, Number(argumentsOf(lane)[0])), 0)
        clock?.sleep(warp, (longest * request.clockHz) / 1e9)
        return
      }
      case 'heap':
        for (const lane of lanes) {
          const argument = Number(readArgument(view, 0, lane) & 0xffffffffn)
          if (call.type.kind === 'void') {
            const reason = request.heap?.release(argument)
            const { location } = call
            if (reason)
              request.checker?.free({ reason, block: currentBlock(), warp, lane, address: argument, location })
          } else writeResult(lane, request.heap?.allocate(argument) ?? 0)
        }
        return
      case 'child':
        for (const lane of lanes) {
          const name = call.callee.kind === 'function' ? call.callee.name : ''
          const launcher = { block: currentBlock(), thread: warp * 32 + lane }
          const args = argumentsOf(lane).map(Number)
          const result = callChildGrids(request.children, name, args, launcher, view, systemBytes)
          writeResult(lane, result)
        }
        return
      case 'assert':
        throw new FaultSignal(
          assertion(
            view,
            call,
            argumentsOf(lanes[0]!),
            blockIndex(currentBlock(), request.grid),
            threadIndex(warp * 32 + lanes[0]!, geometry.block),
          ),
        )
      case 'barrier': {
        const intrinsic = lookup(call)
        if (intrinsic.kind !== 'barrier') throw new InternalError('not a barrier')
        for (const lane of lanes) arrive(call, warp * 32 + lane, intrinsic.arrive(argumentsOf(lane)))
        return
      }
      case 'pure': {
        const intrinsic = lookup(call)
        if (intrinsic.kind !== 'pure') throw new InternalError('not a pure intrinsic')
        for (const lane of lanes) writeResult(lane, intrinsic.evaluate(argumentsOf(lane)))
        return
      }
      case 'vote':
      case 'agreement': {
        const intrinsic = lookup(call)
        if (intrinsic.kind !== 'warp') throw new InternalError('not a warp intrinsic')
        intrinsic
          .evaluate(lanes, lanes.map(argumentsOf))
          .forEach((result, position) => writeResult(lanes[position]!, result))
        return
      }
      default:
        throw new InternalError(`external call of kind ${kind} in ${program.kernel.name}`)
    }
  }
}

function lookup(call: CallInstruction) {
  const intrinsic = findIntrinsic(call.callee as Func, call)
  if (!intrinsic) throw new InternalError('an intrinsic disappeared')
  return intrinsic
}

/** The reference interpreter's form of a value: numbers up to 32 bits, bigints above, arrays for aggregates. */
function inflate(type: Type, next: () => bigint): Bits {
  if (type.kind === 'struct') return type.fields.map(field => inflate(field, next))
  if (type.kind === 'array' || type.kind === 'vector')
    return Array.from({ length: type.length }, () => inflate(type.element, next))
  const bits = next()
  return isWide(type) ? bits : Number(BigInt.asUintN(32, bits))
}

function isWide(type: Type): boolean {
  return (type.kind === 'int' || type.kind === 'float') && type.bits > 32
}

function flatten(value: Bits, type: Type): bigint[] {
  if (leavesOf(type).length === 0) return []
  return typeof value === 'object' ? value.flatMap(part => flatten(part, { kind: 'int', bits: 64 })) : [BigInt(value)]
}

/** %globaltimer's steps, in nanoseconds (an H200: all differences are multiples). */
const TIMER_STEP = 32

/** What a reading of this clock gives. @param cycles of the device's clock */
function clockReading(call: CallInstruction, { clockHz }: LaunchRequest, cycles: number): bigint {
  const name = call.callee.kind === 'function' ? call.callee.name : ''
  const timerSteps = (cycles * 1e9) / clockHz / TIMER_STEP
  const ticks = BigInt(name.includes('globaltimer') ? TIMER_STEP * Math.floor(timerSteps) : Math.floor(cycles))
  if (name.endsWith('.hi')) return ticks >> 32n
  return call.type.kind === 'int' && call.type.bits === 64 ? ticks : ticks & 0xffffffffn
}

function assertion(
  view: DataView,
  call: CallInstruction,
  [message, file, line, scope]: readonly Bits[],
  block: Dim3,
  thread: Dim3,
): Fault {
  const where = `block: [${block.x},${block.y},${block.z}], thread: [${thread.x},${thread.y},${thread.z}]`
  return {
    kind: 'assert',
    message: `${textAt(view, file!)}:${line}: ${textAt(view, scope!)}: ${where} Assertion \`${textAt(view, message!)}\` failed.`,
    block,
    thread,
    address: undefined,
    accessBytes: undefined,
    location: call.location,
  }
}

function textAt(view: DataView, pointer: Bits): string {
  const codes: number[] = []
  for (let at = offsetOf(Number(pointer)); at < view.byteLength && codes.length < 4096; at++) {
    const code = view.getUint8(at)
    if (code === 0) break
    codes.push(code)
  }
  return new TextDecoder().decode(Uint8Array.from(codes))
}

function threadIndex(linear: number, block: Dim3): Dim3 {
  return { x: linear % block.x, y: Math.floor(linear / block.x) % block.y, z: Math.floor(linear / (block.x * block.y)) }
}

const blockIndex = threadIndex
