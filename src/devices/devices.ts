/**
 * The GPUs that Warplens knows, oldest first, and the look-up behind `--device NAME`.
 * Each generation's file holds its data with the source of each value; a user's own card comes from JSON (customDevice.ts).
 */
import { userError } from '../diagnostic.ts'
import { didYouMean } from '../nearest.ts'
import { l4, l40, rtx4060, rtx4090 } from './ada.ts'
import { a10, a100, jetsonOrin, rtx3060, rtx3090 } from './ampere.ts'
import { b200, rtx5090 } from './blackwell.ts'
import type { Device } from './device.ts'
import { c2050, m2090 } from './fermi.ts'
import { gh200, h100, h200 } from './hopper.ts'
import { gtx680, k40 } from './kepler.ts'
import { gtx980, p100, p2000 } from './maxwellPascal.ts'
import { c1060, gtx8800 } from './tesla.ts'
import { rtx2080Ti, t4, titanV, v100 } from './voltaTuring.ts'

export const devices: readonly Device[] = [
  gtx8800,
  c1060,
  c2050,
  m2090,
  gtx680,
  k40,
  gtx980,
  p100,
  p2000,
  v100,
  titanV,
  t4,
  rtx2080Ti,
  a100,
  rtx3090,
  rtx3060,
  a10,
  jetsonOrin,
  rtx4090,
  rtx4060,
  l4,
  l40,
  h100,
  h200,
  gh200,
  b200,
  rtx5090,
]

/** What a program runs on when nothing else is asked for. */
export const defaultDevice: Device = h200

const brandWords = /nvidia|geforce|tesla|quadro|jetson|agx/g
const normalized = (name: string) =>
  name
    .toLowerCase()
    .replace(brandWords, '')
    .replace(/[^a-z0-9]/g, '')

/**
 * The device of that name: its id or what the driver calls it, in any case, with or without brand words and spaces.
 * @throws UserError `unknown-device`, with the nearest names
 */
export function findDevice(name: string): Device {
  const wanted = normalized(name)
  const found =
    devices.find(device => normalized(device.id) === wanted) ??
    devices.find(device => normalized(device.name) === wanted)
  if (found) return found
  const ids = devices.map(device => device.id)
  throw userError('unknown-device', `unknown device '${name}'${didYouMean(wanted, ids)}`, undefined, [
    `known devices: ${ids.join(', ')}`,
    'a card of your own: --device FILE.json',
  ])
}

/** Compute capability as one number that orders: 6.1 is 61, 10.0 is 100. */
export function capabilityNumber({ computeCapability }: Device): number {
  return computeCapability.major * 10 + computeCapability.minor
}
