/** Inline assembly. */
import { IGNORED, type Intrinsic, type Signature } from './intrinsic.ts'

export function findAssembly({ name }: Signature): Intrinsic | undefined {
  const text = name.slice('asm:'.length, name.lastIndexOf('|')).trim()
  return text === '' ? IGNORED : undefined
}
