/** Balances of the accounts at any moment, from the running balances of the lines. Reads only. */
import type { Sql } from '../db/client.ts';

export interface AccountBalance {
  readonly accountId: string;
  /** Signed cents, debit positive: what is owed to somebody reads negative. */
  readonly balanceMinor: bigint;
}

/** @param at what was recorded before this moment counts; left out, everything. */
export async function balancesAt(sql: Sql, operatorId: string, at?: Date): Promise<AccountBalance[]> {
  return sql<AccountBalance[]>`
    select account_id as "accountId", balance as "balanceMinor"
    from balances_at(${operatorId}, feed_position_at(${operatorId}, coalesce(${at ?? null}, 'infinity'::timestamptz)))
    order by account_id`;
}
