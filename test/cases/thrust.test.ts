/** Programs of Thrust, CUB and libcu++ (programs.ts). */
import { testPrograms } from './programs.ts'

testPrograms('thrust')
