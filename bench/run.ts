/**
 * `npm run bench [ROW...]`: ratios measured in one run on one machine, each against its baseline, as a table or as JSON.
 * `--rounds=N` for all rows, `--scale=F` shrinks every size (the last line says so), `--json`, `--save=FILE` for both, `--document`
 * writes the figures of a whole run into docs/performance.md, `--compare=FILE` shows the change since a saved run,
 * `--profile` where the time of each row goes.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import postgres from 'postgres';
import { openAuditor } from './auditor.ts';
import { compareRuns, readEarlier } from './compare.ts';
import { type Machine, writeFigures } from './document.ts';
import type { Row } from './measure.ts';
import { readOptions } from './options.ts';
import { functionLines, statementLines } from './profile.ts';
import { type Result, resultOf, TITLES, tableLine } from './results.ts';
import { ROWS } from './rows.ts';
import { openWorld, type World } from './world.ts';

const MEBIBYTE = 1024 * 1024;
const { json, rounds, scale, save, compare, document, profile, wanted } = readOptions(
  process.argv.slice(2),
  ROWS.map(({ key }) => key),
);
const chosen = ROWS.filter(({ key }) => wanted.length === 0 || wanted.includes(key));
const earlier = compare === undefined ? undefined : readEarlier(compare);
const results: Result[] = [];
const started = new Date();
let postgresVersion = 'not asked';
let shared: { name: string; world: World } | undefined;

if (!json) {
  process.stdout.write(`${TITLES}\n`);
}
for (const row of chosen) {
  const result = await measureRow(row);
  results.push(result);
  if (!json) {
    process.stdout.write(`${tableLine(result)}\n`);
  }
  if (save !== undefined) {
    writeFileSync(save, documentOf());
  }
}
await shared?.world.close();
if (document) {
  writeFigures(machine(), results);
}

const { cores, processor, memoryMiB, node, postgresql, seconds } = machine();
process.stdout.write(
  json
    ? documentOf()
    : `${cores} cores (${processor}), ${memoryMiB} MiB, Node ${node}, PostgreSQL ${postgresql}, ${started.toISOString()}, ${seconds} s` +
        `${scale === 1 ? '' : `, sizes times ${scale}`}\n`,
);
if (earlier !== undefined && !json) {
  process.stdout.write(`\n${compareRuns(earlier, results)}\n`);
}
process.exit(0);

function machine(): Machine {
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown',
    memoryMiB: Math.round(totalmem() / MEBIBYTE),
    node: process.version,
    postgresql: postgresVersion,
    started: started.toISOString(),
    seconds: Math.round((Date.now() - started.getTime()) / 1000),
  };
}

function documentOf(): string {
  return `${JSON.stringify({ ...machine(), scale, rows: results }, null, 2)}\n`;
}

/** A row that cannot be measured shows why, and the others go on. */
async function measureRow(row: Row): Promise<Result> {
  const counted = rounds ?? row.rounds;
  const size = (full: number, least = 1) => Math.max(least, Math.round(full * scale));
  const start = Date.now();
  let own: World | undefined;
  try {
    own = row.world === undefined ? await openWorld(profile) : undefined;
    const world = own ?? (await sharedWorld(row.world ?? row.key));
    postgresVersion = await versionOf(world.database.ownerUrl);
    const auditor = await openAuditor(world, row.withoutAuditor);
    const measure = await row.measure(world, { rounds: counted, size, auditor });
    await auditor.close();
    if (profile) {
      await printProfile(world, measure.profile ?? []);
    }
    return resultOf(row, counted, (Date.now() - start) / 1000, measure, auditor.note());
  } catch (error) {
    return resultOf(row, counted, (Date.now() - start) / 1000, error as Error);
  } finally {
    await own?.close();
  }
}

async function printProfile({ database, profiles }: World, lines: readonly string[]): Promise<void> {
  const functions = profiles === undefined || !existsSync(profiles) ? [] : ['', ...functionLines(profiles)];
  const tables = lines.length === 0 ? [] : [...lines, ''];
  process.stdout.write(`\n${[...tables, ...(await statementLines(database.ownerUrl)), ...functions].join('\n')}\n\n`);
}

async function sharedWorld(name: string): Promise<World> {
  if (shared?.name !== name) {
    await shared?.world.close();
    shared = { name, world: await openWorld(profile) };
  }
  return shared.world;
}

async function versionOf(url: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const [row] = await sql`show server_version`;
  await sql.end();
  return String(row?.['server_version'] ?? 'unknown').split(' ')[0] ?? 'unknown';
}
