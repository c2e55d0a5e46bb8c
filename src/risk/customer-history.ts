/**
 * Who set which limit and which jurisdiction of a customer, and who suspended the customer: the append-only histories, read
 * together. Writes nothing.
 */
import type { Sql } from '../db/client.ts';

export interface CustomerChange {
  readonly recordedAt: Date;
  readonly subject: 'limits' | 'jurisdiction' | 'suspension';
  /** `cleared` removes the customer's own limits; a jurisdiction can only be set. */
  readonly action: 'set' | 'cleared' | 'suspended' | 'resumed';
  /** The id of the API key that made the request; of a suspension, the name in the audit log. */
  readonly setBy: string;
  readonly maxWagerMinor: number | null;
  readonly periodStakeMinor: number | null;
  readonly periodHours: number | null;
  /** Of limits the note, of a suspension the reason. */
  readonly note: string | null;
  readonly country: string | null;
  readonly subdivision: string | null;
  /** Only of a jurisdiction. */
  readonly source: 'api' | 'embed_session' | null;
}

/** Newest first. An unknown customer has no history. */
export async function listCustomerChanges(
  sql: Sql,
  operatorId: string,
  externalUserId: string,
  limit: number,
): Promise<CustomerChange[]> {
  return sql<CustomerChange[]>`
    select recorded_at as "recordedAt", subject, action, set_by as "setBy", max_wager_minor::float8 as "maxWagerMinor",
      period_stake_minor::float8 as "periodStakeMinor", period_hours as "periodHours", note, country, subdivision, source
    from (
      select recorded_at, change_no, 'limits' as subject, action, set_by, max_wager_minor, period_stake_minor, period_hours, note,
        null as country, null as subdivision, null as source
      from limit_changes where operator_id = ${operatorId} and external_user_id = ${externalUserId}
      union all
      select recorded_at, change_no, 'jurisdiction', 'set', set_by, null, null, null, null, country, subdivision, source
      from jurisdiction_changes where operator_id = ${operatorId} and external_user_id = ${externalUserId}
      union all
      select recorded_at, change_no, 'suspension', action, set_by, null, null, null, reason, null, null, null
      from suspension_changes where operator_id = ${operatorId} and external_user_id = ${externalUserId}
    ) changes
    order by recorded_at desc, subject, change_no desc limit ${limit}`;
}
