/** An operator moves although its past contracts ended before the other cell began: they go with it, and its history stays readable. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseResolution, resolveMarket } from '../../src/markets/decisions.ts';
import { seedMarket } from '../support/market.ts';
import { type MovingCells, startMovingCells } from '../support/moving-cells.ts';
import { askService } from '../support/partner.ts';
import { until } from '../support/until.ts';

const LONG_MS = 120_000;

let cells: MovingCells;

beforeAll(async () => {
  cells = await startMovingCells();
}, LONG_MS);
afterAll(() => cells?.close());

test(
  'contracts that only the old cell had go with the operator that was paid for them',
  async () => {
    const { operatorId, key } = await cells.openOperator('veteran');
    const { service, database } = cells.east;
    const market = await seedMarket(database.sql, 'past');
    await service.context.board.refresh();
    // the other cell has another event of that name
    await seedMarket(cells.west.database.sql, 'another');
    await cells.west.database.sql`update events set slug = 'past' where event_id = 'evt_another'`;
    const ask = (path: string, body: object) => askService(service.url, key, 'POST', path, 'ann', body);
    const wanted = { marketId: market.contractId, side: 'YES', action: 'buy', stake: 5 };
    const quote = await ask('/api/v1/quotes', wanted);
    expect((await ask('/api/v1/orders', { quoteId: quote.body.quoteId, clientOrderId: 'past' })).status).toBe(201);
    await resolveMarket(database.sql, market.contractId, parseResolution('yes'));
    await until(
      () => database.sql`select from settlements where operator_id = ${operatorId}`,
      (rows) => rows.length === 1,
      LONG_MS,
    );

    const moved = await cells.inlay(
      'operators',
      'move',
      'veteran',
      '--to',
      'west',
      '--max-pause',
      '600',
      '--yes',
      '--json',
    );
    expect(moved.json, moved.stderr).toMatchObject({ moved: true });
    const contract = (sql: typeof database.sql) => sql`
    select c.contract_id, c.resolution, c.resolution_version, c.resolved_by, r.version, r.source, l.listing_id
    from contracts c join contract_resolutions r using (contract_id) join listings l using (contract_id)
    where c.contract_id = ${market.contractId}`;
    expect(await contract(cells.west.database.sql)).toEqual(await contract(database.sql));
    const settlements = await askService(cells.west.service.url, key, 'GET', '/api/v1/settlements');
    expect(settlements.status).toBe(200);
    expect(JSON.stringify(settlements.body)).toContain(market.contractId);
    const books = await cells.inlay('reconciliation', 'run', '--operator', 'veteran', '--cell', 'west', '--json');
    expect([books.json.ok, books.json.findings]).toEqual([true, []]);
  },
  2 * LONG_MS,
);
