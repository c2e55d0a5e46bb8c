/**
 * Row `report-since`: the report asked for again 10,000 entries after everything was verified up to a checkpoint, against the one
 * that reads everything.
 */
import { randomBytes } from 'node:crypto';
import { signerFromSeed } from '../src/core/transparency-log/signed-note.ts';
import { connect } from '../src/db/client.ts';
import { sealLedger } from '../src/ledger/seal.ts';
import { logVerifierKey } from '../src/ledger/transparency-log/log-signer.ts';
import { sealFeeds } from '../src/ledger/transparency-log/seal-feed.ts';
import { keepReport } from '../src/reconciliation/report/reports.ts';
import { runReport, runReportSince } from '../src/reconciliation/report/run-report.ts';
import { verifyBooks } from '../src/reconciliation/report/verified-books.ts';
import type { Report } from '../src/wire/reconciliation/report.ts';
import { booksOf, makeBlock } from './books.ts';
import { interleave, type Measure, type Run } from './measure.ts';
import type { World } from './world.ts';

export async function reportSince(world: World, run: Run): Promise<Measure> {
  const { operator, entries } = await booksOf(world, run);
  const { operatorId } = operator;
  const sql = connect(world.database.url, { max: 2, applicationName: 'inlay-bench' });
  const signer = signerFromSeed(randomBytes(32));
  await sealFeeds(sql, signer);
  const started = performance.now();
  const { report, verified } = await verifyBooks(sql, operatorId, logVerifierKey(operatorId, signer));
  const seconds = Math.round((performance.now() - started) / 1000);
  await keepReport(sql, operatorId, report, verified);
  await makeBlock(world, operator, 'since');
  await sealLedger(sql);
  const timeOf = async (ask: (sql: typeof world.sql, operatorId: string) => Promise<Report>, rests: boolean) => {
    const start = performance.now();
    const { ok, restsOn, findings } = await ask(sql, operatorId);
    if (!ok || (restsOn !== null) !== rests) {
      throw new Error(`the report found ${JSON.stringify(findings.slice(0, 3))}, rests on ${JSON.stringify(restsOn)}`);
    }
    return performance.now() - start;
  };
  const times = await interleave(
    run.rounds,
    () => timeOf(runReportSince, true),
    () => timeOf(runReport, false),
  );
  await sql.end();
  return { ...times, unit: 'ms', note: `${entries} entries verified in ${seconds} s, and about 10,000 since` };
}
