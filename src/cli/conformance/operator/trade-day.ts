/**
 * One customer's day in the sandbox, which every round repeats: a buy, a partial fill, an order that is withdrawn, one that stays
 * open, an exit, a win and an annulled position. It returns what the service instructs the operator to book, cent for cent.
 */
import { randomUUID } from 'node:crypto';
import type { InlayClient } from '../../../client/create-client.ts';
import type { OrderDetail } from '../../../client/shapes.ts';
import { parseMinor } from '../../../money/usd.ts';

/** One movement of the customer's money that the operator is to book, in cents. */
export interface Instruction {
  /** The event that carries it, for people. */
  readonly name: string;
  /** Above zero: the customer gets it. */
  readonly amount: bigint;
}

export interface TradeDay {
  readonly customer: string;
  readonly instructions: readonly Instruction[];
  /** Reserved for the order that stays open. */
  readonly held: bigint;
  /** Reserved for the order that was withdrawn: nothing of it may stay reserved. */
  readonly released: bigint;
  /** How the dedupe keys of its webhook events begin, one each. */
  readonly events: readonly string[];
}

const PARTIAL = 0.4;

/** Repeats what it is given while the requests of the minute are used up. */
export type WithinBudget = <T>(ask: () => Promise<T>) => Promise<T>;

interface SandboxAccess {
  readonly client: InlayClient;
  readonly contractId: string;
  readonly withinBudget: WithinBudget;
}

/** @throws ApiError and the other errors of the client */
export async function tradeDay(access: SandboxAccess, customer: string): Promise<TradeDay> {
  const { client, withinBudget } = access;
  const bought = await place(access, customer, { side: 'YES', action: 'buy', stake: 25 });
  const partialKey = randomUUID();
  const scenario = { kind: 'partial_fill', fillFraction: PARTIAL, clientOrderId: partialKey } as const;
  await withinBudget(() => client.post('/api/v1/sandbox/scenarios', { body: scenario }));
  const partial = await place(access, customer, { side: 'NO', action: 'buy', stake: 40 }, partialKey);
  const withdrawn = await place(access, customer, { side: 'YES', action: 'buy', stake: 15 }, undefined, true);
  await withinBudget(() => client.post('/api/v1/orders/{id}/cancel', { path: { id: withdrawn.orderId } }));
  const open = await place(access, customer, { side: 'YES', action: 'buy', stake: 5 }, undefined, true);
  const contracts = Math.floor((bought.filledQuantity / 2) * 100) / 100;
  const sold = await place(access, customer, { side: 'YES', action: 'sell', contracts });
  const settled = await settle(access, customer);
  const debit = (order: OrderDetail) => -parseMinor(order.operatorMoney?.actualDebit ?? '0');
  return {
    customer,
    instructions: [
      { name: `order.filled of ${bought.orderId}`, amount: debit(bought) },
      { name: `order.filled of ${partial.orderId}, filled in part`, amount: debit(partial) },
      {
        name: `order.filled of ${sold.orderId}, an exit`,
        amount: parseMinor(sold.operatorExitMoney?.sellProceeds ?? '0'),
      },
      ...settled.map(({ positionId, credit }) => ({ name: `position.settled of ${positionId}`, amount: credit })),
    ],
    held: parseMinor(open.operatorMoney?.authorizationAmount ?? '0'),
    released: parseMinor(withdrawn.operatorMoney?.authorizationAmount ?? '0'),
    events: [
      `order.filled:${bought.orderId}:`,
      `order.filled:${partial.orderId}:`,
      `order.intent_recorded:${withdrawn.orderId}`,
      `order.cancelled:${withdrawn.orderId}`,
      `order.intent_recorded:${open.orderId}`,
      `order.filled:${sold.orderId}:`,
      ...settled.map(({ positionId }) => `position.settled:${positionId}`),
    ],
  };
}

type Line = { readonly side: 'YES' | 'NO' } & (
  | { readonly action: 'buy'; readonly stake: number }
  | { readonly action: 'sell'; readonly contracts: number }
);

/** A quote expires while a request waits, so both are repeated. */
function place(
  { client, contractId, withinBudget }: SandboxAccess,
  user: string,
  line: Line,
  clientOrderId: string = randomUUID(),
  recordOnly = false,
): Promise<OrderDetail> {
  return withinBudget(async () => {
    const { quoteId } = await client.post('/api/v1/quotes', { user, body: { marketId: contractId, ...line } });
    const intent = recordOnly ? { executionIntent: 'record_intent' as const } : {};
    return client.post('/api/v1/orders', { user, body: { quoteId, clientOrderId, ...intent } });
  });
}

/** The position on YES wins, the one on NO is annulled. */
async function settle({ client, withinBudget }: SandboxAccess, externalUserId: string) {
  const open = { externalUserId, status: 'open' } as const;
  const { positions } = await withinBudget(() => client.get('/api/v1/positions', { query: open }));
  for (const { positionId, side } of positions) {
    const resolution = side === 'YES' ? 'WIN' : 'VOID';
    await withinBudget(() => client.post('/api/v1/sandbox/resolutions', { body: { positionId, resolution } }));
  }
  const { settlements } = await withinBudget(() => client.get('/api/v1/settlements', { query: { externalUserId } }));
  return settlements.map(({ positionId, operatorMoney }) => ({
    positionId,
    credit: parseMinor(operatorMoney.settlementCredit) + parseMinor(operatorMoney.voidCredit),
  }));
}
