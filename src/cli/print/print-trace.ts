/** The history of an order as text for support, within 80 columns. It prints the trace and adds no fact to it. */
import type { OrderTrace, TracedEntry, TracedLevel } from '../../reconciliation/trace-order.ts';
import { nameMarket } from '../service/market-names.ts';
import { minuteOf, withThousands } from '../terminal/facts.ts';
import type { Paint } from '../terminal/printable.ts';
import { printableValue } from '../terminal/printable.ts';
import { wrapText } from '../terminal/wrap-text.ts';

const LABEL = 14;
const WIDTH = 80;

export function drawTrace(raw: OrderTrace, paint: Paint): string[] {
  const trace = printableValue(raw);
  const { order } = trace;
  const title = (text: string) => ['', paint('bold', text)];
  const fact = (name: string, value: string) => `  ${paint('dim', name.padEnd(LABEL))}  ${value}`;
  return [
    ...wrapText(sentenceOf(trace), WIDTH),
    '',
    `${paint('bold', order.executionRef)}  ${paint(colourOf(order.settlementState, order.status), order.status)}`,
    fact('order', order.orderId),
    fact('clientOrderId', order.clientOrderId),
    fact('operator', `${order.operator} (${order.mode}), customer ${order.externalUserId}`),
    ...(order.market === null ? [] : [fact('market', nameMarket(order.market.title, order.market.label))]),
    fact('line', `${order.action} ${order.side} of ${order.contractId}`),
    fact('amounts', order.settlementState === 'settled' ? 'final (settled)' : 'not final (pending)'),
    fact('transmission', order.transmissionState),
    ...(order.rejectReason === null ? [] : [fact('rejected', order.rejectReason)]),
    ...(order.cancelReason === null ? [] : [fact('cancel reason', order.cancelReason)]),
    ...title('Quote'),
    fact('price', `${order.quote.price} for ${withThousands(order.quote.contracts)} contracts, ${order.venue}`),
    fact('quoted', order.quote.quotedAt),
    ...drawLevels(order.quote.levels, paint),
    ...title('Money'),
    ...moneyLines(order).map(([name, value]) => fact(name, value)),
    ...title('Timeline'),
    ...trace.timeline.map(({ at, type, summary }) => `  ${paint('dim', at)}  ${type}\n      ${summary}`),
    ...title('Ledger'),
    ...(trace.ledger.length === 0 ? ['  nothing posted'] : trace.ledger.flatMap((entry) => drawEntry(entry, paint))),
    ...title('Webhooks'),
    ...(trace.webhooks.length === 0 ? ['  no webhook event'] : []),
    ...trace.webhooks.flatMap(({ type, deliveries }) => [
      `  ${type}${deliveries.length === 0 ? paint('dim', '  no endpoint subscribes to it') : ''}`,
      ...deliveries.flatMap(({ deliveryId, endpointId, status, attempts }) => [
        `    ${deliveryId}\n      ${status} to ${endpointId}, ${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}`,
        ...attempts.map(
          (attempt) =>
            `      ${paint('dim', attempt.startedAt)}  ${attempt.status ?? 'no answer'}  ${attempt.durationMs} ms  ${attempt.error ?? ''}`,
        ),
      ]),
    ]),
    ...title("The operator's own ledger should hold"),
    ...(order.operatorLedger.length === 0 ? ['  nothing'] : []),
    ...order.operatorLedger.map(
      ({ action, amount, key, because }) =>
        `  ${action.padEnd(8)}${withThousands(amount).padStart(12)}  ${because}\n${' '.repeat(24)}${paint('dim', `key ${key}`)}`,
    ),
    ...title('What to do next'),
    ...(order.next.length === 0 ? ['  Nothing: the order is final.'] : order.next.map((step) => `  - ${step}`)),
  ];
}

/** The state of the customer's money, in words that support can read to the customer. */
function sentenceOf({ order, timeline }: OrderTrace): string {
  const { action, side, externalUserId: user, operatorMoney: buy, operatorExitMoney: sell } = order;
  const market = order.market === null ? order.contractId : nameMarket(order.market.title, order.market.label);
  const what = `${side} of "${market}"`;
  const on = minuteOf(order.createdAt);
  const filled = withThousands(order.filledQuantity);
  if (order.settlementState === 'pending') {
    const asked = buy === null ? `sell ${what}` : `buy ${what} for up to ${withThousands(buy.authorizationAmount)}`;
    const soFar = order.filledQuantity === 0 ? 'nothing is filled so far' : `${filled} contracts are filled so far`;
    return `${user}'s order of ${on} to ${asked} is not final; ${soFar}.`;
  }
  if (order.filledQuantity === 0) {
    const reason = order.rejectReason ?? order.cancelReason;
    const ended = order.status === 'rejected' ? 'was rejected' : 'was withdrawn';
    return `${user}'s order of ${on} to ${action} ${what} ${ended}${reason === null ? '' : ` (${reason})`}; no money moved.`;
  }
  const traded =
    buy === null
      ? `${user} sold ${filled} ${what} for ${withThousands(sell?.sellProceeds ?? '0.00')} on ${on}`
      : `${user} bought ${filled} ${what} for ${withThousands(buy.actualDebit)} on ${on}`;
  const settled = timeline.find(({ type }) => type === 'position.settled');
  const paid = order.operatorLedger.filter(({ because }) => because.includes('of the whole position'));
  if (settled === undefined) {
    return `${traded}. The position is not settled; nothing is due.`;
  }
  const amounts = paid.map(({ amount }) => withThousands(amount)).join(' and ');
  const due = paid.length === 0 ? 'nothing is due' : `${amounts} was credited for the whole position`;
  const [ended] = settled.summary.split(':');
  return `${traded}; ${ended} on ${minuteOf(settled.at)}; ${due}.`;
}

function colourOf(settlementState: string, status: string): 'green' | 'red' | 'yellow' {
  return settlementState === 'pending' ? 'yellow' : status === 'rejected' ? 'red' : 'green';
}

/** The levels of the book that the quote took. */
function drawLevels(levels: readonly TracedLevel[], paint: Paint): string[] {
  return levels.map(({ price, quantity }, place) => {
    const name = place === 0 ? 'book' : '';
    return `  ${paint('dim', name.padEnd(LABEL))}  ${withThousands(quantity)} at ${price}`;
  });
}

function moneyLines(order: OrderTrace['order']): [string, string][] {
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
