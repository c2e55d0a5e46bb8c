/** The collateral of an operator, read from its balances. */
import type { Sql } from '../../src/db/client.ts';
import { ACCOUNTS } from '../../src/ledger/render/entry.ts';

/** Cents that are free and cents that are committed. */
export async function readCollateral(
  sql: Sql,
  operatorId: string,
): Promise<{ availableMinor: bigint; committedMinor: bigint }> {
  const rows = await sql<{ accountId: string; balance: bigint }[]>`
    select account_id, balance from account_balances
    where operator_id = ${operatorId} and account_id in (${ACCOUNTS.collateralAvailable}, ${ACCOUNTS.collateralCommitted})`;
  const balance = (account: string) => -(rows.find((row) => row.accountId === account)?.balance ?? 0n);
  return {
    availableMinor: balance(ACCOUNTS.collateralAvailable),
    committedMinor: balance(ACCOUNTS.collateralCommitted),
  };
}
