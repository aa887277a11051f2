/**
 * One kernel, for one block geometry, as a WebAssembly module. Its function
 *   run(first, last, slot, shared, saved, local)
 * runs blocks `first` to `last` - 1 (linear index, x fastest) in one slot (slot.ts). Shape of the code:
 *   prologue: arguments and whatever is the same for the whole launch
 *   for each block: [rounds between barriers:] for each warp: the kernel's blocks (controlFlow.ts)
 *   counters that were kept in locals go to the slot
 */
import { DEVICE_BASE } from '../addressSpace.ts'
import { barrierOf } from '../analysis/execution/splitBarriers.ts'
import type { KernelProgram } from '../analysis/prepare.ts'
import { phisOf } from '../analysis/rewriting/blocks.ts'
import type { Type } from '../ir/ir.ts'
import { alignUp, fieldOffsets, sizeOf, storeBytes } from '../ir/types.ts'
import type { SyncPoints } from '../launch.ts'
import { type FunctionBuilder, I32, ModuleBuilder } from '../wasm/builder.ts'
import { ByteWriter } from '../wasm/bytes.ts'
import { Op } from '../wasm/opcodes.ts'
import { checkedCode, tellMeeting } from './checking/checking.ts'
import { keepNothing } from './checking/quiet.ts'
import { mostTagBytes } from './checking/tagCode.ts'
import { CLOCK_BEGIN, CLOCK_MEET } from './counting/kernelClock.ts'
import { beginLoopWork, endLoopWork, FUEL } from './counting/loopWork.ts'
import { emitRunSteps, type RunUse } from './counting/warpRuns.ts'
import { findBarrierRegions, wholeKernel } from './flow/barrierRegions.ts'
import { Barriers } from './flow/barriers.ts'
import { ControlFlow, pushInitialMask } from './flow/controlFlow.ts'
import { Regions } from './flow/regions.ts'
import { Suspension } from './flow/suspension.ts'
import { planSuspension, type SuspensionPlan, type SuspensionPoint } from './flow/suspensionPlan.ts'
import { Helpers, type MultiplyAdd } from './helpers/helpers.ts'
import { LOADS } from './helpers/helpersMemory.ts'
import { BlockEmitter } from './instructions/instructions.ts'
import type { CheckedRow, ExternalCall, Frame, HistogramUse, KernelContext } from './kernelContext.ts'
import { heldAs } from './operations/operations.ts'
import { exportWaysIn } from './running/stackAlignment.ts'
import {
  CLEAR,
  CURRENT_BLOCK,
  type KernelLayout,
  LAUNCH_GRID,
  LAUNCH_OFFSET,
  LAUNCH_PARAMETERS,
  LAUNCH_SHARED_BYTES,
  layoutSlot,
  NEXT_USED,
  USED_BYTES,
} from './slot.ts'
import type { Geometry } from './values/geometry.ts'
import { recomputedValues } from './values/recomputed.ts'
import { findShapes, type ShapeOptions, type Shapes } from './values/shapes.ts'
import { StaticLanes } from './values/staticLanes.ts'
import { Values } from './values/storage.ts'

export interface CompiledKernel {
  readonly bytes: Uint8Array
  /** Locals of the kernel's function times its branches: what a compiler that looks at all of them at each has to do. */
  readonly merges: number
  readonly layout: KernelLayout
  /** Bytes of the slot before shared memory. */
  readonly slotBytes: number
  /** Bytes that one warp saves at barriers. */
  readonly savedBytesPerWarp: number
  readonly histograms: readonly HistogramUse[]
  readonly runs: readonly RunUse[]
  readonly externals: readonly ExternalCall[]
  /** Of a kernel that is compiled to be checked. */
  readonly checkedRows: readonly CheckedRow[]
  /** Of a kernel whose warps run in turns that the host decides (scheduler.ts). */
  readonly resumable: Resumable | undefined
}

export interface Resumable {
  /** `resultAt`: place of a barrier's results in a warp's saved state. */
  readonly points: readonly { readonly point: SuspensionPoint; readonly resultAt: number | undefined }[]
}

