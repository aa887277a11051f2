/** The thread of {@link createRunTimeCompiler}: one source after the other, with clang on this thread and the usual caches. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { createClang } from '../frontend/clang/clang.ts'
import { compileRunTimeCode, type RunTimeCode, type RunTimeSource } from '../frontend/runTimeCode.ts'
import { readClangFilesAs } from './clangFiles.ts'
import { compileClang } from './clangPool.ts'
import { cacheFor } from './program.ts'
import { ownHeaders } from './sources.ts'

export interface CompilerSetup {
  /** One word: 0 while the other thread waits. */
  readonly state: Int32Array
  readonly cache: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
}
export interface CompilerRequest {
  readonly source: RunTimeSource
}
export type CompilerReply = { readonly code: RunTimeCode } | { readonly failure: string }

/** What wakes the other thread. */
const ANSWERED = 1

const setup = workerData as CompilerSetup
const clang = lazyClang()
const cache = cacheFor(setup)

parentPort?.once('message', ({ port }: { port: MessagePort }) => {
  const answer = (reply: CompilerReply): void => {
    port.postMessage(reply)
    Atomics.store(setup.state, 0, ANSWERED)
    Atomics.notify(setup.state, 0)
  }
  port.on('message', ({ source }: CompilerRequest) => {
    compileRunTimeCode(source, ownHeaders(), clang, cache).then(
      code => answer({ code }),
      (error: unknown) => answer({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    )
  })
})

/** What was compiled in an earlier run needs no clang. */
function lazyClang(): ReturnType<typeof createClang> {
  const own = createClang()
  let isPrepared = false
  return {
    ...own,
    run(args, files) {
      if (!isPrepared) readClangFilesAs(compileClang())
      isPrepared = true
      return own.run(args, files)
    },
  }
}
