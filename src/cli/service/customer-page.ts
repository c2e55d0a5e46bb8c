/** What support needs to know about a customer, read at once: status, money, limits, place, positions, orders and sessions. */
import type { CustomerLimits, JurisdictionAssertion } from '../../client/shapes.ts';
import type { Sql } from '../../db/client.ts';
import { type LiveSession, listLiveSessions } from '../../embed/sessions.ts';
import { readContractNames } from '../../markets/catalogue/names.ts';
import type { FoundCustomer } from '../../operators/customers.ts';
import type { JurisdictionMode } from '../../operators/operator.ts';
import { getOperator } from '../../operators/operators.ts';
import { getAccountLimits, renderLimits } from '../../risk/customer-limits.ts';
import { getCustomerJurisdiction, mayTrade, renderJurisdiction } from '../../risk/jurisdiction.ts';
import { readBalance } from '../../sandbox/wallets.ts';
import { listOrders } from '../../trading/orders/orders.ts';
import { renderOrder } from '../../trading/orders/read-orders.ts';
import { listPositions, renderPosition } from '../../trading/positions.ts';
import type { OrderDetail } from '../../wire/order.ts';
import type { Position } from '../../wire/position.ts';
import type { Balance } from '../../wire/sandbox.ts';
import { nameMarket } from './market-names.ts';

/** The name of its market; null if the catalogue does not have it. */
type Named<Row> = Row & { readonly market: string | null };

export interface CustomerPage {
  readonly customer: FoundCustomer;
  /** Simulated money, of a sandbox operator only. */
  readonly wallet: Balance | null;
  readonly limits: CustomerLimits;
  readonly place: JurisdictionAssertion & {
    readonly policy: JurisdictionMode;
    /** Whether the place alone lets the customer buy. */
    readonly mayBuy: boolean;
  };
  /** Open ones first, then the newest of the others. */
  readonly positions: readonly Named<Position>[];
  /** Newest first. */
  readonly orders: readonly Named<OrderDetail>[];
  /** Those that calls are accepted from, newest first. */
  readonly embedSessions: readonly LiveSession[];
}

/** @param limit the largest number of orders, and of positions */
export async function readCustomerPage(sql: Sql, customer: FoundCustomer, limit: number): Promise<CustomerPage> {
  const user = customer.externalUserId;
  const operator = await getOperator(sql, customer.operator);
  const { operatorId, mode, jurisdictionMode, permittedCountries, jurisdictionAllowExits: allowExits } = operator;
  const ofStatus = (...status: string[]) => listPositions(sql, operatorId, { externalUserId: user, status, limit });
  const [wallet, account, place, open, past, orders, embedSessions] = await Promise.all([
    mode === 'sandbox' ? readBalance(sql, operatorId, user) : null,
    getAccountLimits(sql, operatorId, user),
    getCustomerJurisdiction(sql, operatorId, user),
    ofStatus('open'),
    ofStatus('closed', 'settled'),
    listOrders(sql, operatorId, { externalUserId: user, limit }),
    listLiveSessions(sql, operatorId, user),
  ]);
  const positions = [...open, ...past].slice(0, limit);
  const contracts = [...positions, ...orders].map(({ contractId }) => contractId);
  const names = await readContractNames(sql, [...new Set(contracts)]);
  const markets = new Map(names.map(({ id, title, label }) => [id, nameMarket(title, label)]));
  const named = <Row extends { readonly contractId: string }>(row: Row): Named<Row> => ({
    ...row,
    market: markets.get(row.contractId) ?? null,
  });
  return {
    customer,
    wallet,
    limits: renderLimits(user, operator, account),
    place: {
      ...renderJurisdiction(user, place),
      policy: jurisdictionMode,
      mayBuy: mayTrade({ mode: jurisdictionMode, permittedCountries, allowExits }, place.country),
    },
    positions: positions.map((row) => named(renderPosition(row))),
    orders: orders.slice(0, limit).map((row) => named(renderOrder(row))),
    embedSessions,
  };
}
