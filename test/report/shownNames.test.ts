/** Kernels in tables go without their namespaces, where that tells them apart. */
import { expect, test } from 'vitest'
import type { LaunchReport } from '../../src/report/model.ts'
import { shownNames } from '../../src/report/shownNames.ts'

const shown = (...names: string[]) => names.map(shownNames(names.map(name => ({ name }) as LaunchReport)))

test('namespaces go, of template arguments too', () => {
  expect(
    shown('a::b::scale<float, a::Plan<std::pair<int, a::b::X>>>', '(anonymous namespace)::run', 'plain<0>'),
  ).toEqual(['scale<float, Plan<pair<int, X>>>', 'run', 'plain<0>'])
})

test('but not those that tell two kernels apart', () => {
  expect(shown('a::run', 'b::run', 'a::stop', 'a::run')).toEqual(['a::run', 'b::run', 'stop', 'a::run'])
})
