/**
 * What kernels may ask the device runtime for (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", "API Reference"): words of a device
 * variable that include/cuda_device_runtime_api.h declares and reads, and that is filled when a program that asks is loaded.
 */
export const DEVICE_FACTS = '__warplens_device_facts'

/** Places: the device's number, how many there are, cudaLimit's values, cudaDeviceAttr's. */
export const FACT = { device: 0, count: 1, limits: 2, attributes: 16 } as const
const WORDS = 160

export function deviceFacts(
  count: number,
  limits: readonly number[],
  attributes: ReadonlyMap<number, number>,
): Uint32Array {
  const words = new Uint32Array(WORDS)
  words[FACT.count] = count
  words.set(limits, FACT.limits)
  for (const [key, value] of attributes) if (FACT.attributes + key < WORDS) words[FACT.attributes + key] = value
  return words
}
