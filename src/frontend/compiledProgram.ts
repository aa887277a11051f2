/**
 * What the front end is given, what it gives, and what it may keep: the contract of compile.ts. Files are texts and bytes by path; nothing
 * here knows where they come from. A cached program is one that its identity determines.
 */
import type { Diagnostic } from '../diagnostic.ts'
import type { FloatMode } from '../ir/floatMode.ts'
import type { Language, Optimization } from './building/commandFlags.ts'
import type { HeaderCache } from './building/precompiledHeaders.ts'
import type { UnitCache } from './building/unitCache.ts'
import type { FileTree } from './clang/clang.ts'

export interface CompileInput {
  /** Paths in `files`, as the user typed them: .cu, .cpp, .cc, .cxx, .c. */
  readonly sources: readonly string[]
  /** The user's files; `collectFiles` finds them. */
  readonly files: FileTree
  /** Our include/ folder, by path inside it. */
  readonly headers: FileTree
  readonly includeDirs?: readonly string[]
  /** `NAME` or `NAME=value`. */
  readonly defines?: readonly string[]
  /** Files included before the first line of each source. */
  readonly includes?: readonly string[]
  /** Of all sources; default is what their names say. */
  readonly language?: Language | undefined
  /** Default c++17. */
  readonly standard?: string
  /** Default 2. */
  readonly optimize?: Optimization
  /** Compute capability times ten, default 90. */
  readonly architecture?: number
  /** What relative paths are relative to; absolute. Default /work. */
  readonly workingDirectory?: string
  /** There is no host side: the code is compiled while a program runs. */
  readonly deviceOnly?: boolean
  /** Loads are made by the threads that the program says, and no others (asWritten.ts): for those who check what threads do. */
  readonly asWritten?: boolean
  /** As `nvcc -rdc=true` and `-dc`: device code that is linked. It is too where the program cannot be made otherwise. */
  readonly relocatable?: boolean
  /** How kernels compute with singles, where it is not as nvcc does by itself. */
  readonly floats?: FloatMode | undefined
}

/** What one CUDA source compiles to on the device side. */
export interface DeviceIr {
  readonly file: string
  readonly text: string
  /** It is linked by nvlink, which places its shared variables. */
  readonly relocatable?: true
  readonly floats?: FloatMode
}

export interface CompiledProgram {
  /** Empty where there is only a device side. */
  readonly hostWasm: Uint8Array
  /** One for each CUDA source, in order. */
  readonly deviceIr: readonly DeviceIr[]
  /** Warnings; errors are thrown. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface CompileResult extends CompiledProgram {
  readonly timings: CompileTimings
}

/** Milliseconds of wall time; device and host overlap. */
export interface CompileTimings {
  readonly deviceMs: number
  readonly hostMs: number
  readonly linkMs: number
  readonly totalMs: number
  readonly cached: boolean
}

/** Keeps compiled programs. `identity` is a text that determines the result; implementations hash it. Neither call throws. */
export interface CompileCache {
  load(identity: string): Promise<CompiledProgram | undefined>
  store(identity: string, program: CompiledProgram): Promise<void>
  /** Without it, every compilation reads all headers. */
  readonly headers?: HeaderCache
  /** Without it, a program of several sources is compiled whole. */
  readonly units?: UnitCache
}
