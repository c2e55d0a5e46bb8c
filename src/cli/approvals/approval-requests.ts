/**
 * What each kind of approval asks for, as it is stored, and an approval as commands show it. Stored amounts are text, because
 * JSON has no whole numbers of that size.
 */
import { z } from 'zod';
import { APPROVAL_KINDS, type Approval } from '../../operators/approvals.ts';

const cents = z.string().regex(/^-?\d{1,18}$/);
const moment = z.iso.datetime();

export const approvalRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('approval_rules'), kinds: z.array(z.enum(APPROVAL_KINDS)) }),
  z.strictObject({
    kind: z.literal('collateral_withdrawal'),
    operatorId: z.string(),
    amountMinor: cents,
    reference: z.string().nullable(),
    effectiveAt: moment.nullable(),
  }),
  z.strictObject({
    kind: z.literal('correction'),
    operatorId: z.string(),
    entryId: z.string(),
    memo: z.string(),
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
    /** The micro-contracts that were recorded when the person asked: price and fee are those of the rest. */
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
