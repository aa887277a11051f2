/**
 * What ended the host program, in words: WebAssembly's traps as the signals that a real machine would have raised, with the
 * functions on the stack. V8 and Firefox write `wasm-function[index]:0xoffset` into the stack of an error.
 */
import type { Diagnostic, SourceRange } from '../../diagnostic.ts'

export interface HostFrame {
  readonly name: string
  /** Byte offset in the module; undefined where the engine does not say. */
  readonly offset: number
}

export interface HostFailure {
  readonly diagnostic: Diagnostic
  /** 128 + signal, as a shell reports a program that a signal ended. */
  readonly exitCode: number
}

const SIGNALS = { illegal: 4, abort: 6, arithmetic: 8, segmentation: 11 } as const

export type LineLookup = (offset: number) => SourceRange | undefined

interface TrapRule {
  readonly pattern: RegExp
  readonly signal: keyof typeof SIGNALS
  readonly code: string
  readonly message: string
  readonly notes?: readonly string[]
}

const RULES: readonly TrapRule[] = [
  {
    pattern: /call stack|too much recursion/i,
    signal: 'segmentation',
    code: 'host-stack-overflow',
    message: 'the host program overflowed its stack',
    notes: [
      'a recursion without end, or one too deep for the engine, whose stack has 1 MB where Linux gives a program 8: `node --stack-size=7800 "$(which warplens)" run ...` has as much',
    ],
  },
  {
    pattern: /divide by zero|division by zero/i,
    signal: 'arithmetic',
    code: 'host-division-by-zero',
    message: 'the host program divided an integer by zero',
  },
  {
    pattern: /unrepresentable|integer overflow/i,
    signal: 'arithmetic',
    code: 'host-arithmetic',
    message: 'the host program did an integer division or conversion whose result does not fit',
  },
  {
    pattern: /table|signature|null function|indirect call/i,
    signal: 'segmentation',
    code: 'host-bad-call',
    message: 'the host program called a function pointer that is not a function of that type',
    notes: ['a kernel or __device__ function cannot be called from the host through a pointer'],
  },
  {
    pattern: /out of bounds/i,
    signal: 'segmentation',
    code: 'host-bad-access',
    message: 'the host program accessed memory that is not host memory (segmentation fault)',
  },
  {
    pattern: /unreachable/i,
    signal: 'illegal',
    code: 'host-trap',
    message: 'the host program stopped at a trap',
    notes: [
      'C++ leaves undefined what happens here, often since something is read that nobody has set: with -O0 it may go on',
    ],
  },
]

const LARGE_VARIABLES =
  'a stack has 8 MB, as on Linux, and local arrays are there: take malloc, new or std::vector for large ones, or make them static'

const DEVICE_POINTER_NOTE =
  'a pointer from cudaMalloc is a device pointer: the host cannot dereference it, copy with cudaMemcpy first'

/** Functions of the C library that call what a FILE says reads or writes it: through null, whatever lies at address 0. */
const STREAM_FUNCTION =
  /^(?:__to(?:read|write)|__(?:uflow|overflow|fwritex)|f(?:read|write|close|flush|getc|gets|putc|puts|seek|tell)\w*|getc|putc|rewind)$/
const CLOSED_STREAM = {
  code: 'host-bad-file',
  message: 'the host program used a FILE that is not open',
  notes: ['fopen returns null for a file that cannot be opened'],
} as const

/** Ours in front of the C library's, which trap where they are handed what they cannot be (include/warplens/host_nulls.h). */
const GUARD = /^__wrap_(\w+)$/
const NULL_NOTE =
  'the pointer was never set, or says that something is not there: argv[argc] is null too where the program is given fewer arguments'

const HEAP_FUNCTION = /^(?:__wrap_|dl)?(?:malloc|calloc|realloc|free)$|^operator (?:new|delete)|^__warplens_new/
const HEAP_NOTE =
  'in the allocator: the program freed what it had not allocated, or wrote outside of what it had, some time before'

/** Functions of the C++ library that throw, or in programs without exceptions abort. */
const LIBRARY_EXCEPTION = /^std::.*\b__throw_(\w+)/
export const LENGTH_NOTE =
  'a container of the host program cannot have more than 4096 MiB (addresses have 32 bits): use smaller data'

/** Headers of ours and of the C++ library. */
const LIBRARY_FILE = /^\/(?:inc|usr)\//

/**
 * The failure that an error thrown out of the host program stands for; undefined for an error that is no trap.
 * usesDevice: the program has allocated device memory, whose pointers are the usual cause of a bad access. isStackUsedUp: its stack has
 * grown beyond its room.
 * lineAt: the source line of a byte offset in the host module.
 */
