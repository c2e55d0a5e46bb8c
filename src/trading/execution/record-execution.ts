/** Records what a venue, the service itself or a person reported of a transmitted order; decided again if the order has changed. */
import type { Mode } from '../../core/terms.ts';
import type { Sql } from '../../db/client.ts';
import type { FillMoney } from '../../money/blocks.ts';
import type { VenueOrder } from '../../venues/port.ts';
import type { OrderRow } from '../orders/order.ts';
import type { AttemptState, OrderCommand } from '../orders/order-command.ts';
import { type ApplyTransition, createTransitions } from '../orders/transition-orders.ts';
import type { PositionRow } from '../positions/position.ts';
import { findPosition } from '../positions/positions.ts';
import type { CrossCheck } from './cross-check-fills.ts';
import { type ExecutedFill, type Execution, sumFills } from './execution.ts';
import { createExecutionContextReader, type ExecutionContext, type ReadExecutionContext } from './execution-context.ts';
import { buyExecution } from './record-buy.ts';
import { sellExecution } from './record-sell.ts';
import { type Learned, learnedExecution } from './resolution-by-person.ts';
import { soldPosition } from './take-exits.ts';
import { postpone, recordEvidence } from './transmissions.ts';
import { type Evidence, known, validateReport } from './validate-report.ts';

export interface RecordPorts {
  readonly sql: Sql;
  readonly readExecutionContext: ReadExecutionContext;
  readonly transition: ApplyTransition;
}

/** What a process records executions with: one for all orders, so that they are read and written in batches. */
export function createRecordPorts(sql: Sql): RecordPorts {
  return { sql, readExecutionContext: createExecutionContextReader(sql), transition: createTransitions(sql) };
}

/** What was reported: by a venue, by a person, or by the service about its own simulated fill. */
export type ExecutionReport =
  | { readonly from: 'venue'; readonly order: VenueOrder; readonly crossCheck?: CrossCheck | null }
  | { readonly from: 'refusal'; readonly reason: string }
  | { readonly from: 'person'; readonly learned: Learned; readonly evidence: string }
  /** `fill` is null if a scenario fills nothing. */
  | {
      readonly from: 'service';
      readonly fill: ExecutedFill | null;
      readonly askedMicros: bigint;
      readonly money: FillMoney;
    };

/** The venue certainly has no such order: everything is released (contract 18.6). */
export const NOT_TAKEN: ExecutionReport = { from: 'refusal', reason: 'venue_unavailable' };

const DECISIONS = 10;

/**
 * @param begun what the process that sent the order knows of it: the first decision then needs no read
 * @returns the state of the attempt after it, or null if the order was not open.
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

/** The customer never pays an overrun; a person should ask the venue why it took more than it reported. */
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
  const asked = attempt?.quantity ?? order.quotedQuantity;
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
  // While a report contradicts the attempt, nothing is final: the venue is asked again and a person looks at the evidence.
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

/** @returns null if nothing is new, `moved` if the order has changed since it was read. */
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
  // An open sell holds its contracts back. If they are not held, they left with a transition between the two reads.
  if (position.heldQuantity < order.quotedQuantity - exited) {
    return 'moved';
  }
  return sellExecution(order, execution, soldPosition(position));
}

/** Where a report only brings fees of recorded fills, it matters whether their contracts are still held. */
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
