/** The checks of the report as the statements that run them, the slowest first. Each statement sees one moment. */
import type { Sql } from '../../db/client.ts';
import { continuesFrom } from '../../ledger/transparency-log/prove-feed.ts';
import type { Report } from '../../wire/reconciliation/report.ts';
import type { FoundRow, LedgerFigures } from './report.ts';
import type { VerifiedBooks } from './reports.ts';
import { findVenueEvidence } from './venue-evidence.ts';
import { findWebhookTrouble } from './webhook-findings.ts';

/**
 * The operator, its window and what the report rests on. Movements after `base` are in the window; those up to `after` were
 * verified before and are not read again.
 */
export interface ReportScope {
  readonly operatorId: string;
  readonly base: bigint;
  readonly after: bigint;
  readonly from: Date;
  /** A margin before `from`: an order is written a moment before its facts are recorded. */
  readonly since: Date;
  /** Whose rows may have changed since; null reads all. */
  readonly touched: Touched | null;
  readonly verified: VerifiedBooks | null;
}

interface Touched {
  readonly orders: readonly string[];
  readonly customers: readonly string[];
  readonly positions: readonly string[];
  /** Accounts of the customers. */
  readonly accounts: readonly string[];
}

type Check = (sql: Sql, scope: ReportScope) => Promise<readonly FoundRow[]>;

export const CHECK_STATEMENTS: readonly Check[] = [
  (sql, { operatorId, after }) => sql<FoundRow[]>`select * from check_entry_seal(${operatorId}, ${after})`,
  (sql, { operatorId, after }) => sql<FoundRow[]>`select * from check_order_items(${operatorId}, ${after})`,
  (sql, { operatorId, touched }) =>
    sql<FoundRow[]>`
      select * from check_wallet_balance(${operatorId}, ${ids(touched?.customers)}::text[], ${ids(touched?.accounts)}::text[])`,
  (sql, { operatorId, touched }) =>
    sql<FoundRow[]>`select * from check_positions(${operatorId}, ${ids(touched?.customers)}::text[])`,
  (sql, { operatorId, after }) => sql<FoundRow[]>`select * from check_feed_gap(${operatorId}, ${after})`,
  (sql, { operatorId }) => sql<FoundRow[]>`select * from check_log_behind(${operatorId})`,
  (sql, { operatorId, touched }) =>
    sql<FoundRow[]>`select * from check_settlement_once(${operatorId}, ${ids(touched?.positions)}::text[])`,
  (sql, { operatorId, since, touched }) =>
    sql<FoundRow[]>`select * from check_orders(${operatorId}, ${since}, ${ids(touched?.orders)}::text[])`,
  (sql, { operatorId, since, touched }) =>
    sql<FoundRow[]>`select * from check_order_terms(${operatorId}, ${since}, ${ids(touched?.orders)}::text[])`,
  (sql, { operatorId, after }) => sql<FoundRow[]>`select * from check_settlement_amount(${operatorId}, ${after})`,
  (sql, { operatorId, after }) => sql<FoundRow[]>`select * from check_settled_items(${operatorId}, ${after})`,
  (sql, { operatorId, after }) => sql<FoundRow[]>`select * from check_collateral_items(${operatorId}, ${after})`,
  (sql, { operatorId, touched }) =>
    sql<FoundRow[]>`select * from check_holdings(${operatorId}, ${ids(touched?.positions)}::text[])`,
  (sql, { operatorId, touched }) =>
    sql<FoundRow[]>`select * from check_orphan_hold(${operatorId}, ${ids(touched?.accounts)}::text[])`,
  (sql, { operatorId, touched }) =>
    sql<FoundRow[]>`select * from check_order_state(${operatorId}, ${ids(touched?.orders)}::text[])`,
  (sql, { operatorId, from }) => findVenueEvidence(sql, operatorId, from),
  (sql, { operatorId, from }) => findWebhookTrouble(sql, operatorId, from),
  (sql, { operatorId, base }) => sql<FoundRow[]>`select * from check_venue_agreement(${operatorId}, ${base})`,
  findRewrittenLog,
];

const ids = (given: readonly string[] | undefined): string[] | null => (given === undefined ? null : [...given]);

const MARGIN_MS = 600_000;

/** @param verified what the report rests on; it is not used if the window begins inside it. */
export async function readScope(
  sql: Sql,
  operatorId: string,
  from: Date,
  verified: VerifiedBooks | undefined,
): Promise<ReportScope> {
  const [row] = await sql<{ base: bigint }[]>`select feed_position_at(${operatorId}, ${from}) as base`;
  const base = row?.base ?? 0n;
  const whole = { operatorId, base, from, since: new Date(from.getTime() - MARGIN_MS) };
  if (verified === undefined || (base > 0n && base < verified.position)) {
    return { ...whole, after: base, touched: null, verified: null };
  }
  const size = BigInt(verified.size);
  const after = base > size ? base : size;
  const [touched] = await sql<Touched[]>`select * from touched_since(${operatorId}, ${size})`;
  return { ...whole, since: new Date(0), after, touched: touched ?? null, verified };
}

/** Trial balance, statements and counts, and what of them does not fit (sql/functions/reconciliation/check_ledger.sql). */
export async function readLedger(sql: Sql, { operatorId, base, verified }: ReportScope): Promise<LedgerFigures> {
  const [row] = await sql<
    { reported: string }[]
  >`select check_ledger(${operatorId}, ${base}, ${verified?.figures ?? null}::text::jsonb)::text as reported`;
  return JSON.parse(row?.reported ?? '{}') as LedgerFigures;
}

/** `entry_seal`: the log must still begin with the checkpoint that the report rests on. */
async function findRewrittenLog(sql: Sql, { operatorId, verified }: ReportScope): Promise<readonly FoundRow[]> {
  if (verified === null || (await continuesFrom(sql, operatorId, verified))) {
    return [];
  }
  const detail = `The log does not continue the checkpoint of ${verified.size} items that was verified.`;
  return [
    { checkName: 'entry_seal', severity: 'critical', detail, subjectType: 'record', subjectId: String(verified.size) },
  ];
}

/** Counts of the window; up to the checkpoint they are those of the verification. */
export async function countVenueAgreement(
  sql: Sql,
  { operatorId, base, after, verified }: ReportScope,
): Promise<Report['venueAgreement']> {
  const counted = await countAgreement(sql, operatorId, verified === null ? base : after, null);
  if (verified === null || base > 0n) {
    return counted;
  }
  const { agreement } = verified;
  return {
    exits: agreement.exits + counted.exits,
    agrees: agreement.agrees + counted.agrees,
    disagrees: agreement.disagrees + counted.disagrees,
    unknown: agreement.unknown + counted.unknown,
  };
}

/** @param through the last position that counts; null has no end */
export async function countAgreement(
  sql: Sql,
  operatorId: string,
  base: bigint,
  through: bigint | null,
): Promise<Report['venueAgreement']> {
  const [row] = await sql<
    { reported: string }[]
  >`select count_venue_agreement(${operatorId}, ${base}, coalesce(${through}::bigint, 9223372036854775807))::text as reported`;
  return JSON.parse(row?.reported ?? '{}') as Report['venueAgreement'];
}
