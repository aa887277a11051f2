/**
 * The device program in memory: LLVM IR as clang emits it for `nvptx-nvidia-cuda`, made simpler to use.
 *
 * What is simpler than LLVM: constant expressions are folded to addresses or constants, `getelementptr` is base + constant
 * + sum of index x scale (bytes), metadata is gone except source locations, and identifiers are object references.
 * What must hold is what `check.ts` checks: SSA form, every block ends in one terminator, types agree.
 * Data layout (FRONTEND.md): ILP32. Pointers of all spaces are 32 bits; i64 and double align to 8.
 */

// ---------------------------------------------------------------- types

export type Type =
  | { readonly kind: 'void' }
  | { readonly kind: 'int'; readonly bits: number }
  | { readonly kind: 'float'; readonly bits: 16 | 32 | 64; readonly brain?: true }
  | { readonly kind: 'pointer'; readonly space: AddressSpace }
  | { readonly kind: 'array'; readonly length: number; readonly element: Type }
  | { readonly kind: 'vector'; readonly length: number; readonly element: Type }
  | { readonly kind: 'struct'; readonly fields: readonly Type[]; readonly packed: boolean }

/** NVPTX's number of an address space (SPACE in types.ts). */
export type AddressSpace = number

// ---------------------------------------------------------------- values

export type Value = Constant | Parameter | Instruction

export type Constant =
  /** Two's complement, `0 <= value < 2 ** bits`. i1 is 0n or 1n. */
  | { readonly kind: 'int'; readonly type: Type; readonly value: bigint }
  /** `value` is exact for the type (float constants are representable floats); NaN payloads are kept in `bits`. */
  | { readonly kind: 'float'; readonly type: Type; readonly value: number; readonly bits: bigint }
  /** Zero of any type, the null pointer included. */
  | { readonly kind: 'zero'; readonly type: Type }
  /** undef and poison: any value will do; executors use zero. */
  | { readonly kind: 'undef'; readonly type: Type }
  | { readonly kind: 'aggregate'; readonly type: Type; readonly elements: readonly Constant[] }
  /** Address of a global or function plus bytes. `type.space` may differ from the target's: then it is cast to generic. */
  | { readonly kind: 'address'; readonly type: Type; readonly target: Global | Func; readonly offset: number }
  /** What folding leaves, for example `ptrtoint` of an address. */
  | {
      readonly kind: 'expression'
      readonly type: Type
      readonly op: BinaryOp | CastOp
      readonly operands: readonly Constant[]
    }

export interface Parameter {
  readonly kind: 'parameter'
  readonly type: Type
  readonly name: string
  readonly index: number
  /** A structure passed by value: the parameter is a pointer to a copy of this type. */
  readonly byval?: { readonly type: Type; readonly align: number }
  /** `__restrict__`: what it points to is reached through it alone. */
  readonly noalias?: true
}

/** Where an instruction comes from: innermost frame first in reading order, `inlinedAt` is the call that it was inlined into. */
export interface Location {
  readonly file: string
  readonly line: number
  readonly column: number
  /** Source name of the function that the line stands in (not mangled). */
  readonly scope: string
  readonly inlinedAt?: Location
  /** The function of our mathematics that the instruction is part of (`expf`); the location is that of its call. */
  readonly library?: string
}

export type BinaryOp =
  | 'add'
  | 'sub'
  | 'mul'
  | 'udiv'
  | 'sdiv'
  | 'urem'
  | 'srem'
  | 'shl'
  | 'lshr'
  | 'ashr'
  | 'and'
  | 'or'
  | 'xor'
  | 'fadd'
  | 'fsub'
  | 'fmul'
  | 'fdiv'
  | 'frem'
export type CastOp =
  | 'trunc'
  | 'zext'
  | 'sext'
  | 'fptrunc'
  | 'fpext'
  | 'fptoui'
  | 'fptosi'
  | 'uitofp'
  | 'sitofp'
  | 'ptrtoint'
  | 'inttoptr'
  | 'bitcast'
  | 'addrspacecast'
export type IntPredicate = 'eq' | 'ne' | 'ugt' | 'uge' | 'ult' | 'ule' | 'sgt' | 'sge' | 'slt' | 'sle'
export type FloatPredicate =
  | 'false'
  | 'oeq'
  | 'ogt'
  | 'oge'
  | 'olt'
  | 'ole'
  | 'one'
  | 'ord'
  | 'ueq'
  | 'ugt'
  | 'uge'
  | 'ult'
  | 'ule'
  | 'une'
  | 'uno'
  | 'true'
