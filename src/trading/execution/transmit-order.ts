/**
 * Sends one order, once: plans its attempt, records it, sends it and records the response. The transition to `submitted` records the
 * attempt before it is sent; after that the order is only looked up, whatever happens. The service fills simulated orders on the same path.
 */
import { newId } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import { type Action, otherSide, type Side } from '../../core/terms.ts';
import type { Clock, Ticks } from '../../core/time.ts';
import type { Sql } from '../../db/client.ts';
import type { Board } from '../../markets/board/board.ts';
import type { BoardContract, Book } from '../../markets/event.ts';
import { askLadder, bidLadder } from '../../money/book.ts';
import { type PlanRefusal, planLiveBuy, planLiveSell, takerFee } from '../../money/live-plan.ts';
import {
  type MayWrite,
  type OrderToPlace,
  type UnfitOrder,
  type Venue,
  type VenueFill,
  type VenueOrder,
  VenueUnknown,
} from '../../venues/port.ts';
import type { Venues } from '../../venues/registry.ts';
import { misfit } from '../../venues/shapes.ts';
import { type WithdrawReason, withdrawal } from '../orders/change-order.ts';
import type { NewAttempt, OrderCommand, OrderRow } from '../orders/order.ts';
import { isTransmissionRefusal } from '../orders/orders.ts';
import { type ScenarioPart, simulate } from '../orders/simulate-fill.ts';
import { classifyFreshness, partIsPaused } from '../quotes/routing.ts';
import { nameAttempt, noteNotSent, postpone, recordEvidence, venueIdOf, type WaitingOrder } from './attempts.ts';
import { orderSent } from './execution-rows.ts';
import {
  begunContext,
  type ExecutionContext,
  type ExecutionReport,
  NOT_TAKEN,
  type RecordPorts,
  recordExecution,
} from './record-execution.ts';
import { crossCheckOf, readCrossCheck } from './report.ts';
import { createSendDeadline, heed, type SendGate } from './send-gate.ts';

export interface TransmitPorts extends SendPorts {
  readonly board: Board;
  readonly clock: Clock;
  readonly ticks: Ticks;
}

interface SendPorts extends RecordPorts {
  readonly gate: SendGate;
  readonly log: Logger;
  readonly venues: Venues;
}

/** Seconds after which an attempt without a response is looked up. Longer than an adapter waits for its response. */
const SILENCE_SECONDS = 7;
/** Seconds after which the venue itself refuses the order, so that "not found" can count. By the database's clock. */
const VALID_SECONDS = 30;

/** The reasons with which an order is withdrawn that the venue would not take in this market. */
const UNFIT = { below_minimum: 'below_venue_minimum', off_grid: 'price_moved', unpaid: 'line_not_available' } as const;

/**
 * Withdraws a waiting order, fills or sends it and records the result, or leaves it waiting while a gate is closed.
 * @returns false if the order waits for a gate or a fresh book, so that it need not be tried again at once
 */
export async function transmitOrder(ports: TransmitPorts, order: WaitingOrder): Promise<boolean> {
  if (order.withdraw !== null) {
    await endUnsent(ports, order, order.withdraw);
    return true;
  }
  if (order.simulated) {
    await fillSimulated(ports, order);
    return true;
  }
  if (!ports.venues.list.some(({ name }) => name === order.venue)) {
    await ports.transition(withdrawal(order, order.mode, 'line_not_available'));
    return true;
  }
  const shut = ports.gate.shut(order.venue);
  if (shut !== null) {
    ports.log.debug({ orderId: order.orderId, why: shut }, 'order not sent: orders to the venue wait');
    return false;
  }
  const venue = ports.venues.get(order.venue);
  const plan = planAttempt(ports.board, venue, order, venueIdOf(order.orderId), ports.clock.now());
  if ('wait' in plan) {
    ports.log.warn(
      { orderId: order.orderId, why: plan.wait },
      'order not sent: its attempt cannot be planned yet; will retry',
    );
    return false;
  }
  if ('withdraw' in plan) {
    await ports.transition(withdrawal(order, order.mode, plan.withdraw));
    return true;
  }
  const planned = await prepare(ports, venue, order, plan.order);
  if (planned === null) {
    return false;
  }
  if ('unfit' in planned) {
    await ports.transition(withdrawal(order, order.mode, UNFIT[planned.unfit]));
    return true;
  }
  const inTime = createSendDeadline(ports.clock, ports.ticks);
  const mayWrite = () => inTime() && ports.gate.shut(order.venue) === null;
  const begunAt = await begin(ports, order, planned);
  if (begunAt !== null) {
    const expiresAt = new Date(begunAt.getTime() + VALID_SECONDS * 1_000);
    const begun = begunContext(order, newAttempt(order.venue, planned));
    await sendOrder(ports, order, { ...planned, expiresAt }, begun, mayWrite);
  }
  return true;
}

