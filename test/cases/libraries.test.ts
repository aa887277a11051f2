/** Programs of NVIDIA's other libraries (programs.ts). */
import { testPrograms } from './programs.ts'

testPrograms('libraries')
