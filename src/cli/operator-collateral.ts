/** Moves an operator's collateral for a command: by an amount, or to one. */
import type { Sql } from '../db/client.ts';
import { moveCollateral, readCollateral } from '../ledger/move-collateral.ts';
import { formatMinor } from '../money/usd.ts';
import { findOperator } from '../operators/operators.ts';
import { notFound } from './failure.ts';

export interface CollateralFacts {
  readonly operatorId: string;
  readonly slug: string;
  readonly currency: 'USD';
  readonly available: string;
  readonly committed: string;
}

/** @throws insufficient_collateral; not found where there is no such operator. */
export async function moveOperatorCollateral(
  sql: Sql,
  slug: string,
  kind: 'deposit' | 'withdrawal',
  amountMinor: bigint,
): Promise<CollateralFacts> {
  const operator = await findOperator(sql, slug);
  if (operator === undefined) {
    throw notFound(`There is no operator ${slug}.`, 'unknown_operator');
  }
  const { operatorId } = operator;
  await moveCollateral(sql, operatorId, kind, amountMinor);
  const { availableMinor, committedMinor } = await readCollateral(sql, operatorId);
  return {
    operatorId,
    slug: operator.slug,
    currency: 'USD',
    available: formatMinor(availableMinor),
    committed: formatMinor(committedMinor),
  };
}

/**
 * Deposits or withdraws what is missing to `totalMinor`, available and committed together: said twice, it moves once.
 * @throws insufficient_collateral where more is committed than that.
 */
export async function setOperatorCollateral(sql: Sql, operatorId: string, totalMinor: bigint): Promise<void> {
  const { availableMinor, committedMinor } = await readCollateral(sql, operatorId);
  const missingMinor = totalMinor - availableMinor - committedMinor;
  if (missingMinor !== 0n) {
    const kind = missingMinor > 0n ? 'deposit' : 'withdrawal';
    await moveCollateral(sql, operatorId, kind, missingMinor > 0n ? missingMinor : -missingMinor);
  }
}
