/**
 * Reads simulated wallets: balances and their entries. Only money statements write them, and only for sandbox
 * operators.
 */
import { asOperator } from '../db/as-operator.ts';
import type { Sql } from '../db/client.ts';
import { holdAccount, walletAccount } from '../ledger/accounts.ts';

/** PostgreSQL's largest number: after every position. */
const LAST_POSITION = '9223372036854775807';

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
    with account as (
      select * from unnest(${accounts}::text[]) a(account_id)
    ), entry as materialized (
      select e.* from (
          select distinct found.place from account a cross join lateral
            account_positions(${operatorId}, a.account_id, coalesce(${before}::bigint - 1, ${LAST_POSITION}), ${limit + 1}) found(place)
          order by found.place desc limit ${limit + 1}) touched
        join ledger_entries e on e.operator_id = ${operatorId} and e.position = touched.place
    ), moved as (
      select e.position, l.account_id, sum(l.amount) as amount, (array_agg(l.balance_after order by l.line_no desc))[1] as balance_after
      from entry e cross join lateral entry_lines(e.account_ids, e.amounts, e.balances_after) l
      where l.account_id = any (${accounts}::text[]) group by e.position, l.account_id
    ), spanned as (
      -- an account that an entry does not move stands where an earlier one left it
      select e.position, a.account_id, m.amount, m.balance_after,
        count(m.balance_after) over (partition by a.account_id order by e.position) as span
      from entry e cross join account a left join moved m on m.position = e.position and m.account_id = a.account_id
    ), begun as materialized (
      select a.account_id, last_balance(${operatorId}, a.account_id, (select min(position) from entry) - 1) as balance from account a
    ), stood as (
      select s.position, sum(s.amount) as amount, sum(coalesce(s.reached, b.balance, 0)) as total
      from (select position, account_id, amount, first_value(balance_after) over (partition by account_id, span order by position) as reached
          from spanned) s
        join begun b on b.account_id = s.account_id
      group by s.position
    )
    select e.position, e.entry_id as "entryId", e.movement_type as "movementType", e.memo, e.reference_type as "referenceType",
      e.reference_id as "referenceId", e.recorded_at as "recordedAt", -s.amount::bigint as "amountMinor", -s.total::bigint as "totalAfterMinor"
    from entry e join stood s on s.position = e.position
    order by e.position desc`,
  );
}
