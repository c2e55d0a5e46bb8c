/** `venue_evidence`: what venues or persons reported that has to be looked at, in sentences that name no venue and none of its ids. */
import { isJsonObject } from '../../core/json.ts';
import type { Sql } from '../../db/client.ts';
import { jsonNumber, MICRO_SCALE } from '../../money/decimal.ts';
import { formatMinor } from '../../money/usd.ts';
import { publicReason } from '../../trading/execution/public-reason.ts';
import type { Finding } from '../../wire/reconciliation.ts';

interface EvidenceRow {
  readonly orderId: string;
  readonly executionRef: string;
  readonly kind: string;
  readonly severity: Finding['severity'];
  readonly raw: unknown;
}

const MOST = 100;

export async function findVenueEvidence(sql: Sql, operatorId: string, from: Date): Promise<Finding[]> {
  const rows = await sql<EvidenceRow[]>`
    select e.order_id, e.kind, e.severity, e.raw, coalesce(o.execution_ref, e.order_id) as execution_ref
    from venue_evidence e left join orders o on o.operator_id = e.operator_id and o.order_id = e.order_id
    where e.operator_id = ${operatorId} and e.recorded_at >= ${from}
    order by e.recorded_at desc limit ${MOST}`;
  return rows.map(({ orderId, executionRef, kind, severity, raw }) => ({
    check: 'venue_evidence',
    severity,
    detail: describeEvidence(kind, raw, executionRef),
    subjectType: 'record',
    subjectId: orderId,
  }));
}

const SENTENCES: Readonly<Record<string, string>> = {
  person: 'A person recorded what the venue said about the order',
  garbage: 'The venue answered about the order in a way that cannot be read',
  foreign_order: 'The venue answered with another order than the one it was asked about',
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
 * One sentence for people: what was reported, in dollars and contracts.
 * @param raw as it is stored: quantities and prices in millionths, as text
 */
export function describeEvidence(kind: string, raw: unknown, executionRef: string): string {
  const reported = publicReason(wordsOf(raw), executionRef) ?? '';
  const sentence = SENTENCES[kind] ?? `Reported about the order: ${kind.replaceAll('_', ' ')}`;
  return reported === '' ? `${sentence}.` : `${sentence}: ${reported.replace(/\.$/, '')}.`;
}

const dollars = (micros: string) => `$${jsonNumber(BigInt(micros), MICRO_SCALE)}`;
const contracts = (micros: string) => `${jsonNumber(BigInt(micros), MICRO_SCALE)} contracts`;

/** How figures read. What is in neither list identifies the order or its market at the venue, and says nothing to an operator. */
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

/** Text as it is, a figure in its unit. */
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
