/**
 * The device's address map. Device addresses are 32 bits (ILP32); device address `a` lives at offset
 * `(a - DEVICE_BASE) mod 2^32` of the device's WebAssembly memory. The bias keeps null and host addresses out of the device's
 * range, so that confusing the two memories traps: host memory starts at 0 and has its own WebAssembly memory.
 *
 *   offset 0 .. SYSTEM_BYTES        ours: counters, tables, and per resident block shared memory, local memory, saved warps
 *   then    .. HEAP_OFFSET          constant memory (`__constant__` variables)
 *   then    .. end of the memory    global memory: `__device__` variables, cudaMalloc
 *
 * A pointer into shared memory (space 3) is the offset in the block's window; cast to generic it is the device address of
 * the window in the resident block's slot plus that offset. Local memory likewise: one region a thread.
 */
export const DEVICE_BASE = 0x8000_0000
export const SYSTEM_BYTES = 128 * 1024 * 1024
export const CONSTANT_OFFSET = SYSTEM_BYTES
export const CONSTANT_BYTES = 128 * 1024
export const HEAP_OFFSET = CONSTANT_OFFSET + CONSTANT_BYTES

export const WARP_LANES = 32

/** Device address to offset in the device's WebAssembly memory. */
export function offsetOf(address: number): number {
  return (address - DEVICE_BASE) >>> 0
}

/** Offset in the device's WebAssembly memory to device address. */
export function addressOf(offset: number): number {
  return (offset + DEVICE_BASE) >>> 0
}
