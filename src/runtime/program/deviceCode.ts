/**
 * Device code as a program holds it: what NVRTC gives it and what it loads as a module, one and the same text. To look at it is as
 * PTX begins, with its variables and an `.entry` for each kernel, which programs search for; what counts is the line behind, which only Warplens reads.
 * It has all that a later run needs, since programs write such texts to files.
 */
import type { DeviceIr } from '../../frontend/compile.ts'
import type { Global } from '../../ir/ir.ts'
import { readModule } from '../../ir/read.ts'
import { SPACE, sizeOf } from '../../ir/types.ts'

export interface DeviceCode {
  readonly ir: readonly DeviceIr[]
  /** Texts of the files that it is made of, for reports. */
  readonly files: Readonly<Record<string, string>>
}

/** Changes when what the line holds does. */
const MARK = '// warplens-code/1 '
const END = '\n// end of warplens-code\n'

/** `architecture`: compute capability times ten. Throws the UserErrors of reading the code, for what we do not support of it. */
export function printDeviceCode(code: DeviceCode, architecture: number): string {
  const modules = code.ir.map(({ text, file }) => readModule(text, file))
  const kernels = modules.flatMap(({ functions }) => functions.filter(each => each.isKernel && each.blocks.length > 0))
  return [
    '//\n// Device code of Warplens, compiled at run time: no PTX, but what Warplens loads in its place.\n//\n',
    `.version 8.7\n.target sm_${architecture}\n.address_size 64\n`,
    ...modules.flatMap(({ globals }) => globals.filter(isShown).map(declarationOf)),
    ...kernels.map(({ name }) => `\n\t// .globl\t${name}\n.visible .entry ${name}()\n{\n\tret;\n}\n`),
    `\n${MARK}${asAscii(JSON.stringify(code))}${END}`,
  ].join('')
}

/** Variables that a host may ask for by name. */
const isShown = ({ name, space, external }: Global): boolean =>
  !external && (space === SPACE.global || space === SPACE.constant) && /^[A-Za-z_]\w*$/.test(name) && !/^_ZZ/.test(name)

const declarationOf = ({ name, space, align, type }: Global): string =>
  `.visible .${space === SPACE.constant ? 'const' : 'global'} .align ${Math.max(1, align)} .b8 ${name}[${sizeOf(type)}];\n`

const asAscii = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, letter => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Undefined where the text is none of ours. */
export function readDeviceCode(text: string): DeviceCode | undefined {
  const start = text.indexOf(MARK)
  const end = text.indexOf(END, start)
  if (start < 0 || end < 0) return undefined
  try {
    return JSON.parse(text.slice(start + MARK.length, end)) as DeviceCode
  } catch {
    return undefined // damaged
  }
}

/** What else a program may hand over for code, by how it begins; undefined where it is nothing of the kind. */
export function foreignCode(start: Uint8Array, text: string): string | undefined {
  const first = new DataView(start.buffer, start.byteOffset, start.byteLength)
  const magic = start.byteLength >= 4 ? first.getUint32(0, true) : 0
  if (magic === ELF) return 'a cubin'
  if (magic === FATBIN || magic === FATBIN_WRAPPER) return 'a fatbin'
  if (text.startsWith(ARCHIVE)) return 'a library of objects'
  return /^\s*\.(?:version|target)\b/m.test(text) ? 'PTX' : undefined
}

const ELF = 0x464c_457f
const FATBIN = 0xba55_ed50
/** What nvcc's own programs point to. */
const FATBIN_WRAPPER = 0x4662_43b1
const ARCHIVE = '!<arch>'
