/**
 * Records the report of a venue, a support person or the service itself about a transmitted order. The report is validated against the
 * order, its attempt and its recorded fills, and decided again if the order has changed. A report that contradicts them is kept as
 * evidence.
 */
import { createBatcher } from '../../core/batcher.ts';
import { refuse } from '../../core/errors.ts';
import type { Mode } from '../../core/terms.ts';
import { callByOperator, operatorOf } from '../../db/by-operator.ts';
import type { Sql } from '../../db/client.ts';
import { type RecordedFill, readFills } from '../../ledger/fills.ts';
import type { FillMoney } from '../../money/blocks.ts';
import type { VenueOrder } from '../../venues/port.ts';
import type { AttemptState, OrderCommand, OrderRow } from '../orders/order.ts';
import { type ApplyTransition, createTransitions, findOrder } from '../orders/orders.ts';
import type { ReferencedOrder } from '../orders/read-orders.ts';
import { findPosition, type PositionRow } from '../positions.ts';
import { type Attempt, findAttempt, postpone, recordEvidence, type SentAttempt } from './attempts.ts';
import { createAnswerNotice, type TellAnswered } from './await-answer.ts';
import { buyExecution, sellExecution, soldPosition } from './record-fills.ts';
import {
  type CrossCheck,
  type Evidence,
  type ExecutedFill,
  type Execution,
  known,
  type Learned,
  learnedExecution,
  sumFills,
  validateReport,
} from './report.ts';

export interface RecordPorts {
  readonly sql: Sql;
  readonly tellAnswered: TellAnswered;
  readonly readExecutionContext: ReadExecutionContext;
  readonly transition: ApplyTransition;
}

/** Made once per process, so that all orders are read and written in batches. */
export function createRecordPorts(sql: Sql): RecordPorts {
  const tellAnswered = createAnswerNotice(sql);
  return {
    sql,
    tellAnswered,
    readExecutionContext: createExecutionContextReader(sql),
    transition: createTransitions(sql, tellAnswered),
  };
}

interface OrderKey {
  readonly operatorId: string;
  readonly orderId: string;
}

/** The order, its attempt and its recorded fills, against which a report is validated. */
export interface ExecutionContext {
  readonly order: OrderRow | undefined;
  readonly attempt: SentAttempt | undefined;
  /** Whether the venue has already confirmed that it has the order. */
  readonly acknowledged: boolean;
  /** Sorted by their numbers. */
  readonly recorded: readonly RecordedFill[];
}

type ReadExecutionContext = (key: OrderKey) => Promise<ExecutionContext>;

/** A report by a venue, by a support person, or by the service about its own simulated fill. */
export type ExecutionReport =
  | { readonly from: 'venue'; readonly order: VenueOrder; readonly crossCheck?: CrossCheck | null }
  | { readonly from: 'refusal'; readonly reason: string }
  | { readonly from: 'person'; readonly learned: Learned; readonly evidence: string }
  /** `fill` is null if a scenario fills nothing of the order. */
  | {
      readonly from: 'service';
      readonly fill: ExecutedFill | null;
      readonly askedMicros: bigint;
      readonly money: FillMoney;
    };

/** The report that the venue certainly has no such order, so that everything is released (contract 18.6). */
export const NOT_TAKEN: ExecutionReport = { from: 'refusal', reason: 'venue_unavailable' };

const DECISIONS = 10;

/**
 * @param begun the context of the process that sent the order, so that the first decision needs no read
 * @returns the state of the attempt afterwards, or null if the order was not open
 */
export async function recordExecution(
  ports: RecordPorts,
  operatorId: string,
  orderId: string,
  mode: Mode,
  report: ExecutionReport,
  begun?: ExecutionContext,
): Promise<AttemptState | null> {
  for (let decision = 0; decision < DECISIONS; decision += 1) {
    const context =
      decision === 0 && begun !== undefined ? begun : await ports.readExecutionContext({ operatorId, orderId });
    const { order } = context;
    if (order === undefined || order.transmissionState !== 'unknown') {
      return null;
    }
    const reported = await interpretReport(ports, order, context, mode, report);
    const execution = { ...reported, acknowledged: context.acknowledged };
    const transition = await decide(ports, order, execution);
    if (transition === 'moved') {
      continue;
    }
    const state = attemptState(transition, order, execution);
    if (transition === null) {
      await postpone(ports.sql, order, state);
      ports.tellAnswered(orderId);
      return state;
    }
    const verdict = await ports.transition({ ...transition, attemptState: state });
    if (verdict.code === null) {
      await warnOfOverrun(ports.sql, order, transition);
      return state;
    }
  }
  return null;
}

