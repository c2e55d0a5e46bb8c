/**
 * The parts of the emulated exchange: what an account has on each of them, and money that moves between two. A transfer has two
 * steps: the money leaves one part at once and arrives at the other later, which a tester may delay.
 */
import { z } from 'zod';
import { type Answer, ok } from '../http.ts';
import type { Ids } from './match-order.ts';
import { page } from './page.ts';
import { decimal } from './render.ts';
import type { Asked } from './requests.ts';
import { type Account, addCash, type ExchangeState, PARTS, type Transfer } from './state.ts';

const NAMES = ['Default', 'Combinations', 'Crypto', 'Tennis and baseball'];
const TRANSFERS = '/portfolio/intra_exchange_instance_transfers';
/** The exchange counts transfers in ten-thousandths of a dollar. */
const CENTICENT = 100n;

/** `IntraExchangeInstanceTransferRequest`. */
const transferRequest = z.strictObject({
  source: z.literal('event_contract'),
  destination: z.literal('event_contract'),
  amount: z.int().min(1),
  source_exchange_shard: z.int().min(0).max(100).default(0),
  destination_exchange_shard: z.int().min(0).max(100).default(0),
  source_subaccount: z.int().min(0).max(63).default(0),
  destination_subaccount: z.int().min(0).max(63).default(0),
});

export function partStatuses({ tradingActive, pausedParts }: ExchangeState): object[] {
  return PARTS.map((part) => ({
    exchange_index: part,
    description: NAMES[part],
    exchange_active: true,
    trading_active: tradingActive && !pausedParts.has(part),
    intra_exchange_transfers_active: true,
  }));
}

/** @param asked the part that is asked for; null for all together */
export function balanceOf(account: Account, asked: string | null, now: Date): Answer {
  const cash =
    asked === null ? [...account.cash.values()].reduce((sum, one) => sum + one, 0n) : on(account, Number(asked));
  return ok({
    balance: Number(cash / 10_000n),
    balance_dollars: decimal(cash, 4),
    portfolio_value: 0,
    updated_ts: Math.floor(now.getTime() / 1_000),
    balance_breakdown: PARTS.map((part) => ({ balance: decimal(on(account, part), 4), exchange_index: part })),
  });
}

/** @returns undefined for a request that is not about transfers */
export function transfers(
  { state, ids, now }: { readonly state: ExchangeState; readonly ids: Ids; now(): Date },
  account: Account,
  { method, path, query, body }: Pick<Asked, 'method' | 'path' | 'query' | 'body'>,
): Answer | undefined {
  if (method === 'POST' && path === '/portfolio/intra_exchange_instance_transfer') {
    return begin(account, body, ids.next(), now());
  }
  if (method !== 'GET' || !path.startsWith(TRANSFERS)) {
    return undefined;
  }
  letArrive(state, account, now());
  const transferId = path.slice(TRANSFERS.length + 1);
  if (transferId === '') {
    const { items, cursor } = page([...account.transfers].reverse(), query);
    return ok({ transfers: items.map(renderTransfer), cursor });
  }
  const found = account.transfers.find((one) => one.transferId === transferId);
  return found === undefined
    ? { status: 404, body: { code: 'not_found', message: 'transfer not found' } }
    : ok({ transfer: renderTransfer(found) });
}

function begin(account: Account, body: unknown, transferId: string, createdAt: Date): Answer {
  const parsed = transferRequest.safeParse(body);
  if (!parsed.success) {
    return { status: 400, body: { code: 'invalid_parameters', message: parsed.error.issues[0]?.message ?? 'invalid' } };
  }
  const { source_exchange_shard: from, destination_exchange_shard: to } = parsed.data;
  const amount = BigInt(parsed.data.amount) * CENTICENT;
  if (from === to || ![from, to].every((part) => PARTS.some((one) => one === part))) {
    return { status: 400, body: { code: 'invalid_parameters', message: 'no such pair of shards' } };
  }
  if (amount > on(account, from)) {
    return { status: 400, body: { code: 'insufficient_balance', message: 'insufficient balance' } };
  }
  addCash(account, from, -amount);
  account.transfers.push({ transferId, from, to, amount, createdAt, arrived: false });
  return ok({ transfer_id: transferId });
}

/** The second step of every transfer that is long enough under way. */
export function letArrive({ transfersTakeMs }: ExchangeState, account: Account, now: Date): void {
  for (const transfer of account.transfers) {
    if (
      !transfer.arrived &&
      transfersTakeMs !== null &&
      now.getTime() >= transfer.createdAt.getTime() + transfersTakeMs
    ) {
      addCash(account, transfer.to, transfer.amount);
      transfer.arrived = true;
    }
  }
}

function renderTransfer({ transferId, from, to, amount, createdAt, arrived }: Transfer): object {
  return {
    transfer_id: transferId,
    source: 'event_contract',
    destination: 'event_contract',
    source_exchange_shard: from,
    destination_exchange_shard: to,
    amount: decimal(amount, 4),
    status: arrived ? 'complete' : 'pending',
    created_ts: Math.floor(createdAt.getTime() / 1_000),
  };
}

function on(account: Account, part: number): bigint {
  return account.cash.get(part) ?? 0n;
}
