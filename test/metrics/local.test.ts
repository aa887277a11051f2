/**
 * Local memory against readings taken on an H200 for this project: `T array[64]`, one warp loads element e(lane). Sectors
 * are `l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum`, lines `l1tex__t_set_accesses_pipe_lsu_mem_local_op_ld.sum`,
 * requests `l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum`.
 */
import { expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import { computeMetrics } from '../../src/metrics/compute.ts'
import { countAccess } from '../../src/metrics/rules/accessModel.ts'

const same = () => 5
const own = (lane: number) => lane
const mixed = (lane: number) => ((lane * 7 + 3) % 64) & ~1

test.each([
  [1, same, 4, 1, 1],
  [2, same, 4, 1, 1],
  [4, same, 4, 1, 1],
  [8, same, 8, 2, 2],
  [16, same, 16, 4, 4],
  [1, own, 8, 8, 1],
  [2, own, 16, 16, 1],
  [4, own, 32, 32, 1],
  [8, own, 64, 64, 2],
  [16, own, 128, 128, 4],
  [1, mixed, 32, 14, 1],
  [2, mixed, 32, 20, 1],
  [4, mixed, 32, 20, 1],
  [8, mixed, 64, 40, 2],
  [16, mixed, 128, 80, 4],
])('%i bytes, element %o: %i sectors, %i lines, %i requests', (width, element, sectors, lines, requests) => {
  const addresses = Uint32Array.from({ length: 32 }, (_, lane) => {
    const byte = element(lane) * width
    return (32 * Math.floor(byte / 4) + lane) * 4 + (byte % 4)
  })
  const counts = countAccess({ space: 'local', op: 'load', width, mask: 0xffff_ffff, addresses })
  expect([counts.sectors, counts.tags]).toEqual([sectors, lines])
  const site = { id: 0, space: 'local', op: 'load', width, location: undefined, array: undefined } as const
  const dim = { x: 1, y: 1, z: 1 }
  const metrics = computeMetrics(
    {
      sites: [{ ...site, ...counts, executed: 1, threads: 32 }],
      blocks: [],
      grid: dim,
      block: { ...dim, x: 32 },
      staticSharedBytes: 0,
      dynamicSharedBytes: 0,
    },
    findDevice('H200'),
    ['l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum', 'l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum'],
  )
  expect(Object.values(metrics).map(({ value }) => value)).toEqual([requests, sectors])
})
