/** The last step of the build: precompiles the common headers into dist/headers, so that hardly a first program has to read them. */
import { shipHeadersOf } from '../frontend/compile.ts'
import { createClangPool } from './clangPool.ts'
import { createHeaderCache } from './compileCache.ts'
import { ownHeaders, shippedHeaders } from './sources.ts'

const clang = createClangPool()
await shipHeadersOf(ownHeaders(), clang, createHeaderCache(shippedHeaders()))
await clang.close()
