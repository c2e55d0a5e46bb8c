/** Buying and selling in the frame, as a customer does it. */
import { describe, expect, test } from 'vitest';
import { moveBook } from '../catalogue/seed.ts';
import { hasChromium } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { buyRain, openEvent, setUpKindsWorld } from './kinds-world.ts';

const kinds = setUpKindsWorld();

describe.skipIf(!hasChromium)('trading', () => {
  // contract 1.2, contract 31.10
  test('a buy, a new price that the customer confirms, and a cash-out', async () => {
    await kinds.resetBooks();
    const held = async () =>
      (await kinds.world.service.request('GET', '/api/v1/positions?externalUserId=trader', { key: kinds.world.key }))
        .body.positions;
    await kinds.withHost({ user: 'trader' }, async (host) => {
      const { frame } = host;
      await openEvent(host, 'Will it rain tomorrow?');
      await frame.getByLabel('Stake in US dollars').fill('20');
      await frame.getByRole('button', { name: 'Get price' }).click();
      const confirm = frame.getByRole('button', { name: 'Confirm: buy for $20.00' });
      await confirm.waitFor();
      await frame.getByText(/Price held for \d+ s/).waitFor();

      await moveBook(kinds.world.service.sql, { id: 'rain', bids: [[0.6, 100_000]], asks: [[0.62, 100_000]] });
      await kinds.world.service.context.board.refresh();
      await confirm.click();
      const accept = frame.getByRole('button', { name: 'Accept the new price and buy for $20.00' });
      await accept.waitFor();
      await frame.getByText('The price was 57¢ and is now 62¢. Confirm only if you accept it.').waitFor();
      const before = await kinds.world.service.request('GET', '/api/v1/positions?externalUserId=trader', {
        key: kinds.world.key,
      });
      expect(before.body.positions).toEqual([]);

      await accept.click();
      await frame.getByText('Bought', { exact: true }).waitFor();
      const { body } = await kinds.world.service.request('GET', '/api/v1/positions?externalUserId=trader', {
        key: kinds.world.key,
      });
      expect(body.positions).toMatchObject([
        { contractId: 'ctr_rain', side: 'YES', status: 'open', operatorMoney: { costBasis: '20.00' } },
      ]);

      await frame.getByRole('button', { name: 'See your positions' }).click();
      await frame.getByRole('button', { name: 'Cash out' }).click();
      await frame.getByLabel('How many contracts?').fill('10');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: /^Confirm: sell for \$/ }).click();
      await frame.getByText('Sold', { exact: true }).waitFor();
      const told = new Set((await host.messages()).map((message) => JSON.stringify(message)));
      expect([...told], 'no money crosses').toEqual(['{"type":"service.session.required","reason":"missing"}']);
      const after = await held();
      expect(after[0].quantity).toBeCloseTo(body.positions[0].quantity - 10, 6);
      await frame.getByRole('button', { name: 'Done' }).click();

      // The whole of it: the card stays until the customer has read how it ended.
      await frame.getByRole('button', { name: 'Cash out' }).click();
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: /^Confirm: sell for \$/ }).click();
      await frame.getByText('Sold', { exact: true }).waitFor();
      expect((await held())[0].status).toBe('closed');
      await host.page.waitForTimeout(500);
      await frame.getByRole('button', { name: 'Done' }).click();
      await frame.getByText('You have no positions yet.').waitFor();
      await frame.getByRole('button', { name: 'Past' }).click();
      await frame.getByText('Cashed out').waitFor();
    });
  });

  test('the activity lists each order with its time, state and a reference that can be copied, also of one position', async () => {
    await kinds.resetBooks();
    const { request } = kinds.world.service;
    const order = async (body: object, id: string) => {
      const call = { key: kinds.world.key, user: 'active' };
      const quote = await request('POST', '/api/v1/quotes', { ...call, body });
      const placed = { quoteId: quote.body.quoteId, clientOrderId: id };
      return (await request('POST', '/api/v1/orders', { ...call, body: placed })).body;
    };
    const bought = await order({ marketId: 'ctr_rain', side: 'YES', action: 'buy', stake: 20 }, 'first');
    const sold = await order({ marketId: 'ctr_rain', side: 'YES', action: 'sell', contracts: 10 }, 'second');
    const other = await order({ marketId: 'ctr_blues', side: 'NO', action: 'buy', stake: 5 }, 'third');
    await kinds.withHost({ user: 'active', width: 390, height: 844 }, async ({ page, frame }) => {
      const references = frame.locator('.card .reference code');
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByRole('button', { name: 'Activity' }).click();
      await references.first().waitFor();
      expect(await references.allInnerTexts()).toEqual([other, sold, bought].map(({ executionRef }) => executionRef));
      const cards = (await frame.locator('.card').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
      const time = '\\w{3} \\d+, \\d{4}, \\d+:\\d\\d [AP]M';
      expect(cards[1]).toMatch(new RegExp(`Yes Sell ${time} Will it rain tomorrow\\? Filled .*Received \\$5\\.39`));
      expect(cards[2]).toMatch(new RegExp(`Yes Buy ${time} .*Contracts 34\\.38 Price 57¢ Stake \\$20\\.00`));

      await page.context().grantPermissions(['clipboard-read']);
      await frame.getByRole('button', { name: `Copy: Reference ${sold.executionRef}` }).click();
      await frame.getByText('Copied.').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(sold.executionRef);

      await frame.getByRole('button', { name: 'Open', exact: true }).click();
      await frame.getByRole('button', { name: 'Orders: Will it rain tomorrow?' }).click();
      await frame.locator('.of-position').waitFor();
      expect(await references.allInnerTexts()).toEqual([sold, bought].map(({ executionRef }) => executionRef));
      await frame.getByRole('button', { name: 'All orders' }).click();
      await until(async () => expect(await references.count()).toBe(3));
    });
  });

  test('the ticket and what is confirmed are always of one side', async () => {
    await kinds.resetBooks();
    await kinds.withHost({ user: 'sides' }, async (host) => {
      const { frame } = host;
      await openEvent(host, 'Will it rain tomorrow?');
      await frame.getByLabel('Stake in US dollars').fill('12');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: 'Confirm: buy for $12.00' }).waitFor();
      await frame.getByRole('button', { name: /^No / }).first().click();
      await frame.getByRole('button', { name: 'Confirm: buy for $12.00' }).waitFor({ state: 'detached' });
      await frame.locator('.ticket-title', { hasText: 'No' }).waitFor();
      expect(await frame.getByLabel('Stake in US dollars').inputValue()).toBe('12');
    });
  });

  test('a live order waits for the operator, and says how it ended', async () => {
    await kinds.resetBooks();
    await kinds.withHost({ live: true, user: 'live' }, async (host) => {
      const { frame } = host;
      await openEvent(host, 'Will it rain tomorrow?');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).click();
      await frame.getByText('Waiting for House Live to reserve your money.').waitFor();
      const key = kinds.world.liveKey;
      const { body } = await kinds.world.service.request('GET', '/api/v1/orders?externalUserId=live', { key });
      expect(body.orders).toMatchObject([{ status: 'reserve_pending', simulated: false }]);
      await kinds.world.service.request('POST', `/api/v1/orders/${body.orders[0].orderId}/cancel`, { key });
      await frame.getByText('Your order was withdrawn. You have not been charged.').waitFor();
    });
  });

  test('refusals are words, and leave a way on', async () => {
    await kinds.resetBooks();
    await kinds.withHost({ user: 'refused' }, async (host) => {
      const { frame } = host;
      await openEvent(host, 'Will it rain tomorrow?');
      await frame.getByLabel('Stake in US dollars').fill('0.50');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByText('The amount is too small to trade. Try a larger one.').waitFor();
      await frame.getByLabel('Stake in US dollars').fill('ten');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByText('Enter an amount such as 10 or 12.50.').waitFor();
    });
  });

  // contract 3.3
  test('an executable that is null is no price, and the reference does not stand in for it', async () => {
    await kinds.withHost({}, async (host) => {
      await openEvent(host, 'Will nobody trade this?');
      const yes = host.frame.getByRole('button', { name: 'Yes no offers, Buy: Will nobody trade this?' }).first();
      await yes.waitFor();
      expect(await yes.textContent()).toMatch(/Yes\s*no offers/);
      await host.frame.getByRole('button', { name: 'No 70¢, Buy: Will nobody trade this?' }).first().waitFor();
    });
  });

  test('prices move by the stream', async () => {
    await kinds.withHost({}, async (host) => {
      await openEvent(host, 'Who wins the cup?');
      await host.frame.getByRole('button', { name: 'Yes 22¢, Buy: Reds' }).waitFor();
      await moveBook(kinds.world.service.sql, { id: 'reds', bids: [[0.3, 9000]], asks: [[0.3175, 9000]] });
      await host.frame.getByRole('button', { name: 'Yes 31.75¢, Buy: Reds' }).waitFor();
    });
  });

  test('the payoff is shown while typing, with balance and maximum', async () => {
    await kinds.resetBooks();
    await buyRain(kinds, 'typist', 10);
    await kinds.withHost({ user: 'typist' }, async (host) => {
      const { frame } = host;
      await openEvent(host, 'Will it rain tomorrow?');
      await frame.getByLabel('Stake in US dollars').fill('20');
      // 2% fee, 57¢: 34.38 contracts.
      const payoff = frame.locator('[data-test=payoff]');
      await payoff.getByText('$34.38').waitFor();
      expect(await payoff.innerText()).toContain('+72%');
      expect(await payoff.innerText()).toContain('34.38 contracts at 57¢.');
      await frame.getByText('Balance $9,990.00').waitFor();
      await frame.getByRole('button', { name: 'Max' }).click();
      expect(await frame.getByLabel('Stake in US dollars').inputValue()).toBe('9990');
      await frame.getByLabel('Stake in US dollars').fill('20');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: 'Confirm: buy for $20.00' }).waitFor();
      expect(await frame.locator('.terms').innerText()).toMatch(/Contracts\s+34\.38\s/);
    });
  });
});