/** A simulated order that was begun can no longer be withdrawn. It ends without a fill, as if a venue had refused it. */
async function endUnsent(ports: TransmitPorts, order: WaitingOrder, reason: WithdrawReason): Promise<void> {
  if (order.transmissionState === 'not_transmitted') {
    await ports.transition(withdrawal(order, order.mode, reason));
  } else {
    await recordExecution(ports, order.operatorId, order.orderId, order.mode, { from: 'refusal', reason });
  }
}

async function fillSimulated(ports: TransmitPorts, order: WaitingOrder): Promise<void> {
  const outcome = fillLocally(ports.board.contracts.get(order.contractId), order);
  const begun = order.status === 'submitted';
  if (outcome === null && !begun) {
    await ports.transition(withdrawal(order, order.mode, 'price_moved'));
    return;
  }
  if (!begun && (await begin(ports, order, null)) === null) {
    return;
  }
  await recordExecution(ports, order.operatorId, order.orderId, order.mode, simulatedReport(outcome));
}

/**
 * Fills a recorded intent on the book as it is now: whole, or as much as its scenario fills.
 * @returns the fill and the quantity that was ordered; null if the book moved past the accepted price
 */
function fillLocally(
  contract: BoardContract | undefined,
  order: ScenarioPart & {
    readonly action: Action;
    readonly side: Side;
    readonly venue: string;
    readonly priceMicros: bigint;
    readonly feeBps: number;
    readonly authorizationMinor: bigint;
    readonly quotedFeeMinor: bigint;
    readonly quotedTradeMinor: bigint;
    readonly quotedQuantityMicros: bigint;
    readonly slippageMicros: bigint;
    readonly executionRef: string;
  },
) {
  const line = {
    ...order,
    tradeMinor: order.quotedTradeMinor,
    feeMinor: order.quotedFeeMinor,
    quantityMicros: order.quotedQuantityMicros,
  };
  const outcome = simulate(contract, line, order.slippageMicros, order.executionRef);
  if (outcome.status === 'rejected') {
    return null;
  }
  const money = { tradeMinor: outcome.tradeMinor, platformFeeMinor: outcome.platformFeeMinor, venueFeeMinor: 0n };
  const { status, fillPriceMicros: priceMicros, filledMicros } = outcome;
  // A whole fill at another price within the slippage has another quantity than the quote.
  const askedMicros = status === 'filled' ? filledMicros : order.quotedQuantityMicros;
  return { priceMicros, filledMicros, askedMicros, money };
}

/** The fill as a report of the service. */
function simulatedReport(outcome: ReturnType<typeof fillLocally>): ExecutionReport {
  if (outcome === null) {
    return { from: 'refusal', reason: 'price_moved' };
  }
  const { priceMicros, filledMicros, askedMicros, money } = outcome;
  const fill =
    priceMicros === null
      ? null
      : {
          fillId: newId('fil'),
          venueFillId: null,
          recorded: false,
          feeRecorded: false,
          priceMicros,
          quantityMicros: filledMicros,
          feeMicros: 0n,
        };
  return { from: 'service', fill, askedMicros, money };
}

/** The order as it is sent, without its expiry, which is read from the database's clock. */
export type PlannedOrder = Omit<OrderToPlace, 'expiresAt'>;

type Plan =
  | { readonly order: PlannedOrder }
  /** The code with which the order is withdrawn unsent. */
  | { readonly withdraw: PlanRefusal['code'] | 'line_not_available' }
  /** Why the order keeps waiting, for example because no book is fresh now. */
  | { readonly wait: string };

/** The book of the order's contract at its venue; undefined if it has none now. */
export function bookAt(board: Board, order: Pick<OrderRow, 'contractId' | 'venue'>): Book | undefined {
  return board.contracts.get(order.contractId)?.books.find((candidate) => candidate.venue === order.venue);
}

