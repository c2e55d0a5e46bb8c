/**
 * The file of all cells (`INLAY_CELLS_FILE`): where each one is, and which files contain the addresses of its database.
 * It contains no secret itself, so the same file can be kept on every machine from which somebody works.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { isDatabaseUrl } from '../../core/database-url.ts';
import { refuse } from '../../core/errors.ts';

const CELL_NAME = /^[a-z0-9]{1,12}$/;
const SERVER = /^[A-Za-z0-9.-]+:\d{1,5}$/;

const cell = z.strictObject({
  name: z.string().regex(CELL_NAME, '1 to 12 lower-case letters and digits'),
  servers: z.array(z.string().regex(SERVER, 'host:port')).min(1),
  databaseUrlFile: z.string().min(1),
  ownerUrlFile: z.string().min(1).optional(),
  adminUrlFile: z.string().min(1).optional(),
});
const cellsFile = z.strictObject({ cells: z.array(cell) });

/** Paths are relative to the folder of the file. */
export type CellEntry = z.infer<typeof cell>;

/** A cell with the addresses that its files contain. */
export interface Cell {
  readonly name: string;
  /** `host:port` of each of its API processes. */
  readonly servers: readonly string[];
  readonly databaseUrl: string;
  /** Address for the role that owns the tables. */
  readonly ownerUrl: string;
  /** Address for the role of the service operator's commands. */
  readonly adminUrl: string;
}

/**
 * @returns all cells in the order of the file; none if there is no file. Keys without a tag belong to the first one
 * @throws `invalid_request` if the file, or a file that it names, cannot be read or is malformed
 */
export function readCells(path: string): Cell[] {
  return readEntries(path).map(({ name, servers, databaseUrlFile, ownerUrlFile, adminUrlFile }) => ({
    name,
    servers,
    databaseUrl: readUrl(path, databaseUrlFile),
    ownerUrl: readUrl(path, ownerUrlFile ?? databaseUrlFile),
    adminUrl: readUrl(path, adminUrlFile ?? databaseUrlFile),
  }));
}

/** @throws `invalid_request` if the file does not contain that cell */
export function readCell(path: string, name: string): Cell {
  const cells = readCells(path);
  const found = cells.find((known) => known.name === name);
  if (found === undefined) {
    throw refuse(
      'invalid_request',
      `There is no cell ${name}; there are ${cells.map((known) => known.name).join(', ')}.`,
    );
  }
  return found;
}

/**
 * Adds a cell at the end, or replaces the one of that name. A crash leaves either the old file or the new one.
 * @throws `invalid_request` if a value is malformed
 */
export function writeCell(path: string, entry: CellEntry): void {
  const checked = cell.safeParse(entry);
  if (!checked.success) {
    throw refuse('invalid_request', explain(checked.error));
  }
  readUrl(path, entry.databaseUrlFile);
  readUrl(path, entry.ownerUrlFile ?? entry.databaseUrlFile);
  readUrl(path, entry.adminUrlFile ?? entry.databaseUrlFile);
  const known = readEntries(path);
  const isKnown = known.some(({ name }) => name === entry.name);
  const cells = isKnown ? known.map((other) => (other.name === entry.name ? entry : other)) : [...known, entry];
  writeFileSync(`${path}.new`, `${JSON.stringify({ cells }, null, 2)}\n`, { mode: 0o644 });
  renameSync(`${path}.new`, path);
}

function readEntries(path: string): CellEntry[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return [];
    }
    throw refuse('invalid_request', `${path} cannot be read.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('invalid_request', `${path} is not JSON.`);
  }
  const parsed = cellsFile.safeParse(value);
  if (!parsed.success) {
    throw refuse('invalid_request', `${path}: ${explain(parsed.error)}`);
  }
  return parsed.data.cells;
}

function readUrl(path: string, file: string): string {
  const named = resolve(dirname(path), file);
  let url: string;
  try {
    url = readFileSync(named, 'utf8').trim();
  } catch {
    throw refuse('invalid_request', `${named} cannot be read; it must contain the address of a database.`);
  }
  if (!isDatabaseUrl(url)) {
    throw refuse(
      'invalid_request',
      `${named} does not contain an address such as postgres://user:password@host:5432/name.`,
    );
  }
  return url;
}

function explain(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`;
}
