/** What happened to an order, in order of time: one event a line, described in words and with its data. Pure. */
import { formatDecimal, MICRO_SCALE } from '../../money/decimal.ts';
import type { ReferencedOrder } from '../../trading/orders/find-orders.ts';
import { describeEvidence } from '../report/venue-evidence.ts';
import type { OrderEvidence, OrderFact } from './order-evidence.ts';

export interface TimelineEvent {
  readonly at: string;
  /** A feed item's type, or quote.issued, reserve.confirmed, transmission.sent, transmission.answered, venue.evidence, ledger.posted, webhook.emitted, webhook.attempted. */
  readonly type: string;
  /** One sentence for people. */
  readonly summary: string;
  readonly [fact: string]: unknown;
}

/** Of the same instant: the cause before what follows from it. */
const RANK = ['quote.issued', 'reserve.confirmed', 'transmission.sent', 'order.state_changed', 'order.filled'];
const rankOf = (type: string): number => (RANK.includes(type) ? RANK.indexOf(type) : RANK.length);

export function timelineOf(order: ReferencedOrder, evidence: OrderEvidence): TimelineEvent[] {
  const timeline: TimelineEvent[] = [...quoteAndReserve(order, evidence), ...attemptEvents(order, evidence)];
  timeline.push(...evidence.facts.map(factEvent));
  for (const entry of evidence.entries) {
    const summary = `${entry.movementType}: ${entry.memo}`;
    timeline.push({ at: entry.recordedAt.toISOString(), type: 'ledger.posted', summary, entryId: entry.entryId });
  }
  for (const event of evidence.events) {
    const summary = `webhook event ${event.type} emitted`;
    timeline.push({ at: event.createdAt.toISOString(), type: 'webhook.emitted', summary, eventId: event.eventId });
  }
  for (const { deliveryId, type, attempts } of evidence.deliveries) {
    for (const { attempt, startedAt, status, error, durationMs } of attempts) {
      const answer = error === null ? `answered ${status}` : (error ?? `answered ${status}`);
      const summary = `${type} attempt ${attempt} ${answer} after ${durationMs} ms`;
      timeline.push({ at: startedAt, type: 'webhook.attempted', summary, deliveryId, attempt, status });
    }
  }
  return timeline.sort((a, b) => (a.at === b.at ? rankOf(a.type) - rankOf(b.type) : a.at < b.at ? -1 : 1));
}

function quoteAndReserve(order: ReferencedOrder, { quote }: OrderEvidence): TimelineEvent[] {
  const timeline: TimelineEvent[] = [];
  if (quote !== undefined) {
    const price = formatDecimal(quote.priceMicros, MICRO_SCALE);
    timeline.push({
      at: quote.createdAt.toISOString(),
      type: 'quote.issued',
      summary: `${order.action} ${order.side} quoted at ${price}, held until ${quote.expiresAt.toISOString()}`,
      quoteId: order.quoteId,
    });
  }
  if (order.reserveConfirmedAt !== null) {
    const reference = order.reserveReference;
    timeline.push({
      at: order.reserveConfirmedAt.toISOString(),
      type: 'reserve.confirmed',
      summary: `reserve confirmed${reference === null ? '' : ` as ${reference}`}`,
      reserveReference: reference,
    });
  }
  return timeline;
}

function attemptEvents({ executionRef }: ReferencedOrder, { attempt, evidence }: OrderEvidence): TimelineEvent[] {
  const timeline: TimelineEvent[] = evidence.map(({ kind, severity, raw, recordedAt: at }) => ({
    at: at.toISOString(),
    type: 'venue.evidence',
    summary: `${severity}: ${describeEvidence(kind, raw, executionRef)}`,
    severity,
    kind,
    raw,
  }));
  if (attempt === undefined) {
    return timeline;
  }
  const { ourId, venue } = attempt;
  const quantity = formatDecimal(attempt.quantity, MICRO_SCALE);
  const limit = formatDecimal(attempt.limitPriceMicros, MICRO_SCALE);
  const summary = `sent to ${venue} as ${ourId}: ${quantity} contracts, limit ${limit}`;
  timeline.push({ at: attempt.sentAt.toISOString(), type: 'transmission.sent', summary, ourId, venue });
  if (attempt.answeredAt !== null) {
    const answered = `${venue} answered; the attempt is ${attempt.state}`;
    timeline.push({
      at: attempt.answeredAt.toISOString(),
      type: 'transmission.answered',
      summary: answered,
      ourId,
      venue,
    });
  }
  return timeline;
}

function factEvent(fact: OrderFact): TimelineEvent {
  const { sequence, type, occurredAt, money, detail } = fact;
  return { at: occurredAt, type, summary: describe(fact), sequence: Number(sequence), money, detail };
}

function describe({ type, money, detail }: OrderFact): string {
  switch (type) {
    case 'order.state_changed': {
      const amounts = money === null ? '' : `, debit ${money.actualDebit}, release ${money.releaseAmount}`;
      const reason = detail.reason === null ? '' : ` (${detail.reason})`;
      return `${detail.fromState ?? 'new'} to ${detail.toState}${amounts}${reason}`;
    }
    case 'order.filled':
      return `${detail.quantity} contracts at ${detail.price}`;
    case 'fee.assessed':
      return `${detail.kind} fee ${money.amount}`;
    case 'collateral.moved':
      return `collateral ${detail.kind} ${money.amount}, available ${money.balanceAfter}`;
    case 'position.exited':
      return `sold ${detail.quantity} at ${detail.exitPrice}, proceeds ${money.sellProceeds}`;
    case 'position.settled':
      return `position ${detail.outcome}: credit ${money.settlementCredit}, void credit ${money.voidCredit}`;
    default:
      return type;
  }
}
