/** The device tables: names are found as people write them, values are consistent, a user's own file is checked. */
import { describe, expect, test } from 'vitest'
import { deviceFromJson } from '../../src/devices/customDevice.ts'
import { defaultDevice, devices, findDevice } from '../../src/devices/devices.ts'
import { UserError } from '../../src/diagnostic.ts'

function diagnosticOf(action: () => unknown) {
  try {
    action()
  } catch (error) {
    if (error instanceof UserError) return error.diagnostics
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('findDevice', () => {
  test.each([
    ['H200', 'H200'],
    ['h200', 'H200'],
    ['NVIDIA H200', 'H200'],
    ['Tesla C1060', 'C1060'],
    ['quadro p2000', 'P2000'],
    ['GeForce RTX 4090', 'RTX4090'],
    ['rtx-2080-ti', 'RTX2080Ti'],
    ['Tesla V100-SXM2-16GB', 'V100'],
    ['8800 gtx', '8800GTX'],
  ])('%s is %s', (name, id) => expect(findDevice(name).id).toBe(id))

  test('an unknown name suggests the nearest', () => {
    const [diagnostic] = diagnosticOf(() => findDevice('RTX4091'))
    expect(diagnostic?.code).toBe('unknown-device')
    expect(diagnostic?.message).toContain('RTX4090')
  })

  test('H200 is the default', () => expect(defaultDevice.id).toBe('H200'))
})

describe.each(devices.map(device => [device.id, device] as const))('%s', (id, device) => {
  test('its id finds it', () => expect(findDevice(id)).toBe(device))

  test('bandwidth is what bus and clock give, within 3 %', () => {
    const transfersPerClock = 2
    const peak = (device.memoryClockMHz * transfersPerClock * device.memoryBusBits) / 8 / 1000
    expect(Math.abs(peak / device.memoryBandwidthGBs - 1)).toBeLessThan(0.03)
  })

  test('a block fits a multiprocessor', () => {
    expect(device.maxThreadsPerBlock).toBeLessThanOrEqual(device.maxWarpsPerMultiprocessor * 32)
    expect(device.sharedBytesPerBlock).toBeLessThanOrEqual(device.sharedBytesPerBlockOptin)
    expect(device.sharedBytesPerBlockOptin).toBeLessThanOrEqual(device.sharedBytesPerMultiprocessor)
    expect(Math.max(...device.sharedCarveouts)).toBe(device.sharedBytesPerMultiprocessor)
    expect(device.registersPerMultiprocessor % (device.partitions * device.registerAllocationUnit)).toBe(0)
  })
})

describe('deviceFromJson', () => {
  test('a known card with changes', () => {
    const device = deviceFromJson('{ "base": "rtx 4090", "id": "mine", "multiprocessors": 64 }')
    expect(device).toEqual({ ...findDevice('RTX4090'), id: 'mine', multiprocessors: 64 })
  })

  test('a whole card', () => {
    expect(deviceFromJson(JSON.stringify(findDevice('T4')))).toEqual(findDevice('T4'))
  })

  test('each wrong field is named', () => {
    const wrong = { ...findDevice('T4'), multiprocessors: 0, registerAllocation: 'thread', typo: 1 }
    const diagnostics = diagnosticOf(() => deviceFromJson(JSON.stringify(wrong), 'my.json'))
    const text = diagnostics.map(diagnostic => diagnostic.message).join('\n')
    for (const field of ['multiprocessors', 'registerAllocation', 'typo']) expect(text).toContain(`my.json: ${field}`)
  })

  test('a missing field is named', () => {
    const { l2Bytes: _, ...rest } = findDevice('T4')
    const [diagnostic] = diagnosticOf(() => deviceFromJson(JSON.stringify(rest)))
    expect(diagnostic?.message).toContain('l2Bytes')
  })

  test('text that is not JSON', () => {
    expect(diagnosticOf(() => deviceFromJson('{', 'my.json'))[0]?.message).toContain('my.json is not JSON')
  })
})