/** The customer never pays an overrun. A support person should ask the venue why it took more than it reported. */
async function warnOfOverrun(sql: Sql, order: OrderRow, transition: OrderCommand): Promise<void> {
  const overrun = transition.journal.find(({ kind }) => kind === 'overrun_posted');
  if (overrun !== undefined) {
    const subject = { operatorId: order.operatorId, orderId: order.orderId };
    await recordEvidence(sql, {
      ...subject,
      kind: 'overrun',
      severity: 'warning',
      raw: { overrunMinor: `${overrun.other}` },
    });
  }
}

async function interpretReport(
  { sql }: RecordPorts,
  order: OrderRow,
  { attempt, recorded }: ExecutionContext,
  mode: Mode,
  report: ExecutionReport,
): Promise<Execution> {
  const asked = attempt?.quantityMicros ?? order.quotedQuantityMicros;
  if (report.from === 'service') {
    const { fill, askedMicros, money } = report;
    return { mode, fills: fill === null ? [] : [fill], askedMicros, state: 'closed', reason: null, simulated: money };
  }
  const none = { mode, askedMicros: asked, reason: null };
  if (report.from === 'refusal') {
    const fills = recorded.map((fill) => known(fill, null));
    return { ...none, fills, state: fills.length > 0 ? 'closed' : 'rejected', reason: report.reason };
  }
  if (attempt === undefined) {
    throw new Error(`order ${order.orderId} has no attempt`);
  }
  if (report.from === 'person') {
    const learned = learnedExecution(order, attempt, recorded, mode, report.learned);
    const raw = { evidence: report.evidence, learned: report.learned };
    await keepEvidence(sql, order, [{ kind: 'person', raw }], 'info');
    await keepEvidence(sql, order, learned.evidence);
    return learned.execution;
  }
  const { fills, evidence } = validateReport(order, attempt, recorded, report.order);
  await keepEvidence(sql, order, evidence);
  const foreign = evidence.some(({ kind }) => kind === 'foreign_order');
  const closed = report.order.state !== 'working';
  // While a report contradicts the attempt, nothing is final: it is looked up again, and a support person examines the evidence.
  const trusted = !foreign && evidence.length === 0;
  const state =
    trusted && closed ? (report.order.state === 'rejected' && fills.length === 0 ? 'rejected' : 'closed') : 'working';
  const reason = state === 'rejected' ? report.order.reason : null;
  return { ...none, fills, state, reason, crossCheck: report.crossCheck ?? null };
}

async function keepEvidence(
  sql: Sql,
  order: OrderRow,
  evidence: readonly Evidence[],
  severity: 'warning' | 'info' = 'warning',
): Promise<void> {
  const subject = { operatorId: order.operatorId, orderId: order.orderId };
  for (const { kind, raw } of evidence) {
    await recordEvidence(sql, { ...subject, kind, severity, raw });
  }
}

/** @returns null if nothing is new, `moved` if the order has changed since it was read */
async function decide(
  { sql }: RecordPorts,
  order: OrderRow,
  execution: Execution,
): Promise<OrderCommand | null | 'moved'> {
  if (order.action === 'buy') {
    return buyExecution(order, execution, await positionOfLateFee(sql, order, execution));
  }
  const position = await findPosition(sql, order.operatorId, order.positionId ?? '');
  if (position === undefined) {
    throw new Error(`order ${order.orderId} sells from no position`);
  }
  const { filledMicros: exited } = sumFills(execution.fills.filter((fill) => fill.feeRecorded));
  // An open sell holds its contracts back. If they are not held, a transition between the two reads has taken them.
  if (position.heldQuantityMicros < order.quotedQuantityMicros - exited) {
    return 'moved';
  }
  return sellExecution(order, execution, soldPosition(position));
}

