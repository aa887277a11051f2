/**
 * Where the machine has the texels of a CUDA array. Here their rows lie one after the other (runtime/calls/cudaArrays.ts). There 512 bytes hold
 * 64 bytes of eight rows, and a sector 16 bytes of two: a warp that goes along a row reads half of each sector that it touches.
 * Source: the order of such blocks as Linux' nouveau driver documents it (block linear); reading: scripts/fidelity/cases/textures, where
 * lookups and writes along rows move twice the sectors of those in squares.
 */

/** A CUDA array as it lies here; sizes in bytes. */
export interface ArrayLayout {
  /** Device address. */
  readonly address: number
  readonly rowBytes: number
  readonly sliceBytes: number
}

const TILE_ROWS = 8
const TILE_BYTES = 32

/** @param address of a texel of the array */
export function machineAddress({ address: start, rowBytes, sliceBytes }: ArrayLayout, address: number): number {
  const rows = sliceBytes / rowBytes
  if (rows < 2) return address
  const inSlice = (address - start) % sliceBytes
  const y = Math.floor(inSlice / rowBytes)
  const x = inSlice % rowBytes
  const firstRow = y - (y % TILE_ROWS)
  const height = Math.min(TILE_ROWS, rows - firstRow + (rows & 1))
  const tile = firstRow * rowBytes + Math.floor(x / TILE_BYTES) * TILE_BYTES * height
  const inTile = ((y & 7) >> 1) * 64 + ((x & 31) >> 4) * 32 + (y & 1) * 16 + (x & 15)
  return address - inSlice + tile + inTile
}
