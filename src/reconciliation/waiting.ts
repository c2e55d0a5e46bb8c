/**
 * The checks of the report that read no books: work that waits too long, findings about accounts at venues, and evidence that a support
 * person must look at, in sentences that name no venue. They read the service's own tables, because none of it is in the journal.
 */
import { type Found, MOST } from '../audit/compare.ts';
import { isJsonObject } from '../core/json.ts';
import type { Sql } from '../db/client.ts';
import { jsonNumber, MICRO_SCALE } from '../money/decimal.ts';
import { formatMinor } from '../money/usd.ts';
import { publicReason } from '../trading/execution/report.ts';
import { findExhaustedDeliveries, findStuckDeliveries, type StuckDeliveries } from '../webhooks/deliveries.ts';
import type { Finding } from '../wire/reconciliation.ts';

type Wait = (sql: Sql, operatorId: string, from: Date) => Promise<readonly Found[]>;

export const WAITS: readonly Wait[] = [
  findUnresolved,
  findUnsettled,
  findBehindLog,
  findDisagreement,
  findVenueEvidence,
  findWebhookTrouble,
];

/** With the last row that is read, how many follow it in this order. */
const unread = (sql: Sql, order: string) =>
  sql`case row_number() over (order by ${sql.unsafe(order)}) when ${MOST} then (count(*) over () - ${MOST})::int else 0 end as unread`;

/** Orders that may or may not be at a venue: for 15 minutes a warning, for a day critical (contract 22.13). */
async function findUnresolved(sql: Sql, operatorId: string): Promise<Found[]> {
  return sql<Found[]>`
    select 'order_unresolved' as "check", case when waiting.since < now() - interval '24 hours' then 'critical' else 'warning' end as severity,
      'The venue has not answered since ' || to_char(waiting.since at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC; the authorization is held.' as detail,
      'record' as "subjectType", waiting.order_id::text as "subjectId",
      ${unread(sql, 'waiting.order_id')}
    from (select order_id, coalesce(transmitted_at, updated_at) as since from orders
      where operator_id = ${operatorId} and status in ('submitted', 'partially_filled') and transmission_state = 'unknown') waiting
    where waiting.since < now() - interval '15 minutes' order by waiting.order_id limit ${MOST}`;
}

/** Positions that stay open on a contract that has resolved: for 15 minutes a warning, for a day critical. */
async function findUnsettled(sql: Sql, operatorId: string): Promise<Found[]> {
  return sql<Found[]>`
    with position as materialized (select position_id, contract_id, held_quantity_micros, opened_at from positions
      where operator_id = ${operatorId} and status = 'open')
    select 'settlement_due' as "check", case when resolved.recorded_at < now() - interval '24 hours' then 'critical' else 'warning' end as severity,
      'The contract resolved ' || contract.resolution || ' at ' || to_char(resolved.recorded_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
        || ' UTC and the position is open' || case when position.held_quantity_micros > 0
          then '; ' || micro_number(position.held_quantity_micros) || ' contracts are held back for a sell' else '' end || '.' as detail,
      'record' as "subjectType", position.position_id::text as "subjectId", ${unread(sql, 'position.position_id')}
    from position
      join contracts contract on contract.contract_id = position.contract_id and contract.resolution is not null
      cross join lateral (select max(decision.recorded_at) as recorded_at from contract_resolutions decision
        where decision.contract_id = contract.contract_id and decision.applied) resolved
    where greatest(resolved.recorded_at, position.opened_at) < now() - interval '15 minutes'
    order by position.position_id limit ${MOST}`;
}

/** Items that were recorded more than an hour ago and are in no checkpoint of the log. */
async function findBehindLog(sql: Sql, operatorId: string): Promise<Finding[]> {
  return sql<Finding[]>`
    select 'log_behind' as "check", 'warning' as severity, 'The log has ' || coalesce(head.size, 0) || ' of ' || ledger.sequence
      || ' items; the next one was recorded more than an hour ago.' as detail, 'record' as "subjectType", (coalesce(head.size, 0) + 1)::text as "subjectId"
    from operator_ledgers ledger left join feed_log_heads head on head.operator_id = ledger.operator_id
    where ledger.operator_id = ${operatorId} and ledger.sequence > coalesce(head.size, 0)
      -- an item that is missing has no time; the ledger has that of the last one
      and coalesce((select row.recorded_at from journal row where row.operator_id = ${operatorId} and row.sequence <= coalesce(head.size, 0) + 1
        order by row.sequence desc limit 1), ledger.recorded_at) < now() - interval '1 hour'`;
}

/** Exits with which the venue disagrees, and holdings of our account there that the books lack. */
async function findDisagreement(sql: Sql, operatorId: string, from: Date): Promise<Found[]> {
  const held = await sql<Found[]>`
    select 'venue_agreement' as "check", 'critical' as severity,
      'The account at the venue differs from the books: ' || replace(found.kind, '_', ' ') || '.' as detail,
      'record' as "subjectType", found.order_id::text as "subjectId", ${unread(sql, 'found.finding_id')}
    from venue_findings found where found.operator_id = ${operatorId} and found.cleared_at is null order by found.finding_id limit ${MOST}`;
  const exits = await sql<Found[]>`
    select 'venue_agreement' as "check", 'critical' as severity,
      'The venue does not agree with this exit of ' || micro_number(row.quantity_micros) || ' contracts.' as detail, 'record' as "subjectType",
      item_id('exi', row.digits, row.order_id) as "subjectId", ${unread(sql, 'row.sequence')}
    from journal row where row.operator_id = ${operatorId} and row.kind = 'contracts_sold' and not row.venue_agrees and row.recorded_at >= ${from}
    order by row.sequence limit ${MOST}`;
  return [...held, ...exits];
}

