/** `warplens devices [NAME]`: the table of GPUs, or everything that is known of one. */
import type { Device } from '../devices/device.ts'
import { devices, findDevice } from '../devices/devices.ts'
import { type Column, textTable } from '../report/textTable.ts'
import { colorsFor, reportWidth, type Terminal } from './terminal.ts'

export function devicesCommand(name: string | undefined, terminal: Terminal): void {
  const colors = colorsFor('auto', terminal.stdout, terminal.environment)
  const width = reportWidth(terminal.stdout)
  const text = name === undefined ? textTable(columns, devices.map(row), width, colors) : inFull(findDevice(name))
  terminal.stdout.write(`${text}\n`)
}

const columns: readonly Column[] = [
  { head: 'device', align: 'left', flexible: true },
  { head: 'CC', align: 'right' },
  { head: 'SMs', align: 'right' },
  { head: 'MHz', align: 'right' },
  { head: 'GB/s', align: 'right' },
  { head: 'L2 KB', align: 'right' },
  { head: 'L1 KB', align: 'right' },
  { head: 'shared KB', align: 'right' },
  { head: 'warps', align: 'right' },
  { head: 'blocks', align: 'right' },
  { head: 'registers', align: 'right' },
]

function row(device: Device): string[] {
  const numbers = [
    device.multiprocessors,
    device.clockMHz,
    device.memoryBandwidthGBs,
    device.l2Bytes / 1024,
    device.l1Bytes / 1024,
    device.sharedBytesPerMultiprocessor / 1024,
    device.maxWarpsPerMultiprocessor,
    device.maxBlocksPerMultiprocessor,
    device.registersPerMultiprocessor,
  ]
  return [device.id, capability(device), ...numbers.map(number => String(Math.round(number)))]
}

function capability({ computeCapability: { major, minor } }: Device): string {
  return `${major}.${minor}`
}

/** Every field by its name, nested ones on the same line. */
function inFull(device: Device): string {
  const entries = Object.entries(device).map(([key, value]) => [key, valueText(value)] as const)
  const width = Math.max(...entries.map(([key]) => key.length))
  return entries.map(([key, value]) => `${key.padEnd(width)}  ${value}`).join('\n')
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, part]) => `${key} ${valueText(part)}`)
      .join(', ')
  return String(value)
}
