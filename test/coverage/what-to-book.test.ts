/** The table "What to book" of the guides: one key for the same money on every channel, so that books come out right whichever channels are read, in whatever order and how often. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleMarket } from '../../src/settlement/settle-market.ts';
import type { OrderToPlace } from '../../src/venues/port.ts';
import type { AnyJson } from '../support/any-json.ts';
import { readEvents } from '../support/events.ts';
import { openChance } from '../support/random.ts';
import { createSentOrders } from '../support/sent-orders.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';

let live: Live;
let tenant: Tenant;
/** What each channel said, in its order. */
const told = { answers: [] as AnyJson[], webhooks: [] as AnyJson[], feed: [] as AnyJson[] };
/** What the history of each order says that the operator's own ledger should hold. */
const histories: AnyJson[] = [];

const { ended, due } = createSentOrders(
  () => live,
  () => tenant,
);
const answered = (order: AnyJson) => {
  told.answers.push(order);
  return order;
};

beforeAll(async () => {
  live = await openLive();
  tenant = await live.tenant();
  const reserved = { reserveReference: 'r' };
  /** The fee of its one fill becomes known after the answer. */
  async function feeComesLater(quote: object): Promise<AnyJson> {
    live.venue.script = (order) => live.venue.fillWhole(order, null);
    const { orderId } = answered((await tenant.place('ana', reserved, quote)).body);
    answered(await tenant.read(orderId));
    const [sent] = (await live.sentOf(orderId)) as [OrderToPlace];
    live.venue.change(sent.ourId, { fills: [live.venue.fill(sent, 0, sent.quantityMicros, 50)] });
    await due(orderId);
    return answered(await ended(orderId));
  }
  await feeComesLater({ stake: 10 });
  await feeComesLater({ action: 'sell', stake: undefined, contracts: 5 });
  const withdrawn = answered((await tenant.place('ana')).body);
  const { body } = await tenant.cancel(withdrawn.orderId);
  told.answers.push({ ...body, orderId: withdrawn.orderId });
  answered(await tenant.read(withdrawn.orderId));
  await live.sql`select * from decide_market(${live.market.contractId}, 'resolve', 'YES', null)`;
  expect(await settleMarket(live.sql, live.market.contractId)).toBe(1);

  const get = async (path: string) => (await live.request('GET', `/api/v1/${path}`, { key: tenant.key })).body;
  told.answers.push(...(await get('settlements')).settlements);
  told.feed.push(...(await get('reconciliation/feed?limit=500')).items);
  told.webhooks.push(...(await readEvents(live.sql, tenant.operator.operatorId)));
  for (const { orderId } of (await get('orders')).orders) {
    histories.push(...(await get(`orders/${orderId}/history`)).instructions);
  }
});
afterAll(() => live.close());

const cents = (amount: string) => Math.round(Number(amount) * 100);

/** Books kept by the table, with nothing else. */
class Books {
  readonly #booked = new Map<string, number>();
  readonly #items = new Map<string, Map<string, number>>();

