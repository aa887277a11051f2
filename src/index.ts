/** The public API, for browsers and Node alike. Node's own additions (files, threads, caches) are `warplens/node`. */

export { buildCheckReport, type CheckReport } from './check/model.ts'
export { CheckSession } from './check/programChecks.ts'
export { createGeneratedExecutor } from './codegen/executor.ts'
export { deviceFromJson } from './devices/customDevice.ts'
export type { Device } from './devices/device.ts'
export { devices, findDevice } from './devices/devices.ts'
export { type Diagnostic, formatDiagnostic, InternalError, type SourceRange, UserError } from './diagnostic.ts'
export { type Clang, createClang, type FileTree } from './frontend/clang/clang.ts'
export type { CompileCache, CompileInput } from './frontend/compile.ts'
export { compileRunTimeCode, type RunTimeCode, type RunTimeSource } from './frontend/runTimeCode.ts'
export type { Executor } from './launch.ts'
export { type MetricDefinition, metricDefinitions, resolveMetricNames } from './metrics/names.ts'
export {
  buildProgram,
  type ExecuteOptions,
  executeProgram,
  type Observer,
  type Program,
  reportRun,
} from './pipeline.ts'
export { type ProfileSelection, selectMetrics } from './profile.ts'
export { referenceExecutor } from './reference/executor.ts'
export { demangle, type KernelName } from './report/demangle.ts'
export type * from './report/model.ts'
export { type FileFormat, type Page, printCsv, printFile, printPage } from './report/pages.ts'
export { parseReport } from './report/schema.ts'
export type { RunTimeCompiler } from './runtime/calls/nvrtc.ts'
export type { RunResult } from './runtime/run.ts'
