/**
 * What a change that cannot be taken back would do to people and their money, read for the question that is asked before it: what a
 * resolution pays, what was paid, what is held, and which orders would be withdrawn. Reads only; the change computes again.
 */
import type { Resolution } from '../core/terms.ts';
import type { Sql } from '../db/client.ts';

export interface Affected {
  readonly operators: number;
  readonly customers: number;
  /** Cents. */
  readonly amountMinor: bigint;
}

export interface Payouts extends Affected {
  /** Customers with open positions who get nothing. */
  readonly losers: number;
  /** Positions that an earlier resolution paid; they stay as they are. */
  readonly paidBefore: number;
}

/** @param splitYesMicros the value of YES in millionths of a dollar; null unless `SPLIT` */
export async function measurePayouts(
  sql: Sql,
  contractId: string,
  { resolution, splitYesMicros }: { readonly resolution: Resolution; readonly splitYesMicros: bigint | null },
): Promise<Payouts> {
  const [payouts] = await sql<[Payouts]>`
    with credits as (
      select operator_id, external_user_id,
        sum(payout_credit(side, quantity, cost_basis_minor, ${resolution}, ${splitYesMicros}))::bigint as credit
      from positions where contract_id = ${contractId} and status = 'open' group by 1, 2
    )
    select count(distinct operator_id) filter (where credit > 0)::int as operators,
      count(*) filter (where credit > 0)::int as customers, count(*) filter (where credit = 0)::int as losers,
      coalesce(sum(credit), 0)::bigint as amount_minor,
      (select count(*)::int from settlements where contract_id = ${contractId} and resolution_version is not null) as paid_before
    from credits`;
  return payouts;
}

/** What was paid at the resolutions of a contract, and stays paid if its resolution is withdrawn. */
export async function measurePaid(sql: Sql, contractId: string): Promise<Affected> {
  const [paid] = await sql<[Affected]>`
    select count(distinct operator_id)::int as operators, count(distinct (operator_id, external_user_id))::int as customers,
      coalesce(sum(settlement_credit_minor + void_credit_minor), 0)::bigint as amount_minor
    from settlements where contract_id = ${contractId} and resolution_version is not null`;
  return paid;
}

/** @param externalUserId null for all customers of the operator. @returns open positions and what they cost */
export async function measureHoldings(
  sql: Sql,
  operatorId: string,
  externalUserId: string | null,
): Promise<{ readonly customers: number; readonly positions: number; readonly costMinor: bigint }> {
  const [held] = await sql<[{ customers: number; positions: number; costMinor: bigint }]>`
    select count(distinct external_user_id)::int as customers, count(*)::int as positions,
      coalesce(sum(cost_basis_minor), 0)::bigint as cost_minor
    from positions where operator_id = ${operatorId} and status = 'open'
      and (${externalUserId}::text is null or external_user_id = ${externalUserId})`;
  return held;
}

/** Orders with a confirmed reserve that were not sent, of one operator, of one market or of one venue. */
export async function measureUnsent(
  sql: Sql,
  within: { readonly operatorId?: string; readonly contractId?: string; readonly venue?: string },
): Promise<Affected & { readonly orders: number }> {
  const { operatorId = null, contractId = null, venue = null } = within;
  const [unsent] = await sql<[Affected & { orders: number }]>`
    select count(*)::int as orders, count(distinct operator_id)::int as operators,
      count(distinct (operator_id, external_user_id))::int as customers,
      coalesce(sum(authorization_minor), 0)::bigint as amount_minor
    from orders where status = 'pending_venue_execution'
      and (${operatorId}::text is null or operator_id = ${operatorId})
      and (${contractId}::text is null or contract_id = ${contractId})
      and (${venue}::text is null or venue = ${venue})`;
  return unsent;
}
