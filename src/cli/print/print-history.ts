/** The history of an order as text for support, within 80 columns. It prints what it is given and adds no fact to it. */
import { nameMarket, withThousands } from '../../core/plain-words.ts';
import type { OrderTrace, TracedEntry, TracedLevel } from '../../reconciliation/trace-order.ts';
import type { OrderHistory } from '../../wire/history.ts';
import type { Delivery } from '../../wire/webhook.ts';
import type { Paint } from '../terminal/printable.ts';
import { printableValue } from '../terminal/printable.ts';
import { wrapText } from '../terminal/wrap-text.ts';

const LABEL = 14;
const WIDTH = 80;

/** @param raw the history as the operator reads it, or the trace of the service operator, which has more */
export function drawHistory(raw: OrderHistory | OrderTrace, paint: Paint): string[] {
  const history = printableValue(raw);
  const trace = 'ledger' in history ? history : undefined;
  const { order } = history;
  const title = (text: string) => ['', paint('bold', text)];
  const fact = (name: string, value: string) => `  ${paint('dim', name.padEnd(LABEL))}  ${value}`;
  return [
    ...wrapText(history.sentence, WIDTH),
    '',
    `${paint('bold', order.executionRef)}  ${paint(colourOf(order.settlementState, order.status), order.status)}`,
    fact('order', order.orderId),
    fact('clientOrderId', order.clientOrderId),
    ...(trace === undefined
      ? [fact('customer', order.externalUserId)]
      : [fact('operator', `${trace.order.operator} (${trace.order.mode}), customer ${order.externalUserId}`)]),
    ...(trace?.order.market ? [fact('market', nameMarket(trace.order.market.title, trace.order.market.label))] : []),
    fact('line', `${order.action} ${order.side} of ${order.contractId}`),
    fact('amounts', order.settlementState === 'settled' ? 'final (settled)' : 'not final (pending)'),
    fact('transmission', order.transmissionState),
    ...(order.rejectReason === null ? [] : [fact('rejected', order.rejectReason)]),
    ...(order.cancelReason === null ? [] : [fact('cancel reason', order.cancelReason)]),
    ...(trace === undefined ? [] : [...title('Quote'), ...drawQuote(trace.order, fact, paint)]),
    ...title('Money'),
    ...moneyLines(order).map(([name, value]) => fact(name, value)),
    ...title('Timeline'),
    ...history.timeline.map(({ at, type, text }) => `  ${paint('dim', at)}  ${type}\n      ${text}`),
    ...(trace === undefined ? [] : [...title('Ledger'), ...drawLedger(trace.ledger, paint)]),
    ...title('Webhooks'),
    ...(history.webhooks.length === 0
      ? ['  no delivery']
      : history.webhooks.flatMap((one) => drawDelivery(one, paint))),
    ...title(`Bookings that ${trace === undefined ? 'your' : "the operator's"} own ledger should have`),
    ...(history.instructions.length === 0 ? ['  nothing'] : []),
    ...history.instructions.map(
      ({ type, amount, key, at }) =>
        `  ${type.padEnd(8)}${withThousands(amount).padStart(12)}  ${paint('dim', at)}\n${' '.repeat(24)}${paint('dim', `key ${key}`)}`,
    ),
    ...(trace === undefined ? [] : [...title('What to do next'), ...drawNext(trace.order.next)]),
  ];
}

function colourOf(settlementState: string, status: string): 'green' | 'red' | 'yellow' {
  return settlementState === 'pending' ? 'yellow' : status === 'rejected' ? 'red' : 'green';
}

function drawQuote(
  { quote, venue }: OrderTrace['order'],
  fact: (name: string, value: string) => string,
  paint: Paint,
): string[] {
  return [
    fact('price', `${quote.price} for ${withThousands(quote.contracts)} contracts, ${venue}`),
    fact('quoted', quote.quotedAt),
    ...drawLevels(quote.levels, paint),
  ];
}

/** The levels of the book that the quote took. */
function drawLevels(levels: readonly TracedLevel[], paint: Paint): string[] {
  return levels.map(({ price, quantity }, place) => {
    const name = place === 0 ? 'book' : '';
    return `  ${paint('dim', name.padEnd(LABEL))}  ${withThousands(quantity)} at ${price}`;
  });
}

function moneyLines(order: OrderHistory['order']): [string, string][] {
  const lines: [string, string][] = [];
  const { operatorMoney: buy, operatorExitMoney: sell } = order;
  if (buy !== null) {
    lines.push(['authorization', withThousands(buy.authorizationAmount)]);
    lines.push([
      'debit',
      `${withThousands(buy.actualDebit)} = ${withThousands(buy.tradeAmount)} trade + ${withThousands(buy.platformFee)} platform + ${withThousands(buy.venueFee)} venue`,
    ]);
    const unfinished = order.settlementState === 'pending' ? ', no instruction while it is pending' : '';
    lines.push(['release', `${withThousands(buy.releaseAmount)}${unfinished}`]);
  }
  if (sell !== null) {
    lines.push([
      'proceeds',
      `${withThousands(sell.sellProceeds)}, net of ${withThousands(sell.platformFee)} platform and ${withThousands(sell.venueFee)} venue`,
    ]);
  }
  lines.push([
    'filled',
    `${withThousands(order.filledQuantity)} contracts${order.averagePrice === null ? '' : ` at ${order.averagePrice}`}`,
  ]);
  for (const fill of order.fills ?? []) {
    lines.push(['fill', `${withThousands(fill.quantity)} at ${fill.price}, ${fill.filledAt}`]);
  }
  return lines;
}

const drawLedger = (entries: readonly TracedEntry[], paint: Paint): string[] =>
  entries.length === 0 ? ['  nothing posted'] : entries.flatMap((entry) => drawEntry(entry, paint));

/** The entries as T accounts: debits on the left, credits on the right, then the balance. */
function drawEntry(entry: TracedEntry, paint: Paint): string[] {
  const blank = (amount: string) => (amount === '0.00' ? '' : withThousands(amount));
  return [
    `  ${entry.movementType}  ${entry.memo}  ${paint('dim', entry.recordedAt)}`,
    ...entry.lines.map(
      ({ accountId, debit, credit, balanceAfter }) =>
        `    ${accountId.slice(0, 28).padEnd(28)} ${blank(debit).padStart(11)} | ${blank(credit).padEnd(11)} ${paint('dim', `= ${balanceText(balanceAfter)}`)}`,
    ),
  ];
}

/** Money that we owe is a credit balance. */
function balanceText(balance: string): string {
  const size = withThousands(balance.replace('-', ''));
  return balance.startsWith('-') ? `${size} Cr` : `${size} Dr`;
}

function drawDelivery({ deliveryId, endpointId, type, status, attempts }: Delivery, paint: Paint): string[] {
  return [
    `  ${type}\n    ${deliveryId}\n      ${status} to ${endpointId}, ${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`,
    ...attempts.map(
      (attempt) =>
        `      ${paint('dim', attempt.at)}  ${attempt.status ?? 'no answer'}  ${attempt.ms} ms  ${attempt.error ?? ''}`,
    ),
  ];
}

const drawNext = (steps: readonly string[]): string[] =>
  steps.length === 0 ? ['  Nothing: the order is final.'] : steps.map((step) => `  - ${step}`);
