/** What the pages say about a report whose numbers are known. Layout is checked by width and by what stands in one row. */
import { describe, expect, it } from 'vitest'
import { fileParts, printCsv, printFile, printPage } from '../../src/report/pages.ts'
import { parseReport } from '../../src/report/schema.ts'
import { conflicting, options, reportOf, sources, strided } from './fixture.ts'

const report = reportOf([strided, conflicting])
const lineWith = (text: string, part: string) => text.split('\n').find(line => line.includes(part)) ?? ''

describe('details', () => {
  const text = printPage(report, 'details', options)

  it('has one row a launch with its sectors, efficiency, conflicts and excess', () => {
    expect(lineWith(text, '0 strided<8>').trim().split(/\s+/)).toEqual([
      '0',
      'strided<8>',
      '10·32',
      '20',
      '4',
      '32',
      '100',
      '12.5',
      '-',
      '280',
    ])
    expect(lineWith(text, '1 conflicting').trim().split(/\s+/)).toEqual([
      '1',
      'conflicting',
      '10·32',
      '10',
      '4',
      '-',
      '100',
      '-',
      '16',
      '150',
    ])
  })

  it('gives alike launches of a loop one row, and cuts what is still too long', () => {
    const loop = Array.from({ length: 300 }, (_, index) => ({ ...report.launches[index % 2]!, index }))
    const text = printPage({ ...report, launches: loop }, 'details', options)
    expect(lineWith(text, 'strided<8>')).toMatch(/^0 ×150 strided<8>/)
    expect(lineWith(text, 'conflicting')).toMatch(/^1 ×150 conflicting/)
    const different = loop.map(launch => ({ ...launch, name: `k${launch.index}` }))
    const long = printPage({ ...report, launches: different }, 'details', options)
    expect(long).toContain('... and 100 more')
    expect(long).not.toContain('k200 ')
  })

  it('calls a program of many files by its first', () => {
    const files = ['k.cu', 'a.cpp', 'b.cpp', 'c.cpp']
    const many = printPage({ ...report, program: { ...report.program, files } }, 'details', options)
    expect(many).toMatch(/^k\.cu \(and 3 more files\) 7 {2}2 kernel launches on /)
  })

  it('names the worst lines first, with source text and numbers', () => {
    const worst = text.slice(text.indexOf('worst first'))
    expect(worst.indexOf('k.cu:3')).toBeLessThan(worst.indexOf('k.cu:5'))
    expect(worst).toContain('out[i * 8] = v;')
    expect(worst).toContain('32 sectors a request where 4 would do')
    expect(worst).toContain('16 wavefronts a request where 1 would do')
    expect(lineWith(worst, 'k.cu:3')).toContain('global store of out in strided<8>')
    expect(lineWith(worst, 'k.cu:3')).toContain('65.1%')
  })

  it('fits in 80 columns', () => {
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('folds equal launches in a row', () => {
    const again = [0, 1, 2].map(index => ({ ...strided, index }))
    const folded = printPage(reportOf([...again, { ...conflicting, index: 3 }]), 'details', options)
    expect(lineWith(folded, 'strided<8>').trim()).toMatch(/^0-2 /)
    expect(lineWith(folded, '3 conflicting')).not.toBe('')
  })

  it('marks what is not exact', () => {
    const metrics = Object.fromEntries(
      Object.entries(strided.metrics).map(([name, value]) => [name, { ...value, fidelity: 'modelled' as const }]),
    )
    const modelled = printPage(reportOf([{ ...strided, metrics }]), 'details', options)
    expect(lineWith(modelled, '0 strided<8>')).toContain('~32')
  })

  it('keeps to the width whatever the program is called with', () => {
    const args = Array.from({ length: 20 }, (_, index) => `--argument=${index}`)
    const long = printPage({ ...report, program: { ...report.program, args } }, 'details', options)
    expect(Math.max(...long.split('\n').map(line => line.length))).toBeLessThanOrEqual(options.width)
    expect(lineWith(long, '2 kernel launches')).not.toContain('--argument')
    const fine = { ...strided, sites: strided.sites.slice(0, 1) }
    const good = printPage(reportOf([fine]), 'details', { ...options, width: 80 })
    expect(lineWith(good, 'no excess sectors').length).toBeLessThanOrEqual(80)
  })

  it('says when there is nothing to complain about, and when there was no launch', () => {
    const fine = { ...strided, sites: strided.sites.slice(0, 1) }
    expect(printPage(reportOf([fine]), 'details', options)).toContain('no excess sectors, no bank conflicts')
    const stopped = { ...fine, fault: 'illegal-address at k.cu:3: reads past the end' }
    expect(printPage(reportOf([stopped]), 'details', options)).not.toContain('no excess sectors')
    expect(printPage(reportOf([]), 'details', options)).toBe('No kernel was launched.\n')
  })

  it('tells accesses of one line apart by their columns, and shows that part of a long line', () => {
    const store = strided.sites[1]!
    const long = `x[0] = ${'1 + '.repeat(30)}far[i * 8] + near[i];`
    const column = long.indexOf('far') + 1
    const twice = {
      ...strided,
      sites: [
        { ...store, column },
        { ...store, column: 1 },
      ],
    }
    const shown = printPage(reportOf([twice]), 'details', {
      ...options,
      sources: new Map([['k.cu', `\n\n  ${long}\n`]]),
    })
    expect(shown).toContain(`k.cu:3:${column}  global store`)
    expect(shown).toContain('k.cu:3:1  global store')
    expect(lineWith(shown, 'far[i * 8]')).toMatch(/^ {8}….*near\[i\];$/)
    expect(Math.max(...shown.split('\n').map(line => line.length))).toBeLessThanOrEqual(80)
  })

  it('puts what an access is on lines of its own where a long path or kernel leaves no room', () => {
    const name = `detail::scan<${'Traits<128, 4>, '.repeat(8)}float>`
    const file = `${'folder/'.repeat(9)}k.cu`
    const long = { ...strided, name, sites: strided.sites.map(site => ({ ...site, file })) }
    const shown = printPage(reportOf([long]), 'details', { ...options, width: 80 })
    expect(lineWith(shown, `${file}:3`)).toMatch(/^ +100\S*% {2}folder\/.*k\.cu:3$/)
    expect(lineWith(shown, 'global store')).toMatch(/^ {8}global store of out in$|^ {8}global store of out in scan</)
    expect(Math.max(...shown.split('\n').map(line => line.length))).toBeLessThanOrEqual(80)
  })

  it('files say which array it is, and what their columns are', () => {
    for (const format of ['html', 'md'] as const) {
      const file = printFile(reportOf([strided]), format, sources)
      expect(file).toMatch(/global store of out in strided/)
      expect(file).toContain('Efficiency: bytes used of the bytes moved.')
    }
  })

  it('shows why a launch stopped', () => {
    const stopped = { ...strided, fault: 'illegal-address at k.cu:3: reads past the end' }
    expect(printPage(reportOf([stopped]), 'details', options)).toContain('reads past the end')
    for (const format of ['html', 'md'] as const)
      expect(printFile(reportOf([stopped]), format, sources)).toContain(
        'Launch 0, strided&lt;8&gt;: illegal-address at k.cu:3',
      )
  })

  it('says whose counters a launch has whose kernels launched others', () => {
    const parent = reportOf([{ ...strided, childGrids: 3 }])
    const note = 'Launch 0: counters and time with those of 3 grids that kernels launched'
    expect(printPage(parent, 'details', options)).toContain(note)
    for (const format of ['html', 'md'] as const) expect(printFile(parent, format, sources)).toContain(note)
  })
})

describe('other pages', () => {
  it('raw: every metric with unit, value and mark', () => {
    const text = printPage(report, 'raw', options)
    expect(text).toContain('0  void strided<(int)8>(float *, const float *) (10, 1, 1)x(32, 1, 1)')
    expect(lineWith(text, 'gpu__time_duration.sum').split(/\s+/)).toEqual(['gpu__time_duration.sum', 'ns', '~2500'])
    expect(lineWith(text, 'lts__t_sectors_op_atom.sum')).toMatch(/n\/a$/)
    expect(lineWith(text, 'derived__memory_l1_conflicts_shared_nway')).toMatch(/-$/)
  })

  it('raw with --print-units auto scales times and counts', () => {
    const text = printPage(report, 'raw', { ...options, units: 'auto' })
    expect(lineWith(text, 'gpu__time_duration.sum').split(/\s+/)).toEqual(['gpu__time_duration.sum', 'us', '~2.5'])
  })

  it('source: the costs beside the text', () => {
    const text = printPage(report, 'source', options)
    expect(lineWith(text, '3 |').trim().split(/\s+/).slice(0, 2)).toEqual(['32', '280'])
    expect(lineWith(text, '5 |').trim().split(/\s+/).slice(0, 2)).toEqual(['16', '150'])
    expect(lineWith(text, '2 |').trim().split(/\s+/).slice(0, 2)).toEqual(['4', '0'])
  })

  it('per-kernel: minimum, maximum and average', () => {
    const slower = {
      ...strided,
      index: 2,
      metrics: {
        ...strided.metrics,
        'gpu__time_duration.sum': { value: 3500, unit: 'ns', fidelity: 'modelled' as const },
      },
    }
    const text = printPage(reportOf([strided, slower]), 'per-kernel', options)
    expect(text).toContain('Invocations: 2')
    expect(lineWith(text, 'gpu__time_duration.sum').split(/\s+/).slice(2)).toEqual(['~2500', '~3500', '~3000'])
  })

  it('gpu-trace: copies and kernels with modelled times', () => {
    const text = printPage(report, 'gpu-trace', options)
    expect(lineWith(text, 'HtoD')).toContain('~12.5us')
    expect(lineWith(text, 'HtoD')).toContain('4096B')
    expect(lineWith(text, 'HtoD')).toContain('~327.7MB/s')
    expect(lineWith(text, 'strided<8>')).toContain('~750ns')
  })
})

describe('files', () => {
  it('CSV has ncu’s columns, one row a metric, quotes doubled', () => {
    const rows = printCsv(report, 'details')?.split('\n') ?? []
    expect(rows[0]).toBe(
      '"ID","Kernel Name","Stream","Block Size","Grid Size","Device","CC","Metric Name","Metric Unit","Metric Value","Fidelity"',
    )
    expect(rows).toContain(
      '"0","void strided<(int)8>(float *, const float *)","0","(32, 1, 1)","(10, 1, 1)","H200","9.0","gpu__time_duration.sum","ns","2500","modelled"',
    )
    expect(printCsv(report, 'raw')?.split('\n')[1]).toContain('"sector/request"')
    expect(printCsv(report, 'raw')?.split('\n')[2]).toContain(
      '"modelled: gpu__time_duration.sum; unsupported: lts__t_sectors_op_atom.sum"',
    )
    expect(printCsv(report, 'source')?.split('\n')[2]).toContain(
      '"k.cu","3","9","global","store","4","out","10","320","320","40","320"',
    )
    expect(printCsv(report, 'gpu-trace')).toBeUndefined()
  })

  it('JSON gives the report back', () => {
    expect(parseReport(printFile(report, 'json', sources), 'r.json')).toEqual(report)
  })

  it('a file that is no report is refused by its first wrong field', () => {
    expect(() => parseReport('{', 'r.json')).toThrow('r.json is not JSON')
    const broken = { ...report, launches: [{ ...strided, grid: [1, 2] }] }
    expect(() => parseReport(JSON.stringify(broken), 'r.json')).toThrow(/launches\.0\.grid/)
  })

  it('JSON is written in parts, what holds plain values only on a line', () => {
    for (const written of [report, reportOf([]), { ...report, timeline: [], findings: [] }])
      expect(JSON.parse(printFile(written, 'json', sources))).toEqual(written)
    expect([...fileParts(report, 'json', sources)].length).toBeGreaterThan(report.launches.length)
    const lines = printFile(report, 'json', sources).split('\n')
    expect(lines.slice(0, 3)).toEqual([
      '{',
      '  "schema": "warplens-report/1",',
      expect.stringMatching(/^ {2}"version": ".+",$/),
    ])
    expect(lines).toContain('      "metrics": {')
    expect(lines.some(line => /^ {8}"\S+": \{"value":\d+,"unit":"\w*","fidelity":"exact"\},$/.test(line))).toBe(true)
    expect(lines.at(-1)).toBe('')
  })

  it('HTML is one file, with text escaped', () => {
    const html = printFile(report, 'html', sources)
    expect(html).toContain('// &lt;b&gt; &amp; &quot;quotes&quot;')
    expect(html).not.toMatch(/<script|<link|src=|https?:/)
    expect(html).toContain('strided&lt;8&gt;')
  })

  it('Markdown tables have as many cells in each row', () => {
    const table = printFile(report, 'md', sources)
      .split('\n')
      .filter(line => line.startsWith('|'))
    expect(new Set(table.map(line => line.split('|').length))).toEqual(new Set([12]))
  })
})
