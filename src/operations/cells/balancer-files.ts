/**
 * Files for HAProxy: which cell a request belongs to, by the beginning of its key or embed token, or by the operator in
 * the address of a frame. The longest beginning decides, so that keys of an operator that moved are found in its new
 * cell although they carry the name of the old one.
 */
import { join } from 'node:path';
import { embedTokenTag } from '../../embed/token.ts';
import { apiKeyTag } from '../../operators/api-key.ts';
import type { HeldOperator } from './held-operators.ts';

export interface CellContent {
  readonly name: string;
  readonly servers: readonly string[];
  readonly operators: readonly HeldOperator[];
}

/** File name and content. */
export type BalancerFiles = Readonly<
  Record<'inlay-credentials.map' | 'inlay-operators.map' | 'inlay-cells.cfg', string>
>;

/**
 * @param cells all cells; requests that name none go to the first one
 * @param folder where HAProxy finds the files
 * @param bind address of the frontend
 */
export function renderBalancerFiles(cells: readonly CellContent[], folder: string, bind: string): BalancerFiles {
  return {
    'inlay-credentials.map': renderLines(cells.flatMap((cell, place) => credentialsOf(cell, cells, place === 0))),
    'inlay-operators.map': renderLines(
      cells.flatMap(({ name, operators }) => operators.map(({ slug }) => [slug, name] as const)),
    ),
    'inlay-cells.cfg': renderConfiguration(cells, folder, bind),
  };
}

type Line = readonly [beginning: string, cell: string];

function credentialsOf({ name, operators }: CellContent, cells: readonly CellContent[], isFirst: boolean): Line[] {
  const own = [apiKeyTag('sandbox', name), apiKeyTag('live', name), embedTokenTag(name)];
  const moved = operators.filter(({ mode, keyPrefixes }) =>
    keyPrefixes.some((prefix) => !isOwn(prefix, apiKeyTag(mode, name), isFirst)),
  );
  const others = cells.filter((cell) => cell.name !== name);
  return [
    ...own,
    ...moved.flatMap(({ mode, keyPrefixes }) =>
      keyPrefixes.filter((prefix) => !isOwn(prefix, apiKeyTag(mode, name), isFirst)),
    ),
    ...moved.flatMap(({ operatorId }) => others.map((other) => embedTokenTag(other.name, operatorId))),
  ].map((beginning) => [beginning, name]);
}

/** The first cell also holds the keys without a tag, whose beginning has only two underscores. */
function isOwn(prefix: string, tag: string, isFirst: boolean): boolean {
  return prefix.startsWith(tag) || (isFirst && prefix.split('_').length === 3);
}

function renderLines(lines: readonly Line[]): string {
  return lines.map(([beginning, cell]) => `${beginning} inlay_${cell}\n`).join('');
}

function renderConfiguration(cells: readonly CellContent[], folder: string, bind: string): string {
  const [first] = cells;
  const frontend = [
    'frontend inlay',
    `    bind ${bind}`,
    '    mode http',
    '    option forwardfor',
    `    http-request set-var(txn.cell) req.hdr(authorization),word(2,' '),map_beg(${join(folder, 'inlay-credentials.map')})`,
    `    http-request set-var(txn.cell) url_param(operator),map_str(${join(folder, 'inlay-operators.map')}) if !{ var(txn.cell) -m found }`,
    '    use_backend %[var(txn.cell)] if { var(txn.cell) -m found }',
    `    default_backend inlay_${first?.name ?? ''}`,
  ];
  const backends = cells.flatMap(({ name, servers }) => [
    '',
    `backend inlay_${name}`,
    '    mode http',
    '    balance roundrobin',
    '    option httpchk GET /api/health',
    ...servers.map((server, place) => `    server ${name}${place + 1} ${server} check`),
  ]);
  return `${[...frontend, ...backends].join('\n')}\n`;
}
