/** The checks of the report as the statements that run them, the slowest first. Each statement sees one moment. */
import type { Sql } from '../../db/client.ts';
import type { Report } from '../../wire/reconciliation/report.ts';
import { findOutsideBreaks } from './outside-breaks.ts';
import type { FoundRow, LedgerFigures } from './report.ts';
import { findVenueEvidence } from './venue-evidence.ts';
import { findWebhookTrouble } from './webhook-findings.ts';

/** The operator and its window: feed positions after `base`, rows changed from `since` on. */
export interface Scope {
  readonly operatorId: string;
  readonly base: bigint;
  readonly from: Date;
  /** A margin before `from`: an order is written a moment before its facts are recorded. */
  readonly since: Date;
}

type Check = (sql: Sql, scope: Scope) => Promise<readonly FoundRow[]>;

export const CHECK_STATEMENTS: readonly Check[] = [
  (sql, { operatorId, base }) => sql<FoundRow[]>`select * from check_entry_seal(${operatorId}, ${base})`,
  (sql, { operatorId, base }) => sql<FoundRow[]>`select * from check_posted_items(${operatorId}, ${base})`,
  (sql, { operatorId, base }) => sql<FoundRow[]>`select * from check_order_items(${operatorId}, ${base})`,
  (sql, { operatorId }) => sql<FoundRow[]>`select * from check_wallet_balance(${operatorId})`,
  (sql, { operatorId }) => sql<FoundRow[]>`select * from check_positions(${operatorId})`,
  (sql, { operatorId, base }) => sql<FoundRow[]>`select * from check_feed_gap(${operatorId}, ${base})`,
  (sql, { operatorId }) => sql<FoundRow[]>`select * from check_settlement_once(${operatorId})`,
  (sql, { operatorId, since }) => sql<FoundRow[]>`select * from check_orders(${operatorId}, ${since})`,
  (sql, { operatorId, since }) => sql<FoundRow[]>`select * from check_order_terms(${operatorId}, ${since})`,
  (sql, { operatorId, base }) => sql<FoundRow[]>`select * from check_settlement_amount(${operatorId}, ${base})`,
  (sql, { operatorId, base }) => sql<FoundRow[]>`select * from check_settled_items(${operatorId}, ${base})`,
  (sql, { operatorId, base }) => sql<FoundRow[]>`select * from check_collateral_items(${operatorId}, ${base})`,
  (sql, { operatorId }) => sql<FoundRow[]>`select * from check_holdings(${operatorId})`,
  (sql, { operatorId }) => sql<FoundRow[]>`select * from check_orphan_hold(${operatorId})`,
  (sql, { operatorId }) => sql<FoundRow[]>`select * from check_order_state(${operatorId})`,
  (sql, { operatorId, from }) => findVenueEvidence(sql, operatorId, from),
  (sql, { operatorId, from }) => findWebhookTrouble(sql, operatorId, from),
  (sql, { operatorId }) => findOutsideBreaks(sql, operatorId, new Date()),
  (sql, { operatorId, base }) => sql<FoundRow[]>`select * from check_venue_agreement(${operatorId}, ${base})`,
];

const MARGIN_MS = 600_000;

export async function readScope(sql: Sql, operatorId: string, from: Date): Promise<Scope> {
  const [row] = await sql<{ base: bigint }[]>`select feed_position_at(${operatorId}, ${from}) as base`;
  return { operatorId, base: row?.base ?? 0n, from, since: new Date(from.getTime() - MARGIN_MS) };
}

/** Trial balance, statements and counts, and what of them does not fit (sql/functions/reconciliation/check_ledger.sql). */
export async function readLedger(sql: Sql, { operatorId, base }: Scope): Promise<LedgerFigures> {
  const [row] = await sql<{ reported: string }[]>`select check_ledger(${operatorId}, ${base})::text as reported`;
  return JSON.parse(row?.reported ?? '{}') as LedgerFigures;
}

export async function countVenueAgreement(sql: Sql, { operatorId, base }: Scope): Promise<Report['venueAgreement']> {
  const [row] = await sql<
    { reported: string }[]
  >`select count_venue_agreement(${operatorId}, ${base})::text as reported`;
  return JSON.parse(row?.reported ?? '{}') as Report['venueAgreement'];
}
