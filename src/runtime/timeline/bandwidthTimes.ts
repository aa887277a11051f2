/**
 * Times for want of a better model: a launch takes as long as DRAM needs for its sectors, a copy as long as the bus needs
 * for its bytes. Modelled, never below the fixed cost of each.
 */
import type { Device } from '../../devices/device.ts'
import type { TimeModel } from '../launchRecord.ts'

const LAUNCH_US = 2
const COPY_US = 8
const SECTOR_BYTES = 32
/** PCIe of the fifth generation, 16 lanes, page-locked; pageable memory goes through a staging buffer. */
const PINNED_BYTES_PER_US = 50_000
const PAGEABLE_BYTES_PER_US = 12_000

export function bandwidthTimes(device: Device): TimeModel {
  const deviceBytesPerUs = device.memoryBandwidthGBs * 1000
  return {
    kernelUs({ outcome }) {
      const sectors = outcome.sites.reduce((sum, site) => sum + site.sectors, 0)
      return LAUNCH_US + (sectors * SECTOR_BYTES) / deviceBytesPerUs
    },
    copyUs({ direction, bytes, pinned }) {
      if (direction === 'device-to-device') return LAUNCH_US + (2 * bytes) / deviceBytesPerUs
      return COPY_US + bytes / (pinned ? PINNED_BYTES_PER_US : PAGEABLE_BYTES_PER_US)
    },
  }
}
