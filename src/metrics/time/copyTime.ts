/**
 * How long a copy takes: over the bus between host and device, or inside the device. In: direction, bytes, whether the
 * host side is page-locked. Out: microseconds. Modelled. The H200's figures were measured for this project (a copy of 4
 * bytes, of 64 KB to 256 MB); other generations take their bus's.
 */
import type { Device } from '../../devices/device.ts'
import { capabilityNumber } from '../../devices/devices.ts'
import { timeParametersOf } from './timeParameters.ts'

export interface Copy {
  readonly direction: 'host-to-host' | 'host-to-device' | 'device-to-host' | 'device-to-device'
  readonly bytes: number
  /** Whether the host side is page-locked. */
  readonly pinned: boolean
}

const GB = 1e9

/** The processor's own memcpy, GB/s: what joins a bus of 55.5 GB/s to the 16.8 that pageable copies reach on an H200's host. */
const HOST_MEMCPY_GBS = 24

/** Time of the smallest copy, microseconds: pinned 2.9 to 3.7, pageable 6.7 to 7.9, device to device 5.5. */
const PINNED_US = 3
const PAGEABLE_US = 6.5
const DEVICE_US = 5

/**
 * GB/s that a pinned copy reaches. PCIe 5: 55.5 measured; 4: 26, 3: 12.3 and 2: 6 are what NVIDIA's bandwidthTest prints on
 * 16 lanes. An integrated GPU shares the host's memory; GH200 has NVLink-C2C (450 each way by its data sheet).
 */
export function busBandwidthGBs(device: Device): number {
  const capability = capabilityNumber(device)
  if (device.id === 'GH200') return 400
  if (capability === 87) return device.memoryBandwidthGBs / 2
  if (capability >= 90) return 55.5
  if (capability >= 80) return 26
  return capability >= 30 ? 12.3 : 6
}

function deviceCopyUs(bytes: number, device: Device): number {
  const moved = 2 * bytes // read and written
  const p = timeParametersOf(device)
  const l2GBs = (p.l2BytesPerCycle * device.multiprocessors * device.clockMHz) / 1000
  const dramGBs = device.memoryBandwidthGBs * p.dramEfficiency
  return DEVICE_US + (moved / GB / (moved <= device.l2Bytes ? Math.max(l2GBs, dramGBs) : dramGBs)) * 1e6
}

/** Duration of a copy alone on its engine, microseconds. */
export function copyMicroseconds({ direction, bytes, pinned }: Copy, device: Device): number {
  switch (direction) {
    case 'host-to-host':
      return (bytes / GB / HOST_MEMCPY_GBS) * 1e6
    case 'device-to-device':
      return deviceCopyUs(bytes, device)
    case 'host-to-device':
    case 'device-to-host': {
      const bus = busBandwidthGBs(device)
      // Pageable memory is copied to a page-locked buffer first, the two one after the other.
      const rate = pinned ? bus : 1 / (1 / bus + 1 / HOST_MEMCPY_GBS)
      return (pinned ? PINNED_US : PAGEABLE_US) + (bytes / GB / rate) * 1e6
    }
  }
}
