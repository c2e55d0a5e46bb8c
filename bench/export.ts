/** Row `export`: `reconciliation export --kind ledger` of a million entries to a file, against COPY of the same rows to a file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { booksOf } from './books.ts';
import { copyOut } from './copy-out.ts';
import { interleave, type Measure, type Run } from './measure.ts';
import { peakMemory } from './process-facts.ts';
import type { World } from './world.ts';

const LIMIT_MIB = 150;
const LOOK_MS = 20;
const runJs = fileURLToPath(new URL('../bin/run.js', import.meta.url));

export async function exportLedger(world: World, run: Run): Promise<Measure> {
  const { operator, lines } = await booksOf(world, run);
  const api = await world.startApi();
  const file = join(world.dataDir, 'ledger.csv');
  let peak = 0;

  async function exportOnce(): Promise<number> {
    const start = performance.now();
    const child = spawn(process.execPath, [runJs, 'reconciliation', 'export', '--kind', 'ledger', '--out', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...process.env,
        INLAY_API_URL: api.url,
        INLAY_API_KEY: operator.keys[0] ?? '',
        INLAY_DATA_DIR: world.dataDir,
      },
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const look = setInterval(() => {
      peak = Math.max(peak, peakMemory(child.pid ?? 0) || 0);
    }, LOOK_MS);
    const [code] = await once(child, 'close');
    clearInterval(look);
    const took = performance.now() - start;
    if (code !== 0 || !said.includes(`${lines} rows`)) {
      throw new Error(`the export ended with ${code}: ${said.slice(-300)}`);
    }
    await rm(file);
    await rm(`${file}.sum`, { force: true });
    return (lines * 1000) / took;
  }

  const rates = await interleave(run, exportOnce, async () => {
    const { seconds } = await copyOut(world.database.ownerUrl, rowsOf(operator.operatorId), file);
    await rm(file);
    return lines / seconds;
  });
  const apiPeak = peakMemory(api.pid);
  await api.close();
  return {
    ...rates,
    unit: 'per s',
    bounds: [{ what: 'peak memory of the command', value: peak, unit: 'MiB', atMost: LIMIT_MIB }],
    note: `${lines} rows, the start of the command included; peak of the API process ${apiPeak.toFixed(0)} MiB`,
  };
}

/** The same rows, laid out beforehand. */
const rowsOf = (operatorId: string): string =>
  `select e.position, e.entry_id, e.recorded_at, e.movement_type, e.memo, e.reference_type, e.reference_id,
     l.line_no, l.account_id, l.amount, l.balance_after
   from bench_lines l join bench_entries e on e.operator_id = l.operator_id and e.position = l.position
   where l.operator_id = '${operatorId}' order by l.position, l.line_no`;
