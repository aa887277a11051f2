/**
 * Modules and libraries: device code that a program loads while it runs, its kernels and variables by name. Both APIs' calls are
 * functions of headers (include/warplens/driver_modules.h, host_libraries.h) over these. What is loaded is text of deviceCode.ts;
 * code for machines (PTX, cubins, fatbins) stops the program, since nothing here can run it.
 */
import { readDeviceSide } from '../../deviceSide.ts'
import { UserError } from '../../diagnostic.ts'
import type { Module } from '../../ir/ir.ts'
import { sizeOf, storeBytes } from '../../ir/types.ts'
import { type CallResult, type ContextParts, type CudaContext, type HostFunctions, ProgramStopped } from '../context.ts'
import { readWhole } from '../host/files.ts'
import { type DeviceCode, foreignCode, printDeviceCode, readDeviceCode } from '../program/deviceCode.ts'
import type { KernelCode, KernelState, KernelTable } from '../program/kernelTable.ts'
import type { LoadedModule } from '../program/loadModule.ts'

/** Enough to tell what a file is. */
const HEADER_BYTES = 64
/** Where foreign text says that it is PTX. */
const LONGEST_COMMENT = 4096

/** A module in memory; its kernels are prepared when they are asked for. */
class LoadedCode implements KernelCode {
  readonly module: Module
  readonly loaded: LoadedModule
  /** Handles of the kernels that the program knows. */
  readonly handles = new Map<string, number>()
  readonly #kernels = new Map<string, KernelState>()
  readonly #stateOf: KernelTable['stateOf']
  readonly #prepareFrom: ContextParts['prepareFrom']

  constructor(
    module: Module,
    loaded: LoadedModule,
    stateOf: KernelTable['stateOf'],
    prepareFrom: ContextParts['prepareFrom'],
  ) {
    this.module = module
    this.loaded = loaded
    this.#stateOf = stateOf
    this.#prepareFrom = prepareFrom
  }

  get symbols(): ReadonlyMap<string, number> {
    return this.loaded.symbols
  }

  get kernelNames(): string[] {
    return this.module.functions.filter(({ isKernel, blocks }) => isKernel && blocks.length > 0).map(({ name }) => name)
  }

  named(name: string): KernelState {
    const known = this.#kernels.get(name) ?? this.#stateOf(this.#prepareFrom(this.module, name), this)
    this.#kernels.set(name, known)
    return known
  }
}

