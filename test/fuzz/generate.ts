/**
 * Random kernels for testing generated code against the reference interpreter, bit for bit, and one form of a program against
 * another. In: a seed. Out: a kernel's text with its launch and its buffers; the same seed always gives the same kernel.
 * Kernels are `k(int *out, const int *in, int n)`; they end, do not race, and have no undefined behaviour (program.ts).
 */
import { emitCuda } from './emitCuda.ts'
import { emitGraph, GRAPH_SLOT_WORDS } from './emitGraph.ts'
import { emitIr } from './emitIr.ts'
import { growProgram } from './grow.ts'
import { type Dim3, outputWords } from './program.ts'
import { Random } from './random.ts'

/** `ir`: LLVM IR in SSA form. `cuda`: the same program as CUDA C++. `graph`: LLVM IR with arbitrary control flow. */
export type KernelForm = 'ir' | 'cuda' | 'graph'

export interface GeneratedKernel {
  readonly seed: number
  readonly form: KernelForm
  /** LLVM IR, or the text of a .cu file that includes cuda_runtime.h and has no host code. */
  readonly text: string
  /** Always `k`, not mangled. */
  readonly kernel: string
  readonly grid: Dim3
  readonly block: Dim3
  /** What `in` points to; `n` is its length. */
  readonly input: Int32Array
  /** Words that `out` points to, all zero before the launch. */
  readonly outputWords: number
}

export interface GenerateOptions {
  /** Default: `graph` for every fourth seed, else `ir`. */
  readonly form?: KernelForm
  /** Floating-point types; without them `ir` and `cuda` give the same bits. Default true. */
  readonly floats?: boolean
}

export function generateKernel(seed: number, options: GenerateOptions = {}): GeneratedKernel {
  const form = options.form ?? (seed % 4 === 3 ? 'graph' : 'ir')
  return form === 'graph' ? generateGraph(seed) : generateProgram(seed, form, options.floats ?? true)
}

function generateGraph(seed: number): GeneratedKernel {
  const random = new Random(seed ^ 0x5eed)
  const block = { x: random.pick([1, 17, 32, 48, 64]), y: 1, z: 1 }
  const grid = { x: random.between(1, 3), y: 1, z: 1 }
  const text = emitGraph(seed, block.x)
  const input = randomWords(random, random.between(9, 99))
  return {
    seed,
    form: 'graph',
    text,
    kernel: 'k',
    grid,
    block,
    input,
    outputWords: block.x * grid.x * GRAPH_SLOT_WORDS,
  }
}

function generateProgram(seed: number, form: 'ir' | 'cuda', floats: boolean): GeneratedKernel {
  const program = growProgram(seed, { floats })
  const text = form === 'ir' ? emitIr(program) : emitCuda(program)
  const { grid, block, inputWords } = program
  const input = randomWords(new Random(seed ^ 0x1277), inputWords)
  return { seed, form, text, kernel: 'k', grid, block, input, outputWords: outputWords(program) }
}

/** Small numbers, large numbers, and the bits of ordinary floats. */
function randomWords(random: Random, length: number): Int32Array {
  return Int32Array.from({ length }, () => {
    const choice = random.below(4)
    if (choice === 0) return random.below(256) - 128
    if (choice === 1) return 0x3f000000 + random.below(0x2000000)
    return random.word() | 0
  })
}
