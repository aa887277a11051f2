/** The list of allowed imports against the headers that declare them. */
import { expect, test } from 'vitest'
import { hostImports } from '../../src/frontend/building/hostImports.ts'
import { ownHeaders } from '../../src/node/sources.ts'

test('every function of the runtime API that has no body in a header may be imported', () => {
  const headers = ownHeaders()
  const declared = [headers['cuda_runtime_api.h'], headers['warplens/host_structures.h']]
    .map(text => String(text).replaceAll(/\/\*[\s\S]*?\*\//g, ''))
    .flatMap(text => [
      ...text.matchAll(
        /^(?:__WARPLENS_BOTH_SIDES )?(?!static)[a-z][\w \t*]*?\b((?:__)?(?:cuda|warplens)\w*)\([^{;]*\);/gm,
      ),
    ])
    .map(match => match[1]!)
  expect(declared.length).toBeGreaterThan(100)
  expect(declared.filter(name => !hostImports.includes(name))).toEqual([])
})

test('no name twice', () => {
  expect(new Set(hostImports).size).toBe(hostImports.length)
})