/** If a report only brings the fees of recorded fills, it matters whether their contracts are still held. */
async function positionOfLateFee(sql: Sql, order: OrderRow, { fills }: Execution): Promise<PositionRow | undefined> {
  return order.positionId !== null && fills.every((fill) => fill.recorded)
    ? findPosition(sql, order.operatorId, order.positionId)
    : undefined;
}

function attemptState(transition: OrderCommand | null, order: OrderRow, execution: Execution): AttemptState {
  const resolved = (transition?.transmissionState ?? order.transmissionState) === 'resolved';
  if (resolved) {
    return 'done';
  }
  return sumFills(execution.fills).filledMicros >= execution.askedMicros || execution.state === 'closed'
    ? 'reading_fee'
    : 'working';
}

/**
 * Records the outcome that a support person learned from the venue for an order whose outcome is unknown, with the evidence for it.
 * @throws order_not_unknown if it was never sent or its outcome is known; contradicts_fills if the recorded fills contradict it;
 * order_still_unknown if it could not be recorded. The first two record nothing.
 */
export async function resolveByPerson(
  ports: RecordPorts,
  order: ReferencedOrder,
  learned: Learned,
  evidence: string,
): Promise<void> {
  const { operatorId, orderId } = order;
  const attempt = await findAttempt(ports.sql, operatorId, orderId);
  if (attempt === undefined || order.transmissionState !== 'unknown') {
    throw refuse('order_not_unknown');
  }
  await recordExecution(ports, operatorId, orderId, order.mode, { from: 'person', learned, evidence });
  const now = await findOrder(ports.sql, operatorId, orderId);
  if (now?.transmissionState !== 'resolved') {
    throw refuse('order_still_unknown');
  }
}

type AttemptOfOrder = SentAttempt & Pick<Attempt, 'orderId' | 'state'>;

/**
 * The context that the sender knows without a read: the order as its transition to `submitted` left it. Any later change has raised its
 * version.
 */
export function begunContext(order: OrderRow, attempt: SentAttempt): ExecutionContext {
  const begun = { ...order, status: 'submitted', transmissionState: 'unknown', version: order.version + 1n } as const;
  return { order: begun, attempt, acknowledged: false, recorded: [] };
}

const MAX_BATCH = 128;
const CONCURRENCY = 2;

function createExecutionContextReader(sql: Sql): ReadExecutionContext {
  return createBatcher<OrderKey, ExecutionContext>(
    (all) =>
      callByOperator(sql, all, async (operatorId, keys) => {
        const operatorIds = keys.map(({ operatorId }) => operatorId);
        const orderIds = keys.map(({ orderId }) => orderId);
        // The laterals have a limit, because a plan that was made while the table was small would otherwise keep reading all of it.
        const orders = await sql<OrderRow[]>`
        select r.* from unnest(${operatorIds}::text[], ${orderIds}::text[]) as x(operator_id, order_id) cross join lateral (
          select * from orders r where r.operator_id = ${operatorOf(sql, operatorId)} and r.order_id = x.order_id
          order by r.operator_id, r.order_id limit 1) r`;
        // These are read after the order: its version refuses fills that are newer, but missing fills would be booked twice.
        const [attempts, fills] = await Promise.all([
          sql<AttemptOfOrder[]>`
          select t.* from unnest(${operatorIds}::text[], ${orderIds}::text[]) as x(operator_id, order_id) cross join lateral (
            select * from transmissions t where t.operator_id = ${operatorOf(sql, operatorId)} and t.order_id = x.order_id
            order by t.operator_id, t.order_id limit 1) t`,
          readFills(sql, keys),
        ]);
        const orderOf = new Map(orders.map((order) => [order.orderId, order]));
        const attemptOf = new Map(attempts.map((attempt) => [attempt.orderId, attempt]));
        return orderIds.map((orderId) => ({
          order: orderOf.get(orderId),
          attempt: attemptOf.get(orderId),
          acknowledged: ['working', 'reading_fee'].includes(attemptOf.get(orderId)?.state ?? ''),
          recorded: fills.get(orderId) ?? [],
        }));
      }),
    { name: 'read for executions', maxBatch: MAX_BATCH, concurrency: CONCURRENCY, retryAlone: true },
  );
}
