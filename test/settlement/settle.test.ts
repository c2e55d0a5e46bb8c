/** Settlement of real positions: every resolution, once whatever crashes or races, amounts equal to the money room's. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { raiseResolutionChanges, settleMarket } from '../../src/settlement/settle-market.ts';
import { readEvents } from '../support/events.ts';
import { readItems } from '../support/items.ts';
import type { TestMarket } from '../support/market.ts';
import { settlementsIn } from '../support/settlements.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
beforeAll(async () => {
  service = await openWorld();
});
afterAll(() => service.close());

async function buy(market: TestMarket, user: string, side: 'YES' | 'NO', stake = 10) {
  const quoted = await service.request('POST', '/api/v1/quotes', {
    user,
    body: { marketId: market.contractId, side, action: 'buy', stake },
  });
  const placed = await service.request('POST', '/api/v1/orders', {
    user,
    body: { quoteId: quoted.body.quoteId, clientOrderId: `${user}-${side}-${market.contractId}` },
  });
  expect(placed.status).toBe(201);
}

async function resolve(market: TestMarket, resolution: string | null, worth: bigint | null = null) {
  await service.sql`select * from decide_market(${market.contractId}, ${resolution === null ? 'reopen' : 'resolve'}, ${resolution}, ${worth})`;
}

const settlements = (market: TestMarket) => service.sql`
  select external_user_id, side, outcome, settlement_credit_minor::int as won, void_credit_minor::int as void, realised_pnl_minor::int as pnl
  from ${settlementsIn(service.sql)} where contract_id = ${market.contractId} order by external_user_id, side`;

async function isSquare() {
  const { operatorId } = service.operator;
  const [ledger] = await service.sql`select coalesce(sum(amount), 0)::text as total from ledger_lines`;
  const [row] = await service.sql`
    select (select -balance from account_balances where account_id = 'stakes' and operator_id = ${operatorId})::text as stakes,
      (select coalesce(sum(cost_basis_minor - entry_fees_minor), 0) from positions where operator_id = ${operatorId})::text as held`;
  expect(ledger?.['total']).toBe('0');
  expect(row?.['stakes']).toBe(row?.['held']);
}

// contract 1.4, contract 1.10, contract 15.4, contract 16.2
test('won, lost, annulled and split pay what the contract says, and wallets get it', async () => {
  const [won, annulled, split] = await Promise.all([
    service.openMarket('won'),
    service.openMarket('annulled'),
    service.openMarket('split'),
  ]);
  for (const market of [won, annulled, split]) {
    await buy(market, 'ana', 'YES');
    await buy(market, 'ben', 'NO');
  }
  await resolve(won, 'YES');
  await resolve(annulled, 'VOID');
  await resolve(split, 'SPLIT', 400_000n);
  expect(await settleMarket(service.sql, null)).toBe(6);
  expect(await settlements(won)).toEqual([
    { externalUserId: 'ana', side: 'YES', outcome: 'won', won: 1719, void: 0, pnl: 719 },
    { externalUserId: 'ben', side: 'NO', outcome: 'lost', won: 0, void: 0, pnl: -1000 },
  ]);
  expect(await settlements(annulled)).toEqual([
    { externalUserId: 'ana', side: 'YES', outcome: 'void', won: 0, void: 1000, pnl: 0 },
    { externalUserId: 'ben', side: 'NO', outcome: 'void', won: 0, void: 1000, pnl: 0 },
  ]);
  expect(await settlements(split)).toEqual([
    { externalUserId: 'ana', side: 'YES', outcome: 'void', won: 0, void: 687, pnl: -313 },
    { externalUserId: 'ben', side: 'NO', outcome: 'void', won: 0, void: 1306, pnl: 306 },
  ]);
  const [wallet] = await service.sql`select -balance as money from account_balances where account_id = 'wallet:ana'`;
  expect(wallet?.['money']).toBe(1_000_000n - 3000n + 1719n + 1000n + 687n);
  await isSquare();
});

// contract 16.1
test('many sweeps at once settle each position once', async () => {
  const market = await service.openMarket('raced');
  await Promise.all(Array.from({ length: 30 }, (_, index) => buy(market, `r${index}`, index % 2 === 0 ? 'YES' : 'NO')));
  await resolve(market, 'NO');
  const counts = await Promise.all(Array.from({ length: 6 }, () => settleMarket(service.sql, market.contractId)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30);
  expect(await settlements(market)).toHaveLength(30);
  const { operatorId } = service.operator;
  const sequences = (await readItems(service.sql, operatorId)).map(({ sequence }) => sequence);
  expect(sequences).toEqual(sequences.map((_, index) => BigInt(index + 1)));
  const [counter] = await service.sql`select sequence from operator_ledgers where operator_id = ${operatorId}`;
  expect(counter?.['sequence']).toBe(sequences.at(-1));
  await isSquare();
});

// contract 16.1
test('a backend that is killed in the middle of a batch leaves nothing of it, and the next sweep settles each position once', async () => {
  const market = await service.openMarket('crashed');
  await Promise.all(Array.from({ length: 12 }, (_, index) => buy(market, `k${index}`, index % 2 === 0 ? 'YES' : 'NO')));
  await resolve(market, 'YES');
  const owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
  try {
    // the counter comes last, so the batch has written all the rest when it waits for it
    await owner.query('begin');
    await owner.query('select 1 from operator_ledgers where operator_id = $1 for update', [
      service.operator.operatorId,
    ]);
    const [pid] = (await owner.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
    const settling = settleMarket(service.sql, market.contractId).catch((error: unknown) => error);
    const waiting = () =>
      service.sql<
        { pid: number }[]
      >`select pid from pg_stat_activity where ${pid?.pid ?? 0} = any (pg_blocking_pids(pid))`;
    const [blocked] = await until(waiting, (found) => found.length === 1, 30_000);
    await owner.query('select pg_terminate_backend($1)', [blocked?.pid]);
    expect(await settling).toBeInstanceOf(Error);
    await owner.query('rollback');
  } finally {
    await owner.end();
  }
  expect(await settlements(market)).toEqual([]);
  await isSquare();
  expect(await settleMarket(service.sql, market.contractId)).toBe(12);
  expect(await settleMarket(service.sql, market.contractId)).toBe(0);
  expect(await settlements(market)).toHaveLength(12);
  await isSquare();
});

// contract 17.1, contract 17.2, contract 17.3
test('a changed resolution moves no money and is reported once for each change and operator', async () => {
  const market = await service.openMarket('changed');
  await buy(market, 'cat', 'YES');
  await resolve(market, 'YES');
  await settleMarket(service.sql, market.contractId);
  await resolve(market, null);
  await resolve(market, 'NO');
  await resolve(market, 'NO');
  expect(await raiseResolutionChanges(service.sql, market.contractId)).toBe(2);
  expect(await raiseResolutionChanges(service.sql, market.contractId)).toBe(0);
  const events = (await readEvents(service.sql)).filter(({ type }) => type === 'market.resolution_changed');
  const key = (change: string) =>
    `market.resolution_changed:${market.contractId}:${change}:${service.operator.operatorId}`;
  expect(new Set(events.map(({ dedupeKey }) => dedupeKey))).toEqual(new Set([key('YES->null'), key('YES->NO')]));
  expect(await settleMarket(service.sql, market.contractId)).toBe(0);
  await isSquare();
});

test('a position that cannot be settled holds up no other, of its operator or of another one', async () => {
  const market = await service.openMarket('stuck');
  for (const user of ['free-1', 'stuck-1', 'free-2', 'free-3']) {
    await buy(market, user, 'YES');
  }
  const other = await service.createOperator({ slug: 'beside-stuck' });
  const { apiKey } = await service.issueKey(other);
  const ask = (path: string, body: object) =>
    service.request('POST', `/api/v1/${path}`, { key: apiKey, user: 'other-1', body });
  const quoted = await ask('quotes', { marketId: market.contractId, side: 'YES', action: 'buy', stake: 10 });
  expect((await ask('orders', { quoteId: quoted.body.quoteId, clientOrderId: 'beside' })).status).toBe(201);
  const owner = new pg.Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
  await owner.query(`
    create function refuse_stuck() returns trigger language plpgsql as $$ begin raise 'this one cannot be paid'; end $$;
    create trigger stuck before insert on journal for each row when (new.kind = 'position_settled' and new.external_user_id = 'stuck-1') execute function refuse_stuck()`);
  await resolve(market, 'YES');
  await expect(settleMarket(service.sql, market.contractId)).rejects.toMatchObject({
    name: 'SettlementFailure',
    settled: 4,
    message: 'a position could not be settled: this one cannot be paid',
  });
  expect((await settlements(market)).map((row) => row['externalUserId'])).toEqual([
    'free-1',
    'free-2',
    'free-3',
    'other-1',
  ]);
  await owner.query('drop trigger stuck on journal; drop function refuse_stuck()');
  await owner.end();
  expect(await settleMarket(service.sql, market.contractId)).toBe(1);
  await isSquare();
});
