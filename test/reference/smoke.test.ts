import { expect, test } from 'vitest'
import { launch, mapKernel } from './launch.ts'

test('a map runs', () => {
  const out = new Uint32Array(40)
  const result = launch(mapKernel('i32', '%r = add i32 %x, 5'), {
    block: 40,
    buffers: [out, Uint32Array.from({ length: 40 }, (_, i) => i)],
  })
  expect(result.fault).toBeUndefined()
  expect([...out]).toEqual(Array.from({ length: 40 }, (_, i) => i + 5))
  expect(result.blocks).toEqual([{ warps: 2, threads: 40 }])
  expect(result.sites.map(site => site.executed)).toEqual([2, 2])
  expect(result.sites.map(site => site.threads)).toEqual([40, 40])
})
