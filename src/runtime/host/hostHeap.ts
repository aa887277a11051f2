/** The end of a host program whose C library has no more memory to give (include/warplens/host_heap.h calls here). */
import { type HostFunctions, ProgramStopped } from '../context.ts'

const MIB = 1024 * 1024
const MAXIMUM_MIB = 4096

/** `heldBytes`: the host memory in use now, with stack and data. */
export function heapCalls(heldBytes: () => number): HostFunctions {
  return {
    __warplens_out_of_memory: (bytes: number) => {
      const wanted = Math.ceil((bytes >>> 0) / MIB)
      const held = Math.round(heldBytes() / MIB)
      throw new ProgramStopped({
        code: 'host-out-of-memory',
        severity: 'error',
        message: `out of host memory: the host program asked for ${wanted} MiB more and holds ${held} MiB`,
        notes: [
          `a host program has ${MAXIMUM_MIB} MiB at most, ${MAXIMUM_MIB / 2} in one piece (addresses have 32 bits): use smaller data`,
        ],
      })
    },
  }
}
