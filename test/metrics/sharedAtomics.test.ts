/** Shared atomics against readings of an H200: those that the machine has, and those that are loops there. */
import { describe, expect, test } from 'vitest'
import { countAccess } from '../../src/metrics/rules/accessModel.ts'
import type { AccessForm } from '../../src/trace.ts'
import readings from './readings/sharedAtomics.json' with { type: 'json' }

/** Shared loads, their wavefronts, atomic instructions, their wavefronts. */
type Numbers = [number, number, number, number]

const kernels: readonly (readonly [name: keyof (typeof readings.launches)[0], bytes: number, form: AccessForm])[] = [
  ['addAt<float>', 4, 'loop'],
  ['addHalf2', 4, 'loop'],
  ['addAt<double>', 8, 'loop'],
  ['addAt<unsigned long long>', 8, 'loop'],
  ['orAt<unsigned long long>', 8, 'loop'],
  ['casAt<unsigned int>', 4, 'compare'],
  ['casAt<unsigned long long>', 8, 'compare'],
]

describe.each(kernels)('%s', (name, width, form) => {
  test('28 patterns of lanes and words', () => {
    const wrong = readings.launches.filter(launch => {
      const { words } = launch
      const mask = words.reduce((bits, word, lane) => (word < 0 ? bits : bits | (1 << lane)), 0) >>> 0
      const addresses = Uint32Array.from(words, word => word * width)
      const counted = countAccess({ space: 'shared', op: 'atomic', width, form, mask, addresses })
      const { attempts = 0, attemptWavefronts = 0, wavefronts } = counted
      const ours: Numbers = [attempts, attemptWavefronts, form === 'loop' ? attempts : 1, wavefronts]
      return (launch[name] as Numbers).some((read, index) => read !== ours[index])
    })
    expect(wrong).toEqual([])
  })
})
