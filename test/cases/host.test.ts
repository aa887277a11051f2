/** Programs about the host side, its calls of the runtime and what they manage (programs.ts). */
import { testPrograms } from './programs.ts'

testPrograms('host')
