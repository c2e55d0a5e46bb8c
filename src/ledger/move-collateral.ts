/** Deposits and withdrawals of an operator's collateral, made by the service operator. The database refuses an overdraft. */

import { refuse } from '../core/errors.ts';
import { numberFacts } from '../core/fact.ts';
import type { Sql } from '../db/client.ts';
import { ACCOUNTS } from './accounts.ts';
import { collateralMoved } from './collateral.ts';
import { postEntry } from './entry.ts';

const CHECK_VIOLATION = '23514';

/**
 * @param amountMinor cents, above 0.
 * @throws insufficient_collateral where less is available than is withdrawn.
 */
export async function moveCollateral(
  sql: Sql,
  operatorId: string,
  kind: 'deposit' | 'withdrawal',
  amountMinor: bigint,
): Promise<void> {
  const signed = kind === 'deposit' ? amountMinor : -amountMinor;
  const entry = postEntry({
    movementType: kind === 'deposit' ? 'COLLATERAL_DEPOSIT' : 'COLLATERAL_WITHDRAWAL',
    memo: kind === 'deposit' ? 'Collateral deposited' : 'Collateral withdrawn',
    referenceType: 'operator',
    referenceId: operatorId,
    lines: [
      [ACCOUNTS.collateralDeposits, signed],
      [ACCOUNTS.collateralAvailable, -signed],
    ],
  });
  if (entry === null) {
    throw refuse('invalid_request', 'The amount is a whole number of cents above 0.');
  }
  const facts = JSON.stringify(numberFacts([entry, collateralMoved(kind, amountMinor, entry)]));
  try {
    await sql`select record_operator_facts(${operatorId}, ${facts}::text::json)`;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === CHECK_VIOLATION) {
      throw refuse('insufficient_collateral');
    }
    throw error;
  }
}

/** Cents that are free and cents that are committed. */
export async function readCollateral(
  sql: Sql,
  operatorId: string,
): Promise<{ availableMinor: bigint; committedMinor: bigint }> {
  const rows = await sql<{ account_id: string; balance: bigint }[]>`
    select account_id, balance from account_balances
    where operator_id = ${operatorId} and account_id in (${ACCOUNTS.collateralAvailable}, ${ACCOUNTS.collateralCommitted})`;
  const balance = (account: string) => -(rows.find((row) => row.account_id === account)?.balance ?? 0n);
  return {
    availableMinor: balance(ACCOUNTS.collateralAvailable),
    committedMinor: balance(ACCOUNTS.collateralCommitted),
  };
}
