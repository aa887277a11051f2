/**
 * The largest textures and surfaces of a GPU, by the number of cudaDeviceAttr that asks for them, in elements (pitches in bytes).
 * Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", whose oldest column is 5.0, taken for what is older;
 * 9.0 as an H200 answers (driver 580.159).
 */

export function textureLimits(capability: number): readonly (readonly [attribute: number, value: number])[] {
  const isNewer = capability >= 60
  const line = isNewer ? 131072 : 65536
  const layer = isNewer ? 32768 : 16384
  const volume = isNewer ? 16384 : 4096
  return [
    ...each([21, 22, 56, 70], line),
    ...each([23, 57], 65536),
    ...each([24, 25, 26, 58, 59, 60], volume),
    ...each([27, 28, 42, 45, 46, 52, 53, 55, 61, 63, 64, 66, 67, 73, 74, 77], layer),
    ...each([29, 43, 62, 65], 2048),
    ...each([54, 68], 2046),
    ...each([47, 48], volume / 2),
    [44, 1],
    [49, layer],
    [69, capability >= 70 ? 2 ** 28 : 2 ** 27],
    [71, isNewer ? 65000 : 65536],
    [72, isNewer ? 2097120 : 1048544],
  ]
}

function each(attributes: readonly number[], value: number): readonly (readonly [number, number])[] {
  return attributes.map(attribute => [attribute, value])
}