export interface CompileOptions {
  /** Count by the rules of 7.0 and later in the code itself (default); else the model is asked for each access. */
  readonly modernRules?: boolean
  /** Blocks may run on several threads at the same time (default); else atomic operations need not be atomic. */
  readonly mayBeShared?: boolean
  /** Accesses can be shown to an observer. */
  readonly observable?: boolean
  /** Everything is told to a checker, by these numbers. */
  readonly checked?: SyncPoints | undefined
  /** Resumable, though the kernel would not need it. */
  readonly alwaysResumable?: boolean
  readonly counting?: boolean
  readonly multiplyAdd?: MultiplyAdd
  /** Low bits that are 0 in all pointers among the launch's arguments; 0 (default) for any launch. */
  readonly pointerZeros?: number
}

const RUN_PARAMETERS = [I32, I32, I32, I32, I32, I32] as const

export function compileKernel(
  program: KernelProgram,
  geometry: Geometry,
  symbols: ReadonlyMap<string, number>,
  options: CompileOptions = {},
): CompiledKernel {
  const {
    modernRules = true,
    mayBeShared = true,
    observable = false,
    alwaysResumable = false,
    counting = true,
    pointerZeros = 0,
  } = options
  const module = new ModuleBuilder()
  const helpers = new Helpers(module, options.multiplyAdd ?? 'emulated')
  const f = module.function(RUN_PARAMETERS, [])
  const { kernel } = program
  const usesShared = program.sites.some(({ space }) => space === 'shared')
  const isTimed = program.timesItself
  const layout = layoutSlot(
    program.sites.length,
    kernel.blocks.length,
    usesShared,
    isTimed ? geometry.warps : 0,
    options.checked && mostTagBytes(program),
  )
  const frame = allocateFrame(f)
  const { shapes, plan } = planShapes(program, geometry, alwaysResumable, { pointerZeros, symbols })
  const values = new Values(f, helpers, program, shapes, symbols, frame, layout.laneTables)
  const histograms: HistogramUse[] = []
  const externals: ExternalCall[] = []
  // Without sites no access is counted.
  const counted = counting ? program : { ...program, siteIds: new Map() }
  const context: KernelContext = {
    f,
    helpers,
    program: counted,
    geometry,
    shapes,
    values,
    layout,
    frame,
    modernRules,
    mayBeShared,
    observable,
    checked: checkedCode(options.checked),
    counting,
    histograms,
    runs: [],
    countGroups: new Map(),
    externals,
    statics: new StaticLanes(program, geometry, shapes),
    lifetimes: undefined,
    newPhis: undefined,
    version: undefined,
    run: undefined,
    gathered: undefined,
    changedBy: undefined,
    held: undefined,
    columnStores: [],
    canonical: undefined,
    knownCounts: [],
  }
  const emitter = new BlockEmitter(context)
  const isHoisted = emitter.isHoisted.bind(emitter)

  // These count in locals from zero: they come first, so that no local is one that other code has used.
  const hasBarriers = kernel.blocks.some(block => barrierOf(block) !== undefined)
  const suspension = plan && new Suspension(context, plan, isHoisted)
  context.changedBy = suspension && (block => suspension.changedBy(block))
  const aligned = suspension
    ? undefined
    : hasBarriers
      ? findBarrierRegions(program, isHoisted, recomputedValues(shapes, isHoisted))
      : { regions: [wholeKernel(program)], mayEndEarly: false }
  const regions = aligned && new Regions(context, emitter, aligned)
  const barriers = hasBarriers && !suspension && !regions ? new Barriers(context, isHoisted) : undefined
  const depth = regions ? 2 : barriers ? 4 : 3
  const control = new ControlFlow(context, emitter, regions ?? barriers, suspension)
  if (!regions) for (const block of kernel.blocks) for (const phi of phisOf(block)) values.allocate(phi)
  barriers?.allocateResults()
  suspension?.allocateResults()

  // Each section goes to a writer of its own, because code that stands earlier depends on what later code turned out to need.
  const section = (depth: number, write: () => void): ByteWriter => {
    f.code = new ByteWriter()
    f.depth = depth
    write()
    return f.code
  }

  const prologue = section(0, () => {
    for (const [local, offset] of [
      [frame.gridX, LAUNCH_GRID],
      [frame.gridY, LAUNCH_GRID + 4],
      [frame.gridZ, LAUNCH_GRID + 8],
      [frame.sharedBytes, LAUNCH_SHARED_BYTES],
    ] as const)
      f.i32(LAUNCH_OFFSET).memory(Op.i32_load, offset).set(local)
    f.i32(FUEL).set(frame.fuel)
    f.memorySize().set(frame.memoryBytes)
    loadParameters(context)
    for (const block of kernel.blocks)
      for (const instruction of block.instructions) if (isHoisted(instruction)) emitter.emitHoisted(instruction)
  })

  const body = section(depth, () => {
    if (regions) regions.emitBlock(control)
    else control.emitWarp(kernel.blocks, program.loops)
  })

  const anyWaiting = f.local(I32)
  const labels: number[] = []
  const findBlock = (): void => {
    f.get(frame.first).set(frame.block)
    f.get(frame.block).get(frame.gridX).op(Op.i32_rem_u).set(frame.blockX)
    f.get(frame.block).get(frame.gridX).op(Op.i32_div_u).get(frame.gridY).op(Op.i32_rem_u).set(frame.blockY)
    f.get(frame.block).get(frame.gridX).op(Op.i32_div_u).get(frame.gridY).op(Op.i32_div_u).set(frame.blockZ)
  }
  const startBlock = (): void => {
    f.get(frame.slot).get(frame.block).memory(Op.i32_store, CURRENT_BLOCK)
    keepNothing(context)
    if (isTimed) f.i32(CLOCK_BEGIN).call(helpers.host.clock)
    beginLoopWork(context)
  }
  // Five divisions less than finding it.
  const nextBlock = (): void => {
    const advance = (local: number): void => void f.get(local).i32(1).op(Op.i32_add)
    advance(frame.block)
    f.set(frame.block)
    advance(frame.blockX)
    f.tee(frame.blockX).get(frame.gridX).op(Op.i32_eq).if()
    f.i32(0).set(frame.blockX)
    advance(frame.blockY)
    f.tee(frame.blockY).get(frame.gridY).op(Op.i32_eq).if()
    f.i32(0).set(frame.blockY)
    advance(frame.blockZ)
    f.set(frame.blockZ).end().end()
  }
  const nextWarp = (label: number): void => {
    f.get(frame.warp).i32(1).op(Op.i32_add).tee(frame.warp).i32(geometry.warps).op(Op.i32_lt_u).brIf(label)
  }
  const head = (): ByteWriter =>
    section(0, () => {
      findBlock()
      labels.push(f.block())
      labels.push(f.loop())
      f.get(frame.block).get(frame.last).op(Op.i32_ge_u).brIf(labels[0]!)
      startBlock()
      if (regions) return
      if (barriers) {
        f.i32(0).set(barriers.reductions.round)
        labels.push(f.loop())
        barriers.reductions.emitRound()
        if (isTimed) f.i32(CLOCK_MEET).call(helpers.host.clock)
        tellMeeting(context)
        f.i32(0).set(anyWaiting)
      }
      f.i32(0).set(frame.warp)
      labels.push(f.loop())
      if (barriers) {
        barriers.emitFrame()
        f.get(barriers.reductions.round).op(Op.i32_eqz).if()
      }
      pushInitialMask(context)
      f.set(control.waiting[0]!)
      if (barriers) {
        f.else()
        barriers.emitResume(block => control.waiting[kernel.blocks.indexOf(block)]!)
        f.end()
      }
    })

  const tail = (): ByteWriter =>
    section(depth, () => {
      if (barriers) {
        barriers.emitSuspend()
        f.get(anyWaiting).op(Op.i32_or).set(anyWaiting)
      }
      if (!regions) {
        nextWarp(labels.at(-1)!)
        f.end()
      }
      if (barriers) {
        const { round } = barriers.reductions
        f.get(round).i32(1).op(Op.i32_add).set(round)
        f.get(anyWaiting).brIf(labels[2]!)
        f.end()
      }
      endLoopWork(context, true)
      nextBlock()
      f.br(labels[1]!)
      f.end().end()
      regions?.emitBlockCounts()
      control.emitCounters()
    })

  // A resumable kernel runs one turn of one block: each warp, from each point whose lanes may go on.
  const turnHead = (): ByteWriter =>
    section(0, () => {
      findBlock()
      startBlock()
      f.i32(0).set(frame.warp)
      labels.push(f.loop(), f.block(), f.loop())
      const go = f.block()
      suspension!.emitResume(block => control.waiting[kernel.blocks.indexOf(block)]!, go)
      f.br(labels[1]!)
      f.end()
    })
  const turnTail = (): ByteWriter =>
    section(depth, () => {
      f.br(labels[2]!).end().end()
      nextWarp(labels[0]!)
      f.end()
      endLoopWork(context, false)
      control.emitCounters()
    })

  const [before, after] = suspension ? [turnHead(), turnTail()] : [head(), tail()]
  const tables = section(0, () => {
    values.emitTables()
    emitRunSteps(context)
    for (const stores of context.columnStores) stores.emitDistance()
  })
  f.code = new ByteWriter()
  for (const writer of [prologue, tables, before, body, after]) f.code.bytes(writer.result())
  exportWaysIn(module, f, RUN_PARAMETERS)
  exportSlotTools(module)
  return {
    bytes: module.finish({ initialPages: 1, maximumPages: 65536 }),
    merges: f.locals.length * f.branches,
    layout,
    slotBytes: alignUp(values.end, 1024),
    savedBytesPerWarp: suspension?.bytesPerWarp ?? regions?.bytesPerWarp ?? barriers?.bytesPerWarp ?? 0,
    histograms,
    runs: context.runs,
    externals,
    checkedRows: context.checked?.rows ?? [],
    resumable: plan && {
      points: plan.points.map((point, index) => ({ point, resultAt: suspension!.resultOffset(index) })),
    },
  }
}

