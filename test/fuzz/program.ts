/**
 * Random kernels as a small language of their own: what `emitCuda.ts` writes as CUDA C++ and `emitIr.ts` as LLVM IR.
 *
 * What must hold, so that every executor has to give the same bits: a program ends (loops have at most 8 turns, inner ones fewer), it has no
 * undefined behaviour (shift amounts are masked, divisors are odd, conversions are guarded), it never races (a thread writes its
 * own slots; shared memory is exchanged between barriers; contended atomics commute and their results are unused), warp
 * operations and barriers stand where all their threads come, and no bits of a NaN reach an integer.
 */

/** Integers have no sign; operations do. */
export type Scalar = 'u8' | 'u16' | 'u32' | 'u64' | 'f32' | 'f64'

export const INTEGERS = ['u8', 'u16', 'u32', 'u64'] as const
export const FLOATS = ['f32', 'f64'] as const

export type IntegerBinary =
  | 'add'
  | 'sub'
  | 'mul'
  | 'and'
  | 'or'
  | 'xor'
  | 'shl'
  | 'lshr'
  | 'ashr'
  | 'udiv'
  | 'urem'
  | 'sdiv'
  | 'srem'
  | 'umin'
  | 'umax'
  | 'smin'
  | 'smax'
  | 'rotl'
export type FloatBinary = 'fadd' | 'fsub' | 'fmul' | 'fdiv' | 'fmin' | 'fmax'
export type IntegerUnary = 'not' | 'popc' | 'clz' | 'ctz' | 'brev'
export type FloatUnary = 'fneg' | 'fabs' | 'sqrt' | 'floor' | 'ceil' | 'trunc' | 'rint'
export type Conversion =
  | 'zext'
  | 'sext'
  | 'itrunc'
  | 'uitofp'
  | 'sitofp'
  | 'fptosi'
  | 'fptoui'
  | 'fpcast'
  | 'tobits'
  | 'frombits'
export type Comparison = 'eq' | 'ne' | 'ult' | 'ule' | 'slt' | 'sle' | 'folt' | 'fole' | 'foeq' | 'funo'
/** Values that threads start from. `tid` is linear in the block, `gid` in the grid. */
export type Special = 'tid' | 'lane' | 'blockId' | 'gid' | 'n'

export type Expression =
  | { readonly kind: 'integer'; readonly type: Scalar; readonly value: bigint }
  | { readonly kind: 'float'; readonly type: Scalar; readonly value: number }
  | { readonly kind: 'variable'; readonly type: Scalar; readonly index: number }
  | { readonly kind: 'special'; readonly type: 'u32'; readonly name: Special }
  | {
      readonly kind: 'binary'
      readonly type: Scalar
      readonly op: IntegerBinary | FloatBinary
      readonly a: Expression
      readonly b: Expression
    }
  | { readonly kind: 'unary'; readonly type: Scalar; readonly op: IntegerUnary | FloatUnary; readonly a: Expression }
  | {
      readonly kind: 'fma'
      readonly type: Scalar
      readonly a: Expression
      readonly b: Expression
      readonly c: Expression
    }
  | { readonly kind: 'convert'; readonly type: Scalar; readonly op: Conversion; readonly a: Expression }
  | {
      readonly kind: 'select'
      readonly type: Scalar
      readonly condition: Condition
      readonly a: Expression
      readonly b: Expression
    }
  /** in[index % n] */
  | { readonly kind: 'input'; readonly type: 'u32'; readonly index: Expression }
  /** array[index % its length] */
  | { readonly kind: 'element'; readonly type: Scalar; readonly array: number; readonly index: Expression }
  /** helper(a, b), a function that is not inlined */
  | {
      readonly kind: 'call'
      readonly type: 'u32'
      readonly helper: number
      readonly a: Expression
      readonly b: Expression
    }

export type Condition =
  | { readonly kind: 'compare'; readonly op: Comparison; readonly a: Expression; readonly b: Expression }
  | { readonly kind: 'both' | 'either'; readonly a: Condition; readonly b: Condition }

/** Those that commute, so that the order of threads does not show. */
export const ATOMIC_OPERATIONS = ['add', 'and', 'or', 'xor', 'min', 'max', 'umin', 'umax'] as const
export type AtomicOperation = (typeof ATOMIC_OPERATIONS)[number]
export type ShuffleMode = 'idx' | 'up' | 'down' | 'bfly'

