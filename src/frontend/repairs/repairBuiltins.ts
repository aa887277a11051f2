/**
 * `extern const dim3 blockDim;`: programs declare what every kernel has, for editors or for their host side; nvcc's own declarations say
 * the same, clang's variables have other types. The copy that is compiled has blanks there. Again on the result, it changes nothing.
 */
import { edited, withoutTexts } from '../sources/textEdits.ts'

const DECLARATION =
  /\bextern\s+(?:const\s+)?(?:(?:uint3|dim3)\s+(?:const\s+)?(?:threadIdx|blockIdx|blockDim|gridDim)|int\s+(?:const\s+)?warpSize)\s*;/g

export function repairBuiltins(source: string): string {
  if (!/\bextern\b[^;]*\b(?:threadIdx|blockIdx|blockDim|gridDim|warpSize)\s*;/.test(source)) return source
  const declarations = withoutTexts(source).matchAll(DECLARATION)
  return edited(
    source,
    [...declarations].map(({ 0: text, index }) => ({
      at: index,
      length: text.length,
      text: text.replace(/[^\n]/g, ' '),
    })),
  )
}