export type AtomicOp =
  | 'xchg'
  | 'add'
  | 'sub'
  | 'and'
  | 'nand'
  | 'or'
  | 'xor'
  | 'max'
  | 'min'
  | 'umax'
  | 'umin'
  | 'fadd'
  | 'fsub'
  | 'fmax'
  | 'fmin'
  | 'uinc_wrap'
  | 'udec_wrap'
  | 'usub_cond'
  | 'usub_sat'

interface InstructionBase {
  readonly kind: 'instruction'
  /** The result's type; void where there is none. */
  type: Type
  /** LLVM's name without `%`, '' where there is none. */
  name: string
  /** The block that holds it; kept true by whoever moves instructions. */
  block: Block
  location: Location | undefined
  /** The source computes it in front of the branch that it was moved to (sinkValues.ts). */
  sunk?: true
  /** Part of what the machine does with another one: a carry, a sum behind a product (IADD3.X, IMAD.WIDE; pairArithmetic.ts). */
  carried?: true
}

export type Instruction =
  | BinaryInstruction
  | FNegInstruction
  | FmaInstruction
  | IcmpInstruction
  | FcmpInstruction
  | SelectInstruction
  | CastInstruction
  | FreezeInstruction
  | GepInstruction
  | AllocaInstruction
  | LoadInstruction
  | StoreInstruction
  | AtomicRmwInstruction
  | CmpxchgInstruction
  | FenceInstruction
  | PhiInstruction
  | CallInstruction
  | ExtractValueInstruction
  | InsertValueInstruction
  | ExtractElementInstruction
  | InsertElementInstruction
  | ShuffleVectorInstruction
  | Terminator
export type Terminator = BrInstruction | CondBrInstruction | SwitchInstruction | RetInstruction | UnreachableInstruction

export interface BinaryInstruction extends InstructionBase {
  op: BinaryOp
  left: Value
  right: Value
  /** Fast-math `contract` (or `fast`): a multiply and an add may become one fused operation. */
  contract: boolean
  /** `nuw`, `nsw`: the result does not wrap, unsigned or signed (LLVM: poison otherwise). */
  nuw: boolean
  nsw: boolean
  /** Of an `or`: no bit is set on both sides, so that it is a sum. */
  disjoint?: true
  /** The machine divides for it, by a number that it does not know (analysis/loops/keptRemainders.ts, analysis/loops/warpSize.ts). */
  divides?: 'udiv' | 'sdiv' | 'urem' | 'srem'
  /** Of a product: one instruction with the sum that reads it, whatever else does alike (`mad` of inline assembly). */
  inMad?: true
  /** Of a quotient: it need not be rounded rightly. */
  approximate?: Approximation
}
/** What the machine has for a quotient or a root of singles that need not be rounded rightly: no branch, and none to come back from. */
export interface Approximation {
  readonly instructions: number
  /** Of these, for the special function unit. */
  readonly specials: 0 | 1
  /** From one to the next that needs its result. */
  readonly cycles: number
}
export interface FNegInstruction extends InstructionBase {
  op: 'fneg'
  value: Value
}
/** Fused multiply-add, one rounding: left * right + addend. Made by `analysis/lowering/contract`, and from llvm.fma. */
export interface FmaInstruction extends InstructionBase {
  op: 'fma'
  left: Value
  right: Value
  addend: Value
}
export interface IcmpInstruction extends InstructionBase {
  op: 'icmp'
  predicate: IntPredicate
  left: Value
  right: Value
}
export interface FcmpInstruction extends InstructionBase {
  op: 'fcmp'
  predicate: FloatPredicate
  left: Value
  right: Value
}
export interface SelectInstruction extends InstructionBase {
  op: 'select'
  condition: Value
  ifTrue: Value
  ifFalse: Value
}
export interface CastInstruction extends InstructionBase {
  op: CastOp
  value: Value
  /** A pointer that may lead to the shared memory of another block of the cluster (analysis/lowering/clusters.ts). */
  mayLeaveBlock?: true
}
export interface FreezeInstruction extends InstructionBase {
  op: 'freeze'
  value: Value
  /** Here a texture is looked up, or a surface read or written; the value is part of where (analysis/calls/lookups.ts). */
  lookup?: TextureLookup
}
/** What one warp's lookup is on the machine. */
export interface TextureLookup {
  readonly kind: 'texture' | 'surfaceLoad' | 'surfaceStore'
  readonly requests: number
  /** Of the multiprocessor's texture unit. */
  readonly cycles: number
}
/** base + offset + sum(index x scale), in bytes, modulo 2^32. Indices are integers of any width, sign-extended or cut to 32 bits. */
export interface GepInstruction extends InstructionBase {
  op: 'gep'
  base: Value
  offset: number
  terms: { index: Value; scale: number }[]
  /** The last step's index is a number without sign in the source, or is known to be no negative one (LLVM's `nuw`). */
  unsigned?: true
}
/**
 * `bytes` of local memory for each thread (`count` absent or constant: dynamic sizes are refused by the reader).
 * `interleaved`: words of so many bytes, the 32 lanes of a word together (analysis/lowering/interleaveFragments.ts).
 */
