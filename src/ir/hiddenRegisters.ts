/** The registers that include/warplens/builtin_variables.h reads by the names of others, so that LLVM knows no range of them. */

const PREFIX = 'llvm.nvvm.read.ptx.sreg.'
/** Their places are the numbers there. */
const HIDDEN = ['tid', 'ntid', 'ctaid', 'nctaid'].flatMap(name =>
  ['x', 'y', 'z'].map(axis => `${PREFIX}${name}.${axis}`),
)

/** The name that a declared function has in CUDA's terms. */
export function registerName(name: string): string {
  return name.startsWith(`${PREFIX}envreg`) ? (HIDDEN[Number(name.slice(PREFIX.length + 6))] ?? name) : name
}
