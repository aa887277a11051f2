/** The order in which the blocks of clusters start. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blockInPlace, clusterSize, firstPlaceOf, indexIn } from '../src/clusters.ts'

const side = fc.integer({ min: 1, max: 4 })
const shape = fc.record({ x: side, y: side, z: side })

test('every block has one place, those of a cluster are neighbours by rank', () => {
  fc.assert(
    fc.property(shape, shape, (cluster, clusters) => {
      const grid = { x: cluster.x * clusters.x, y: cluster.y * clusters.y, z: cluster.z * clusters.z }
      const size = clusterSize(cluster)
      const blocks = Array.from({ length: grid.x * grid.y * grid.z }, (_, place) => blockInPlace(place, grid, cluster))
      expect([...blocks].sort((a, b) => a - b)).toEqual(blocks.map((_, index) => index))
      blocks.forEach((block, place) => {
        expect(firstPlaceOf(block, grid, cluster)).toBe(place - (place % size))
        const { x, y, z } = indexIn(grid, block)
        const rank = ((z % cluster.z) * cluster.y + (y % cluster.y)) * cluster.x + (x % cluster.x)
        expect(rank).toBe(place % size)
      })
    }),
  )
})

test('without clusters blocks start in their order', () => {
  expect([0, 7, 11].map(place => blockInPlace(place, { x: 4, y: 3, z: 1 }, undefined))).toEqual([0, 7, 11])
  expect(firstPlaceOf(7, { x: 4, y: 3, z: 1 }, undefined)).toBe(7)
})
