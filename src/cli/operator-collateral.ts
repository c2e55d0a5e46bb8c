/** Moves an operator's collateral for a command. */
import { Flags } from '@oclif/core';
import { REFERENCE, REFERENCE_RULE } from '../core/reference.ts';
import type { Sql } from '../db/client.ts';
import { moveCollateral } from '../ledger/move-collateral.ts';
import { formatMinor } from '../money/usd.ts';
import { findOperator } from '../operators/operators.ts';
import { notFound, usage } from './failure.ts';

export interface CollateralMovement {
  readonly operatorId: string;
  readonly slug: string;
  readonly currency: 'USD';
  readonly reference: string;
  readonly kind: 'deposit' | 'withdrawal';
  readonly amount: string;
  readonly recordedAt: string;
  readonly available: string;
  readonly committed: string;
}

export const referenceFlag = {
  reference: Flags.string({
    helpValue: 'R',
    summary:
      'Your own reference. A repetition with the same reference and amount moves nothing and prints the first result.',
  }),
};

/** @throws insufficient_collateral, idempotency_conflict; not found if there is no such operator. */
export async function moveOperatorCollateral(
  sql: Sql,
  slug: string,
  kind: 'deposit' | 'withdrawal',
  amountMinor: bigint,
  reference: string | undefined,
): Promise<CollateralMovement> {
  if (reference !== undefined && !REFERENCE.test(reference)) {
    throw usage(`--reference: ${REFERENCE_RULE}`);
  }
  const operator = await findOperator(sql, slug);
  if (operator === undefined) {
    throw notFound(`There is no operator ${slug}.`, 'unknown_operator');
  }
  const moved = await moveCollateral(sql, operator.operatorId, kind, amountMinor, reference ?? null);
  return {
    operatorId: operator.operatorId,
    slug: operator.slug,
    currency: 'USD',
    reference: moved.reference,
    kind: moved.kind,
    amount: formatMinor(moved.amountMinor),
    recordedAt: moved.recordedAt.toISOString(),
    available: formatMinor(moved.availableMinor),
    committed: formatMinor(moved.committedMinor),
  };
}
