/**
 * The last step of the build: precompiles the common headers into dist/headers, so that hardly a first program has to read them, and what
 * programs that throw are linked with.
 */
import { shipHeadersOf, shipUnitsOf } from '../frontend/building/ship.ts'
import { createClangPool } from './clangPool.ts'
import { createHeaderCache, createUnitCache } from './compileCache.ts'
import { ownHeaders, shippedHeaders } from './sources.ts'

const clang = createClangPool()
await shipHeadersOf(ownHeaders(), clang, createHeaderCache(shippedHeaders()))
await shipUnitsOf(ownHeaders(), clang, createUnitCache(shippedHeaders()))
await clang.close()
