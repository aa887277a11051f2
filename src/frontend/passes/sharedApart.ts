/**
 * What nvcc knows of shared memory: no pointer of a kernel's parameters, or from memory, leads there, so that a loop that stores to
 * global memory has `s[k]` loaded in front of it (PTX of 26 kernels; test/cases/machine_shared_apart.cu). LLVM concludes the same for
 * variables of a module's own whose addresses are not handed on (GlobalsAA), which a block's dynamic memory is not, nor a variable
 * with an annotation (keepShared.ts).
 *
 * In: LLVM IR as clang writes it before any pass. Out: the same for the passes, and what undoes it behind them. Dynamic memory is a variable
 * of the module's own meanwhile, so long that no access ends it, and so aligned that no load of it is made where the program may not
 * come, as nvcc has it. A function of ours reads and writes it, and what keepShared.ts keeps, anywhere, so that LLVM leaves them whole.
 */
import { annotatedShared, withoutAnnotations } from './annotations.ts'

const DYNAMIC = /^(@(?:"[^"]+"|[\w$.-]+)) = external (?:\w+ )*addrspace\(3\) global \[0 x .*\n/gm
const MEANWHILE_DYNAMIC = /^(@(?:"[^"]+"|[\w$.-]+)) = .*section "warplens\.dynamic".*\n/gm

/** In the 32-bit address space; the section keeps LLVM from raising the alignment. */
const MEANWHILE =
  'internal addrspace(3) externally_initialized global [268435456 x i8] undef, section "warplens.dynamic", align 1'

const TOUCHING = '__wl_touch_'
const TOUCHING_FUNCTION = new RegExp(`^(?:; [^\\n]*\\n)?define [^\\n]*@${TOUCHING}\\d+\\([^]*?^\\}\\n`, 'gm')

export interface SharedApart {
  readonly text: string
  /** Of what the passes made of `text`. */
  restore(optimised: string): string
}

export function setSharedApart(ir: string): SharedApart {
  const dynamic = new Map([...ir.matchAll(DYNAMIC)].map(([line, name]) => [name!, line]))
  const kept = annotatedShared(ir)
  const touched = new Set([...dynamic.keys(), ...kept])
  if (touched.size === 0) return { text: ir, restore: optimised => optimised }
  const apart = withoutAnnotations(ir, new Set(kept)).replace(DYNAMIC, `$1 = ${MEANWHILE}\n`)
  return {
    text: apart + [...touched].map(touching).join(''),
    restore: optimised =>
      optimised.replace(TOUCHING_FUNCTION, '').replace(MEANWHILE_DYNAMIC, (_, name: string) => dynamic.get(name)!),
  }
}

const touching = (name: string, index: number): string => `
define void @${TOUCHING}${index}(i32 %at) {
  %place = getelementptr i8, ptr addrspacecast (ptr addrspace(3) ${name} to ptr), i32 %at
  %byte = load volatile i8, ptr %place, align 1
  store volatile i8 %byte, ptr %place, align 1
  ret void
}
`
