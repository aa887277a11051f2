/**
 * Starts a worker thread of ours from a sibling module. The published package has JavaScript; tests and scripts run the
 * TypeScript as it is, and then the thread first registers tsx's loader (Node 20 does not apply `--import` to a worker's
 * entry file).
 */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

/** `entry` is relative to `base`, the caller's `import.meta.url`, without extension: `./clangWorker`. */
export function startWorkerThread(entry: string, base: string, workerData: unknown): Worker {
  if (!base.endsWith('.ts')) return new Worker(new URL(`${entry}.js`, base), { workerData, execArgv: [] })
  // What `require` resolves to is the CommonJS twin, which cannot register itself from a worker.
  const loader = pathToFileURL(
    createRequire(base)
      .resolve('tsx/esm/api')
      .replace(/\.cjs$/, '.mjs'),
  ).href
  const script = `import(${JSON.stringify(loader)}).then(({ register }) => {
    register()
    return import(${JSON.stringify(new URL(`${entry}.ts`, base).href)})
  })`
  return new Worker(script, { eval: true, workerData, execArgv: [] })
}
