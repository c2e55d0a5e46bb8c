/** What the catalogue says of an outcome once it is decided, wherever an outcome is shown, and that its chart ends there. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  eventDetailShape,
  eventListShape,
  marketShape,
  priceHistory,
  priceViewShape,
} from '../../src/wire/catalogue.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import { moveBook, seed } from './seed.ts';

const LINES = ['yes', 'no', 'void', 'split', 'open'] as const;
const DAY_MS = 86_400_000;
let service: World;
let token: string;

beforeAll(async () => {
  service = await openWorld();
  await seed(service.sql, [
    {
      id: 'lines',
      title: 'Total points',
      kind: 'cumulative_ladder',
      contracts: LINES.map((id, index) => ({
        id,
        label: `Above ${index}`,
        threshold: index,
        direction: 'above' as const,
        bids: [[0.72, 10]],
        asks: [[0.74, 10]],
        lastPrice: 0.73,
      })),
    },
  ]);
  for (const [id, resolution, yesWorth] of [
    ['yes', 'YES', null],
    ['no', 'NO', null],
    ['void', 'VOID', null],
    ['split', 'SPLIT', 400_000],
  ] as const) {
    await service.sql`select * from decide_market(${`ctr_${id}`}, 'resolve', ${resolution}, ${yesWorth})`;
  }
  // the venue goes on for a moment
  await moveBook(service.sql, { id: 'yes', bids: [[0.2, 10]], asks: [[0.24, 10]] });
  await service.context.board.refresh();
  const minted = await service.request('POST', '/api/v1/embed-sessions', { body: { externalUserId: 'ana' } });
  ({ token } = minted.body);
});
afterAll(() => service.close());

const NOT_TRADED = { executableYesCents: null, executableNoCents: null, spreadCents: null };
const SHOWN = {
  ctr_yes: { resolution: 'YES', probability: 1, yesCents: 100, noCents: 0, priceBasis: 'source', ...NOT_TRADED },
  ctr_no: { resolution: 'NO', probability: 0, yesCents: 0, noCents: 100, priceBasis: 'source', ...NOT_TRADED },
  ctr_void: { resolution: 'VOID', probability: null, yesCents: null, noCents: null, priceBasis: 'none', ...NOT_TRADED },
  ctr_split: { resolution: 'SPLIT', probability: 0.4, yesCents: 40, noCents: 60, priceBasis: 'source', ...NOT_TRADED },
  ctr_open: { probability: 0.73, executableYesCents: 74, executableNoCents: 28, priceBasis: 'midpoint' },
};

interface Shown {
  readonly id?: string;
  readonly contractId?: string;
}

function expectDecided(shown: readonly Shown[]): void {
  const byId = Object.fromEntries(shown.map((one) => [one.id ?? one.contractId, one]));
  expect(byId).toMatchObject(SHOWN);
  expect(byId['ctr_open']).not.toHaveProperty('resolution');
}

// contract 3.13, contract 6.8
test('lists and single events of partners and of the frame have the result of each decided outcome', async () => {
  const frame = { key: null, headers: { authorization: `Embed ${token}` } };
  for (const [path, asked] of [
    ['/api/v1/events', {}],
    ['/api/embed/events', frame],
    ['/api/events', { key: null }],
  ] as const) {
    const { body } = await service.request('GET', path, asked);
    expectDecided(eventListShape.parse(body).data[0]?.outcomes ?? []);
  }
  for (const [path, asked] of [
    ['/api/v1/events/evt_lines', {}],
    ['/api/embed/events/evt_lines', frame],
  ] as const) {
    const { body } = await service.request('GET', path, asked);
    expectDecided(eventDetailShape.parse(body).data.outcomes);
  }
});

// contract 3.13, contract 6.8
test('markets and prices of the website, and the snapshot of the stream, have it too', async () => {
  const open = async (path: string) => (await service.request('GET', path, { key: null })).body;
  const ids = Object.keys(SHOWN);
  const markets = await Promise.all(ids.map(async (id) => marketShape.parse((await open(`/api/markets/${id}`)).data)));
  expectDecided(markets);
  const { data } = await open(`/api/markets/quotes?ids=${ids}`);
  expectDecided(data.map((one: unknown) => priceViewShape.parse(one)));
});

// contract 3.13
test('its price is of the time of its result, and the expected level follows what is decided', async () => {
  const { body } = await service.request('GET', '/api/v1/events/evt_lines');
  const [row] = await service.sql<{ resolvedAt: Date }[]>`
    select resolved_at from contracts where contract_id = 'ctr_yes'`;
  const [first] = body.data.outcomes;
  expect(first.priceUpdatedAt).toBe(row?.resolvedAt.toISOString());
  // between the line that was passed and the one that was missed
  expect(body.data.impliedLevel).toBe(0.5);
});

test('the line of a decided outcome ends at its result, and that of an open one now', async () => {
  const { sql } = service;
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 2 * 3_600_000);
  await sql`insert into price_history (contract_id, step_minutes, at, price_micros)
    select c.contract_id, step, ${hour}, 700000 from contracts c, unnest(array[1, 5, 60]) step
    where c.event_id = 'evt_lines'`;
  const pointsOf = async (range: string) => {
    const { body } = await service.request('GET', `/api/v1/events/evt_lines/history?range=${range}`);
    const { series } = priceHistory.parse(body).data;
    return Object.fromEntries(series.map(({ contractId, points }) => [contractId.slice(4), points]));
  };
  const rows = await sql<{ contractId: string; resolvedAt: Date }[]>`
    select contract_id, resolved_at from contracts where resolved_at is not null`;
  const resolvedAt = new Map(rows.map((row) => [row.contractId.slice(4), Math.floor(row.resolvedAt.getTime() / 1000)]));
  const day = await pointsOf('1d');
  expect(day['yes']?.map(([, price]) => price)).toEqual([0.7, 1]);
  expect(day['no']?.map(([, price]) => price)).toEqual([0.7, 0]);
  expect(day['split']?.map(([, price]) => price)).toEqual([0.7, 0.4]);
  expect(day['void']?.map(([, price]) => price)).toEqual([0.7]);
  expect(day['yes']?.at(-1)?.[0]).toBe(resolvedAt.get('yes'));
  expect(day['open']?.at(-1)?.[1]).toBe(0.73);
  // a venue that reports late: what was recorded after the result is no price of it
  await service.damage(
    `update contracts set resolved_at = resolved_at - interval '3 days' where contract_id = 'ctr_yes';
     update board_revision set revision = revision + 1;
     update contracts set revision = (select revision from board_revision) where contract_id = 'ctr_yes'`,
  );
  await service.context.board.refresh();
  expect((await pointsOf('1d'))['yes']).toEqual([]);
  const [only] = (await pointsOf('all'))['yes'] ?? [];
  expect(only?.slice(0, 2)).toEqual([(resolvedAt.get('yes') ?? 0) - (3 * DAY_MS) / 1000, 1]);
});

test('a result is no movement of a price', async () => {
  const movement = async () => {
    const { body } = await service.request('GET', '/api/v1/events?sort=trending');
    return body.data[0].trending.components.movement;
  };
  await service.sql`with r as (update board_revision set revision = revision + 1 returning revision)
    update contracts c set price_24h_ago_micros = 600000, revision = r.revision
    from r where contract_id in ('ctr_split', 'ctr_open')`;
  await service.context.board.refresh();
  // the open one moved by 0.13; the split, by 0.20, would count in full
  await until(movement, (score) => score === 0.65);
});

test('a result that is withdrawn leaves an open outcome', async () => {
  await service.sql`select * from decide_market('ctr_no', 'reopen', null, null)`;
  await service.context.board.refresh();
  const { body } = await service.request('GET', '/api/v1/events/evt_lines');
  const again = body.data.outcomes.find(({ id }: Shown) => id === 'ctr_no');
  expect(again).toMatchObject({ status: 'open', probability: 0.73, executableYesCents: 74, tradable: true });
  expect(again).not.toHaveProperty('resolution');
});