export function describeTrap(
  error: unknown,
  { usesDevice, isStackUsedUp }: { readonly usesDevice: boolean; readonly isStackUsedUp: boolean },
  lineAt: LineLookup,
): HostFailure | undefined {
  if (!(error instanceof Error)) return undefined
  const isTrap =
    error instanceof WebAssembly.RuntimeError || error instanceof RangeError || error.name === 'InternalError'
  const rule = RULES.find(({ pattern }) => pattern.test(error.message))
  if (!isTrap || rule === undefined) return undefined
  const frames = hostFrames(error.stack ?? '')
  const names = frames.map(frame => frame.name)
  if (rule.code === 'host-trap' && names[0] === 'abort') {
    const thrower = frames.findLastIndex(({ name }) => LIBRARY_EXCEPTION.test(name))
    const thrown = LIBRARY_EXCEPTION.exec(names[thrower] ?? '')?.[1]
    if (thrown !== undefined)
      return failure(
        {
          code: 'uncaught-exception',
          message: `the host program did not catch an exception of type std::${thrown}`,
          signal: 'abort',
        },
        frames.slice(thrower + 1),
        thrown === 'length_error' ? [LENGTH_NOTE] : [],
        lineAt,
      )
    return failure(
      { code: 'host-abort', message: 'the host program aborted', signal: 'abort' },
      frames.slice(1),
      [],
      lineAt,
    )
  }
  const guard = rule.code === 'host-trap' ? GUARD.exec(names[0] ?? '')?.[1] : undefined
  if (guard !== undefined)
    return failure(guardRule(guard), frames.slice(1), guard === 'free' ? [] : [NULL_NOTE], lineAt)
  if (rule.code === 'host-bad-access' && (isStackUsedUp || isRecursion(names))) {
    const notes = isRecursion(names) ? [] : [LARGE_VARIABLES]
    return failure(
      { ...rule, code: 'host-stack-overflow', message: 'the host program overflowed its stack' },
      frames,
      notes,
      lineAt,
    )
  }
  if (rule.code === 'host-bad-call' && frames.slice(0, 2).some(({ name }) => STREAM_FUNCTION.test(name)))
    return failure({ ...rule, ...CLOSED_STREAM }, frames, CLOSED_STREAM.notes, lineAt)
  const access = names.slice(0, 3).some(name => HEAP_FUNCTION.test(name))
    ? [HEAP_NOTE]
    : usesDevice
      ? [DEVICE_POINTER_NOTE]
      : []
  const notes = [...(rule.notes ?? []), ...(rule.code === 'host-bad-access' ? access : [])]
  return failure(rule, frames, notes, lineAt)
}

function guardRule(name: string): Pick<TrapRule, 'code' | 'message' | 'signal'> {
  return name === 'free'
    ? {
        code: 'host-bad-free',
        message: 'the host program freed what it had not allocated, or had freed before',
        signal: 'abort',
      }
    : {
        code: 'host-null-text',
        message: `the host program handed a null pointer to ${name} (segmentation fault)`,
        signal: 'segmentation',
      }
}

function failure(
  { code, message, signal }: { code: string; message: string; signal: keyof typeof SIGNALS },
  frames: readonly HostFrame[],
  notes: readonly string[],
  lineAt: LineLookup,
): HostFailure {
  // The innermost frame of the program's own, else with a known line: below it are functions of libraries.
  const files = frames.map(frame => lineAt(frame.offset)?.file)
  const own = files.findIndex(file => file !== undefined && !LIBRARY_FILE.test(file))
  const known = own >= 0 ? own : files.findIndex(file => file !== undefined)
  const [innermost, ...callers] = frames.slice(Math.max(0, known))
  const where = innermost === undefined ? '' : `, in ${innermost.name}`
  const range = innermost && lineAt(innermost.offset)
  const stack = callers.slice(0, 8).map(frame => {
    const line = lineAt(frame.offset)
    return `called from ${frame.name}${line === undefined ? '' : ` at ${line.file}:${line.line}`}`
  })
  return {
    diagnostic: {
      code,
      severity: 'error',
      message: `${message}${where}`,
      notes: [...notes, ...stack],
      ...(range && { range }),
    },
    exitCode: 128 + SIGNALS[signal],
  }
}

/** The engine keeps the ten innermost frames; when all are one function, it called itself without end. */
function isRecursion(names: readonly string[]): boolean {
  return names.length >= 8 && new Set(names).size <= 2
}

const FRAME = /^\s*(?:at )?(.*?)[ (@]*wasm:\/\/.*wasm-function\[(\d+)\]:(?:0x)?([0-9a-f]+)\)?$/

/** Start-up code of libc that says nothing to the user. */
const HIDDEN = new Set(['_start', '__main_void', 'undefined_weak:main'])

export function hostFrames(stack: string): HostFrame[] {
  const frames: HostFrame[] = []
  for (const line of stack.split('\n')) {
    const match = FRAME.exec(line)
    if (match === null) continue
    // Engines put the module's name before the function's; the linker names it after its output, `-` or FILE.wasm.
    const name = (match[1] || `function ${match[2]}`)
      .replace(/^(?:-|.*\.wasm)\./, '')
      .replace(/^__(main_argc_argv|original_main)$/, 'main')
    if (!HIDDEN.has(name)) frames.push({ name, offset: Number.parseInt(match[3]!, 16) })
  }
  return frames
}
