/**
 * The questions before changes that cannot be taken back. They name the subject of the change, the people and the sum, so that the
 * person who answers sees the effect of the answer. This file also has the line that is printed after a decision about a contract.
 */

import { refuse } from '../core/errors.ts';
import { nameMarket, withThousands } from '../core/plain-words.ts';
import type { Sql } from '../db/client.ts';
import { readContractNames } from '../markets/catalogue/names.ts';
import type { ContractResolution, Decided } from '../markets/decisions.ts';
import { formatMinor } from '../money/usd.ts';
import {
  type Affected,
  measureHoldings,
  measurePaid,
  measurePayouts,
  measureUnsent,
} from '../operations/consequences.ts';
import type { ApiKey } from '../operators/keys.ts';
import type { Operator } from '../operators/operator.ts';
import { getOperator } from '../operators/operators.ts';
import type { ReferencedOrder } from '../trading/orders/read-orders.ts';
import { getEndpoint } from '../webhooks/endpoints.ts';
import { statusText } from './terminal/facts.ts';

/** @returns such as `"Who wins?: Ana"`. @throws market_not_found */
export async function quotedMarket(sql: Sql, contractId: string): Promise<string> {
  const [name] = await readContractNames(sql, [contractId]);
  if (name === undefined) {
    throw refuse('market_not_found');
  }
  return `"${nameMarket(name.title, name.label)}"`;
}

/** @returns sentences about the payments of a resolution */
export async function payoutText(sql: Sql, contractId: string, resolution: ContractResolution): Promise<string> {
  const payouts = await measurePayouts(sql, contractId, resolution);
  const { amountMinor, customers, losers, paidBefore } = payouts;
  const before = paidBefore === 0 ? '' : ` What was paid before stays paid: ${counted(paidBefore, 'position')}.`;
  if (customers === 0) {
    return `${losers === 0 ? 'No position is open.' : `Pays nothing to ${counted(losers, 'customer')}.`}${before}`;
  }
  const lost = losers === 0 ? '' : `, and nothing to ${counted(losers, 'customer')}`;
  return `Pays ${dollars(amountMinor)} to ${people(payouts)}${lost}.${before}`;
}

/** @returns a sentence about the payments that stay when a resolution is withdrawn */
export async function paidText(sql: Sql, contractId: string): Promise<string> {
  const paid = await measurePaid(sql, contractId);
  return paid.customers === 0
    ? 'No position was settled.'
    : `What was paid stays paid: ${dollars(paid.amountMinor)} to ${people(paid)}.`;
}

/** @returns a sentence about the orders that a halt withdraws */
export async function unsentText(sql: Sql, within: Parameters<typeof measureUnsent>[1]): Promise<string> {
  const unsent = await measureUnsent(sql, within);
  return unsent.orders === 0
    ? 'No order waits to be sent.'
    : `Withdraws what waits to be sent: ${counted(unsent.orders, 'order')} of ${people(unsent)}, ${dollars(unsent.amountMinor)}.`;
}

/** @param externalUserId null for all customers. @returns a sentence about the open positions */
export async function holdingsText(sql: Sql, operatorId: string, externalUserId: string | null): Promise<string> {
  const { customers, positions, costMinor } = await measureHoldings(sql, operatorId, externalUserId);
  const who = externalUserId === null ? ` of ${counted(customers, 'customer')}` : '';
  return positions === 0
    ? 'No position is open.'
    : `What is held stays and settles: ${counted(positions, 'open position')}${who}, ${dollars(costMinor)}.`;
}

/** @returns such as `the buy of YES of "Who wins?: Ana" for 10.00 by ana at demo-live (inl_Best_...)` */
export async function orderText(sql: Sql, order: ReferencedOrder): Promise<string> {
  const { action, side, authorizationMinor, externalUserId, slug, executionRef } = order;
  const sum = action === 'buy' ? ` for ${dollars(authorizationMinor)}` : '';
  return `the ${action} of ${side} of ${await quotedMarket(sql, order.contractId)}${sum} by ${externalUserId} at ${slug} (${executionRef})`;
}

/** @returns such as `Lucky Casino (lucky)` */
export function operatorText({ name, slug }: Pick<Operator, 'name' | 'slug'>): string {
  return name === slug ? slug : `${name} (${slug})`;
}

/** @returns such as `the key pk_live_ab12 "finance"` */
export function keyText({ prefix, label }: Pick<ApiKey, 'prefix' | 'label'>): string {
  return `the key ${prefix}...${label === null ? '' : ` "${label}"`}`;
}

/** @returns such as `https://hooks.example/inlay of Lucky Casino (lucky)`. @throws unknown_endpoint */
export async function endpointText(sql: Sql, endpointId: string): Promise<string> {
  const { url, operatorId } = await getEndpoint(sql, endpointId);
  return `${url} of ${operatorText(await getOperator(sql, operatorId))}`;
}

/** @returns such as `ctr_... is now paused.` */
export function decidedText({ contractId, status, resolution, splitYes, changed }: Decided): string {
  return `${contractId} ${changed ? 'is now' : 'was already'} ${statusText(status, resolution, splitYes)}.`;
}

/** @param amountMinor cents */
export function dollars(amountMinor: bigint): string {
  return withThousands(formatMinor(amountMinor));
}

export function counted(count: number, noun: string): string {
  return `${withThousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function people({ customers, operators }: Affected): string {
  return `${counted(customers, 'customer')} of ${counted(operators, 'operator')}`;
}
