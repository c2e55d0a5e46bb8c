/**
 * Reads simulated wallets: balances and their entries. Only money statements write them, and only for sandbox
 * operators.
 */
import { asOperator } from '../db/as-operator.ts';
import type { Sql } from '../db/client.ts';
import { holdAccount, walletAccount } from '../ledger/accounts.ts';

/** In cents. */
export interface Wallet {
  readonly availableMinor: bigint;
  readonly heldMinor: bigint;
}

export interface WalletEntry {
  /** The feed sequence of the entry. */
  readonly position: bigint;
  readonly entryId: string;
  readonly movementType: string;
  readonly memo: string;
  readonly referenceType: string;
  readonly referenceId: string;
  readonly recordedAt: Date;
  /** Signed cents; 0 if money was only held or released. */
  readonly amountMinor: bigint;
  /** Available and held together, after the entry. */
  readonly totalAfterMinor: bigint;
}

/** @returns undefined for an unknown customer */
export async function findWallet(sql: Sql, operatorId: string, externalUserId: string): Promise<Wallet | undefined> {
  const [row] = await asOperator<Wallet[]>(
    sql,
    operatorId,
    sql`
    select coalesce(-w.balance, 0) as "availableMinor", coalesce(-h.balance, 0) as "heldMinor"
    from customers k
      left join account_balances w on w.operator_id = k.operator_id and w.account_id = ${walletAccount(externalUserId)}
      left join account_balances h on h.operator_id = k.operator_id and h.account_id = ${holdAccount(externalUserId)}
    where k.operator_id = ${operatorId} and k.external_user_id = ${externalUserId}`,
  );
  return row;
}

/**
 * One page, newest first, and one additional row if there is a next page.
 * @param before only entries below this sequence, or null for the newest
 */
export function listWalletEntries(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  before: bigint | null,
  limit: number,
): Promise<WalletEntry[]> {
  const accounts = [walletAccount(externalUserId), holdAccount(externalUserId)];
  return asOperator<WalletEntry[]>(
    sql,
    operatorId,
    sql`
    with touched as (
      select distinct t.position
      from unnest(${accounts}::text[]) a(account_id) cross join lateral (
        select l.position from ledger_lines l
        where l.operator_id = ${operatorId} and l.account_id = a.account_id
          and (${before}::bigint is null or l.position < ${before}::bigint)
        order by l.position desc limit ${limit + 1}) t
      order by t.position desc limit ${limit + 1}
    )
    select e.position, e.entry_id as "entryId", e.movement_type as "movementType", e.memo, e.reference_type as "referenceType",
      e.reference_id as "referenceId", e.recorded_at as "recordedAt",
      (select -sum(l.amount) from ledger_lines l where l.operator_id = e.operator_id and l.position = e.position
        and l.account_id = any (${accounts}::text[]))::bigint as "amountMinor",
      (select coalesce(-sum(last.balance_after), 0)
        from unnest(${accounts}::text[]) a(account_id) cross join lateral (
          select l.balance_after from ledger_lines l
          where l.operator_id = e.operator_id and l.account_id = a.account_id and l.position <= e.position
          order by l.position desc, l.line_no desc limit 1) last)::bigint as "totalAfterMinor"
    from touched t join ledger_entries e on e.operator_id = ${operatorId} and e.position = t.position
    order by e.position desc`,
  );
}
