/** The event of a settlement says what the register of settlements says. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WEBHOOK_PAYLOADS } from '../../src/wire/webhook.ts';
import { readEvents } from '../support/events.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  const [won, tied, split] = [
    await world.openMarket('told-won'),
    await world.openMarket('told-void'),
    await world.openMarket('told-split'),
  ];
  await world.buy(won, 'ana "a"');
  await world.sell(won, 'ana "a"', 5);
  await world.buy(won, 'ben', 'NO', 7);
  await world.buy(tied, 'ana "a"');
  await world.buy(split, 'cem', 'YES', 33);
  await world.resolve(won, 'YES');
  await world.resolve(tied, 'VOID');
  await world.resolve(split, 'SPLIT', 250_000n);
});
afterAll(() => world.close());

const toldEvents = async () => (await readEvents(world.sql)).filter(({ type }) => type === 'position.settled');

test('each settlement has one event, with what the register says', async () => {
  const events = await toldEvents();
  const { body } = await world.request('GET', '/api/v1/settlements?limit=100');
  expect(body.settlements).toHaveLength(4);
  for (const settlement of body.settlements) {
    const event = events.find(({ dedupeKey }) => dedupeKey === `position.settled:${settlement.positionId}`);
    expect(WEBHOOK_PAYLOADS['position.settled'].strict().parse(event?.data)).toEqual(event?.data);
    const shared = Object.keys(event?.data ?? {}).filter((name) => name in settlement);
    expect(shared).toEqual(expect.arrayContaining(['positionId', 'outcome', 'resolution', 'operatorMoney', 'side']));
    for (const name of shared) {
      expect(event?.data[name], name).toEqual(settlement[name]);
    }
  }
  const payouts = events.map(({ data }) => `${data['outcome']} ${data['payout']} ${data['realisedPnl']}`).sort();
  expect(payouts).toEqual([
    'lost 0.00 -7.00',
    expect.stringMatching(/^void 10\.00 0\.00$/),
    expect.stringMatching(/^void /),
    expect.stringMatching(/^won /),
  ]);
});

test('the item of the feed announces that event', async () => {
  const events = await toldEvents();
  const { body } = await world.request('GET', '/api/v1/reconciliation/feed?type=webhook.emitted&limit=500');
  const announced = body.items
    .filter(({ detail }: { detail: { eventType: string } }) => detail.eventType === 'position.settled')
    .map(({ id, detail }: { id: string; detail: { dedupeKey: string } }) => [id, detail.dedupeKey]);
  expect(announced.sort()).toEqual(events.map(({ eventId, dedupeKey }) => [eventId, dedupeKey]).sort());
});
