/** The entry of a table, made where there is none. */
export function entryOf<K, V>(
  table: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const known = table.get(key)
  if (known !== undefined) return known
  const made = make()
  table.set(key, made)
  return made
}
