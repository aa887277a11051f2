/** Copies from global to shared memory past the registers, against 96 readings of an H200. */
import { expect, test } from 'vitest'
import { countAccess } from '../../src/metrics/rules/accessModel.ts'
import readings from './readings/asyncCopies.json' with { type: 'json' }

test('sectors and tags of copies of 4, 8 and 16 bytes', () => {
  const wrong = readings.launches.filter(({ bytes: width, from, to, sectors, tags }) => {
    const mask = from.reduce((bits, offset, lane) => (offset < 0 ? bits : bits | (1 << lane)), 0) >>> 0
    const [addresses, destinations] = [Uint32Array.from(from), Uint32Array.from(to)]
    const counted = countAccess({
      ...{ space: 'global', op: 'load', form: 'copy' },
      ...{ width, mask, addresses, destinations, ...(width === 16 && { passesL1: true }) },
    })
    return counted.sectors !== sectors || counted.tags !== tags
  })
  expect(wrong).toEqual([])
})
