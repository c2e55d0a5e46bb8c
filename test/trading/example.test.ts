/** The shortest test of a route: copy it into the room of what you test, under its name (CONTRIBUTING.md, "A test of a route"). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('a customer who bought has a position', async () => {
  const market = await world.openMarket('rain');
  await world.buy(market, 'ana');
  const { status, body } = await world.request('GET', '/api/v1/positions?externalUserId=ana');
  expect([status, body.count]).toEqual([200, 1]);
});
