/**
 * What clang says of headers of ours, in the words of CUDA. In: one error or warning with its notes, as printed. Out: the same
 * without our names for things (`__cuda_builtin_threadIdx_t`), without notes that only show where a header of ours declares
 * a function, and with each reason why no overload fits told once.
 */
import { HEADER_ROOT } from '../sources/virtualFiles.ts'

/** A note as printed: its heading's parts, and all of its lines (includes before it, heading, source, caret). */
export interface PrintedNote {
  readonly file: string | undefined
  readonly place: string
  readonly message: string
  readonly lines: string[]
}

const OUR_HEADERS = `${HEADER_ROOT}/`
/** Overloads that are told of; the rest is counted. */
const CANDIDATES = 4
/** Headers that no program includes by name. */
const OUR_OWN = `${OUR_HEADERS}warplens/`
const OUR_NAME = /__WARPLENS_|__WL_|__warplens_/
const DECLARED = /^(?:'.*' )?declared here$|^candidate function$/
const EXPANDED = /^expanded from (?:macro '.*'|here)$/
const CANDIDATE = /^candidate (?:function|template|constructor)/

/** Types and functions of ours as CUDA calls them. */
export function inCudasWords(text: string): string {
  return text
    .replace(/__cuda_builtin_(?:thread|block)Idx_t/g, 'uint3')
    .replace(/__cuda_builtin_(?:block|grid)Dim_t/g, 'dim3')
}

/** An error's message where clang's is about how a header of ours declares `threadIdx` and its kind; undefined: it repeats another. */
export function builtinVariableMessage(message: string, notes: readonly PrintedNote[]): string | undefined {
  if (/^cannot find suitable getter for property '[xyz]'$/.test(message)) return undefined
  const member = /^no setter defined for property '([xyz])'$/.exec(message)?.[1]
  if (member !== undefined)
    return `the built-in variables are read only: nothing can be assigned to their member '${member}'`
  const used = /^reference to __device__ function '(?:__fetch_builtin_([xyz])|operator (?:dim3|uint3))' in/.exec(
    message,
  )
  const variable = /__WARPLENS_COORDINATES\((\w+),/.exec(notes.flatMap(({ lines }) => lines).join('\n'))?.[1]
  if (!used || variable === undefined) return message
  const name = used[1] === undefined ? variable : `${variable}.${used[1]}`
  return `${name} is there in kernels and device functions only; this is a function of the host`
}

/** The notes of a message that are worth a reader's time. `message`: the error's own. */
export function usersNotes(message: string, notes: readonly PrintedNote[]): PrintedNote[] {
  const kept: PrintedNote[] = []
  let isOurs = false
  let candidates = 0
  let omitted = 0
  for (const note of notes) {
    if (EXPANDED.test(note.message) && (isOurs || note.file?.startsWith(OUR_HEADERS))) continue
    isOurs = note.file?.startsWith(OUR_HEADERS) ?? false
    if (!isOurs) {
      kept.push(note)
      continue
    }
    if (DECLARED.test(note.message)) continue
    if (CANDIDATE.test(note.message)) {
      // Arithmetic on a type that has none: the operators that a header of ours has for others say nothing of it.
      if (message.startsWith('invalid operands to ')) continue
      if (kept.some(other => other.message === note.message)) continue
      candidates++
      if (candidates > CANDIDATES) {
        omitted++
        continue
      }
    }
    const isShown = !note.file?.startsWith(OUR_OWN) && !note.lines.some(line => OUR_NAME.test(line))
    kept.push(isShown ? note : placeless(note.message))
  }
  if (omitted > 0) kept.push(placeless(`${omitted} more candidate${omitted > 1 ? 's' : ''} of this name`))
  return kept
}

function placeless(message: string): PrintedNote {
  return { file: undefined, place: '', message, lines: [`note: ${message}`] }
}

/** Without a proposal to write a name of ours. */
export function withoutOurProposal(message: string, lines: readonly string[]): { message: string; lines: string[] } {
  const isOurs = /; did you mean '(?:__warplens|__WARPLENS|__WL|__fetch_builtin)\w*'\?$/.test(message)
  return isOurs ? withoutProposal(message, lines) : { message, lines: [...lines] }
}

/** Without the proposal to write another name, its line below the caret included. */
export function withoutProposal(message: string, lines: readonly string[]): { message: string; lines: string[] } {
  const proposed = /; did you mean '([\w:]+)'\?$/.exec(message)
  if (!proposed) return { message, lines: [...lines] }
  const isFix = (line: string) => /^\s+\|\s+\S+$/.test(line) && line.trim().endsWith(proposed[1]!)
  return {
    message: message.slice(0, proposed.index),
    lines: lines.filter(line => !isFix(line)).map(line => line.replace(proposed[0], '')),
  }
}
