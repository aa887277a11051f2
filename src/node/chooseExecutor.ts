/** The executor that `--executor` names, and how to end what it started. */
import type { Device } from '../devices/device.ts'
import type { Executor } from '../launch.ts'
import { referenceExecutor } from '../reference/executor.ts'
import { createNodeExecutor } from './executor.ts'
import type { CommonOptions } from './options.ts'

export interface ChosenExecutor {
  readonly executor: Executor
  /** Ends threads, if there are any. */
  readonly close: () => Promise<void>
}

export async function chooseExecutor(
  options: Pick<CommonOptions, 'executor' | 'jobs' | 'fma'>,
  device: Device,
  onFallback: (kernel: string, reason: string) => void,
): Promise<ChosenExecutor> {
  if (options.executor === 'reference') return { executor: referenceExecutor, close: async () => {} }
  return createNodeExecutor({
    device,
    onFallback,
    fastFma: options.fma === 'fast',
    ...(options.jobs !== undefined && { jobs: options.jobs }),
  })
}
