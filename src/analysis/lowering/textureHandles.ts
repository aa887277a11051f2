/**
 * A texture or surface reference of the module: clang asks for its handle with an intrinsic. Our handle is the address of
 * the variable itself, which the runtime points at a descriptor when the reference is bound (runtime/calls/cudaTextures.ts).
 */
import type { Func, Instruction } from '../../ir/ir.ts'
import { replaceUses } from '../rewriting/blocks.ts'

export function resolveTextureHandles(kernel: Func): void {
  for (const block of kernel.blocks) {
    for (const [index, call] of block.instructions.entries()) {
      if (call.op !== 'call' || call.callee.kind !== 'function') continue
      const [variable] = call.args
      if (!call.callee.name.startsWith('llvm.nvvm.texsurf.handle') || variable === undefined) continue
      const { type, name, location } = call
      const address: Instruction = { kind: 'instruction', op: 'ptrtoint', type, name, block, location, value: variable }
      block.instructions[index] = address
      replaceUses(kernel.blocks, call, address)
    }
  }
}
