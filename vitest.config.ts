/** Tests run on the TypeScript as it stands. The limits are for a busy machine that compiles with a cold clang. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 10_000,
    maxWorkers: 2,
  },
})
