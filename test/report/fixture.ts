/** A small report by hand: two kernels, one with strided stores, one with bank conflicts; numbers chosen to be easy to check. */
import { findExcess } from '../../src/report/findings.ts'
import { noColors, type PrintOptions } from '../../src/report/format.ts'
import type { Fidelity, LaunchReport, MetricValue, Report, SiteReport } from '../../src/report/model.ts'

const site = (part: Partial<SiteReport>): SiteReport => ({
  file: 'k.cu',
  line: 2,
  column: 5,
  inlinedAt: [],
  space: 'global',
  op: 'load',
  bytes: 4,
  array: null,
  executed: 10,
  threads: 320,
  bytesTouched: 1280,
  sectors: 40,
  sectorsIdeal: 40,
  tags: 10,
  wavefronts: 0,
  wavefrontsIdeal: 0,
  fidelity: 'exact',
  ...part,
})

const metric = (value: number | null, unit = '', fidelity: Fidelity = 'exact'): MetricValue => ({
  value,
  unit,
  fidelity,
})

export const strided: LaunchReport = {
  index: 0,
  kernel: 'void strided<(int)8>(float *, const float *)',
  name: 'strided<8>',
  stream: 0,
  grid: [10, 1, 1],
  block: [32, 1, 1],
  sharedBytes: { static: 0, dynamic: 0 },
  metrics: {
    derived__memory_l1_conflicts_shared_nway: metric(null),
    derived__memory_l1_wavefronts_shared_excessive: metric(0),
    derived__memory_l2_theoretical_sectors_global_excessive: metric(280, 'sector'),
    'gpu__time_duration.sum': metric(2500, 'ns', 'modelled'),
    'l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio': metric(4, 'sector/request'),
    'l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio': metric(32, 'sector/request'),
    'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum': metric(10, 'request'),
    'l1tex__t_requests_pipe_lsu_mem_global_op_st.sum': metric(10, 'request'),
    'lts__t_sectors_op_atom.sum': metric(null, 'sector', 'unsupported'),
    'smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct': metric(100, '%'),
    'smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct': metric(12.5, '%'),
  },
  sites: [site({ array: 'in' }), site({ line: 3, column: 9, op: 'store', array: 'out', sectors: 320, tags: 320 })],
  fault: null,
}

export const conflicting: LaunchReport = {
  ...strided,
  index: 1,
  kernel: 'conflicting(float *)',
  name: 'conflicting',
  metrics: {
    ...strided.metrics,
    derived__memory_l1_conflicts_shared_nway: metric(16),
    derived__memory_l1_wavefronts_shared_excessive: metric(150),
    derived__memory_l2_theoretical_sectors_global_excessive: metric(0, 'sector'),
    'l1tex__t_requests_pipe_lsu_mem_global_op_st.sum': metric(0, 'request'),
  },
  sites: [
    site({}),
    site({ line: 5, space: 'shared', sectors: 0, sectorsIdeal: 0, tags: 0, wavefronts: 160, wavefrontsIdeal: 10 }),
  ],
}

export function reportOf(launches: readonly LaunchReport[]): Report {
  return {
    schema: 'warplens-report/1',
    version: '0.0.0',
    device: { name: 'H200', computeCapability: '9.0' },
    program: { files: ['k.cu'], args: ['7'], exitCode: 0 },
    launches,
    timeline: [
      { kind: 'copy', name: '[CUDA memcpy HtoD]', stream: 0, startUs: 0, durationUs: 12.5, bytes: 4096, launch: null },
      { kind: 'kernel', name: 'strided<8>', stream: 0, startUs: 12.5, durationUs: 0.75, bytes: null, launch: 0 },
    ],
    findings: findExcess(launches),
  }
}

export const sources = new Map([
  ['k.cu', ['// <b> & "quotes"', '  float v = in[i];', '\tout[i * 8] = v;', '', 'tile[i * 16] += 1;'].join('\n')],
])

export const options: PrintOptions = { width: 80, colors: noColors, sources, units: 'base' }
