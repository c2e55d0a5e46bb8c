/** Words of Kalshi that are not known, of markets and of answers to orders: each is noted once, and nothing is lost. The rest: `orders.test.ts`. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KalshiMarket, kalshiOrder, openKalshiMarket, TICKER } from './kalshi-venue.ts';

let exchange: KalshiMarket;
beforeEach(async () => {
  exchange = await openKalshiMarket();
});
afterEach(() => exchange.close());

const tell = (request: object) => exchange.tell(request);
/** The next answer of a path, as the exchange may give it one day. */
async function changeAnswer(path: string, change: (body: string) => string): Promise<void> {
  const answer = await fetch(`${exchange.emulator.url}/trade-api/v2${path}`);
  const body = JSON.parse(change(await answer.text()));
  tell({ do: 'fault', on: `GET ${path.split('?')[0]}`, fault: { kind: 'answer', status: 200, body } });
}
const words = () => exchange.venue.unknowns?.().map(({ about, word }) => `${about}: ${word}`);

test('new fields and statuses of markets lose no market', async () => {
  await changeAnswer('/events/fee_changes', (body) => body);
  await changeAnswer('/events?status=open&with_nested_markets=true', (body) =>
    body.replace('"status":"active"', '"status":"frozen","moonshine":1').replace('"title"', '"weather":"dry","title"'),
  );
  const { events, invalid } = await exchange.venue.catalogue();
  expect([events.length, invalid, events[0]?.markets[0]?.status]).toEqual([1, [], 'paused']);
  expect(words()).toEqual(['field of EventData: weather', 'field of Market: moonshine', 'market status: frozen']);
});

test('an order with a new status is working in the list of orders, too', async () => {
  await exchange.venue.placeOrder(kalshiOrder(TICKER), () => true);
  exchange.oddStatus();
  const since = new Date(Date.now() - 60_000);
  expect(await exchange.venue.account?.ordersSince(since)).toMatchObject([{ state: 'working', fills: [{}, {}] }]);
  expect(words()).toEqual(['order status: hibernating']);
});

test('an answer to an order with a new code decides nothing', async () => {
  const body = { code: 'moon_in_the_way', message: '' };
  tell({ do: 'fault', on: 'POST /portfolio/events/orders', fault: { kind: 'answer', status: 400, body } });
  await expect(exchange.venue.placeOrder(kalshiOrder(TICKER), () => true)).rejects.toMatchObject({ notTaken: false });
  expect(words()).toEqual(['answer to an order: 400 moon_in_the_way']);
});
