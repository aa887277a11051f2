/**
 * What device printf moves. In: a kernel's calls of printf and how often warps and lanes ran each. Out: the requests and sectors
 * of global memory that it adds to the kernel's own, and what of it is not known.
 *
 * Source: 104 readings of an H200 (scripts/fidelity/cases/prints, longPrints), CUDA 13.0. A warp reads the format three times a
 * character, all lanes at once; each lane writes a record of its own: 222 words, seven fewer for each argument, and 249 more for each
 * further packet. A string of `%s` is read like the format. The code is not the kernel's: `smsp__sass_*`, instructions and tags,
 * are without it.
 */
import type { KernelProgram } from '../../analysis/prepare.ts'
import type { Device } from '../../devices/device.ts'
import { h100 } from '../../devices/hopper.ts'
import type { Constant, Func, Instruction, Value } from '../../ir/ir.ts'
import { type ArgumentType, argumentTypes } from '../../runtime/launches/printf.ts'
import type { Doubt } from '../certainty/doubts.ts'
import { isPrint, PRINT } from '../instructions/instructionCosts.ts'
import type { BlockCount, LibraryTraffic } from '../launchCounters.ts'

const LOADS = 5
const LOADS_PER_CHARACTER = 3
const STORES = 222
/** Further stores of one lane of a warp on an H100, with the same driver and compiler (own: `printsH100.json`; unseen18). */
const LEADERS_STORES_ON_H100 = 3
const STORES_PER_ARGUMENT = -7

const STORES_PER_PACKET = 249
/** Bytes of text, its end included and rounded up to words of 8, and of arguments that the first packet holds, and each further one. */
const PACKET_BYTES = 216
const FURTHER_PACKET_BYTES = 240
const ARGUMENT_BYTES = 8
/** How long texts of three and more packets may be was read in steps of 80 bytes only. */
const KNOWN_BYTES = 440
/** Packets that the buffer holds; lanes that find it full read it again and again until the host has made room. */
export const BUFFER_PACKETS = 32768

/** Microseconds of one warp's call: as such, for each character of the format, for each further packet (`prints`, `longPrints`). */
const CALL_US = 20.2
const CHARACTER_US = 0.083
const PACKET_US = 22

const NEVER: BlockCount = { warps: 0, threads: 0 }

interface Print {
  readonly call: Instruction
  /** The place of its block in the kernel. */
  readonly block: number
}

const known = new WeakMap<Func, readonly Print[]>()

function printsOf(kernel: Func): readonly Print[] {
  let prints = known.get(kernel)
  if (!prints) {
    prints = kernel.blocks.flatMap(({ instructions }, block) =>
      instructions.filter(isPrint).map(call => ({ call, block })),
    )
    known.set(kernel, prints)
  }
  return prints
}

/** What a call sends, as far as its format is known. */
function sizeOf(call: Instruction) {
  const format = formatOf(call)
  const types = argumentTypes(format ?? '')
  const characters = new TextEncoder().encode(format).length
  const bytes = 8 * Math.ceil((characters + 1) / 8) + ARGUMENT_BYTES * types.length
  const packets = 1 + Math.max(0, Math.ceil((bytes - PACKET_BYTES) / FURTHER_PACKET_BYTES))
  return { format, types, characters, packets, isPacketsKnown: bytes <= KNOWN_BYTES }
}

/** How long a warp's call takes when no other prints. */
export function printMicroseconds(call: Instruction): number {
  const { characters, packets } = sizeOf(call)
  return CALL_US + CHARACTER_US * characters + PACKET_US * (packets - 1)
}

/** Packets that printf sends: as warps send them, and as lanes do. */
export function printsMade(
  { kernel }: Pick<KernelProgram, 'kernel'>,
  blocks: readonly BlockCount[],
): { readonly calls: number; readonly lanes: number } {
  const made = { calls: 0, lanes: 0 }
  for (const { call, block } of printsOf(kernel)) {
    const { warps, threads } = blocks[block] ?? NEVER
    const { packets } = sizeOf(call)
    made.calls += warps * packets
    made.lanes += threads * packets
  }
  return made
}

