/**
 * Facts about a customer for support, read from the database at once: status, money, limits, place, trades, sessions, and who
 * changed limits, place and status.
 */
import type { CustomerLimits, JurisdictionAssertion } from '../../client/shapes.ts';
import type { Sql } from '../../db/client.ts';
import { type LiveSession, listLiveSessions } from '../../embed/sessions.ts';
import type { FoundCustomer } from '../../operators/customers.ts';
import type { JurisdictionMode } from '../../operators/operator.ts';
import { getOperator } from '../../operators/operators.ts';
import {
  type CustomerChange,
  getAccountLimits,
  listCustomerChanges,
  renderLimits,
} from '../../risk/customer-limits.ts';
import { getCustomerJurisdiction, mayTrade, renderJurisdiction } from '../../risk/jurisdiction.ts';
import { readBalance } from '../../sandbox/wallets.ts';
import { listOrders } from '../../trading/orders/orders.ts';
import { renderOrder } from '../../trading/orders/read-orders.ts';
import { listPositions, renderPosition } from '../../trading/positions.ts';
import type { OrderDetail } from '../../wire/order.ts';
import type { Position } from '../../wire/position.ts';
import type { Balance } from '../../wire/sandbox.ts';
import { marketsOf, type Named } from './find-orders.ts';

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
  readonly positions: readonly (Position & Named)[];
  /** Newest first. */
  readonly orders: readonly (OrderDetail & Named)[];
  /** Sessions from which calls are accepted, newest first. */
  readonly embedSessions: readonly LiveSession[];
  /** Newest first. */
  readonly changes: readonly CustomerChange[];
}

/** @param limit the largest number of orders, of positions, and of changes */
export async function readCustomerPage(sql: Sql, customer: FoundCustomer, limit: number): Promise<CustomerPage> {
  const user = customer.externalUserId;
  const operator = await getOperator(sql, customer.operator);
  const { operatorId, mode, jurisdictionMode, permittedCountries, jurisdictionAllowExits: allowExits } = operator;
  const ofStatus = (...status: string[]) => listPositions(sql, operatorId, { externalUserId: user, status, limit });
  const [wallet, account, place, open, past, orders, embedSessions, changes] = await Promise.all([
    mode === 'sandbox' ? readBalance(sql, operatorId, user) : null,
    getAccountLimits(sql, operatorId, user),
    getCustomerJurisdiction(sql, operatorId, user),
    ofStatus('open'),
    ofStatus('closed', 'settled'),
    listOrders(sql, operatorId, { externalUserId: user, limit }),
    listLiveSessions(sql, operatorId, user),
    listCustomerChanges(sql, operatorId, user, limit),
  ]);
  const positions = [...open, ...past].slice(0, limit);
  const markets = await marketsOf(sql, [...positions, ...orders]);
  const named = <Row extends { readonly contractId: string }>(row: Row): Row & Named => ({
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
    changes,
  };
}
