/**
 * How many blocks of a kernel a multiprocessor holds at once: the rules of NVIDIA's occupancy calculator (threads, blocks,
 * registers, shared memory; each resource given out in its unit). Register counts come from the caller.
 */

import { WARP_LANES } from '../addressSpace.ts'
import type { Device } from '../devices/device.ts'
import { alignUp } from '../ir/types.ts'

export interface KernelNeeds {
  readonly threads: number
  readonly registersPerThread: number
  /** Static and dynamic, without what the driver adds. */
  readonly sharedBytes: number
}

export function residentBlocks(device: Device, needs: KernelNeeds): number {
  const warps = Math.ceil(needs.threads / WARP_LANES)
  const limits = [
    device.maxBlocksPerMultiprocessor,
    Math.floor(device.maxWarpsPerMultiprocessor / warps),
    blocksByRegisters(device, warps, needs.registersPerThread),
    blocksByShared(device, needs.sharedBytes),
  ]
  return Math.max(0, Math.min(...limits))
}

function blocksByRegisters(device: Device, warps: number, perThread: number): number {
  if (perThread === 0) return device.maxBlocksPerMultiprocessor
  if (device.registerAllocation === 'block') {
    const perBlock = alignUp(alignUp(warps, 2) * WARP_LANES * perThread, device.registerAllocationUnit)
    return Math.floor(device.registersPerMultiprocessor / perBlock)
  }
  const perWarp = alignUp(perThread * WARP_LANES, device.registerAllocationUnit)
  // Warps are bound to a scheduler, and each scheduler has its own part of the register file.
  const warpsPerPartition = Math.floor(device.registersPerMultiprocessor / device.partitions / perWarp)
  return Math.floor((warpsPerPartition * device.partitions) / warps)
}

function blocksByShared(device: Device, sharedBytes: number): number {
  const perBlock = alignUp(sharedBytes + device.sharedBytesReserved, device.sharedAllocationUnit)
  return perBlock === 0 ? device.maxBlocksPerMultiprocessor : Math.floor(device.sharedBytesPerMultiprocessor / perBlock)
}
