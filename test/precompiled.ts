/** For tests that call the compiler itself: nothing compiled is kept but headers and our own libraries, as users have them (sharedCache.ts). */
import type { CompileCache } from '../src/frontend/compile.ts'
import { createHeaderCache, createShippedHeaderCache, createUnitCache, shippedFirst } from '../src/node/compileCache.ts'
import { shippedHeaders } from '../src/node/sources.ts'

export const precompiled: CompileCache = {
  load: async () => undefined,
  store: async () => {},
  headers: shippedFirst(createShippedHeaderCache(shippedHeaders()), createHeaderCache()),
  units: shippedFirst(createUnitCache(shippedHeaders())),
}