  /** What is less than is booked is old news. */
  #raise(key: string, amount: number): void {
    this.#booked.set(key, Math.max(this.#booked.get(key) ?? 0, amount));
  }

  #buy(orderId: string, money: AnyJson, isFinal: boolean): void {
    this.#raise(`hold ${orderId}`, cents(money.authorizationAmount));
    this.#raise(`debit ${orderId}`, cents(money.actualDebit));
    if (isFinal) {
      this.#raise(`release ${orderId}`, cents(money.releaseAmount));
    }
  }

  answer(one: AnyJson): void {
    if (one.operatorMoney?.settlementCredit !== undefined) {
      this.#raise(
        `settlement ${one.id}`,
        cents(one.operatorMoney.settlementCredit) + cents(one.operatorMoney.voidCredit),
      );
    } else if (one.cancellationId !== undefined && one.status === undefined) {
      this.#buy(one.orderId, one, true);
    } else if (one.operatorMoney === null) {
      this.#raise(`exit ${one.orderId}`, cents(one.operatorExitMoney.sellProceeds));
    } else {
      this.#buy(one.orderId, one.operatorMoney, one.settlementState === 'settled');
    }
  }

  webhook({ type, data }: AnyJson): void {
    if (type === 'order.intent_recorded') {
      this.#raise(`hold ${data.orderId}`, cents(data.authorizationAmount));
    } else if (type === 'order.filled' || type === 'order.completed') {
      if (data.operatorMoney === null) {
        this.#raise(`exit ${data.orderId}`, cents(data.operatorExitMoney.sellProceeds));
      } else {
        this.#buy(data.orderId, data.operatorMoney, data.final);
      }
    } else if (type === 'order.cancelled') {
      this.#buy(data.orderId, data, true);
    } else if (type === 'position.settled') {
      const { settlementCredit, voidCredit } = data.operatorMoney;
      this.#raise(`settlement ${data.settlementId}`, cents(settlementCredit) + cents(voidCredit));
    }
  }

  item({ id, type, orderId, money, detail }: AnyJson): void {
    if (type === 'order.state_changed' && money !== null) {
      this.#buy(orderId, money, detail.settlementState === 'settled');
    } else if (type === 'position.exited') {
      const parts = this.#items.get(orderId) ?? new Map<string, number>();
      this.#items.set(orderId, parts.set(id, cents(money.sellProceeds)));
      this.#raise(
        `exit ${orderId}`,
        parts.values().reduce((sum, part) => sum + part, 0),
      );
    } else if (type === 'position.settled') {
      this.#raise(`settlement ${id}`, cents(money.settlementCredit) + cents(money.voidCredit));
    }
  }

  /** Without what is nothing, which a channel need not say. */
  get booked(): Record<string, number> {
    return Object.fromEntries([...this.#booked].filter(([, amount]) => amount !== 0).sort());
  }
}

const expected = () => {
  const books = new Books();
  for (const one of told.answers) {
    books.answer(one);
  }
  return books.booked;
};

test('a fee that comes later is in the debit, and debit and release make up the hold', () => {
  const [early, , late] = told.answers as [AnyJson, AnyJson, AnyJson];
  const filled = told.webhooks.find(({ type, data }) => type === 'order.filled' && data.orderId === early.orderId);
  const completed = told.webhooks.find(
    ({ type, data }) => type === 'order.completed' && data.orderId === early.orderId,
  );
  expect(cents(completed.data.operatorMoney.actualDebit)).toBeGreaterThan(cents(filled.data.operatorMoney.actualDebit));
  expect(completed.data.operatorMoney).toEqual(late.operatorMoney);
  const books = new Books();
  for (const event of told.webhooks) {
    books.webhook(event);
  }
  const of = (kind: string) => books.booked[`${kind} ${early.orderId}`] ?? 0;
  expect(of('debit') + of('release')).toBe(of('hold'));
});

// contract 1.15, contract 1.16, contract 26.3
test('each channel alone, and all of them shuffled and repeated, come to the same books', () => {
  const last = (kind: string) => Object.keys(expected()).filter((key) => key.startsWith(`${kind} `)).length;
  expect(['hold', 'debit', 'release', 'exit', 'settlement'].map(last)).toEqual([2, 1, 2, 1, 1]);
  const entries = [
    ...told.answers.map((one) => (books: Books) => books.answer(one)),
    ...told.webhooks.map((one) => (books: Books) => books.webhook(one)),
    ...told.feed.map((one) => (books: Books) => books.item(one)),
  ];
  const alone = (list: readonly AnyJson[], book: (books: Books, one: AnyJson) => void) => {
    const books = new Books();
    for (const one of list) {
      book(books, one);
    }
    return books.booked;
  };
  expect(alone(told.webhooks, (books, one) => books.webhook(one))).toEqual(expected());
  expect(alone(told.feed, (books, one) => books.item(one))).toEqual(expected());
  const chance = openChance(7);
  for (let round = 0; round < 50; round += 1) {
    const books = new Books();
    const shuffled = [...entries, ...entries]
      .map((book) => ({ book, place: chance.below(1_000_000) }))
      .toSorted((one, other) => one.place - other.place);
    for (const { book } of shuffled) {
      book(books);
    }
    expect(books.booked).toEqual(expected());
  }
});

// contract 11.18
test('the histories of the orders list the same books, each amount once', () => {
  const kindOf = ({ type, key }: AnyJson) =>
    type !== 'credit' ? type : key.startsWith('stl_') ? 'settlement' : 'exit';
  const listed = new Map<string, number>();
  for (const instruction of histories) {
    const name = `${kindOf(instruction)} ${instruction.key}`;
    // both orders of a position list its settlement
    expect([undefined, cents(instruction.amount)]).toContain(listed.get(name));
    listed.set(name, cents(instruction.amount));
  }
  expect(Object.fromEntries([...listed].sort())).toEqual(expected());
});

// contract 1.15
test('the guides print one table of the keys, and point to it', () => {
  const guide = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
  expect(guide('guides/reconciliation.md')).toMatch(
    /^\| money \| key \| in responses \| in webhooks \| in the feed \|$/m,
  );
  for (const name of ['guides/webhooks.md', 'guides/going-live.md', 'guides/client.md']) {
    expect(guide(name)).toContain('reconciliation.md#what-to-book');
    expect(guide(name)).not.toMatch(/key of the booking|book it once for each/);
  }
});
