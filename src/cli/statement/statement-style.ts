/** The look of a printed statement: A4 or letter pages with headers and page numbers, tables that repeat their head and keep rows whole. */

/** @param header of every page, on the left and on the right. @param footer on the left; the right has the page number */
export function statementStyle(header: readonly [string, string], footer: string): string {
  const [left, right] = header;
  return `
@page { margin: 24mm 16mm 20mm; font: 8pt/1.4 "Helvetica Neue", Arial, sans-serif; color: #555;
  @top-left { content: ${cssText(left)}; } @top-right { content: ${cssText(right)}; }
  @bottom-left { content: ${cssText(footer)}; } @bottom-right { content: "Page " counter(page) " of " counter(pages); } }
body { font: 9.5pt/1.45 "Helvetica Neue", Arial, sans-serif; color: #111; margin: 0 auto; max-width: 178mm; font-variant-numeric: tabular-nums; }
@media screen { body { padding: 12mm 0; } }
header { min-height: 10mm; margin: 0 0 4mm; font: 700 14pt/1 "Helvetica Neue", Arial, sans-serif; } header img { max-height: 24mm; max-width: 100%; }
h1 { font-size: 18pt; margin: 0 0 2mm; } h2 { font-size: 12pt; margin: 9mm 0 2mm; break-after: avoid; }
p { margin: 0 0 3mm; } .lead { color: #444; } p, dl, pre { break-inside: avoid; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 1mm 6mm; margin: 4mm 0; } dt { color: #555; } dd { margin: 0; }
.fault { color: #b42318; font-weight: 700; } small { color: #555; }
section { display: grid; grid-template-columns: 1fr 1fr; gap: 10mm; margin: 9mm 0 0; break-inside: avoid; }
h3 { font-size: 9.5pt; margin: 0; } section p { margin: 0; padding: 5mm 0 1mm; color: #555; border-bottom: .2mm solid #111; }
table { width: 100%; border-collapse: collapse; margin: 0 0 4mm; }
thead { display: table-header-group; } tfoot { display: table-row-group; }
tr { break-inside: avoid; } tbody tr:nth-last-child(-n+2) { break-after: avoid; }
th, td { padding: 1.2mm 1.5mm; text-align: left; vertical-align: top; border-bottom: .2mm solid #ddd; overflow-wrap: anywhere; }
th { font-weight: 600; border-bottom: .4mm solid #111; overflow-wrap: normal; }
.amount { text-align: right; white-space: nowrap; } tfoot td { font-weight: 700; border-top: .4mm solid #111; border-bottom: 0; }
figure { margin: 0 0 4mm; break-inside: avoid; } figure svg { width: 100%; overflow: visible; } figure text { font-size: 9px; fill: #444; }
figure .end { text-anchor: end; } figure line { stroke: #ddd; } .gross { fill: #1d5fd1; background: #1d5fd1; } .net { fill: #9dbcf0; background: #9dbcf0; }
.gross.loss, .net.loss { fill: #b42318; } .key { display: inline-block; width: 2.5mm; height: 2.5mm; margin-right: 1mm; print-color-adjust: exact; }
figcaption { font-size: 8pt; color: #555; } figure rect { print-color-adjust: exact; }
.balance td { font-weight: 600; } pre { font: 7.5pt/1.5 monospace; white-space: pre-wrap; overflow-wrap: anywhere; background: #f5f5f5; padding: 3mm; }
`;
}

/** A string of CSS; a name can neither end it nor the element around it. */
function cssText(text: string): string {
  return `"${text.replace(/[\\"<>&\p{Cc}]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)}"`;
}
