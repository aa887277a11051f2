/** The refusals in the sources: each place that makes a diagnostic whose code begins with `unsupported-`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const REFUSAL = /'(unsupported-[a-z-]+)',\s*(`(?:[^`\\]|\\.)*`|'(?:[^'\\]|\\.)*')/g

export function refusalSection(folder: string): string {
  const messages = new Map<string, Set<string>>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.ts')) continue
    for (const match of readFileSync(join(entry.parentPath, entry.name), 'utf8').matchAll(REFUSAL)) {
      const [, code = '', literal = ''] = match
      messages.set(code, (messages.get(code) ?? new Set()).add(readable(literal)))
    }
  }
  const rows = [...messages]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([code, texts]) => [...texts].sort().map(text => `| \`${code}\` | ${text} |\n`))
  return `## What is refused

Each with the source line that needs it.

| Code | Message |
|---|---|
${rows.join('')}`
}

/** A template's expressions become `…`. */
function readable(literal: string): string {
  return literal
    .slice(1, -1)
    .replace(/\$\{[^}]*\}+/g, '…')
    .replace(/\|/g, '\\|')
}
