/** Runs a kernel written as LLVM IR text on the reference interpreter; buffers go in and come out as typed arrays. */
import { addressOf, HEAP_OFFSET } from '../../src/addressSpace.ts'
import { type KernelProgram, prepareKernel } from '../../src/analysis/prepare.ts'
import { readModule } from '../../src/ir/read.ts'
import type { Dim3, LaunchOutcome, LaunchRequest } from '../../src/launch.ts'
import { referenceExecutor } from '../../src/reference/executor.ts'
import type { AccessModel } from '../../src/trace.ts'

export interface LaunchOptions {
  readonly grid?: number | Dim3
  readonly block?: number | Dim3
  readonly dynamicSharedBytes?: number
  /** Buffers in global memory, whose addresses are the kernel's first parameters; changed in place. */
  readonly buffers?: readonly (Uint32Array | Float32Array | Float64Array | BigUint64Array | Uint8Array)[]
  /** Further i32 parameters. */
  readonly values?: readonly number[]
  readonly deadline?: number
  readonly model?: AccessModel
}

export interface LaunchResult extends LaunchOutcome {
  readonly printed: string
  readonly program: KernelProgram
  readonly request: LaunchRequest
}

/** Distinct 4-byte words, so that tests see that addresses arrive at the model; the real rules are tested elsewhere. */
export const countWords: AccessModel = ({ mask, addresses, width }) => {
  const words = new Set<number>()
  for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) words.add(addresses[lane]! >>> 2)
  return { bytes: words.size * width, sectors: words.size, sectorsIdeal: 0, tags: 0, wavefronts: 0, wavefrontsIdeal: 0 }
}

const BUFFER_ALIGN = 512

/** `ir`: a module with one kernel. Global variables are placed, not initialised, in front of the buffers. */
export function launch(ir: string, options: LaunchOptions = {}): LaunchResult {
  const request = requestFor(ir, options)
  const outcome = referenceExecutor.execute(request.request)
  copyBuffers(request.request, options, 'out')
  return { ...outcome, printed: request.printed.join(''), program: request.request.program, request: request.request }
}

export function requestFor(ir: string, options: LaunchOptions = {}): { request: LaunchRequest; printed: string[] } {
  const module = readModule(ir, 'test.cu')
  const kernel = module.functions.find(({ isKernel }) => isKernel)
  if (!kernel) throw new Error('no kernel in the test module')
  const program = prepareKernel(module, kernel.name)
  const memory = new WebAssembly.Memory({ initial: 2048 + 64 })
  const symbols = new Map<string, number>()
  let at = HEAP_OFFSET
  for (const global of module.globals) {
    symbols.set(global.name, addressOf(at))
    const text = global.initializer?.kind === 'aggregate' ? global.initializer.elements : []
    text.forEach((element, i) => {
      if (element.kind === 'int') new DataView(memory.buffer).setUint8(at + i, Number(element.value))
    })
    at += 256
  }
  module.functions.forEach((func, i) => {
    symbols.set(func.name, i + 1)
  })
  const printed: string[] = []
  const parameters = new Uint8Array(program.parameterBytes)
  const view = new DataView(parameters.buffer)
  const offsets = [...program.parameterOffsets]
  for (const buffer of options.buffers ?? []) {
    at = Math.ceil(at / BUFFER_ALIGN) * BUFFER_ALIGN
    view.setUint32(offsets.shift()!, addressOf(at), true)
    at += buffer.byteLength
  }
  for (const value of options.values ?? []) view.setUint32(offsets.shift()!, value, true)
  const request: LaunchRequest = {
    program,
    grid: dim3(options.grid ?? 1),
    block: dim3(options.block ?? 32),
    dynamicSharedBytes: options.dynamicSharedBytes ?? 0,
    parameters,
    memory,
    symbols,
    model: options.model ?? countWords,
    print: text => printed.push(text),
    deadline: options.deadline ?? Number.POSITIVE_INFINITY,
    clockHz: 1.98e9,
  }
  copyBuffers(request, options, 'in')
  return { request, printed }
}

function dim3(size: number | Dim3): Dim3 {
  return typeof size === 'number' ? { x: size, y: 1, z: 1 } : size
}

function copyBuffers(request: LaunchRequest, { buffers = [] }: LaunchOptions, direction: 'in' | 'out'): void {
  const view = new DataView(request.parameters.buffer)
  buffers.forEach((buffer, i) => {
    const offset = view.getUint32(request.program.parameterOffsets[i]!, true) - addressOf(0)
    const device = new Uint8Array(request.memory.buffer, offset, buffer.byteLength)
    const host = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    if (direction === 'in') device.set(host)
    else host.set(device)
  })
}

/** A kernel `(ptr out, ptr in)` whose threads compute `body` from %x = in[thread] and store %r at out[thread]. */
export function mapKernel(type: string, body: string, declarations = '', resultType = type): string {
  return `${declarations}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @map(ptr %out, ptr %in) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr ${type}, ptr %in, i32 %tid
  %x = load ${type}, ptr %from, align 1
  ${body}
  %to = getelementptr ${resultType}, ptr %out, i32 %tid
  store ${resultType} %r, ptr %to, align 1
  ret void
}
`.replaceAll('align 1', `align ${{ float: 4, i32: 4, i64: 8, double: 8, half: 2, i16: 2, i8: 1 }[type] ?? 1}`)
}
