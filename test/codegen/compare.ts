/** Runs one launch on generated code and on the reference interpreter, each on a memory of its own, and compares everything. */
import { expect } from 'vitest'
import { addressOf, HEAP_OFFSET } from '../../src/addressSpace.ts'
import { type KernelProgram, prepareKernel } from '../../src/analysis/prepare.ts'
import { createGeneratedExecutor, type GeneratedExecutorOptions } from '../../src/codegen/executor.ts'
import { checkFunction } from '../../src/ir/check.ts'
import { applyFloatMode, type FloatMode } from '../../src/ir/floatMode.ts'
import { readModule } from '../../src/ir/read.ts'
import type { Dim3, Executor, LaunchOutcome, LaunchRequest } from '../../src/launch.ts'
import { countAccess } from '../../src/metrics/rules/accessModel.ts'
import { referenceExecutor } from '../../src/reference/executor.ts'

export interface Launched {
  readonly outcome: LaunchOutcome
  readonly buffers: readonly Uint32Array[]
  readonly printed: string
}

export interface LaunchInput {
  readonly ir: string
  readonly kernel?: string
  readonly grid: Dim3
  readonly block: Dim3
  readonly buffers: readonly Uint32Array[]
  readonly values?: readonly number[]
  /** How singles are computed with; nvcc's own way by default. */
  readonly floats?: FloatMode
  readonly dynamicSharedBytes?: number
  /** False where the number of times that a loop looks for a change is open. */
  readonly sameCounts?: boolean
  /** Generated code executes no basic block this often. */
  readonly fewerThan?: number
  /** Addresses of functions and variables; by default functions have 1, 2, 3 ... */
  readonly symbols?: ReadonlyMap<string, number>
}

const PAGE = 65536

export function launchOn(executor: Executor, program: KernelProgram, input: LaunchInput): Launched {
  const bytes = input.buffers.reduce((sum, buffer) => sum + Math.ceil(buffer.byteLength / 512) * 512, 0)
  const pages = Math.ceil((HEAP_OFFSET + bytes) / PAGE) + 1
  const memory = new WebAssembly.Memory({ initial: pages, maximum: 65536, shared: true })
  let at = HEAP_OFFSET
  const offsets = input.buffers.map(buffer => {
    const offset = at
    new Uint32Array(memory.buffer, offset, buffer.length).set(buffer)
    at += Math.ceil(buffer.byteLength / 512) * 512
    return offset
  })
  const parameters = new Uint8Array(program.parameterBytes)
  const view = new DataView(parameters.buffer)
  const words = [...offsets.map(addressOf), ...(input.values ?? [])]
  for (const [index, word] of words.entries()) view.setUint32(program.parameterOffsets[index]!, word >>> 0, true)
  let printed = ''
  const request: LaunchRequest = {
    program,
    grid: input.grid,
    block: input.block,
    dynamicSharedBytes: input.dynamicSharedBytes ?? 0,
    parameters,
    memory,
    symbols: input.symbols ?? new Map(program.module.functions.map(({ name }, index) => [name, index + 1])),
    model: countAccess,
    print: text => (printed += text),
    deadline: Infinity,
    clockHz: 1e9,
  }
  const outcome = executor.execute(request)
  const buffers = input.buffers.map((buffer, index) =>
    new Uint32Array(memory.buffer, offsets[index], buffer.length).slice(),
  )
  return { outcome, buffers, printed }
}

/** Fails where the two executors differ. Returns what the reference interpreter gave. */
export function compareExecutors(input: LaunchInput, options: GeneratedExecutorOptions = {}): Launched {
  const module = readModule(input.ir, 'test.ll')
  applyFloatMode(module, input.floats)
  const name = input.kernel ?? module.functions.find(({ isKernel }) => isKernel)!.name
  const program = prepareKernel(module, name)
  checkFunction(program.kernel)
  const wanted = launchOn(referenceExecutor, program, input)
  const got = launchOn(createGeneratedExecutor(options), program, input)
  expect(got.outcome.fault?.kind).toEqual(wanted.outcome.fault?.kind)
  if (wanted.outcome.fault) return wanted
  expect(got.buffers).toEqual(wanted.buffers)
  expect(got.printed).toBe(wanted.printed)
  for (const { warps } of got.outcome.blocks) expect(warps).toBeLessThan(input.fewerThan ?? Infinity)
  if (input.sameCounts === false) return wanted
  expect(got.outcome.blocks).toEqual(wanted.outcome.blocks)
  expect(got.outcome.sites).toEqual(wanted.outcome.sites)
  return wanted
}
