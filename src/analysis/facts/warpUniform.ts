/** Values that are the same for all lanes of a warp, as far as can be told without following control flow. */
import { calledName, operandsOf } from '../../ir/graph.ts'
import type { Value } from '../../ir/ir.ts'

const UNIFORM_OPS: ReadonlySet<string> = new Set(
  'gep add sub mul shl lshr ashr and or xor zext sext trunc freeze bitcast addrspacecast ptrtoint inttoptr'.split(' '),
)

/** Made of parameters, constants and what all threads of a block share. */
export function isWarpUniform(value: Value): boolean {
  if (value.kind !== 'instruction') return true
  if (value.op === 'call') {
    const name = calledName(value) ?? ''
    if (/^llvm\.[su](?:min|max)\./.test(name)) return value.args.every(isWarpUniform)
    return /sreg\.(ctaid|ntid|nctaid|warpsize)\b|^llvm\.nvvm\.vote\.uni$/.test(name)
  }
  return UNIFORM_OPS.has(value.op) && operandsOf(value).every(isWarpUniform)
}
