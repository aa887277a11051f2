/**
 * Names of kernels in tables: without the namespaces around them, where no other kernel of the report would then be called the same. In:
 * a report's launches. Out: for each launch's name (`detail::scale<float, detail::Plan>`) what a table has room for (`scale<float, Plan>`).
 */
import type { LaunchReport } from './model.ts'

/** Scopes in front of a name, or of one in its template arguments. */
const SCOPES = /(?:(?:\(anonymous namespace\)|[\p{L}_][\p{L}\p{M}\p{N}_]*)::)+(?=[\p{L}_])/gu

export function shownNames(launches: readonly LaunchReport[]): (name: string) => string {
  const names = new Set(launches.map(({ name }) => name))
  const shown = [...names].map(name => name.replace(SCOPES, ''))
  const isSole = (text: string) => shown.filter(each => each === text).length === 1
  const known = new Map([...names].map((name, at) => [name, isSole(shown[at]!) ? shown[at]! : name]))
  return name => known.get(name) ?? name
}
