/**
 * The functions that the host side of a program may leave undefined: the runtime provides them as WebAssembly imports of
 * module `env` under these plain C names (src/runtime/calls/cuda*.ts). Everything else that is undefined at link time is the
 * user's mistake, or a library that we do not have, and is reported by name.
 * Declarations: include/cuda_runtime_api.h and include/warplens/host_*.h; a test compares.
 */

/** Relocatable files call a function of this name and their own number, which is made one call: without the number. */
export const LINKED_BINARY = '__cudaRegisterLinkedBinary'

/** Called by code that clang generates. */
const GENERATED = `
  __cudaRegisterFatBinary __cudaRegisterFatBinaryEnd __cudaUnregisterFatBinary __cudaRegisterFunction __cudaRegisterVar
  __cudaRegisterManagedVar __cudaRegisterTexture __cudaRegisterSurface __cudaPushCallConfiguration
  __cudaPopCallConfiguration __cudaRegisterLinkedBinary
`

/** Called by inline functions of our headers. */
const INTERNAL = `
  __warplens_out_of_memory
  __warplens_check_device __warplens_device_attribute __warplens_device_name __warplens_function_attribute __warplens_malloc_3d
  __warplens_memset_3d __warplens_pointer_attributes __warplens_malloc_array __warplens_array_info __warplens_copy_box
  __warplens_copy_run __warplens_create_texture __warplens_texture_words __warplens_bind_reference __warplens_unbind_reference
  __warplens_add_node __warplens_get_node __warplens_set_node __warplens_update_graph __warplens_create_condition __warplens_capture_info
  __warplens_set_attribute __warplens_get_attribute __warplens_copy_attributes
  __warplens_graph_dot __warplens_capture_after __warplens_capture_to_graph __warplens_create_pool __warplens_launch_clusters __warplens_active_clusters __warplens_largest_cluster __warplens_reserve_addresses
  __warplens_return_addresses __warplens_create_memory __warplens_release_memory __warplens_map_memory
  __warplens_unmap_memory __warplens_open_memory __warplens_memory_device __warplens_address_range
  __warplens_load_code __warplens_load_file __warplens_unload_code __warplens_code_kernel __warplens_code_kernels
  __warplens_code_variable __warplens_kernel_name __warplens_kernel_code __warplens_kernel_parameter __warplens_link_code
`

/** Called by the C library, by way of the linker's `--wrap`. */
const LIBRARY = '__wrap___wasilibc_find_relpath __warplens_change_folder __warplens_folder'

