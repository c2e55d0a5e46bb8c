/**
 * The requests that a second person approves: their stored form, how commands show them, and how they are carried out. If a process
 * dies in between, no money moves twice.
 */
import { z } from 'zod';
import { refuse } from '../core/errors.ts';
import type { Sql } from '../db/client.ts';
import { moveCollateral } from '../ledger/collateral.ts';
import { reopenMarket, resolveMarket } from '../markets/decisions.ts';
import { formatMinor } from '../money/usd.ts';
import { APPROVAL_KINDS, type Approval, setRequired } from '../operators/approvals.ts';
import { createRecordPorts, resolveByPerson } from '../trading/execution/record-execution.ts';
import type { Learned } from '../trading/execution/report.ts';
import { orderText, paidText, payoutText, quotedMarket } from './questions.ts';
import { findOneOrder } from './service/find-orders.ts';

/**
 * Carries out an approved request. Each use case checks again that the facts allow it, and each can be repeated without effect: a
 * withdrawal by its reference, a decision about a market by the version that was seen, an order by its state.
 * @returns the result for `--json`
 * @throws the refusals of the use case; facts_changed
 */
export async function carryOut(sql: Sql, approval: Approval): Promise<object> {
  const request = approvalRequest.parse(approval.request);
  switch (request.kind) {
    case 'approval_rules':
      await setRequired(sql, request.kinds);
      return { required: request.kinds };
    case 'collateral_withdrawal': {
      const moved = await moveCollateral(
        sql,
        request.operatorId,
        'withdrawal',
        BigInt(request.amountMinor),
        request.reference ?? approval.approvalId,
        dateOf(request.effectiveAt),
      );
      return { reference: moved.reference, amount: formatMinor(moved.amountMinor), recordedAt: moved.recordedAt };
    }
    case 'market_resolution': {
      const { contractId, resolution, splitYesMicros, version } = request;
      const yes = splitYesMicros === null ? null : BigInt(splitYesMicros);
      return resolveMarket(sql, contractId, { resolution, splitYesMicros: yes }, version);
    }
    case 'market_reopening':
      return reopenMarket(sql, request.contractId, request.version);
    case 'order_resolution':
      return resolveOrder(sql, approval, request);
  }
}

/**
 * Present effect of a request about a market, for the person who decides; the rest is in the request itself.
 * @returns a sentence with a space after it, or an empty text
 */
export async function effectOf(sql: Sql, approval: Approval): Promise<string> {
  const request = approvalRequest.parse(approval.request);
  switch (request.kind) {
    case 'market_resolution': {
      const { contractId, resolution, splitYesMicros } = request;
      const yes = splitYesMicros === null ? null : BigInt(splitYesMicros);
      return `${await quotedMarket(sql, contractId)}: ${await payoutText(sql, contractId, { resolution, splitYesMicros: yes })} `;
    }
    case 'market_reopening':
      return `${await quotedMarket(sql, request.contractId)}: ${await paidText(sql, request.contractId)} `;
    case 'order_resolution':
      return `It is ${await orderText(sql, await findOneOrder(sql, request.orderId, { operator: request.operatorId }))}. `;
    default:
      return '';
  }
}

async function resolveOrder(
  sql: Sql,
  { approvalId, decidedBy }: Approval,
  request: Extract<ApprovalRequest, { kind: 'order_resolution' }>,
): Promise<object> {
  const order = await findOneOrder(sql, request.orderId, { operator: request.operatorId });
  if (order.filledQuantityMicros.toString() !== request.filledMicros) {
    throw refuse(
      'facts_changed',
      'Fills were recorded after this was requested: price and fee are no longer those of the rest.',
    );
  }
  const { learned } = request;
  const known: Learned = learned.rejected
    ? { rejected: true }
    : {
        rejected: false,
        quantityMicros: BigInt(learned.quantityMicros),
        priceMicros: BigInt(learned.priceMicros),
        feeMinor: BigInt(learned.feeMinor),
      };
  const evidence = `${request.evidence} (approved by ${decidedBy}, ${approvalId})`;
  await resolveByPerson(createRecordPorts(sql), order, known, evidence);
  return { orderId: order.orderId, executionRef: order.executionRef };
}

const dateOf = (moment: string | null) => (moment === null ? null : new Date(moment));

/** Stored amounts are text, because JSON has no whole numbers of that size. */
const cents = z.string().regex(/^-?\d{1,18}$/);
const moment = z.iso.datetime();

const approvalRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('approval_rules'), kinds: z.array(z.enum(APPROVAL_KINDS)) }),
  z.strictObject({
    kind: z.literal('collateral_withdrawal'),
    operatorId: z.string(),
    amountMinor: cents,
    reference: z.string().nullable(),
    effectiveAt: moment.nullable(),
  }),
  z.strictObject({
    kind: z.literal('market_resolution'),
    contractId: z.string(),
    resolution: z.enum(['YES', 'NO', 'VOID', 'SPLIT']),
    splitYesMicros: cents.nullable(),
    /** The version of the resolution that the person saw. */
    version: z.int(),
  }),
  z.strictObject({ kind: z.literal('market_reopening'), contractId: z.string(), version: z.int() }),
  z.strictObject({
    kind: z.literal('order_resolution'),
    operatorId: z.string(),
    orderId: z.string(),
    learned: z.discriminatedUnion('rejected', [
      z.strictObject({ rejected: z.literal(true) }),
      z.strictObject({ rejected: z.literal(false), quantityMicros: cents, priceMicros: cents, feeMinor: cents }),
    ]),
    evidence: z.string(),
    /** Micro-contracts that were recorded when the person made the request. Price and fee are those of the rest. */
    filledMicros: cents,
  }),
]);

export type ApprovalRequest = z.infer<typeof approvalRequest>;

export type ShownApproval = Omit<Approval, 'requestedAt' | 'expiresAt' | 'decidedAt'> & {
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | null;
};

export function renderApproval({ requestedAt, expiresAt, decidedAt, ...approval }: Approval): ShownApproval {
  return {
    ...approval,
    requestedAt: requestedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  };
}
