/**
 * Writes the figures of a whole run into docs/performance.md, the few that users look for into README.md, a plan of capacity into
 * docs/scale.md, each between two markers, and the run into bench/last-run.json, from which `npm run capacity` computes. No figure is typed
 * there. It refuses a run of some rows or of smaller sizes, so that the page never mixes runs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readCosts, renderPlans, STEPS } from './capacity.ts';
import { renderReadmeFigures } from './readme-figures.ts';
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

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const LAST_RUN = fileOf('./last-run.json');
const PERFORMANCE = fileOf('../docs/performance.md');
const README = fileOf('../README.md');
const SCALE = fileOf('../docs/scale.md');
const BEGIN = '<!-- figures: written by "npm run bench -- --document" -->';
const END = '<!-- end of figures -->';

/** @throws Error if a page has lost its markers, or if the run lacks a cost for the plan of capacity */
export function writeFigures(machine: Machine, results: readonly Result[]): void {
  const run = `${JSON.stringify({ ...machine, rows: results }, null, 2)}\n`;
  writeFileSync(LAST_RUN, run);
  writeBetweenMarkers(PERFORMANCE, renderFigures(machine, results));
  writeBetweenMarkers(README, renderReadmeFigures(machine.started, machine.cores, results));
  writeBetweenMarkers(SCALE, `By the run of ${machine.started.slice(0, 10)}:\n\n${renderPlans(readCosts(run), STEPS)}`);
}

function writeBetweenMarkers(file: string, text: string): void {
  const page = readFileSync(file, 'utf8');
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before === -1 || after < before) {
    throw new Error(`${file} has no place for the figures`);
  }
  writeFileSync(file, `${page.slice(0, before)}${BEGIN}\n${text}\n${page.slice(after)}`);
}

export function renderFigures(machine: Machine, results: readonly Result[]): string {
  const { cores, processor, memoryMiB, node, postgresql, started, seconds } = machine;
  const gigabytes = (memoryMiB / 1024).toFixed(1);
  const bounded = results.filter(({ met }) => met !== null);
  const met = bounded.filter((result) => result.met).length;
  const notes = results.filter((result) => result.note !== null);
  const bounds = results.flatMap(({ key, bounds: ofRow }) => ofRow.map((bound) => ({ key, ...bound })));
  return [
    `Run of ${started.slice(0, 16).replace('T', ' ')} UTC, ${seconds} s: ${cores} cores (${processor}), ${gigabytes} GiB, Node ${node}, PostgreSQL ${postgresql}. ${met} of the ${bounded.length} rows with bounds met them. The file bench/last-run.json says what the auditor read beside each row.`,
    '',
    '| row | measured | baseline | ratio | bound | | rounds | spread |',
    '|---|---|---|---|---|---|---|---|',
    ...results.map(rowLine),
    '',
    '| bound of another figure | measured | at most | |',
    '|---|---|---|---|',
    ...bounds.map(
      ({ key, what, value, unit, atMost, met: isMet }) =>
        `| \`${key}\`: ${what} | ${figure(value)} ${unit} | ${atMost} | ${isMet ? 'met' : 'missed'} |`,
    ),
    '',
    ...notes.map(({ key, note }) => `- \`${key}\`: ${note}.`),
  ].join('\n');
}

function rowLine({ key, measured, baseline, unit, ratio, bound, better, met, rounds, spread }: Result): string {
  const cells = [
    key,
    `${figure(measured)} ${unit}`,
    `${figure(baseline)} ${unit}`,
    ratio?.toFixed(2) ?? '-',
    bound === null ? '' : `${better === 'higher' ? '≥' : '≤'} ${bound}`,
    met === null ? '' : met ? 'met' : 'missed',
    String(rounds),
    spreadText(spread),
  ];
  return `| ${cells.join(' | ')} |`;
}