export type Statement =
  | { readonly kind: 'assign'; readonly variable: number; readonly value: Expression }
  | {
      readonly kind: 'if'
      readonly condition: Condition
      readonly yes: readonly Statement[]
      readonly otherwise: readonly Statement[]
    }
  /** `limit % turns` turns, one more when `atLeastOnce`. */
  | {
      readonly kind: 'loop'
      readonly limit: Expression
      readonly turns: number
      readonly atLeastOnce: boolean
      readonly body: readonly Statement[]
    }
  | { readonly kind: 'break' | 'continue'; readonly condition: Condition }
  /** On value % 8; a case without an end falls into the next. */
  | {
      readonly kind: 'switch'
      readonly value: Expression
      readonly cases: readonly SwitchCase[]
      readonly fallback: readonly Statement[]
    }
  | { readonly kind: 'setElement'; readonly array: number; readonly index: Expression; readonly value: Expression }
  /** Writes the value to the thread's first slot and ends the thread. */
  | { readonly kind: 'exit'; readonly condition: Condition; readonly value: Expression }
  /** An atomic whose old value is used, on a word of the thread's own. */
  | {
      readonly kind: 'ownAtomic'
      readonly variable: number
      readonly op: AtomicOperation | 'exch' | 'cas'
      readonly value: Expression
      readonly expected: Expression
    }
  /** An atomic on a word that threads share, in the region of its operation. */
  | {
      readonly kind: 'globalAtomic'
      readonly op: AtomicOperation
      readonly index: Expression
      readonly value: Expression
    }
  // Those below stand only where all threads of the block come.
  | {
      readonly kind: 'exchange'
      readonly variable: number
      readonly type: Scalar
      readonly value: Expression
      readonly multiplier: number
      readonly shift: Expression
    }
  | {
      readonly kind: 'sharedAtomic'
      readonly variable: number
      readonly op: AtomicOperation
      readonly index: Expression
      readonly value: Expression
      readonly readIndex: Expression
    }
  | {
      readonly kind: 'shuffle'
      readonly variable: number
      readonly mode: ShuffleMode
      readonly value: Expression
      readonly lane: Expression
      readonly width: number
    }
  | {
      readonly kind: 'vote'
      readonly variable: number
      readonly mode: 'ballot' | 'any' | 'all'
      readonly condition: Condition
    }
  /** The lanes whose condition holds read the value of the lowest of them. */
  | { readonly kind: 'leader'; readonly variable: number; readonly value: Expression; readonly condition: Condition }

export interface SwitchCase {
  readonly value: number
  readonly body: readonly Statement[]
  readonly fallsThrough: boolean
}

export interface Helper {
  readonly body: readonly Statement[]
  readonly result: Expression
}

export interface Dim3 {
  readonly x: number
  readonly y: number
  readonly z: number
}

export interface Program {
  readonly grid: Dim3
  readonly block: Dim3
  readonly inputWords: number
  /** Types of the kernel's variables; helpers have variables of their own, of which 0 and 1 are the u32 parameters. */
  readonly variables: readonly Scalar[]
  readonly helperVariables: readonly Scalar[]
  /** Local arrays of the kernel, zero at first; lengths are powers of two. */
  readonly arrays: readonly { readonly type: Scalar; readonly length: number }[]
  readonly helpers: readonly Helper[]
  readonly body: readonly Statement[]
}

/** Words of `out` that each thread owns: one for each variable's 64 bits, one for `exit`, one for atomics. */
export function slotWords(program: Program): number {
  return program.variables.length * 2 + 2
}

export function threadsOf(program: Program): number {
  const { grid, block } = program
  return grid.x * grid.y * grid.z * block.x * block.y * block.z
}

/** Words that threads share for each atomic operation, behind the slots. */
export const ATOMIC_WORDS = 8

export function outputWords(program: Program): number {
  return threadsOf(program) * slotWords(program) + ATOMIC_OPERATIONS.length * ATOMIC_WORDS
}

export function bitsOfScalar(type: Scalar): number {
  return Number(type.slice(1))
}

export function isFloat(type: Scalar): boolean {
  return type.startsWith('f')
}
