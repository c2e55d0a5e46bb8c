/** Where the account level of customer limits is kept, with the history of who set it. Money statements read the same columns. */
import { asOperator } from '../db/as-operator.ts';
import type { Sql } from '../db/client.ts';
import type { LevelLimits } from './customer-limits.ts';

/** The limits as they were set; the note has no effect. */
export interface AccountLimits extends LevelLimits {
  readonly note: string | null;
}

export const NO_ACCOUNT_LIMITS: AccountLimits = {
  maxWagerMinor: null,
  periodStakeMinor: null,
  periodHours: null,
  note: null,
};

/** An unknown customer has no limits; reading does not create the customer (contract 28.9). */
export async function getAccountLimits(sql: Sql, operatorId: string, externalUserId: string): Promise<AccountLimits> {
  const [row] = await asOperator<AccountLimits[]>(
    sql,
    operatorId,
    sql`
      select max_wager_minor as "maxWagerMinor", period_stake_minor as "periodStakeMinor", period_hours as "periodHours",
        limits_note as note
      from customers where operator_id = ${operatorId} and external_user_id = ${externalUserId}`,
  );
  return row ?? NO_ACCOUNT_LIMITS;
}

/**
 * Replaces all limits of the customer, who is created on first use.
 * @param setBy id of the API key
 */
export async function setAccountLimits(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  limits: AccountLimits,
  setBy: string,
): Promise<void> {
  const { maxWagerMinor, periodStakeMinor, periodHours, note } = limits;
  await sql`select set_customer_limits(${operatorId}, ${externalUserId}, ${maxWagerMinor}, ${periodStakeMinor},
    ${periodHours}, ${note}, ${setBy})`;
}

export async function clearAccountLimits(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  setBy: string,
): Promise<void> {
  await sql`select clear_customer_limits(${operatorId}, ${externalUserId}, ${setBy})`;
}
