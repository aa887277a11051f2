/**
 * Registers a thread, estimated from a prepared kernel: the machine compiler is not here. In: a kernel. Out: a count between
 * the machine's least and most. The largest sum of values that are live at one point is taken; what the machine keeps
 * elsewhere (parameters in the constant bank, predicates, addresses that differ by a constant) counts nothing.
 * Calibrated on `launch__registers_per_thread` of the H200's readings; docs/fidelity.md has the error. Modelled.
 */
import { WARP_LANES } from '../../addressSpace.ts'
import { isWithinLookup } from '../../analysis/calls/lookups.ts'
import { liveIn } from '../../analysis/execution/liveness.ts'
import { addressKey, decomposeLinear, isComputed, isSum, valueNumbering } from '../../analysis/facts/address.ts'
import type { KernelProgram } from '../../analysis/prepare.ts'
import { phisOf } from '../../analysis/rewriting/blocks.ts'
import type { Device } from '../../devices/device.ts'
import { successors, terminatorOf, users } from '../../ir/graph.ts'
import type { Instruction, Type, Value } from '../../ir/ir.ts'
import { operandsOf } from '../../ir/operands.ts'
import { SPACE } from '../../ir/types.ts'
import { warpsPerBlock } from './occupancy.ts'

/** The least that the readings show, and what a thread can have. */
const FEWEST = 16
const MOST = 255
/** Stack pointer, descriptors, temporaries: what the readings have beside live values, and how many registers one of those takes. */
const FIXED = 12
const PER_WORD = 0.75
/**
 * With 32 registers a thread a multiprocessor holds all its 2,048 threads: ptxas rearranges a kernel that needs a little more
 * until it has no more than that (688 kernels of the readings: the least mean error is at 40).
 */
const FULL_OCCUPANCY = 32
const REARRANGED_UP_TO = 40
/** A multiprocessor's schedulers, each with its part of the registers, which are given out 256 to a warp. */
const PARTITIONS = 4
const PER_THREAD_UNIT = 8

function wordsOf(type: Type): number {
  switch (type.kind) {
    case 'int':
      return type.bits === 1 ? 0 : Math.ceil(type.bits / 32)
    case 'float':
      return Math.ceil(type.bits / 32)
    case 'pointer':
      return type.space === SPACE.shared || type.space === SPACE.local ? 1 : 2
    case 'vector':
      return Math.max(1, Math.ceil(type.length * wordsOf(type.element)))
    case 'struct':
      return type.fields.reduce((sum, field) => sum + wordsOf(field), 0)
    default:
      return 0
  }
}

/** What stands in no register of its own: constants of the launch, and addresses a constant away from another. */
function isFree(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'alloca':
      return true
    case 'gep':
      return instruction.terms.length === 0
    case 'bitcast':
    case 'freeze':
      return true
    default:
      return false
  }
}

/**
 * Which register a value shares with others: equal integers one, and so do addresses that differ by constants (they stand in the
 * instructions) and the indices that only these are made of. Undefined for all other values.
 */
function registersOfValues(usersOf: ReadonlyMap<Value, readonly Instruction[]>) {
  const numberOf = valueNumbering()
  const known = new Map<Instruction, string | undefined>()
  const find = (value: Instruction): string | undefined => {
    if (value.op === 'gep')
      return addressKey(
        decomposeLinear(value, same => same),
        numberOf,
      )
    if (!isComputed(value)) return undefined
    const isIndex = usersOf.get(value)?.every(user => user.op === 'gep') === true
    const isOfAnother = isIndex && isSum(value) && value.right.kind === 'int'
    return String(numberOf(isOfAnother ? value.left : value))
  }
  return (value: Instruction): string | undefined => {
    if (!known.has(value)) known.set(value, find(value))
    return known.get(value)
  }
}

/** The largest number of 32-bit words that are live at one point; fragments of matrices are taken to live throughout. */
export function livePressure({ kernel, fragmentBytes }: KernelProgram): number {
  const live = liveIn(kernel)
  const usersOf = users(kernel)
  const isOfLookup = (value: Instruction) => isWithinLookup(value) && usersOf.get(value)?.every(isWithinLookup) === true
  const registerOf = registersOfValues(usersOf)
  const wordsIn = (values: ReadonlySet<Instruction>) => {
    const counted = new Set<string>()
    let sum = 0
    for (const value of values) {
      if (isFree(value) || isOfLookup(value)) continue
      const register = registerOf(value)
      if (register !== undefined && counted.has(register)) continue
      if (register !== undefined) counted.add(register)
      sum += wordsOf(value.type)
    }
    return sum
  }
  let most = 0
  for (const block of kernel.blocks) {
    const now = new Set<Instruction>()
    for (const next of successors(terminatorOf(block))) {
      for (const value of live.get(next)!) now.add(value)
      for (const phi of phisOf(next))
        for (const { value, block: from } of phi.incoming)
          if (from === block && value.kind === 'instruction') now.add(value)
    }
    most = Math.max(most, wordsIn(now))
    for (const instruction of [...block.instructions].reverse()) {
      now.delete(instruction)
      if (instruction.op === 'phi') continue
      for (const value of operandsOf(instruction)) if (value.kind === 'instruction') now.add(value)
      most = Math.max(most, wordsIn(now))
    }
  }
  return most + fragmentBytes / (4 * WARP_LANES)
}

/**
 * The most registers a thread that a block of so many threads can have. The estimate errs, and a program that was made for a
 * card launches blocks that fit there: it is never a reason for a launch to fail.
 */
export function mostRegisters(device: Device, threads: number): number {
  const warps = Math.ceil(warpsPerBlock(threads) / PARTITIONS) * PARTITIONS
  return Math.floor(device.registersPerBlock / (warps * WARP_LANES) / PER_THREAD_UNIT) * PER_THREAD_UNIT
}

export function estimateRegisters(program: KernelProgram): number {
  const estimate = Math.round(FIXED + PER_WORD * livePressure(program))
  if (estimate > FULL_OCCUPANCY && estimate <= REARRANGED_UP_TO) return FULL_OCCUPANCY
  return Math.min(MOST, Math.max(FEWEST, estimate))
}
