/** Row `report`: the reconciliation report over a million ledger entries, against one sequential aggregate over the same lines; the note
 * has one over the rows of the journal. */
import postgres from 'postgres';
import { connect } from '../src/db/client.ts';
import { ACCOUNTING_EPOCH, runReport } from '../src/reconciliation/report.ts';
import { booksOf } from './books.ts';
import { interleave, type Measure, type Run } from './measure.ts';
import type { World } from './world.ts';

export async function report(world: World, run: Run): Promise<Measure> {
  const { operator, entries, lines } = await booksOf(world, run);
  const { operatorId } = operator;
  const sql = connect(world.database.url, { max: 2, applicationName: 'inlay-bench' });
  const auditor = connect(world.database.auditUrl, { max: 1, applicationName: 'inlay-bench' });
  const plain = postgres(world.database.ownerUrl, { max: 1, onnotice: () => {} });
  await plain`set max_parallel_workers_per_gather = 0`;
  const times = await interleave(
    run,
    async () => {
      const start = performance.now();
      const { ok, findings } = await runReport(sql, operatorId, ACCOUNTING_EPOCH, auditor);
      if (!ok) {
        throw new Error(`the report found ${JSON.stringify(findings.slice(0, 3))}`);
      }
      return performance.now() - start;
    },
    async () => {
      const start = performance.now();
      await plain`select count(*), sum(amount) from bench_lines where operator_id = ${operatorId}`;
      return performance.now() - start;
    },
  );
  const start = performance.now();
  await plain`select count(*), sum(available), sum(held) from journal where operator_id = ${operatorId}`;
  const journalMs = performance.now() - start;
  await sql.end();
  await auditor.end();
  await plain.end();
  return {
    ...times,
    unit: 'ms',
    note:
      `${entries} entries, ${lines} lines, all read by the auditor before; ` +
      `reading their rows of the journal once takes ${journalMs.toFixed(0)} ms, and the report ${(times.measured / journalMs).toFixed(1)} times as long`,
  };
}
