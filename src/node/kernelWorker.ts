/** A worker thread that runs blocks of kernels. Started by executor.ts, ended by terminating its thread. */
import { workerData } from 'node:worker_threads'
import { serveJobs, type WorkerSetup } from '../codegen/running/workerProtocol.ts'

serveJobs(workerData as WorkerSetup)
