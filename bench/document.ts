/**
 * Writes the figures of a whole run into docs/performance.md, between its two markers. Nobody types a figure there. It refuses a
 * run of some rows or of smaller sizes, so that the page never mixes runs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { figure, type Result, spreadText } from './results.ts';

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryMiB: number;
  readonly node: string;
  readonly postgresql: string;
  readonly started: string;
  readonly seconds: number;
}

const PAGE = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
const BEGIN = '<!-- figures: written by "npm run bench -- --document" -->';
const END = '<!-- end of figures -->';

/** @throws Error if the page has lost its markers. */
export function writeFigures(machine: Machine, results: readonly Result[]): void {
  const page = readFileSync(PAGE, 'utf8');
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before === -1 || after < before) {
    throw new Error(`${PAGE} has no place for the figures`);
  }
  writeFileSync(PAGE, `${page.slice(0, before)}${BEGIN}\n${renderFigures(machine, results)}\n${page.slice(after)}`);
}

export function renderFigures(machine: Machine, results: readonly Result[]): string {
  const { cores, processor, memoryMiB, node, postgresql, started, seconds } = machine;
  const gigabytes = (memoryMiB / 1024).toFixed(1);
  const met = results.filter(({ reached }) => reached).length;
  const notes = results.filter((result) => result.note !== null);
  const bounds = results.flatMap(({ key, bounds: ofRow }) => ofRow.map((bound) => ({ key, ...bound })));
  return [
    `Run of ${started.slice(0, 16).replace('T', ' ')} UTC, ${seconds} s: ${cores} cores (${processor}), ${gigabytes} GiB, Node ${node}, PostgreSQL ${postgresql}. ${met} of ${results.length} rows met their target and bounds.`,
    '',
    '| row | measured | baseline | ratio | target | | rounds | spread |',
    '|---|---|---|---|---|---|---|---|',
    ...results.map(rowLine),
    '',
    '| bound | measured | at most | |',
    '|---|---|---|---|',
    ...bounds.map(
      ({ key, what, value, unit, atMost, reached }) =>
        `| \`${key}\`: ${what} | ${figure(value)} ${unit} | ${atMost} | ${reached ? 'met' : 'missed'} |`,
    ),
    '',
    ...notes.map(({ key, note }) => `- \`${key}\`: ${note}.`),
  ].join('\n');
}

function rowLine({ key, measured, baseline, unit, ratio, target, better, reached, rounds, spread }: Result): string {
  const cells = [
    key,
    `${figure(measured)} ${unit}`,
    `${figure(baseline)} ${unit}`,
    ratio?.toFixed(2) ?? '-',
    `${better === 'higher' ? '≥' : '≤'} ${target}`,
    reached ? 'met' : 'missed',
    String(rounds),
    spreadText(spread),
  ];
  return `| ${cells.join(' | ')} |`;
}
