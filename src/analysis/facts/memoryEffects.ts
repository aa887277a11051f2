/** What instructions do to memory, for passes that move or join accesses. */
import { calledName } from '../../ir/graph.ts'
import type {
  AtomicRmwInstruction,
  CallInstruction,
  CmpxchgInstruction,
  Instruction,
  LoadInstruction,
  StoreInstruction,
  Value,
} from '../../ir/ir.ts'
import { storeBytes } from '../../ir/types.ts'
import { parsePtx } from '../lowering/assembly/text.ts'
import { decompose } from './address.ts'

/** A load or store that touches nothing but what it points at, and that nobody else sees being made. */
export function isPlainAccess(instruction: Instruction): instruction is LoadInstruction | StoreInstruction {
  if (instruction.op === 'load' && instruction.passesL1) return false
  return (instruction.op === 'load' || instruction.op === 'store') && !instruction.volatile && !instruction.atomic
}

/**
 * A place for arguments of a launch by a kernel. They are stored one by one (readings: childGrids.cu, 57 launches; cs-cdpSimpleQuicksort);
 * pointers are longer there than here, which no counter shows.
 */
export function isArgumentOfLaunch(pointer: Value): boolean {
  const { root } = decompose(pointer)
  return root.kind === 'instruction' && calledName(root) === 'cudaGetParameterBuffer'
}

/**
 * What the address of an access must be a multiple of, where that is more than its width: of a vector's first element, or the first member of a
 * structure that is aligned. The machine's compiler joins such accesses, and what it makes stops at other addresses. Else 0.
 */
export function promisedAlign(instruction: Instruction): number {
  if (instruction.op !== 'load' && instruction.op !== 'store') return 0
  const { align, vector } = instruction
  if (vector && vector.offset > 0) return 0
  const type = instruction.op === 'load' ? instruction.type : instruction.value.type
  return align > storeBytes(type) ? Math.min(align, WIDEST_ACCESS) : 0
}

const WIDEST_ACCESS = 16

/** An atomic that says nothing of other accesses: `atomicAdd`, not `cuda::atomic`, which nothing is joined across (machine code of 3 kernels). */
export function isRelaxedAtomic(instruction: Instruction): instruction is AtomicRmwInstruction | CmpxchgInstruction {
  return (instruction.op === 'atomicrmw' || instruction.op === 'cmpxchg') && !instruction.orders
}

/** A load or store that must be made as often as the source says, in its order; not one of `cuda::atomic`. */
export function isVolatileAccess(instruction: Instruction): instruction is LoadInstruction | StoreInstruction {
  return (instruction.op === 'load' || instruction.op === 'store') && instruction.volatile && !instruction.atomic
}

/** What lanes of a warp tell each other: no memory. ptxas moves loads of shared memory past it (machine code of 4 kernels). */
export function isExchange(instruction: Instruction): boolean {
  return /^llvm\.nvvm\.(shfl|vote|match|redux|activemask)\b/.test(calledName(instruction) ?? '')
}

/** A copy of memory, as clang writes one of a structure. */
export function isCopy(instruction: Instruction): instruction is CallInstruction {
  return /^llvm\.mem(cpy|move)\./.test(calledName(instruction) ?? '')
}

/** Stores, atomics, fences, volatile loads, and calls that may do any of these. */
export function mayWrite(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'store':
    case 'atomicrmw':
    case 'cmpxchg':
    case 'fence':
      return true
    case 'load':
      return instruction.volatile || instruction.atomic
    case 'call': {
      const { callee } = instruction
      return callee.kind !== 'function' || !isPureCall(callee.name, callee.attributes)
    }
    default:
      return false
  }
}

/** PTX that computes: `volatile` and "memory" in the source keep LLVM from moving it, ptxas knows better (machine code of ten kernels). */
const COMPUTES =
  /^(?:@!?%?\w+ )?(?:abs|addc?|and|bf[ei]|bfind|bmsk|brev|clz|cnot|copysign|cos|cvta?|div|dp[24]a|ex2|fma|fns|lg2|lop3|madc?|mad24|max|min|mov|mul|mul24|neg|not|or|popc|prmt|rcp|rem|rsqrt|sad|selp|setp?|shf|shl|shr|sin|slct|sqrt|subc?|szext|tanh|testp|xor)\b/

const computing = new Map<string, boolean>()

/** Whether a call stands for assembly none of whose statements touches memory. */
export function isComputingAssembly(name: string): boolean {
  if (!name.startsWith('asm:')) return false
  let known = computing.get(name)
  if (known === undefined) {
    const parsed = parsePtx(name.slice('asm:'.length, name.lastIndexOf('|')))
    known = 'statements' in parsed && parsed.statements.every(({ line }) => COMPUTES.test(line))
    computing.set(name, known)
  }
  return known
}

function isPureCall(name: string, attributes: ReadonlySet<string>): boolean {
  return (
    attributes.has('readnone') ||
    isComputingAssembly(name) ||
    /^llvm\.(lifetime|assume|dbg|experimental\.noalias|nvvm\.read\.ptx\.sreg)/.test(name)
  )
}
