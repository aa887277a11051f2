/**
 * What kernels ask of their cluster, in terms of what they ask of their grid and block: its special registers, and places in other
 * blocks' shared memory. Blocks of a cluster have their windows of shared memory side by side, by rank, so that a place of one's own and
 * the same place of another block are a number of bytes apart (addressSpace.ts).
 * In: a kernel without inline assembly. Out: the same; of clusters it asks {@link CLUSTER_DIMENSION} and {@link WINDOW_STRIDE} alone, and
 * pointers that may lead to another block are casts that say so. Source: PTX ISA, "Special Registers", "mapa", "getctarank".
 */
import { addressOf, SYSTEM_BYTES } from '../../addressSpace.ts'
import { binary, cast, compare, intConstant, intrinsicCall, type Place, select } from '../../ir/build.ts'
import type { CallInstruction, CastOp, Func, Instruction, IntPredicate, Type, Value } from '../../ir/ir.ts'
import { I32, POINTER } from '../../ir/types.ts'
import { replaceValues } from '../rewriting/blocks.ts'

const REGISTER = 'llvm.nvvm.read.ptx.sreg.'
/** Blocks of a cluster along an axis, `.x`, `.y` or `.z` behind it: the same for the whole launch. */
export const CLUSTER_DIMENSION = `${REGISTER}cluster.nctaid`
/** Bytes from a block's window of shared memory to that of the next one of the cluster. Ours, not PTX's. */
export const WINDOW_STRIDE = `${REGISTER}cluster.window.stride`

/** What lies at a rank that the cluster does not have: in no window, since these are filled from the front of the system region. */
const NOWHERE = addressOf(SYSTEM_BYTES - (1 << 20))
const SHARED_POINTER: Type = { kind: 'pointer', space: 3 }

const AXES = ['x', 'y', 'z'] as const
type Axis = (typeof AXES)[number]

export function lowerClusters(kernel: Func): void {
  const replaced = new Map<Value, Value>()
  for (const block of kernel.blocks) {
    if (!block.instructions.some(isOfCluster)) continue
    block.instructions = block.instructions.flatMap(instruction => {
      const expansion = isOfCluster(instruction) ? new Expansion(instruction) : undefined
      const value = expansion?.value()
      if (!expansion || !value) return [instruction]
      replaced.set(instruction, value)
      return expansion.out
    })
  }
  if (replaced.size > 0) replaceValues(kernel.blocks, replaced)
}

function isOfCluster(instruction: Instruction): instruction is CallInstruction {
  return (
    instruction.op === 'call' &&
    instruction.callee.kind === 'function' &&
    /^llvm\.nvvm\.(read\.ptx\.sreg\.n?cluster|mapa$|getctarank$|isspacep\.shared\.cluster$|is_explicit_cluster$)/.test(
      instruction.callee.name,
    )
  )
}

/** What stands for one call. */
class Expansion {
  readonly out: Instruction[] = []
  private readonly call: CallInstruction
  private readonly place: Place

  constructor(call: CallInstruction) {
    this.call = call
    this.place = { block: call.block, location: call.location }
  }

  /** Undefined for a register that stays. */
  value(): Value | undefined {
    const name = (this.call.callee as Func).name.replace('llvm.nvvm.', '')
    const [first, second] = this.call.args
    switch (name) {
      case 'mapa':
        return this.mapped(first!, second!)
      case 'getctarank':
        return this.divided(this.binary('sub', this.cast('ptrtoint', I32, first!), this.firstWindow()), this.stride())
      case 'isspacep.shared.cluster': {
        const distance = this.binary('sub', this.cast('ptrtoint', I32, first!), this.firstWindow())
        return this.compare('ult', distance, this.binary('mul', this.size(), this.stride()))
      }
      case 'is_explicit_cluster':
        return this.compare('ugt', this.size(), intConstant(I32, 1))
      default:
        return this.register(name.replace('read.ptx.sreg.', '').replaceAll('_', '.'))
    }
  }

  private register(name: string): Value | undefined {
    if (name === 'cluster.ctarank') return this.rank()
    if (name === 'cluster.nctarank') return this.size()
    const axis = name.at(-1) as Axis
    switch (name.slice(0, -2)) {
      case 'cluster.ctaid':
        return this.binary('urem', this.read(`ctaid.${axis}`), this.dimension(axis))
      case 'clusterid':
        return this.divided(this.read(`ctaid.${axis}`), this.dimension(axis))
      case 'nclusterid':
        return this.divided(this.read(`nctaid.${axis}`), this.dimension(axis))
      // As assembly spells it.
      case 'cluster.nctaid':
        return (this.call.callee as Func).name.startsWith(CLUSTER_DIMENSION) ? undefined : this.dimension(axis)
      default:
        return undefined
    }
  }

  /** The same place in the shared memory of the block of a rank. */
  private mapped(pointer: Value, rank: Value): Value {
    const distance = this.binary('mul', this.binary('sub', rank, this.rank()), this.stride())
    const there = this.binary('add', this.cast('ptrtoint', I32, pointer), distance)
    const exists = this.compare('ult', rank, this.size())
    const chosen = this.add(select(this.place, exists, there, intConstant(I32, NOWHERE)))
    return this.add({ ...cast(this.place, 'inttoptr', POINTER, chosen), mayLeaveBlock: true })
  }

  private firstWindow(): Value {
    const own = this.cast('addrspacecast', POINTER, this.cast('inttoptr', SHARED_POINTER, intConstant(I32, 0)))
    return this.binary('sub', this.cast('ptrtoint', I32, own), this.binary('mul', this.rank(), this.stride()))
  }

  private rank(): Value {
    const [x, y, z] = AXES.map(axis => this.binary('urem', this.read(`ctaid.${axis}`), this.dimension(axis)))
    const rows = this.binary('add', this.binary('mul', z!, this.dimension('y')), y!)
    return this.binary('add', this.binary('mul', rows, this.dimension('x')), x!)
  }

  private size(): Value {
    const [x, y, z] = AXES.map(axis => this.dimension(axis))
    return this.binary('mul', this.binary('mul', x!, y!), z!)
  }

  private stride(): Value {
    return this.add(intrinsicCall(this.place, WINDOW_STRIDE, I32, []))
  }

  private dimension(axis: Axis): Value {
    return this.add(intrinsicCall(this.place, `${CLUSTER_DIMENSION}.${axis}`, I32, []))
  }

  private read(register: string): Value {
    return this.add(intrinsicCall(this.place, REGISTER + register, I32, []))
  }

  private divided(left: Value, right: Value): Value {
    return this.binary('udiv', left, right)
  }

  private binary(op: 'add' | 'sub' | 'mul' | 'udiv' | 'urem', left: Value, right: Value): Value {
    return this.add(binary(this.place, op, left, right))
  }

  private compare(predicate: IntPredicate, left: Value, right: Value): Value {
    return this.add(compare(this.place, predicate, left, right))
  }

  private cast(op: CastOp, type: Type, value: Value): Value {
    return this.add(cast(this.place, op, type, value))
  }

  private add<T extends Instruction>(instruction: T): T {
    this.out.push(instruction)
    return instruction
  }
}