/** Plans the one attempt of an order on the book as it is now: its limit, its quantity and the bound on its cost. */
function planAttempt(board: Board, venue: Venue, order: OrderRow, ourId: string, now: Date): Plan {
  const contract = board.contracts.get(order.contractId);
  const book = bookAt(board, order);
  if (contract === undefined || book === undefined) {
    return { wait: 'no book of the contract' };
  }
  if (order.action === 'buy' && book.matched && !contract.routable) {
    // The match ended after the order was placed, so no more is bought there.
    return { withdraw: 'line_not_available' };
  }
  if (partIsPaused(board, book)) {
    return { wait: 'the venue has paused trading on this part' };
  }
  const classified = classifyFreshness(board, contract, book, order.authorizationMinor, now);
  if ('refusal' in classified) {
    // An old price is not one of the reasons to withdraw (contract 12.15), so the order waits until the feed is back.
    return { wait: classified.refusal.code };
  }
  const steps = {
    stepMicros: book.quantityStepMicros,
    minimumMicros: venue.minimumQuantityMicros,
    quotedPriceMicros: order.priceMicros,
    maxSlippageMicros: order.slippageMicros,
  };
  const head = {
    ourId,
    listingId: book.listingId,
    side: book.inverse ? otherSide(order.side) : order.side,
    ...(book.part === null ? {} : { part: book.part }),
    fee: book.fee,
  };
  if (order.action === 'sell') {
    const ladder = bidLadder(order.side, book.bids, book.asks);
    const plan = planLiveSell({ ...steps, ladder, contractsMicros: order.quotedQuantityMicros });
    return plan.ok
      ? {
          order: {
            ...head,
            action: 'SELL',
            quantityMicros: plan.quantityMicros,
            limitPriceMicros: plan.limitPriceMicros,
          },
        }
      : { withdraw: plan.code };
  }
  const plan = planLiveBuy({
    ...steps,
    minimumCostMinor: venue.minimumAmountMinor,
    ladder: askLadder(order.side, book.bids, book.asks),
    tradeMinor: order.quotedTradeMinor,
    takerFee: takerFee(book.fee),
    ...(venue.feeStepMicros === undefined ? {} : { feeStepMicros: venue.feeStepMicros }),
    boundsCost: venue.takesCostBound,
    takesDollars: venue.takesDollars === true,
  });
  if (!plan.ok) {
    return { withdraw: plan.code };
  }
  return {
    order: {
      ...head,
      action: 'BUY',
      quantityMicros: plan.quantityMicros,
      limitPriceMicros: plan.limitPriceMicros,
      ...(venue.takesCostBound ? { maxCostMicros: plan.maxCostMicros } : {}),
      ...(plan.spendMicros === undefined ? {} : { spendMicros: plan.spendMicros }),
    },
  };
}

/**
 * Prepares the order at a venue that needs it, for example to learn its id there before it is sent.
 * @returns the order as it is recorded and sent; null if the venue did not respond, so that the order waits
 */
async function prepare(
  ports: TransmitPorts,
  venue: Venue,
  order: WaitingOrder,
  planned: PlannedOrder,
): Promise<PlannedOrder | UnfitOrder | null> {
  if (venue.prepareOrder === undefined) {
    return planned;
  }
  try {
    const prepared = await venue.prepareOrder(planned);
    if (prepared === null) {
      return planned;
    }
    return 'unfit' in prepared ? prepared : { ...planned, prepared };
  } catch (error) {
    if (!(error instanceof VenueUnknown)) {
      throw error;
    }
    heed(ports.gate, order.venue, 'send', error, planned.part);
    ports.log.warn(
      { orderId: order.orderId, err: error.message },
      'order not sent: the venue did not prepare it; will retry',
    );
    return null;
  }
}

/** @returns when the attempt was recorded, by the database's clock; null if this process may not send the order */
async function begin(ports: TransmitPorts, order: WaitingOrder, toPlace: PlannedOrder | null): Promise<Date | null> {
  const verdict = await ports.transition(beginning(order, toPlace));
  if (verdict.code === null) {
    return verdict.movedAt;
  }
  if (isTransmissionRefusal(verdict.code)) {
    await ports.transition(withdrawal(order, order.mode, verdict.code));
  }
  return null;
}

/**
 * The transition to `submitted`, which records the attempt.
 * @param toPlace the order as it is sent; null if it is simulated
 * @param adopts whether the order is at the venue already, so that gates and caps are not checked
 */
