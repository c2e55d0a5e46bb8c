/**
 * The effect of a change that cannot be taken back on people and their money, for the confirmation before it: the payments of a resolution,
 * payments already made, current holdings, and the orders that would be withdrawn. Reads only; the change computes again.
 */
import type { Resolution, Side } from '../core/terms.ts';
import type { Sql } from '../db/client.ts';
import { payout, type Resolved } from '../money/payout.ts';

export interface Affected {
  readonly operators: number;
  readonly customers: number;
  /** Cents. */
  readonly amountMinor: bigint;
}

export interface Payouts extends Affected {
  /** Customers with open positions who receive no payment. */
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
  const resolved: Resolved =
    resolution === 'SPLIT' ? { resolution, splitYesMicros: splitYesMicros ?? 0n } : { resolution };
  const operators = new Set<string>();
  let [customers, losers, amountMinor] = [0, 0, 0n];
  const count = ({ operatorId, creditMinor }: CustomerCredit) => {
    amountMinor += creditMinor;
    if (creditMinor === 0n) {
      losers += 1;
    } else {
      customers += 1;
      operators.add(operatorId);
    }
  };
  let customer: CustomerCredit | undefined;
  for await (const held of sql<HeldPosition[]>`
    select operator_id, external_user_id, side, quantity_micros, cost_basis_minor from positions
    where contract_id = ${contractId} and status = 'open' order by operator_id, external_user_id`.cursor(READ_AHEAD)) {
    for (const { operatorId, externalUserId, side, quantityMicros, costBasisMinor } of held) {
      const paid = payout({ side, quantityMicros, costBasisMinor }, resolved);
      const creditMinor = paid.settlementCreditMinor + paid.voidCreditMinor;
      if (customer?.operatorId === operatorId && customer.externalUserId === externalUserId) {
        customer.creditMinor += creditMinor;
      } else {
        if (customer !== undefined) {
          count(customer);
        }
        customer = { operatorId, externalUserId, creditMinor };
      }
    }
  }
  if (customer !== undefined) {
    count(customer);
  }
  const [before] = await sql<[{ paid: number }]>`
    select count(*)::int as paid from journal
    where kind = 'position_settled' and contract_id = ${contractId} and resolution_version is not null`;
  return { operators: operators.size, customers, losers, amountMinor, paidBefore: before.paid };
}

const READ_AHEAD = 5_000;

interface HeldPosition {
  readonly operatorId: string;
  readonly externalUserId: string;
  readonly side: Side;
  readonly quantityMicros: bigint;
  readonly costBasisMinor: bigint;
}

/** The credit of a customer for all positions in a contract. */
interface CustomerCredit {
  readonly operatorId: string;
  readonly externalUserId: string;
  creditMinor: bigint;
}

/** The payments at the resolutions of a contract, which remain paid if its resolution is withdrawn. */
export async function measurePaid(sql: Sql, contractId: string): Promise<Affected> {
  const [paid] = await sql<[Affected]>`
    select count(distinct operator_id)::int as operators, count(distinct (operator_id, external_user_id))::int as customers,
      coalesce(-sum(available), 0)::bigint as amount_minor
    from journal where kind = 'position_settled' and contract_id = ${contractId} and resolution_version is not null`;
  return paid;
}

/**
 * @param externalUserId null for all customers of the operator
 * @returns open positions and their cost
 */
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