/** What JavaScript does many times slower to memory that threads share. */
function exportSlotTools(module: ModuleBuilder): void {
  module.function([I32, I32], [], CLEAR).get(0).i32(0).get(1).memoryFill()
  const f = module.function([I32, I32], [I32], NEXT_USED)
  const [at, end] = [0, 1]
  const found = f.block()
  const next = f.loop()
  f.get(at).get(end).op(Op.i32_ge_u).brIf(found)
  f.get(at).memory(Op.v128_load).op(Op.v128_any_true).brIf(found)
  f.get(at).i32(USED_BYTES).op(Op.i32_add).set(at).br(next).end().end()
  f.get(at)
}

/** Values that lanes have in different versions while some of them are stopped change the shapes of others. */
function planShapes(
  program: KernelProgram,
  geometry: Geometry,
  alwaysResumable: boolean,
  known: ShapeOptions,
): { shapes: Shapes; plan: SuspensionPlan | undefined } {
  const shapes = findShapes(program, geometry, known)
  const plan = planSuspension(program, shapes, alwaysResumable)
  return { shapes: plan ? findShapes(program, geometry, { ...known, apart: plan.apart }) : shapes, plan }
}

function allocateFrame(f: FunctionBuilder): Frame {
  const local = (): number => f.local(I32)
  return {
    first: 0,
    last: 1,
    slot: 2,
    shared: 3,
    saved: 4,
    localMemory: 5,
    block: local(),
    blockX: local(),
    blockY: local(),
    blockZ: local(),
    gridX: local(),
    gridY: local(),
    gridZ: local(),
    warp: local(),
    mask: local(),
    sharedBytes: local(),
    fuel: local(),
    memoryBytes: local(),
  }
}

