/**
 * What the lanes of a warp do together: shuffles, votes, matches, `__syncwarp`. nvcc writes loops with them out four rounds at a time, also
 * where it counts the rounds at run time (PTX and machine code of 22 loops; test/cases/machine_exchanges.cu), which LLVM of today does
 * not with what it calls convergent. It has to leave them where they are all the same: it neither copies nor joins calls that
 * write what it cannot see, but for joining those that two branches begin with, which `nomerge` forbids.
 */

/** Without `llvm.nvvm.`. */
export const EXCHANGES: readonly string[] = [
  'bar.warp.sync',
  'activemask',
  ...['down', 'up', 'bfly', 'idx'].flatMap(kind => [`shfl.sync.${kind}.i32`, `shfl.sync.${kind}.f32`]),
  ...['all', 'any', 'uni', 'ballot'].map(kind => `vote.${kind}.sync`),
  ...['any.sync.i32', 'any.sync.i64', 'all.sync.i32p', 'all.sync.i64p'].map(kind => `match.${kind}`),
  ...['add', 'and', 'max', 'min', 'or', 'umax', 'umin', 'xor'].map(kind => `redux.sync.${kind}`),
]

/** LLVM's options that take the word from the functions. */
export const EXCHANGE_FLAGS: readonly string[] = EXCHANGES.flatMap(name => [
  '-mllvm',
  `-force-remove-attribute=llvm.nvvm.${name}:convergent`,
  '-mllvm',
  `-force-attribute=llvm.nvvm.${name}:nomerge`,
])

const NAMES = EXCHANGES.map(name => name.replaceAll('.', '\\.')).join('|')
const CALL = new RegExp(`^( .*\\bcall [^\\n]*@llvm\\.nvvm\\.(?:${NAMES})\\([^\\n]*\\)) #\\d+`, 'gm')
const DECLARATION = new RegExp(`^(declare [^\\n]*@llvm\\.nvvm\\.(?:${NAMES})\\([^\\n]*\\)) (?=.*#\\d+$)`, 'gm')

/** In: LLVM IR as clang writes it before any pass. Out: without what calls of them say for themselves. */
export const withFreeExchanges = (ir: string): string => ir.replace(CALL, '$1')

/** Behind the passes: convergent again. */
export const withBoundExchanges = (ir: string): string => ir.replace(DECLARATION, '$1 convergent ')
