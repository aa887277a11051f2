/** Programs about kernels: CUDA C++ and its instructions (programs.ts). */
import { testPrograms } from './programs.ts'

testPrograms('language')