export function beginning(order: OrderRow, toPlace: PlannedOrder | null, adopts = false): OrderCommand {
  const begun: OrderRow = { ...order, status: 'submitted', transmissionState: 'unknown' };
  const attempt = toPlace && newAttempt(order.venue, toPlace);
  return {
    ...begun,
    begins: true,
    adopts,
    attempt,
    attemptState: attempt && 'sending',
    lookupInSeconds: SILENCE_SECONDS,
    exposureMinor: order.action === 'buy' && !order.simulated ? order.authorizationMinor : 0n,
    journal: [orderSent(begun, order.status, attempt)],
  };
}

function newAttempt(venue: string, toPlace: PlannedOrder): NewAttempt {
  return {
    ourId: toPlace.ourId,
    venue,
    listingId: toPlace.listingId,
    side: toPlace.side,
    action: toPlace.action,
    quantityMicros: toPlace.quantityMicros,
    limitPriceMicros: toPlace.limitPriceMicros,
    spendMicros: toPlace.spendMicros ?? null,
    venueRef: toPlace.prepared?.venueRef ?? null,
    venueTerms: toPlace.prepared?.terms ?? null,
    validSeconds: VALID_SECONDS,
  };
}

/**
 * Sends one recorded attempt to its venue, and records the result: a report, a proof that it was not taken, or silence.
 * @param begun the order with its attempt as they were just recorded
 * @param mayWrite called right before the first byte is written: checks the deadline and whether the venue's gate is still open
 */
async function sendOrder(
  ports: SendPorts,
  order: WaitingOrder,
  toPlace: OrderToPlace,
  begun: ExecutionContext,
  mayWrite: MayWrite,
): Promise<void> {
  try {
    const venue = ports.venues.get(order.venue);
    const answer = await venue.placeOrder(toPlace, mayWrite);
    const report: ExecutionReport =
      answer.outcome === 'rejected' && answer.order === null
        ? { from: 'refusal', reason: answer.reason }
        : await reportPlaced(ports.sql, venue, order, toPlace, answer as PlacedAnswer);
    await recordExecution(ports, order.operatorId, order.orderId, order.mode, report, begun);
  } catch (error) {
    if (!(error instanceof VenueUnknown)) {
      throw error;
    }
    if (error.evidence !== null) {
      const raw = error.evidence;
      await recordEvidence(ports.sql, {
        operatorId: order.operatorId,
        orderId: order.orderId,
        kind: 'garbage',
        severity: 'warning',
        raw,
      });
    }
    heed(ports.gate, order.venue, 'send', error, toPlace.part);
    if (error.notTaken && (await ports.gate.booksAreCompared(order.venue))) {
      ports.log.warn({ orderId: order.orderId, err: error.message }, 'order rejected: the venue did not take it');
      await recordNotSent(ports, order, error.message);
      return;
    }
    const why = error.notTaken
      ? 'order not sent: an earlier attempt may be missing from the database; will retry'
      : 'the venue did not respond; the order will be looked up';
    ports.log.warn({ orderId: order.orderId, err: error.message }, why);
    await postpone(ports.sql, order, 'unknown');
  }
}

/** A response with the order as the venue has it. */
type PlacedAnswer = { readonly order: VenueOrder; readonly confirmed?: readonly VenueFill[] };

/** @throws VenueUnknown if the venue responded with the order of another attempt */
async function reportPlaced(
  sql: Sql,
  venue: Venue,
  order: WaitingOrder,
  { ourId, prepared, ...toPlace }: OrderToPlace,
  { order: placed, confirmed }: PlacedAnswer,
): Promise<ExecutionReport> {
  if (!(await nameAttempt(sql, venue, order, placed.venueOrderId))) {
    throw misfit(venue.name, 'order', 'the order is known as that of another attempt', placed);
  }
  const sent = { ...toPlace, venueRef: prepared?.venueRef ?? placed.venueOrderId, terms: prepared?.terms };
  const crossCheck = confirmed === undefined ? await readCrossCheck(venue, ourId, sent) : crossCheckOf(confirmed);
  return { from: 'venue', order: placed, crossCheck };
}

/** Stores the proof before the order ends, so that another worker finds it after a crash. */
async function recordNotSent(ports: SendPorts, order: WaitingOrder, proof: string): Promise<void> {
  await noteNotSent(ports.sql, order, proof);
  await recordExecution(ports, order.operatorId, order.orderId, order.mode, NOT_TAKEN);
}
