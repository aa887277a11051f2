/** Headers of CUDA's libraries that we do not have: why, and what to do, by the name in `'NAME' file not found`. */

const REASONS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^(?:thrust|cub)\//,
    "Thrust and CUB come with their own headers: install Debian's libthrust-dev and libcub-dev, or name their folder with -I",
  ],
  [/^(?:cuda|nv)\//, 'this part of libcu++ is not supported'],
  [/^cuda_fp6\.h/, 'floating-point formats of 6 bits are not supported'],
  [
    /^(?:cufft|cusparse|cusolver|cublasXt|cudnn|nccl|nvjpeg|npp|nvgraph|cutensor)/i,
    'this CUDA library is not supported',
  ],
  [
    /^(?:nvJitLink|nvPTXCompiler|nvFatbin)/,
    'PTX and code for machines are not supported: NVRTC compiles CUDA at run time (nvrtc.h), and the driver API links it (cuLinkCreate)',
  ],
  [/^(?:cupti|generated_cuda_meta)/, 'CUPTI is not supported'],
  [/^nvtx3\/nvToolsExt/, 'this extension of NVTX is not supported'],
  [
    /^(?:cudaGL|cuda_gl|cudaEGL|cuda_egl|cuda_d3d|cudaVDPAU|cuda_vdpau|GL\/|GLES|EGL\/|vulkan\/)/,
    'graphics is not supported',
  ],
  [
    /^(?:helper_(?:cuda|functions|image|math|string|timer)|drvapi_error_string|exception)\.h$/,
    "this header comes with NVIDIA's cuda-samples: name their folder Common with -I",
  ],
  [/^cutil(?:_\w+)?\.h$/, 'this header came with the SDK of CUDA 4 and before, and is no part of CUDA'],
  [/^CL\//, "OpenCL's headers are no part of CUDA: install Debian's opencl-c-headers, or name their folder with -I"],
  [/^mpi\.h$/, 'MPI needs several processes, which are not supported'],
]

/** The code and the note for such a message; undefined for any other. */
export function missingHeader(message: string): { readonly code: string; readonly note: string } | undefined {
  const name = /^'([^']+)' file not found/.exec(message)?.[1]
  const reason = name === undefined ? undefined : REASONS.find(([pattern]) => pattern.test(name))?.[1]
  return reason === undefined ? undefined : { code: 'unsupported-header', note: reason }
}
