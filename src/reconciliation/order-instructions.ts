/**
 * The demands of an order: the movements that the operator books in its own ledger, and the next steps of a support person. Pure: rules of
 * the contract, no reads.
 */
import type { Mode } from '../core/terms.ts';
import { debitOf, proceedsOf, settlementState } from '../money/blocks.ts';
import { formatMinor } from '../money/usd.ts';
import type { OrderRow } from '../trading/orders/order.ts';
import type { AttemptRow, Gates, SettlementMoneyRow } from './order-timeline.ts';

/** One movement of the operator's ledger. It is booked under `key`, so that it is booked once. */
export interface LedgerInstruction {
  readonly action: 'reserve' | 'hold' | 'debit' | 'release' | 'credit';
  /** Dollars, as the API returns them. */
  readonly amount: string;
  readonly key: string;
  readonly because: string;
}

type Order = Omit<OrderRow, 'operatorId'>;

/** Contract 1.4 and the mapping of `settlementState`. No amount is computed from price and quantity. */
export function operatorInstructions(order: Order, settlement: SettlementMoneyRow | undefined): LedgerInstruction[] {
  return [
    ...(order.action === 'buy' ? buyInstructions(order) : sellInstructions(order)),
    ...settlementInstructions(settlement),
  ];
}

function buyInstructions(order: Order): LedgerInstruction[] {
  const key = order.clientOrderId;
  const authorization = formatMinor(order.authorizationMinor);
  const reserve: LedgerInstruction = {
    action: 'reserve',
    amount: authorization,
    key,
    because: 'authorizationAmount, before the order',
  };
  if (settlementState(order) === 'pending') {
    return [reserve, { action: 'hold', amount: authorization, key, because: 'not final: release and debit nothing' }];
  }
  const debit = debitOf(order);
  const released = order.authorizationMinor - debit;
  const instructions: LedgerInstruction[] = [reserve];
  if (debit > 0n) {
    instructions.push({
      action: 'debit',
      amount: formatMinor(debit),
      key: order.orderId,
      because: 'actualDebit',
    });
  }
  if (released > 0n) {
    const because = `releaseAmount of a ${order.status.replaceAll('_', ' ')} order`;
    instructions.push({
      action: 'release',
      amount: formatMinor(released),
      key: order.cancellationId ?? order.orderId,
      because,
    });
  }
  return instructions;
}

function sellInstructions(order: Order): LedgerInstruction[] {
  const proceeds = proceedsOf(order);
  if (settlementState(order) === 'pending' || proceeds === 0n) {
    return [];
  }
  const amount = formatMinor(proceeds);
  return [{ action: 'credit', amount, key: order.orderId, because: 'sellProceeds, net of fees' }];
}

function settlementInstructions(settlement: SettlementMoneyRow | undefined): LedgerInstruction[] {
  if (settlement === undefined) {
    return [];
  }
  const { settlementId: key, settlementCreditMinor: won, voidCreditMinor: voided, outcome } = settlement;
  return won + voided === 0n
    ? []
    : [
        {
          action: 'credit',
          amount: formatMinor(won + voided),
          key,
          because: `${won > 0n ? 'settlementCredit' : 'voidCredit'} of the whole position, ${outcome}`,
        },
      ];
}

interface TracedState {
  readonly order: Order & { readonly armed: boolean; readonly slug: string; readonly mode: Mode };
  readonly gates: Gates;
  readonly attempt: AttemptRow | undefined;
  readonly undelivered: number;
  readonly exhausted: readonly string[];
}

/** The next steps of a support person, most urgent first. Empty if the order is final and every delivery was made. */
export function nextSteps({ order, gates, attempt, undelivered, exhausted }: TracedState): string[] {
  const steps: string[] = [];
  const { slug, executionRef: reference, orderId } = order;
  if (gates.status !== 'active') {
    steps.push(`${slug} is suspended: "inlay operators resume ${slug}" lets it trade again.`);
  }
  if (order.status === 'reserve_pending') {
    steps.push(
      `The operator confirms its reserve ("inlay orders confirm-reserve ${orderId}") or withdraws ("inlay orders cancel ${orderId}").`,
    );
    steps.push(...missingCollateral(order, gates));
  }
  if (order.status === 'reserve_pending' || order.status === 'pending_venue_execution') {
    if (!gates.executionConfirmed) {
      steps.push(
        `Live execution is not confirmed for ${slug}: "inlay operators update ${slug} --execution-confirmed" confirms it.`,
      );
    }
    if (!order.armed) {
      steps.push(`The order is not armed: "inlay orders arm ${reference}".`);
    }
    if (gates.tradingPaused) {
      steps.push(`Trading is paused: "inlay operators resume-trading ${slug}".`);
    }
    if (gates.marketStatus === 'paused') {
      steps.push(`The market is halted: "inlay markets resume ${order.contractId}".`);
    }
    if (order.status === 'pending_venue_execution' && steps.length === 0) {
      steps.push('It waits to be sent: is a worker running? ("inlay jobs list")');
    }
  }
  if (attempt !== undefined && attempt.state !== 'done') {
    steps.push(...openAttempt(attempt, reference));
  }
  if (undelivered > 0) {
    steps.push(
      `${undelivered === 1 ? 'One webhook delivery is' : `${undelivered} webhook deliveries are`} still tried; the feed and the registers say the same meanwhile.`,
    );
  }
  if (exhausted.length > 0) {
    steps.push(`Deliveries were given up: "inlay webhooks replay ${exhausted.join(' ')}".`);
  }
  return steps;
}

/** Confirming a live buy commits its authorization. */
function missingCollateral(
  { mode, action, authorizationMinor: needed, slug }: TracedState['order'],
  gates: Gates,
): string[] {
  if (mode !== 'live' || action !== 'buy' || gates.collateralMinor >= needed) {
    return [];
  }
  const lacking = needed - gates.collateralMinor;
  return [
    `Confirming takes ${formatMinor(needed)} of collateral, ${formatMinor(gates.collateralMinor)} is available: "inlay operators collateral deposit ${slug} ${lacking}" or more.`,
  ];
}

function openAttempt(attempt: AttemptRow, reference: string): string[] {
  const asked = `asked ${attempt.lookups === 1 ? 'once' : `${attempt.lookups} times`}, next at ${attempt.nextLookupAt.toISOString()}`;
  if (attempt.state === 'working') {
    return [`It is open at ${attempt.venue} and may still fill (${asked}).`];
  }
  if (attempt.state === 'reading_fee') {
    return [`Only the fee of ${attempt.venue} is not known yet (${asked}).`];
  }
  return [
    `${attempt.venue} has not reported what became of ${attempt.ourId} (${asked}). The operator holds the authorization.`,
    `When the venue has informed a person: "inlay orders resolve ${reference} --filled Q --price P --fee CENTS | --rejected --evidence TEXT".`,
  ];
}
