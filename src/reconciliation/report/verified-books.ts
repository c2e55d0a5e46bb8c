/**
 * The verification of everything, which later reports rest on: the whole report, and every item of the feed against its signed
 * log. What it found right up to the checkpoint is not read again by a report. If it finds anything wrong, nothing is kept and
 * every report reads everything.
 */
import type { Sql } from '../../db/client.ts';
import { findHead, type LogHead } from '../../ledger/transparency-log/feed-log.ts';
import { verifyFeed } from '../../ledger/transparency-log/verify-feed.ts';
import type { Finding, Report } from '../../wire/reconciliation/report.ts';
import { countAgreement } from './checks.ts';
import type { LedgerFigures } from './report.ts';
import type { VerifiedBooks } from './reports.ts';
import { runWholeReport } from './run-report.ts';

export interface Verification {
  readonly report: Report;
  /** Null if the books are not right, or if they have no checkpoint yet. */
  readonly verified: VerifiedBooks | null;
}

/** @param key verifier key of the operator's log. @param connections that it may use at once */
export async function verifyBooks(
  sql: Sql,
  operatorId: string,
  key: string,
  connections?: number,
): Promise<Verification> {
  // read first: all that the checks read later is at least as new
  const head = await findHead(sql, operatorId);
  const { report, figures } = await runWholeReport(sql, operatorId, connections);
  const { fault } = await verifyFeed(sql, operatorId, key);
  const found = fault === null ? report : withFault(report, fault);
  const verified = found.ok && head !== undefined ? await verifiedBooks(sql, head, found, figures) : null;
  return { report: found, verified };
}

function withFault(report: Report, { sequence, itemId, reason }: Fault): Report {
  const at = sequence === null ? 'The log of the feed' : `Item ${sequence} of the feed`;
  const finding: Finding = {
    check: 'entry_seal',
    severity: 'critical',
    detail: `${at}: ${reason}.`,
    subjectType: 'record',
    subjectId: itemId ?? String(sequence ?? 'log'),
  };
  return { ...report, ok: false, findings: [finding, ...report.findings] };
}

type Fault = NonNullable<Awaited<ReturnType<typeof verifyFeed>>['fault']>;

async function verifiedBooks(
  sql: Sql,
  { operatorId, size, root }: LogHead,
  report: Report,
  { position, verified }: LedgerFigures,
): Promise<VerifiedBooks> {
  return {
    size,
    root,
    verifiedAt: new Date(report.ranAt),
    position: BigInt(position),
    figures: verified ?? '{}',
    agreement: await countAgreement(sql, operatorId, 0n, BigInt(size)),
  };
}