/** Arguments as scalars; by-value structures as the address of their bytes in the launch area. */
function loadParameters({ f, values, helpers, program }: KernelContext): void {
  program.kernel.parameters.forEach((parameter, index) => {
    const at = LAUNCH_OFFSET + LAUNCH_PARAMETERS + program.parameterOffsets[index]!
    const storages = values.allocate(parameter)
    const offsets = leafOffsets(parameter.type)
    storages.forEach((storage, leaf) => {
      if (storage.kind !== 'scalar') return
      if (parameter.byval) f.i32((DEVICE_BASE + at) | 0)
      else {
        const { type, offset } = offsets[leaf]!
        const held = heldAs(type)!
        f.i32(at)
        if (held.kind === 'f32') f.memory(Op.f32_load, offset)
        else if (held.kind === 'f64') f.memory(Op.f64_load, offset)
        else {
          f.memory(LOADS[storeBytes(type)] ?? Op.i32_load, offset)
          if (held.kind === 'f16') f.call(helpers.narrow(held.brain).fromBits)
          else if (held.kind === 'flag') f.i32(1).op(Op.i32_and)
        }
      }
      f.set(storage.local)
    })
  })
}

function leafOffsets(type: Type, at = 0): { type: Type; offset: number }[] {
  switch (type.kind) {
    case 'struct':
      return fieldOffsets(type).flatMap((offset, index) => leafOffsets(type.fields[index]!, at + offset))
    case 'array':
    case 'vector':
      return Array.from({ length: type.length }, (_, index) =>
        leafOffsets(type.element, at + index * sizeOf(type.element)),
      ).flat()
    default:
      return [{ type, offset: at }]
  }
}
