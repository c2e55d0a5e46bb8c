/**
 * Carries out an approved request. Each use case checks again that the facts allow it, and each can be repeated without effect:
 * a withdrawal by its reference, a correction by its entry, a decision about a market by the version that was seen, an order
 * by its state. So a process that died in between never moves money twice.
 */
import { refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';
import { moveCollateral } from '../../ledger/collateral.ts';
import { correctEntry } from '../../ledger/corrections.ts';
import { reopenMarket, resolveMarket } from '../../markets/decisions.ts';
import { formatMinor } from '../../money/usd.ts';
import { type Approval, setRequired } from '../../operators/approvals.ts';
import { createRecordPorts, resolveByPerson } from '../../trading/execution/record-execution.ts';
import type { Learned } from '../../trading/execution/report.ts';
import { findOneOrder } from '../service/find-one-order.ts';
import { type ApprovalRequest, approvalRequest } from './approval-requests.ts';

/** @returns what was done, for `--json`. @throws the refusals of the use case; facts_changed. */
export async function carryOut(sql: Sql, approval: Approval): Promise<object> {
  const request = approvalRequest.parse(approval.request);
  switch (request.kind) {
    case 'approval_rules':
      await setRequired(sql, request.kinds, approval.requestedBy);
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
    case 'correction': {
      const effectiveAt = dateOf(request.effectiveAt);
      const entryId = await correctEntry(sql, request.operatorId, {
        entryId: request.entryId,
        memo: request.memo,
        correctionId: approval.approvalId.replace(/^apr_/, 'ent_'),
        ...(effectiveAt === null ? {} : { effectiveAt }),
      });
      return { entryId };
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

async function resolveOrder(
  sql: Sql,
  { approvalId, decidedBy }: Approval,
  request: Extract<ApprovalRequest, { kind: 'order_resolution' }>,
): Promise<object> {
  const order = await findOneOrder(sql, request.orderId, { operator: request.operatorId });
  if (order.filledQuantity.toString() !== request.filledMicros) {
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
