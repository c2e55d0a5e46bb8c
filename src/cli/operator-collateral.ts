/** Shared by `operators collateral deposit` and `withdraw`: their flags, the movement, and its printed form. */
import { Flags } from '@oclif/core';
import { readMomentParameter } from '../core/moment.ts';
import { REFERENCE, REFERENCE_RULE } from '../core/reference.ts';
import type { Sql } from '../db/client.ts';
import { moveCollateral } from '../ledger/collateral.ts';
import { formatMinor } from '../money/usd.ts';
import { findOperator } from '../operators/operators.ts';
import { notFound, usage } from './failure.ts';
import { momentFlag } from './times.ts';

export interface PrintedMovement {
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

export const movementFlags = {
  reference: Flags.string({
    helpValue: 'REF',
    summary:
      'Your own reference of the movement. Repeating the command with the same reference and amount moves nothing and prints the first result.',
  }),
  effective: momentFlag({
    summary: 'Time at which the money moved at the bank; it must be in an open period. By default now.',
  }),
};

/** @throws a usage failure for a reference in another format */
export function checkReference(reference: string | undefined): void {
  if (reference !== undefined && !REFERENCE.test(reference)) {
    throw usage(`--reference: ${REFERENCE_RULE}`);
  }
}

/** @param amountMinor cents. @throws insufficient_collateral, idempotency_conflict, period_closed; not found if there is no such operator. */
export async function moveOperatorCollateral(
  sql: Sql,
  slug: string,
  kind: 'deposit' | 'withdrawal',
  amountMinor: bigint,
  { reference, effective }: { readonly reference?: string | undefined; readonly effective?: string | undefined },
): Promise<PrintedMovement> {
  checkReference(reference);
  const effectiveAt = readMomentParameter('effective', effective) ?? null;
  const operator = await findOperator(sql, slug);
  if (operator === undefined) {
    throw notFound(`There is no operator ${slug}.`, 'unknown_operator');
  }
  const moved = await moveCollateral(sql, operator.operatorId, kind, amountMinor, reference ?? null, effectiveAt);
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
