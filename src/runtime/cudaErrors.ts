/**
 * Every error of the CUDA 12.8 runtime: number, name (cudaGetErrorName) and text (cudaGetErrorString), as the real runtime
 * prints them. The same numbers and names stand in include/driver_types.h; test/runtime/errors.test.ts keeps them equal.
 */

export const CUDA_ERRORS = {
  cudaSuccess: { code: 0, text: 'no error' },
  cudaErrorInvalidValue: { code: 1, text: 'invalid argument' },
  cudaErrorMemoryAllocation: { code: 2, text: 'out of memory' },
  cudaErrorInitializationError: { code: 3, text: 'initialization error' },
  cudaErrorCudartUnloading: { code: 4, text: 'driver shutting down' },
  cudaErrorProfilerDisabled: { code: 5, text: 'profiler disabled while using external profiling tool' },
  cudaErrorProfilerNotInitialized: { code: 6, text: 'profiler not initialized: call cudaProfilerInitialize()' },
  cudaErrorProfilerAlreadyStarted: { code: 7, text: 'profiler already started' },
  cudaErrorProfilerAlreadyStopped: { code: 8, text: 'profiler already stopped' },
  cudaErrorInvalidConfiguration: { code: 9, text: 'invalid configuration argument' },
  cudaErrorInvalidPitchValue: { code: 12, text: 'invalid pitch argument' },
  cudaErrorInvalidSymbol: { code: 13, text: 'invalid device symbol' },
  cudaErrorInvalidHostPointer: { code: 16, text: 'invalid host pointer' },
  cudaErrorInvalidDevicePointer: { code: 17, text: 'invalid device pointer' },
  cudaErrorInvalidTexture: { code: 18, text: 'invalid texture reference' },
  cudaErrorInvalidTextureBinding: { code: 19, text: 'texture is not bound to a pointer' },
  cudaErrorInvalidChannelDescriptor: { code: 20, text: 'invalid channel descriptor' },
  cudaErrorInvalidMemcpyDirection: { code: 21, text: 'invalid copy direction for memcpy' },
  cudaErrorAddressOfConstant: { code: 22, text: '__constant__ memory variable address was taken' },
  cudaErrorTextureFetchFailed: { code: 23, text: 'fetch from texture failed' },
  cudaErrorTextureNotBound: { code: 24, text: 'cannot fetch from a texture that is not bound' },
  cudaErrorSynchronizationError: { code: 25, text: 'incorrect use of __syncthreads()' },
  cudaErrorInvalidFilterSetting: { code: 26, text: 'linear filtering not supported for non-float type' },
  cudaErrorInvalidNormSetting: { code: 27, text: 'read as normalized float not supported for 32-bit non float type' },
  cudaErrorMixedDeviceExecution: { code: 28, text: 'device emulation mode and device execution mode cannot be mixed' },
  cudaErrorNotYetImplemented: { code: 31, text: 'feature not yet implemented' },
  cudaErrorMemoryValueTooLarge: { code: 32, text: 'memory size or pointer value too large to fit in 32 bit' },
  cudaErrorStubLibrary: { code: 34, text: 'CUDA driver is a stub library' },
  cudaErrorInsufficientDriver: { code: 35, text: 'CUDA driver version is insufficient for CUDA runtime version' },
  cudaErrorCallRequiresNewerDriver: { code: 36, text: 'API call is not supported in the installed CUDA driver' },
  cudaErrorInvalidSurface: { code: 37, text: 'invalid surface reference' },
  cudaErrorDuplicateVariableName: { code: 43, text: 'duplicate global variable looked up by string name' },
  cudaErrorDuplicateTextureName: { code: 44, text: 'duplicate texture looked up by string name' },
  cudaErrorDuplicateSurfaceName: { code: 45, text: 'duplicate surface looked up by string name' },
  cudaErrorDevicesUnavailable: { code: 46, text: 'CUDA-capable device(s) is/are busy or unavailable' },
  cudaErrorIncompatibleDriverContext: { code: 49, text: 'incompatible driver context' },
  cudaErrorMissingConfiguration: { code: 52, text: '__global__ function call is not configured' },
  cudaErrorPriorLaunchFailure: { code: 53, text: 'unspecified launch failure in prior launch' },
  cudaErrorLaunchMaxDepthExceeded: { code: 65, text: 'launch would exceed maximum depth of nested launches' },
  cudaErrorLaunchFileScopedTex: {
    code: 66,
    text: 'launch failed because kernel uses unsupported, file-scoped textures (texture objects are supported)',
  },
  cudaErrorLaunchFileScopedSurf: {
    code: 67,
    text: 'launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are supported)',
  },
  cudaErrorSyncDepthExceeded: {
    code: 68,
    text: "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth",
  },
  cudaErrorLaunchPendingCountExceeded: {
    code: 69,
    text: 'launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount',
  },
  cudaErrorInvalidDeviceFunction: { code: 98, text: 'invalid device function' },
  cudaErrorNoDevice: { code: 100, text: 'no CUDA-capable device is detected' },
  cudaErrorInvalidDevice: { code: 101, text: 'invalid device ordinal' },
  cudaErrorDeviceNotLicensed: { code: 102, text: "device doesn't have valid Grid license" },
  cudaErrorSoftwareValidityNotEstablished: { code: 103, text: 'integrity checks failed' },
  cudaErrorStartupFailure: { code: 127, text: 'startup failure in cuda runtime' },
  cudaErrorInvalidKernelImage: { code: 200, text: 'device kernel image is invalid' },
  cudaErrorDeviceUninitialized: { code: 201, text: 'invalid device context' },
  cudaErrorMapBufferObjectFailed: { code: 205, text: 'mapping of buffer object failed' },
  cudaErrorUnmapBufferObjectFailed: { code: 206, text: 'unmapping of buffer object failed' },
  cudaErrorArrayIsMapped: { code: 207, text: 'array is mapped' },
  cudaErrorAlreadyMapped: { code: 208, text: 'resource already mapped' },
  cudaErrorNoKernelImageForDevice: { code: 209, text: 'no kernel image is available for execution on the device' },
  cudaErrorAlreadyAcquired: { code: 210, text: 'resource already acquired' },
  cudaErrorNotMapped: { code: 211, text: 'resource not mapped' },
  cudaErrorNotMappedAsArray: { code: 212, text: 'resource not mapped as array' },
  cudaErrorNotMappedAsPointer: { code: 213, text: 'resource not mapped as pointer' },
  cudaErrorECCUncorrectable: { code: 214, text: 'uncorrectable ECC error encountered' },
  cudaErrorUnsupportedLimit: { code: 215, text: 'limit is not supported on this architecture' },
  cudaErrorDeviceAlreadyInUse: { code: 216, text: 'exclusive-thread device already in use by a different thread' },
  cudaErrorPeerAccessUnsupported: { code: 217, text: 'peer access is not supported between these two devices' },
  cudaErrorInvalidPtx: { code: 218, text: 'a PTX JIT compilation failed' },
  cudaErrorInvalidGraphicsContext: { code: 219, text: 'invalid OpenGL or DirectX context' },
  cudaErrorNvlinkUncorrectable: { code: 220, text: 'uncorrectable NVLink error detected during the execution' },
  cudaErrorJitCompilerNotFound: { code: 221, text: 'PTX JIT compiler library not found' },
  cudaErrorUnsupportedPtxVersion: { code: 222, text: 'the provided PTX was compiled with an unsupported toolchain.' },
  cudaErrorJitCompilationDisabled: { code: 223, text: 'PTX JIT compilation was disabled' },
  cudaErrorUnsupportedExecAffinity: { code: 224, text: 'the provided execution affinity is not supported' },
  cudaErrorUnsupportedDevSideSync: {
    code: 225,
    text: 'the provided PTX contains unsupported call to cudaDeviceSynchronize',
  },
  cudaErrorContained: { code: 226, text: 'Invalid access of peer GPU memory over nvlink or a hardware error' },
  cudaErrorInvalidSource: { code: 300, text: 'device kernel image is invalid' },
  cudaErrorFileNotFound: { code: 301, text: 'file not found' },
  cudaErrorSharedObjectSymbolNotFound: { code: 302, text: 'shared object symbol not found' },
  cudaErrorSharedObjectInitFailed: { code: 303, text: 'shared object initialization failed' },
  cudaErrorOperatingSystem: { code: 304, text: 'OS call failed or operation not supported on this OS' },
  cudaErrorInvalidResourceHandle: { code: 400, text: 'invalid resource handle' },
  cudaErrorIllegalState: { code: 401, text: 'the operation cannot be performed in the present state' },
  cudaErrorLossyQuery: { code: 402, text: 'attempted introspection would be semantically lossy' },
  cudaErrorSymbolNotFound: { code: 500, text: 'named symbol not found' },
  cudaErrorNotReady: { code: 600, text: 'device not ready' },
  cudaErrorIllegalAddress: { code: 700, text: 'an illegal memory access was encountered' },
  cudaErrorLaunchOutOfResources: { code: 701, text: 'too many resources requested for launch' },
  cudaErrorLaunchTimeout: { code: 702, text: 'the launch timed out and was terminated' },
  cudaErrorLaunchIncompatibleTexturing: { code: 703, text: 'launch uses incompatible texturing mode' },
  cudaErrorPeerAccessAlreadyEnabled: { code: 704, text: 'peer access is already enabled' },
  cudaErrorPeerAccessNotEnabled: { code: 705, text: 'peer access has not been enabled' },
  cudaErrorSetOnActiveProcess: { code: 708, text: 'cannot set while device is active in this process' },
  cudaErrorContextIsDestroyed: { code: 709, text: 'context is destroyed' },
  cudaErrorAssert: { code: 710, text: 'device-side assert triggered' },
  cudaErrorTooManyPeers: { code: 711, text: 'peer mapping resources exhausted' },
  cudaErrorHostMemoryAlreadyRegistered: {
    code: 712,
    text: 'part or all of the requested memory range is already mapped',
  },
  cudaErrorHostMemoryNotRegistered: { code: 713, text: 'pointer does not correspond to a registered memory region' },
  cudaErrorHardwareStackError: { code: 714, text: 'hardware stack error' },
  cudaErrorIllegalInstruction: { code: 715, text: 'an illegal instruction was encountered' },
  cudaErrorMisalignedAddress: { code: 716, text: 'misaligned address' },
  cudaErrorInvalidAddressSpace: { code: 717, text: 'operation not supported on global/shared address space' },
  cudaErrorInvalidPc: { code: 718, text: 'invalid program counter' },
  cudaErrorLaunchFailure: { code: 719, text: 'unspecified launch failure' },
  cudaErrorCooperativeLaunchTooLarge: { code: 720, text: 'too many blocks in cooperative launch' },
  cudaErrorTensorMemoryLeak: { code: 721, text: 'tensor memory leak' },
  cudaErrorNotPermitted: { code: 800, text: 'operation not permitted' },
  cudaErrorNotSupported: { code: 801, text: 'operation not supported' },
  cudaErrorSystemNotReady: { code: 802, text: 'system not yet initialized' },
  cudaErrorSystemDriverMismatch: { code: 803, text: 'system has unsupported display driver / cuda driver combination' },
  cudaErrorCompatNotSupportedOnDevice: { code: 804, text: 'forward compatibility was attempted on non supported HW' },
  cudaErrorMpsConnectionFailed: {
    code: 805,
    text: 'MPS client failed to connect to the MPS control daemon or the MPS server',
  },
  cudaErrorMpsRpcFailure: { code: 806, text: 'MPS server failed to complete the remote procedure call' },
  cudaErrorMpsServerNotReady: { code: 807, text: 'MPS server is not ready to accept new MPS client requests' },
  cudaErrorMpsMaxClientsReached: {
    code: 808,
    text: 'the hardware resources required to create MPS client have been exhausted',
  },
  cudaErrorMpsMaxConnectionsReached: {
    code: 809,
    text: 'the hardware resources required to support device connections have been exhausted',
  },
  cudaErrorMpsClientTerminated: { code: 810, text: 'the MPS client has been terminated by the server' },
  cudaErrorCdpNotSupported: {
    code: 811,
    text: 'the program is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not support it',
  },
  cudaErrorCdpVersionMismatch: {
    code: 812,
    text: 'the program contains an unsupported interaction between different versions of CUDA Dynamic Parallelism',
  },
  cudaErrorStreamCaptureUnsupported: { code: 900, text: 'operation not permitted when stream is capturing' },
  cudaErrorStreamCaptureInvalidated: { code: 901, text: 'operation failed due to a previous error during capture' },
  cudaErrorStreamCaptureMerge: { code: 902, text: 'operation would result in a merge of separate capture sequences' },
  cudaErrorStreamCaptureUnmatched: { code: 903, text: 'capture was not ended in the same stream as it began' },
  cudaErrorStreamCaptureUnjoined: { code: 904, text: 'capturing stream has unjoined work' },
  cudaErrorStreamCaptureIsolation: { code: 905, text: 'dependency created on uncaptured work in another stream' },
  cudaErrorStreamCaptureImplicit: {
    code: 906,
    text: 'operation would make the legacy stream depend on a capturing blocking stream',
  },
  cudaErrorCapturedEvent: {
    code: 907,
    text: 'operation not permitted on an event last recorded in a capturing stream',
  },
  cudaErrorStreamCaptureWrongThread: {
    code: 908,
    text: 'attempt to terminate a thread-local capture sequence from another thread',
  },
  cudaErrorTimeout: { code: 909, text: 'wait operation timed out' },
  cudaErrorGraphExecUpdateFailure: {
    code: 910,
    text: 'the graph update was not performed because it included changes which violated constraints specific to instantiated graph update',
  },
  cudaErrorExternalDevice: { code: 911, text: 'an async error has occurred in external entity outside of CUDA' },
  cudaErrorInvalidClusterSize: {
    code: 912,
    text: 'a kernel launch error has occurred due to cluster misconfiguration',
  },
  cudaErrorFunctionNotLoaded: { code: 913, text: 'the function handle is not loaded' },
  cudaErrorInvalidResourceType: { code: 914, text: 'one or more resources are not of the expected type' },
  cudaErrorInvalidResourceConfiguration: {
    code: 915,
    text: 'one or more resources are insufficient or non-applicable for the operation',
  },
  cudaErrorUnknown: { code: 999, text: 'unknown error' },
  cudaErrorApiFailureBase: { code: 10000, text: 'api failure base' },
} as const

export type CudaErrorName = keyof typeof CUDA_ERRORS

const BY_CODE = new Map(
  (Object.keys(CUDA_ERRORS) as CudaErrorName[]).map(name => [
    CUDA_ERRORS[name].code as number,
    { name, text: CUDA_ERRORS[name].text as string },
  ]),
)

export function errorCode(name: CudaErrorName): number {
  return CUDA_ERRORS[name].code
}

/** Whether one of these C++ sources says the error's name, as a program does that compares with it what a call returns. */
export function namesError(sources: Iterable<string>, name: CudaErrorName): boolean {
  const said = new RegExp(`\\b${name}\\b`)
  return [...sources].some(text => said.test(text))
}

/** Name and text of a number; those of the real runtime for numbers that it does not know. */
export function describeError(code: number): { readonly name: string; readonly text: string } {
  return BY_CODE.get(code) ?? { name: 'unrecognized error code', text: 'unrecognized error code' }
}
