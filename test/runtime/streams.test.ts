/** Streams, events, callbacks and the calls about the device; times come from a model with round numbers. */
import { afterAll, expect, test } from 'vitest'
import { findDevice } from '../../src/devices/devices.ts'
import { hostImports } from '../../src/frontend/building/hostImports.ts'
import { accessModelFor } from '../../src/metrics/rules/accessModel.ts'
import { ownHeaders } from '../../src/node/sources.ts'
import { runProgram } from '../../src/runtime/run.ts'
import { closeClang, recorder, runSource } from './programs.ts'

afterAll(closeClang)
const slow = { timeout: 180_000 }
const times = { kernelUs: () => 1000, copyUs: () => 500 }

const STREAMS = `#include <cstdio>
__global__ void k(int *p) { p[0] = 1; }
static void hostFunction(void *data) { printf("host %s\\n", (char *)data); }
static void callback(cudaStream_t s, cudaError_t e, void *data) { printf("callback %d %s\\n", e, (char *)data); }
int main() {
  int *d, *h; cudaMalloc(&d, 1 << 20); cudaMallocHost(&h, 1 << 20);
  cudaEvent_t start, stop, never, untimed; cudaEventCreate(&start); cudaEventCreate(&stop); cudaEventCreate(&never);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  cudaStream_t a, b; cudaStreamCreate(&a); cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventRecord(start, a);
  cudaMemcpyAsync(d, h, 1 << 20, cudaMemcpyHostToDevice, a); k<<<10000, 256, 0, a>>>(d);
  k<<<10000, 256, 0, b>>>(d);
  cudaEventRecord(stop, a); cudaEventRecord(untimed, a);
  float ms = -1; printf("%d %d\\n", cudaEventQuery(stop), cudaEventElapsedTime(&ms, start, stop));
  int polls = 0; while (cudaEventQuery(stop) == cudaErrorNotReady) polls++; printf("polled %d, error %d\\n", polls > 100, cudaGetLastError());
  printf("%d ", cudaEventElapsedTime(&ms, start, stop)); printf("%.1f\\n", ms);
  printf("%d %d\\n", cudaEventElapsedTime(&ms, start, never), cudaEventElapsedTime(&ms, start, untimed));
  cudaStreamWaitEvent(b, stop, 0); k<<<1, 1, 0, b>>>(d); printf("%d %d\\n", cudaStreamQuery(a), cudaStreamQuery(b));
  cudaLaunchHostFunc(a, hostFunction, (void *)"one"); cudaStreamAddCallback(a, callback, (void *)"two", 0);
  printf("%d %d\\n", cudaStreamSynchronize(b), cudaStreamQuery(b));
  printf("%d %d %d\\n", cudaStreamDestroy(a), cudaStreamSynchronize(a), cudaEventDestroy(start));
}`

test('streams and events in virtual time', slow, async () => {
  const { stdout, result } = await runSource(STREAMS, recorder(), { times })
  expect(stdout).toBe(
    '600 600\npolled 1, error 0\n0 2.5\n400 400\n0 600\nhost one\ncallback 0 two\n0 0\n0 400 0\n'.replace('2.5', '1.5'),
  )
  expect(result.timeline.map(({ kind, stream }) => `${kind} ${stream}`)).toEqual([
    'copy 1',
    'kernel 1',
    'kernel 2',
    'kernel 2',
  ])
})

const DEVICE = `#include <cstdio>
int main() {
  int n, v, least, greatest; size_t s; cudaSharedMemConfig c; cudaDeviceProp p;
  cudaGetDeviceCount(&n); cudaRuntimeGetVersion(&v); printf("%d %d\\n", n, v);
  printf("%d %d %d\\n", cudaSetDevice(0), cudaSetDevice(1), cudaGetDeviceProperties(&p, 3));
  cudaGetLastError();
  cudaGetDeviceProperties(&p, 0);
  printf("%s|%d.%d|%d|%d|%d|%d|%d\\n", p.name, p.major, p.minor, p.multiProcessorCount, (int)p.sharedMemPerBlock, (int)p.sharedMemPerBlockOptin, p.maxThreadsDim[2], p.maxGridSize[1]);
  cudaDeviceGetAttribute(&v, cudaDevAttrComputeCapabilityMajor, 0); printf("%d\\n", v);
  cudaDeviceGetStreamPriorityRange(&least, &greatest); printf("%d %d\\n", least, greatest);
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 123); cudaDeviceGetLimit(&s, cudaLimitMallocHeapSize); printf("%d\\n", (int)s);
  cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte); cudaDeviceGetSharedMemConfig(&c); printf("%d\\n", c);
  cudaIpcMemHandle_t h; printf("%d %d\\n", cudaIpcGetMemHandle(&h, &h), cudaIpcGetMemHandle(&h, &h));
  printf("%s\\n", cudaGetErrorString((cudaError_t)4242));
}`

test('the device is the chosen one', slow, async () => {
  const { stdout, stderr } = await runSource(DEVICE, recorder())
  expect(stdout.split('\n')).toEqual([
    '1 12080',
    '0 101 101',
    'NVIDIA H200|9.0|132|49152|232448|64|65535',
    '9',
    '0 -5',
    '123',
    '1',
    '801 801',
    'unrecognized error code',
    '',
  ])
  expect(stderr).toBe(
    'test.cu:13:43: warning: cudaIpcGetMemHandle is not supported; it returns cudaErrorNotSupported\n',
  )
  const kepler = await runSource(DEVICE, recorder(), { deviceName: 'K40' })
  expect(kepler.stdout).toContain('|3.5|15|49152|')
  expect(kepler.stdout.split('\n')[6]).toBe('2')
})

test('the runtime has what the headers declare and the linker allows', () => {
  const headers = ownHeaders()
  const declared = ['cuda_runtime_api.h', 'warplens/host_structures.h']
    .map(name => String(headers[name]).replaceAll(/\/\*[\s\S]*?\*\//g, ''))
    .flatMap(text => [...text.matchAll(/^(?!static)[a-z][\w \t*]*?\b((?:__)?(?:cuda|warplens)\w*)\([^{;]*\);/gm)])
    .map(match => match[1]!)
  const hostModule = new WebAssembly.Module(moduleThatImports([...new Set([...declared, ...hostImports])]))
  const device = findDevice('H200')
  const nothing = () => undefined
  const result = runProgram({
    hostModule,
    module: { globals: [], functions: [] },
    device,
    model: accessModelFor(device),
    executor: recorder(),
    programName: './all',
    args: [],
    stdout: nothing,
    stderr: nothing,
  })
  expect(result.exitCode).toBe(0)
})

/** A host program that imports these functions and does nothing. Sizes stay below 2^14. */
function moduleThatImports(names: readonly string[]): Uint8Array {
  const text = (value: string) => [value.length, ...new TextEncoder().encode(value)]
  const count = (value: number) => [(value & 0x7f) | 0x80, value >> 7]
  const section = (id: number, body: readonly number[]) => [id, ...count(body.length), ...body]
  const imports = names.flatMap(name => [...text('env'), ...text(name), 0, 0])
  const exported = ['_start', 'malloc', 'free'].flatMap(name => [...text(name), 0, ...count(names.length)])
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 0]),
    ...section(2, [...count(names.length), ...imports]),
    ...section(3, [1, 0]),
    ...section(7, [3, ...exported]),
    ...section(10, [1, 2, 0, 0x0b]),
  ])
}
