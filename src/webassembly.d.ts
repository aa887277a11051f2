/** The part of the WebAssembly JavaScript API that we use, so that the core needs neither DOM nor Node types. */
declare namespace WebAssembly {
  // biome-ignore lint/suspicious/noExplicitAny: WebAssembly functions have any number of parameters of any type
  type Callable = (...parameters: any[]) => any
  type ImportValue = Callable | Memory | Global | Table | number | bigint
  type Imports = Record<string, Record<string, ImportValue>>
  class Module {
    constructor(bytes: Uint8Array)
    static imports(module: Module): { module: string; name: string; kind: string }[]
    static exports(module: Module): { name: string; kind: string }[]
    static customSections(module: Module, name: string): ArrayBuffer[]
  }
  class Instance {
    constructor(module: Module, imports?: Imports)
    readonly exports: Record<string, ImportValue>
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean })
    readonly buffer: ArrayBuffer | SharedArrayBuffer
    grow(pages: number): number
  }
  class Table {
    readonly length: number
    get(index: number): Callable | null
  }
  class Global {
    value: number | bigint
  }
  class RuntimeError extends Error {}
  /** Not an Error: what a program's own `throw` becomes. */
  class Exception {}
  class CompileError extends Error {}
  function validate(bytes: Uint8Array): boolean
  function compile(bytes: Uint8Array): Promise<Module>
  function instantiate(module: Module, imports?: Imports): Promise<Instance>
}