/** Instructions of the calls, which take their time in the order in which they come, not of the slots of issue (`printSeconds` of time.ts). */
export const printInstructions = ({ kernel }: Pick<KernelProgram, 'kernel'>, blocks: readonly BlockCount[]): number =>
  printsOf(kernel).reduce((sum, { block }) => sum + PRINT * (blocks[block] ?? NEVER).warps, 0)

/** What printf of these kernels adds; undefined where it has none. */
export function printTraffic(
  program: Pick<KernelProgram, 'kernel'>,
  blocks: readonly BlockCount[],
  device: Device,
): { readonly traffic: LibraryTraffic; readonly doubts: readonly Doubt[] } | undefined {
  const calls = printsOf(program.kernel)
  if (calls.length === 0) return undefined
  let [loadRequests, storeRequests, storeSectors] = [0, 0, 0]
  const leaders = device.id === h100.id ? LEADERS_STORES_ON_H100 : 0
  let isSure = printsMade(program, blocks).lanes <= BUFFER_PACKETS
  let isKnown = true
  for (const { call, block } of calls) {
    const ran = blocks[block] ?? NEVER
    const { format, types, characters, packets, isPacketsKnown } = sizeOf(call)
    const stores = STORES + STORES_PER_ARGUMENT * types.length + STORES_PER_PACKET * (packets - 1)
    loadRequests += ran.warps * (LOADS + LOADS_PER_CHARACTER * characters)
    storeRequests += ran.warps * (stores + leaders)
    storeSectors += ran.threads * stores + ran.warps * leaders
    // On an H100 only first packets were read.
    isKnown &&= format !== undefined && isPacketsKnown && (leaders === 0 || packets === 1)
    isSure &&= types.every(isShort)
  }
  return {
    traffic: { loadRequests, loadSectors: loadRequests, storeRequests, storeSectors },
    doubts: !isKnown ? [localDoubt, formatDoubt] : isSure ? [localDoubt] : [localDoubt, loadDoubt],
  }
}

const loadDoubt: Doubt = {
  cause:
    'printf reads strings, whose length is not known here, and waits when more than 32,768 calls of threads fill its buffer',
  space: 'global',
  counters: /t_(requests|sectors|bytes).*global_op_ld|\bgld_trans|global_load/,
}

const formatDoubt: Doubt = {
  cause: 'printf has a format that is not known before it runs, or a very long one',
  space: 'global',
  counters: /t_(requests|sectors|bytes).*global_op_(ld|st)|\bg(ld|st)_trans|global_(load|store)/,
}

const localDoubt: Doubt = { cause: 'printf keeps what it prints in local memory', space: 'local', counters: /local/ }

/**
 * Whether a conversion is as long as in the source, and reads no string: `long` and sizes have 4 bytes here and 8 on the machine,
 * and the front end may have written their lengths anew (frontend/sizes/repairFormats.ts).
 */
const isShort = ({ type, length }: ArgumentType): boolean => type !== 's' && /^h*$/.test(length)

/** The text of a constant format. */
function formatOf(call: Instruction): string | undefined {
  if (call.op !== 'call') return undefined
  const [format] = call.args
  return format && constantText(format)
}

function constantText(value: Value): string | undefined {
  if (value.kind !== 'address' || value.target.kind !== 'global') return undefined
  const bytes = bytesOf(value.target.initializer)?.slice(value.offset)
  const end = bytes?.indexOf(0) ?? -1
  return bytes && end >= 0 ? new TextDecoder().decode(Uint8Array.from(bytes.slice(0, end))) : undefined
}

function bytesOf(constant: Constant | undefined): number[] | undefined {
  if (constant?.kind === 'zero') return [0]
  if (constant?.kind !== 'aggregate') return undefined
  const bytes = constant.elements.map(each =>
    each.kind === 'int' ? Number(each.value) : each.kind === 'zero' ? 0 : -1,
  )
  return bytes.includes(-1) ? undefined : bytes
}