export interface AllocaInstruction extends InstructionBase {
  op: 'alloca'
  bytes: number
  align: number
  interleaved?: 4 | 8
}
/** A member of a structure, of each length of the way to it: at different places they are apart, by whatever pointers (frontend/passes/memberAliases.ts). */
export interface SourceMember {
  readonly structure: string
  readonly place: number
}
export interface CopiedMember {
  readonly offset: number
  readonly bytes: number
}
/** How many bytes the vector has, and which of them the element begins at. */
export interface VectorElement {
  readonly bytes: number
  readonly offset: number
}
/**
 * `narrowed`, of loads and stores: the source's type has 8 bytes on the machine and 4 here (readSourceTypes.ts), as far as is known.
 * `hasSourceType`, of both: the source has a type for it; what a copy moves between a structure's members and behind them has none.
 * `member`, of both: the source names a member of a structure.
 * `vector`, of both: an element of a vector that the machine's compiler moves as one (takeVectorsApart.ts).
 * `unsure`, of both: whether the machine has it there, or of how many it is one, is not known (a label: doubts.ts).
 * `matrixWords`, of both: a word of an 8 x 8 matrix; of shared memory the machine moves so many with one LDSM or STSM (PTX, ldmatrix and stmatrix).
 */
export interface LoadInstruction extends InstructionBase {
  op: 'load'
  /** Asks the L2, whatever the L1 has: volatile and atomic loads, and those with PTX's `.cg`, `.cv`, `.lu`. */
  passesL1?: true
  /** Stands just in front of a store to its own line on the machine (analysis/execution/besideStores.ts). */
  besideStore?: true
  /** Bytes from it to the nearest store that goes out while it is on its way (analysis/execution/besideStores.ts). */
  storeDistance?: number
  matrixWords?: number
  narrowed?: true
  /** Of a copy, or of an access beyond its alignment: LLVM joins these no more (splitAccesses.ts). */
  isPiece?: true
  hasSourceType?: true
  vector?: VectorElement
  unsure?: true
  /** LLVM dropped its place in the source: it took the load out of a loop, or made one of two. */
  isMoved?: true
  /** Of an element that the program chooses by an index without sign, or of 64 bits (indexPlaces.ts). */
  hasUnsignedIndex?: true
  hasWideIndex?: true
  /** Loads, itself among them, that nvcc has made one before it moves any. */
  together?: readonly LoadInstruction[]
  member?: SourceMember
  pointer: Value
  align: number
  volatile: boolean
  atomic: boolean
  /** The load of a copy past the registers (PTX, cp.async): where in shared memory its bytes go. */
  copiedTo?: Value
}
export interface StoreInstruction extends InstructionBase {
  op: 'store'
  hasUnsignedIndex?: true
  hasWideIndex?: true
  narrowed?: true
  isPiece?: true
  hasSourceType?: true
  vector?: VectorElement
  unsure?: true
  member?: SourceMember
  /** The source reads what it stores from memory in this statement, though it was loaded before (readAgain.ts). */
  readsAgain?: true
  /** One of several that the program has (analysis/joining/mergeAccesses.ts). */
  ofSeveral?: true
  /** The store of such a copy. */
  copied?: true
  /** From inline assembly, into which nvcc's optimiser does not look: it stays in its loop. */
  assembled?: true
  matrixWords?: number
  value: Value
  pointer: Value
  align: number
  volatile: boolean
  atomic: boolean
}
export interface AtomicRmwInstruction extends InstructionBase {
  op: 'atomicrmw'
  /** Acquires or releases (cuda::atomic): other accesses keep their side of it. */
  orders?: true
  operation: AtomicOp
  pointer: Value
  value: Value
  align: number
  volatile: boolean
}
/** Result: { old value, i1 success }. */
export interface CmpxchgInstruction extends InstructionBase {
  op: 'cmpxchg'
  orders?: true
  pointer: Value
  expected: Value
  replacement: Value
  align: number
  volatile: boolean
}
export interface FenceInstruction extends InstructionBase {
  op: 'fence'
}
/** One entry for each predecessor, in any order. */
export interface PhiInstruction extends InstructionBase {
  /** The sum of a place in memory, where the source stores it each round (analysis/loops/storeBehindLoops.ts). */
  inMemory?: true
  op: 'phi'
  incoming: { value: Value; block: Block }[]
}
export interface CallInstruction extends InstructionBase {
  op: 'call'
  /** A function of the module (intrinsics and externals are declarations), or a pointer for an indirect call. */
  callee: Func | Value
  args: Value[]
  /** Types of the by-value structure arguments, by position. */
  byval: (Type | undefined)[]
  /** Alignments that the call promises for pointer arguments (memcpy's, for example), by position; absent without any. */
  argumentAligns?: readonly (number | undefined)[]
  /** Of a copy of a structure: where its members are, in bytes, as far as the source's types tell. */
  copiedMembers?: readonly CopiedMember[]
  /** Of a barrier: one that only gives the other warps of the block their turn (analysis/execution/pauses.ts). */
  isPause?: true
  contract: boolean
  /** Of a root: it need not be rounded rightly. */
  approximate?: Approximation
}
export interface ExtractValueInstruction extends InstructionBase {
  op: 'extractvalue'
  aggregate: Value
  indices: readonly number[]
}
export interface InsertValueInstruction extends InstructionBase {
  op: 'insertvalue'
  aggregate: Value
  value: Value
  indices: readonly number[]
}
export interface ExtractElementInstruction extends InstructionBase {
  op: 'extractelement'
  vector: Value
  index: Value
}
export interface InsertElementInstruction extends InstructionBase {
  op: 'insertelement'
  vector: Value
  value: Value
  index: Value
}
/** mask: indices into left ++ right; -1 for any. */
export interface ShuffleVectorInstruction extends InstructionBase {
  op: 'shufflevector'
  left: Value
  right: Value
  mask: readonly number[]
}
export interface BrInstruction extends InstructionBase {
  op: 'br'
  target: Block
  /** Where the loop that this goes back to begins in the source. */
  loopStart?: Location
}
export interface CondBrInstruction extends InstructionBase {
  op: 'condbr'
  condition: Value
  ifTrue: Block
  ifFalse: Block
  /** The loop that this goes back to is not to be written out (any more): `#pragma unroll`, readLoopNotes.ts. */
  staysLoop?: true
  /** Where that loop begins in the source. */
  loopStart?: Location
}
export interface SwitchInstruction extends InstructionBase {
  op: 'switch'
  value: Value
  fallback: Block
  cases: { value: bigint; target: Block }[]
}
export interface RetInstruction extends InstructionBase {
  op: 'ret'
  value: Value | undefined
}
export interface UnreachableInstruction extends InstructionBase {
  op: 'unreachable'
}

