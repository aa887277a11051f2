/** The style sheet of the HTML report: system fonts, both themes, tables that scroll inside themselves on a narrow page. */
export const htmlStyle = `
:root { color-scheme: light dark; --text: #1b1f24; --soft: #59636e; --line: #d1d9e0; --page: #ffffff; --box: #f6f8fa; --hot: #bc4c00; --fine: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9198a1; --line: #3d444d; --page: #0d1117; --box: #151b23; --hot: #f0883e; --fine: #3fb950; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 2rem 1.25rem 4rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; } h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
header p, footer, .what { color: var(--soft); } header p { margin: .25rem 0 0; } footer { font-size: .875rem; margin-top: 3rem; border-top: 1px solid var(--line); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .85rem; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .7rem; text-align: right; white-space: nowrap; } thead th { background: var(--box); color: var(--soft); font-weight: 600; }
tbody th, thead th:nth-child(2), .times :is(th, td):nth-child(n + 4) { text-align: left; } tbody th { font-weight: 400; } tbody tr + tr > * { border-top: 1px solid var(--line); } tr.excess td:last-child { color: var(--hot); font-weight: 600; }
.findings { list-style: none; margin: 0; padding: 0; } .findings li { padding: .9rem 0; border-top: 1px solid var(--line); } .findings p { margin: .25rem 0; }
.findings pre { margin: .4rem 0; padding: .5rem .75rem; background: var(--box); border-radius: 6px; overflow-x: auto; } .why { color: var(--hot); }
.bar { position: relative; height: 1.25rem; background: var(--box); border-radius: 4px; overflow: hidden; font-size: .75rem; }
.bar::before { content: ""; position: absolute; inset: 0 auto 0 0; width: var(--share); background: var(--hot); opacity: .45; } .bar span { position: relative; padding-left: .5rem; line-height: 1.25rem; }
.source th:last-child, .source .code { text-align: left; width: 100%; } .source td { padding-block: .05rem; } .source tbody tr + tr > * { border-top: 0; } .source .code { white-space: pre; } .number, .gap { color: var(--soft); }
.source tr.hot td { background: color-mix(in srgb, var(--hot) calc(var(--heat) * .3), transparent); } .source tr.fine td:nth-child(4) { color: var(--fine); } tr:target td { outline: 1px solid var(--hot); }
.source thead th:nth-child(2) { text-align: right; } .gap td { text-align: center; } a { color: inherit; }
@media (max-width: 40rem) { body { padding: 1rem .75rem 3rem; } th, td { padding-inline: .35rem; } thead th { white-space: normal; } }
`
