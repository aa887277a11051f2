/** Programs about what the GPU's compiler makes of kernels (programs.ts). */
import { testPrograms } from './programs.ts'

testPrograms('machine')