interface EvidenceRow {
  readonly orderId: string;
  readonly executionRef: string;
  readonly kind: string;
  readonly severity: Finding['severity'];
  readonly raw: unknown;
  readonly unread: number;
}

/** Reports of venues or support persons that must be looked at, critical ones first. */
async function findVenueEvidence(sql: Sql, operatorId: string, from: Date): Promise<Found[]> {
  const rows = await sql<EvidenceRow[]>`
    select e.order_id, e.kind, e.severity, e.raw, coalesce(o.execution_ref, e.order_id) as execution_ref,
      ${unread(sql, "(e.severity = 'critical') desc, e.recorded_at desc")}
    from venue_evidence e left join orders o on o.operator_id = e.operator_id and o.order_id = e.order_id
    where e.operator_id = ${operatorId} and e.recorded_at >= ${from}
    order by (e.severity = 'critical') desc, e.recorded_at desc limit ${MOST}`;
  return rows.map(({ orderId, executionRef, kind, severity, raw, unread }) => ({
    unread,
    check: 'venue_evidence',
    severity,
    detail: describeEvidence(kind, raw, executionRef),
    subjectType: 'record',
    subjectId: orderId,
  }));
}

/** Events and deliveries that an operator has not received yet, and deliveries that were given up since `from`. */
async function findWebhookTrouble(sql: Sql, operatorId: string, from: Date): Promise<Finding[]> {
  const stuck = await findStuckDeliveries(sql, operatorId);
  const exhausted = await findExhaustedDeliveries(sql, operatorId, from);
  return [
    ...stuck.map((owed) =>
      webhookFinding(
        owed,
        owed.endpointId === null
          ? `${owed.count} events wait to be queued, the oldest since ${owed.oldestAt}.`
          : `${owed.count} deliveries to one endpoint are not acknowledged, the oldest since ${owed.oldestAt}.`,
      ),
    ),
    ...exhausted.map((lost) =>
      webhookFinding(
        lost,
        `${lost.count} deliveries to one endpoint were given up, the first at ${lost.oldestAt}; they can be replayed.`,
      ),
    ),
  ];
}

const webhookFinding = ({ endpointId, oldestId }: StuckDeliveries, detail: string): Finding => ({
  check: 'webhook_stuck',
  severity: 'warning',
  detail,
  subjectType: 'record',
  subjectId: endpointId ?? oldestId,
});

const SENTENCES: Readonly<Record<string, string>> = {
  person: 'A support person recorded the outcome of the order at the venue',
  garbage: 'The venue answered about the order in a way that cannot be read',
  foreign_order: 'The venue returned another order than the one requested',
  foreign_fill: 'The venue reported a fill that belongs to another order; it is not booked',
  fill_changed: 'The venue now reports a fill differently than it was booked',
  fill_missing: 'The venue no longer reports a fill that was booked',
  fee_changed: 'The venue now reports another fee than the one that was booked',
  impossible_fee: 'The venue reported a fee below zero; it is not booked',
  impossible_price: 'The venue reported a price that is not between $0 and $1; the fill is not booked',
  impossible_quantity: 'The venue reported more contracts than were sent, or none; the fill is not booked',
  beyond_limit: 'The venue reported a price beyond the limit of the order',
  beyond_quantity: 'More contracts were filled than were sent',
  overrun: 'The venue took more than the customer is charged; the service bears the difference',
};

/**
 * One sentence for the reader: the report, in dollars and contracts.
 * @param raw as it is stored: quantities and prices in millionths, as text
 */
export function describeEvidence(kind: string, raw: unknown, executionRef: string): string {
  const reported = publicReason(wordsOf(raw), executionRef) ?? '';
  const sentence = SENTENCES[kind] ?? `Reported about the order: ${kind.replaceAll('_', ' ')}`;
  return reported === '' ? `${sentence}.` : `${sentence}: ${reported.replace(/\.$/, '')}.`;
}

const dollars = (micros: string) => `$${jsonNumber(BigInt(micros), MICRO_SCALE)}`;
const contracts = (micros: string) => `${jsonNumber(BigInt(micros), MICRO_SCALE)} contracts`;

/** The text of each figure. Fields in neither list identify the order or its market at the venue, and are left out. */
const FIGURES: Readonly<Record<string, (value: string) => string>> = {
  quantityMicros: contracts,
  quantity: contracts,
  priceMicros: (value) => `price ${dollars(value)}`,
  feeMicros: (value) => `fee ${dollars(value)}`,
  feeMinor: (value) => `fee $${formatMinor(BigInt(value))}`,
  sentMicros: (value) => `${contracts(value)} were sent`,
  limitMicros: (value) => `limit ${dollars(value)}`,
  amount: (value) => `$${value}`,
  rejected: (value) => (value === 'true' ? 'nothing was filled' : ''),
};
const TEXTS = new Set(['evidence', 'learned', 'reason', 'fills']);
const WHOLE = /^-?\d+$/;

/** Writes text unchanged and figures with their units. */
function wordsOf(raw: unknown): string {
  if (Array.isArray(raw)) {
    return raw.map(wordsOf).filter(Boolean).join('; ');
  }
  if (!isJsonObject(raw)) {
    return raw === null || raw === undefined ? '' : String(raw);
  }
  return Object.entries(raw)
    .map(([name, value]) => {
      if (TEXTS.has(name)) {
        return wordsOf(value);
      }
      const text = value === null || isJsonObject(value) ? '' : String(value);
      const isFigure = name === 'rejected' || name === 'amount' || WHOLE.test(text);
      return text !== '' && isFigure ? (FIGURES[name]?.(text) ?? '') : '';
    })
    .filter(Boolean)
    .join(', ');
}