export function moduleCalls(context: CudaContext, kernels: KernelTable): HostFunctions {
  const { host, hostMalloc, image, fullName, files } = context.parts
  const modules = new Map<number, LoadedCode>()
  /** Host addresses of the names of kernels, and the modules that these are of, by their handles. */
  const names = new Map<number, number>()
  const owners = new Map<number, number>()
  let handles = 0

  const codeIn = (start: Uint8Array, text: string): DeviceCode | CallResult => {
    const code = readDeviceCode(text)
    if (code !== undefined) return code
    const foreign = foreignCode(start, text.slice(0, LONGEST_COMMENT))
    return foreign === undefined ? 'cudaErrorInvalidKernelImage' : refuseForeign(foreign)
  }
  const codeAt = (address: number): DeviceCode | CallResult => {
    if (address === 0) return 'cudaErrorInvalidValue'
    const rest = host.memory.buffer.byteLength - (address >>> 0)
    const start = host.bytes(address, Math.max(1, Math.min(HEADER_BYTES, rest)))
    return codeIn(start, host.text(address))
  }
  const codeOfFile = (path: string): DeviceCode | CallResult => {
    const bytes = files && readWhole(files, path)
    return bytes === undefined ? 'cudaErrorFileNotFound' : codeIn(bytes, new TextDecoder().decode(bytes))
  }
  const keep = (out: number, code: DeviceCode | CallResult): CallResult => {
    if (typeof code === 'string') return code
    modules.set(
      ++handles,
      stoppingWhere(() => load(code)),
    )
    host.setU32(out, handles)
    return 'cudaSuccess'
  }
  const withModule = (handle: number, body: (code: LoadedCode) => CallResult): CallResult => {
    const code = modules.get(handle >>> 0)
    return code === undefined ? 'cudaErrorInvalidResourceHandle' : body(code)
  }
  /** Programs that write a mangled name themselves write it as on a machine where `long` is no `long long`. */
  const kernelNamed = (code: LoadedCode, name: string): string | undefined => {
    if (code.kernelNames.includes(name)) return name
    if (!name.startsWith('_Z')) return undefined
    const plain = (mangled: string) => fullName(mangled).replace(/\blong long\b/g, 'long')
    return code.kernelNames.find(known => plain(known) === plain(name))
  }
  const kernelHandle = (moduleHandle: number, code: LoadedCode, name: string): number => {
    const handle = code.handles.get(name) ?? kernels.add(code.named(name))
    code.handles.set(name, handle)
    owners.set(handle, moduleHandle)
    return handle
  }
  const load = (code: DeviceCode): LoadedCode => {
    const { module, sources } = readDeviceSide(code.ir, code.files, files?.workingDirectory ?? '/work')
    if (module.globals.some(({ managed }) => managed)) throw new ProgramStopped(MANAGED)
    context.heap.serve(module)
    const stateOf = kernels.stateOf.bind(kernels)
    const loaded = new LoadedCode(module, image.loadBeside(module), stateOf, context.parts.prepareFrom)
    for (const [name, text] of sources) context.sources.loaded.set(name, text)
    return loaded
  }

  return {
    __warplens_load_code: context.call((out: number, image: number) => keep(out, codeAt(image))),
    __warplens_load_file: context.call((out: number, path: number) => keep(out, codeOfFile(host.text(path)))),
    __warplens_unload_code: context.call((handle: number) =>
      withModule(handle, code => {
        for (const kernel of code.handles.values()) {
          kernels.remove(kernel)
          owners.delete(kernel)
          names.delete(kernel)
        }
        image.unload(code.loaded)
        modules.delete(handle >>> 0)
        return 'cudaSuccess'
      }),
    ),
    __warplens_code_kernel: context.call((out: number, handle: number, name: number) =>
      withModule(handle, code => {
        const known = kernelNamed(code, host.text(name))
        if (known === undefined) return 'cudaErrorSymbolNotFound'
        host.setU32(
          out,
          stoppingWhere(() => kernelHandle(handle >>> 0, code, known)),
        )
        return 'cudaSuccess'
      }),
    ),
    /** The first `most` kernels; without room for any, their number. */
    __warplens_code_kernels: context.call((out: number, most: number, handle: number) =>
      withModule(handle, code => {
        if (most === 0) host.setU32(out, code.kernelNames.length)
        else
          code.kernelNames.slice(0, most).forEach((name, index) => {
            host.setU32(out + 4 * index, kernelHandle(handle >>> 0, code, name))
          })
        return 'cudaSuccess'
      }),
    ),
    __warplens_code_variable: context.call((address: number, bytes: number, handle: number, name: number) =>
      withModule(handle, code => {
        const { variables } = code.loaded
        const symbol = host.text(name)
        const variable = variables.get(symbol) ?? variables.get(staticName(symbol))
        if (variable === undefined) return 'cudaErrorSymbolNotFound'
        if (address !== 0) host.setU32(address, variable.address)
        if (bytes !== 0) host.setU32(bytes, variable.bytes)
        return 'cudaSuccess'
      }),
    ),
    __warplens_kernel_name: context.call((out: number, stub: number) => {
      const kernel = kernels.find(stub)
      if (kernel === undefined) return 'cudaErrorInvalidResourceHandle'
      const address = names.get(stub) ?? hostMalloc(kernel.name.length + 1)
      names.set(stub, address)
      host.setText(address, kernel.name, kernel.name.length + 1)
      host.setU32(out, address)
      return 'cudaSuccess'
    }),
    __warplens_kernel_code: context.call((out: number, stub: number) => {
      const owner = owners.get(stub >>> 0)
      if (owner === undefined) return 'cudaErrorInvalidResourceHandle'
      host.setU32(out, owner)
      return 'cudaSuccess'
    }),
    __warplens_kernel_parameter: context.call((stub: number, index: number, offset: number, bytes: number) => {
      const program = kernels.find(stub)?.program
      if (program === undefined) return 'cudaErrorInvalidResourceHandle'
      const parameter = program.kernel.parameters[index]
      if (parameter === undefined) return 'cudaErrorInvalidValue'
      host.setU32(offset, program.parameterOffsets[index]!)
      host.setU32(bytes, parameter.byval ? sizeOf(parameter.byval.type) : storeBytes(parameter.type))
      return 'cudaSuccess'
    }),
    /** Code of several into one, which is loaded as a module. */
    __warplens_link_code: context.call((out: number, bytes: number, list: number, count: number) => {
      const codes = Array.from({ length: count }, (_, index) => codeAt(host.u32(list + 4 * index)))
      const failed = codes.find(code => typeof code === 'string')
      if (typeof failed === 'string') return failed
      const all = codes.filter(code => typeof code !== 'string')
      const text = printDeviceCode(
        { ir: all.flatMap(({ ir }) => ir), files: Object.assign({}, ...all.map(({ files }) => files)) },
        context.parts.device.computeCapability.major * 10 + context.parts.device.computeCapability.minor,
      )
      const address = hostMalloc(text.length + 1)
      if (address === 0) return 'cudaErrorMemoryAllocation'
      host.setText(address, text, text.length + 1)
      host.setU32(out, address)
      host.setU32(bytes, text.length + 1)
      return 'cudaSuccess'
    }),
  }
}

/** clang's name of a static variable, which nvcc calls as the source does. */
const staticName = (name: string): string => `_ZL${name.length}${name}`

const MANAGED: ProgramStopped['diagnostic'] = {
  code: 'unsupported-managed-variable',
  severity: 'error',
  message:
    '__managed__ variables of code that is loaded at run time are not supported: take memory of cuMemAllocManaged and give kernels its address',
}

function refuseForeign(what: string): never {
  throw new ProgramStopped({
    code: 'unsupported-image',
    severity: 'error',
    message: `the program loads ${what} as a module, which is code for NVIDIA's machines: only what NVRTC compiles here can be loaded; give nvrtcCompileProgram the kernels' CUDA source, or make them part of the program`,
  })
}

/** What is wrong with loaded code, or not supported of it, ends the program where it asked for it. */
function stoppingWhere<Result>(body: () => Result): Result {
  try {
    return body()
  } catch (error) {
    const [first, ...others] = error instanceof UserError ? error.diagnostics : []
    if (first === undefined) throw error
    throw new ProgramStopped({ ...first, notes: [...(first.notes ?? []), ...others.map(({ message }) => message)] })
  }
}