// ---------------------------------------------------------------- functions and modules

export interface Block {
  name: string
  /** Phis first; the last one is the only terminator. */
  instructions: Instruction[]
}

/**
 * What linking does with a definition of the same name in another module: `internal` ones have nothing to do with each other,
 * of `weak` ones (inline functions, template instances) any one is kept. Absent: external, and defined once in a program.
 * A weak declaration that nobody defines has address 0.
 */
export type Linkage = 'internal' | 'weak'

export interface Func {
  readonly kind: 'function'
  readonly linkage?: Linkage
  /** Mangled name. */
  readonly name: string
  readonly returnType: Type
  readonly parameters: Parameter[]
  readonly variadic: boolean
  /** `ptx_kernel` calling convention. */
  readonly isKernel: boolean
  /** Function attributes that matter: noinline, convergent, alwaysinline, noreturn, and `memory(none)` as 'readnone'. */
  readonly attributes: ReadonlySet<string>
  /** Empty for a declaration. */
  blocks: Block[]
  /** Where the source defines it. */
  location: Location | undefined
  /** Of inline assembly: the instruction in it that has no equal, as the source has it. */
  refused?: string
  /** Arithmetic of singles takes and gives zeros for subnormal numbers (`-ftz=true`). */
  flushesSubnormals?: true
}

export interface Global {
  readonly kind: 'global'
  readonly linkage?: Linkage
  readonly name: string
  readonly space: AddressSpace
  /** The type of what it holds; a zero-length array for `extern __shared__`. */
  readonly type: Type
  readonly align: number
  readonly constant: boolean
  /** `__managed__`: the host has the same variable under the same address. */
  readonly managed?: true
  /** In the shared memory that the system keeps of each block (section `warplens.reserved`), not in the kernel's own. */
  readonly reserved?: true
  /** A shared variable of relocatable code: nvlink places it, and ptxas does not know where. */
  readonly placedByLinker?: true
  /** Declared elsewhere (`extern`): dynamic shared memory, or another file's variable. */
  readonly external: boolean
  readonly initializer: Constant | undefined
}

export interface Module {
  readonly globals: Global[]
  readonly functions: Func[]
}