/** The public runtime API. */
const RUNTIME_API = `
  cudaDestroySurfaceObject cudaDestroyTextureObject cudaDeviceCanAccessPeer cudaDeviceDisablePeerAccess
  cudaDeviceEnablePeerAccess cudaDeviceGetAttribute cudaDeviceGetByPCIBusId cudaDeviceGetCacheConfig
  cudaDeviceGetDefaultMemPool cudaDeviceGetLimit cudaDeviceGetPCIBusId cudaDeviceGetSharedMemConfig
  cudaDeviceGetStreamPriorityRange cudaDeviceReset cudaDeviceSetCacheConfig cudaDeviceSetLimit
  cudaDeviceSetSharedMemConfig cudaDeviceSynchronize cudaDriverGetVersion cudaEventCreate cudaEventCreateWithFlags
  cudaEventDestroy cudaEventElapsedTime cudaEventQuery cudaEventRecord cudaEventRecordWithFlags cudaEventSynchronize
  cudaFree cudaFreeArray cudaFreeAsync cudaFreeHost cudaFuncSetAttribute cudaFuncSetCacheConfig
  cudaFuncSetSharedMemConfig cudaGetDevice cudaGetDeviceCount cudaGetDeviceFlags cudaGetErrorName cudaGetErrorString
  cudaGetLastError cudaGetSymbolAddress cudaGetSymbolSize cudaGraphCreate cudaGraphDestroy cudaGraphExecDestroy
  cudaGraphLaunch cudaGraphClone cudaGraphDestroyNode cudaGraphAddDependencies cudaGraphRemoveDependencies cudaGraphGetNodes
  cudaGraphGetRootNodes cudaGraphGetEdges cudaGraphNodeGetDependencies cudaGraphNodeGetDependentNodes cudaGraphNodeGetType cudaGraphNodeFindInClone cudaGraphInstantiateWithFlags cudaGraphUpload
  cudaStreamBeginCapture cudaStreamIsCapturing cudaThreadExchangeStreamCaptureMode cudaDeviceGetMemPool cudaDeviceSetMemPool cudaMemPoolDestroy cudaMemPoolTrimTo
  cudaMemPoolSetAttribute cudaMemPoolGetAttribute cudaMallocFromPoolAsync cudaDeviceGetP2PAttribute cudaIpcGetMemHandle
  cudaGetDriverEntryPoint
  cudaIpcOpenMemHandle cudaIpcCloseMemHandle cudaIpcGetEventHandle cudaIpcOpenEventHandle
  cudaMallocMipmappedArray cudaGetMipmappedArrayLevel cudaFreeMipmappedArray
  cudaDeviceGetGraphMemAttribute cudaDeviceSetGraphMemAttribute cudaDeviceGraphMemTrim
  cudaHostAlloc cudaHostGetDevicePointer cudaHostGetFlags cudaHostRegister cudaHostUnregister
  cudaInitDevice cudaLaunchCooperativeKernel cudaLaunchHostFunc cudaLaunchKernel cudaMalloc
  cudaMallocAsync cudaMallocHost cudaMallocManaged cudaMallocPitch cudaMemAdvise cudaMemGetInfo cudaMemRangeGetAttribute cudaMemPrefetchAsync
  cudaMemcpy cudaMemcpy2D cudaMemcpy2DAsync cudaMemcpyAsync cudaMemcpyFromSymbol
  cudaMemcpyFromSymbolAsync cudaMemcpyPeer cudaMemcpyPeerAsync cudaMemcpyToSymbol
  cudaMemcpyToSymbolAsync cudaMemset cudaMemset2D cudaMemset2DAsync cudaMemsetAsync
  cudaOccupancyAvailableDynamicSMemPerBlock cudaOccupancyMaxActiveBlocksPerMultiprocessor
  cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags cudaPeekAtLastError cudaProfilerStart cudaProfilerStop
  cudaRuntimeGetVersion cudaSetDevice cudaSetDeviceFlags cudaSetValidDevices cudaStreamAddCallback
  cudaStreamAttachMemAsync cudaStreamCreate cudaStreamCreateWithFlags cudaStreamCreateWithPriority cudaStreamDestroy
  cudaStreamEndCapture cudaStreamGetFlags cudaStreamGetPriority cudaStreamQuery cudaStreamSynchronize
  cudaStreamWaitEvent cudaThreadExit cudaThreadSynchronize cudaStreamGetId cudaStreamGetDevice cudaGraphNodeSetEnabled
  cudaGraphNodeGetEnabled cudaUserObjectCreate cudaUserObjectRetain cudaUserObjectRelease cudaGraphRetainUserObject
  cudaGraphReleaseUserObject
`

/** Run-time compilation (include/nvrtc.h). */
const NVRTC = `
  nvrtcCreateProgram nvrtcDestroyProgram nvrtcCompileProgram nvrtcGetPTXSize nvrtcGetPTX nvrtcGetCUBINSize nvrtcGetCUBIN
  nvrtcGetProgramLogSize nvrtcGetProgramLog nvrtcAddNameExpression nvrtcGetLoweredName
`

export const hostImports: readonly string[] = [GENERATED, INTERNAL, LIBRARY, RUNTIME_API, NVRTC].flatMap(text =>
  text.trim().split(/\s+/),
)
