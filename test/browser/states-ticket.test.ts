/** States of a ticket that could strand a customer: each says what happened and offers a way on, by keyboard too. */
import { describe, expect, test } from 'vitest';
import { moveCollateral } from '../../src/ledger/collateral.ts';
import { moveBook, seed } from '../catalogue/seed.ts';
import { hasChromium } from '../support/browser.ts';
import { sendOrder } from '../support/live-paper.ts';
import { type Script, ScriptedVenue } from '../support/scripted-venue.ts';
import { until } from '../support/until.ts';
import { openEvent, setUpKindsWorld } from './kinds-world.ts';
import { buttonsIn, expectFocus } from './states.ts';
import type { Host } from './world.ts';

const kinds = setUpKindsWorld({ endsSound: true });
const RAIN = 'Will it rain tomorrow?';
const STAKE = 'Stake in US dollars';

/** A ticket with a stake, before the price is requested. */
async function openTicket(host: Host, stake = '10'): Promise<void> {
  await kinds.resetBooks();
  await openEvent(host, RAIN);
  await host.frame.getByLabel(STAKE).fill(stake);
}

const getPrice = ({ frame }: Host) => frame.getByRole('button', { name: 'Get price' }).click();
const confirm = ({ frame }: Host) => frame.getByRole('button', { name: /^Confirm: / }).click();

/** Changes columns of the operator for as long as the act lasts. */
async function withOperator(
  change: Readonly<Record<string, unknown>>,
  act: () => Promise<void>,
  slug = 'house',
): Promise<void> {
  const { sql } = kinds.world.service;
  const [before = {}] = await sql<
    Record<string, unknown>[]
  >`select to_jsonb(o) as was from operators o where slug = ${slug}`;
  const was = before['was'] as Record<string, unknown>;
  const old = Object.fromEntries(Object.keys(change).map((name) => [name, was[name] ?? null]));
  await sql`update operators set ${sql(change)} where slug = ${slug}`;
  try {
    await act();
  } finally {
    await sql`update operators set ${sql(old)} where slug = ${slug}`;
  }
}

const NOT_HERE = 'Prediction markets are not available in your location.';

describe.skipIf(!hasChromium)('a ticket always leads on', () => {
  // The price is held for 30 s, beside what a busy machine takes.
  test('when the price expires, Enter asks for a new one and Enter confirms it', async () => {
    await kinds.withHost({ user: 'expired' }, async (host) => {
      const { frame, page } = host;
      await openTicket(host);
      await getPrice(host);
      await frame.getByText('This price has expired.').waitFor({ timeout: 60_000 });
      expect(await buttonsIn(frame.locator('.deal'))).toEqual(['Get a new price', 'Cancel']);
      expect(await frame.locator('.deal').getAttribute('role')).toBe('status');
      await expectFocus(frame, 'Get a new price');
      await kinds.resetBooks();
      await page.keyboard.press('Enter');
      await expectFocus(frame, 'Confirm: buy for $10.00');
      await page.keyboard.press('Enter');
      await frame.getByText('Bought', { exact: true }).waitFor();
    });
  }, 240_000);

  test('a device that is turned keeps the price, the order that is being placed, and the receipt', async () => {
    await kinds.withHost({ user: 'turned', width: 1000, height: 700 }, async (host) => {
      const { frame, page } = host;
      const turn = (width: number, height: number) => page.setViewportSize({ width, height });
      await openTicket(host);
      await getPrice(host);
      const button = frame.getByRole('button', { name: 'Confirm: buy for $10.00' });
      await button.waitFor();
      await turn(700, 1000);
      let released = () => {};
      const held = new Promise<void>((resolve) => {
        released = resolve;
      });
      await page.route('**/api/embed/orders', async (route) => {
        await held;
        await route.continue();
      });
      await button.click();
      await frame.getByText('Placing your order').waitFor();
      await turn(1000, 700);
      await frame.getByText('Placing your order').waitFor();
      released();
      await frame.getByText('Bought', { exact: true }).waitFor();
      await turn(700, 1000);
      await frame.getByText('Bought', { exact: true }).waitFor();
    });
  });

  test.each([
    [
      'of a wager',
      'over_wager_limit',
      { max_wager_minor: 500 },
      'This is above your limit for a single wager.',
      '$5.00',
    ],
    [
      'of a period',
      'over_period_limit',
      { period_stake_minor: 700, period_hours: 24 },
      'This is more than your limit leaves for the current period.',
      '$7.00',
    ],
    [
      'of an order',
      'over_order_limit',
      { max_order_minor: 800 },
      'This is above the maximum size of an order.',
      '$8.00',
    ],
  ])('a limit %s offers what it allows', async (_name, code, change, words, most) => {
    await withOperator(change, async () => {
      await kinds.withHost({ user: code }, async (host) => {
        const { frame } = host;
        await openTicket(host, '20');
        await frame.getByText(words).waitFor();
        await frame.getByText(`The most you can stake right now is ${most}.`).waitFor();
        expect(await frame.getByRole('button', { name: 'Get price' }).isDisabled()).toBe(true);
        await frame.getByRole('button', { name: `Stake ${most}` }).press('Enter');
        await expectFocus(frame, STAKE);
        await getPrice(host);
        await expectFocus(frame, `Confirm: buy for ${most}`);
      });
    });
  });

  test('an order that is larger than the market says so, and a smaller stake is accepted', async () => {
    await kinds.withHost({ user: 'large' }, async (host) => {
      const { frame } = host;
      await openTicket(host, '500');
      await moveBook(kinds.world.service.sql, { id: 'rain', bids: [[0.55, 100]], asks: [[0.57, 100]] });
      await kinds.world.service.context.board.refresh();
      await getPrice(host);
      await frame.getByText('The market cannot fill an order of this size. Try a smaller amount.').waitFor();
      await expectFocus(frame, STAKE);
      await frame.getByRole('button', { name: '$25', exact: true }).click();
      await getPrice(host);
      await expectFocus(frame, 'Confirm: buy for $25.00');
    });
  });

  test('an order beyond what the operator may have open says so, and leaves the form', async () => {
    await kinds.withHost({ user: 'exposed', live: true }, async (host) => {
      const { frame } = host;
      await withOperator(
        { player_exposure_minor: 500 },
        async () => {
          await openTicket(host, '10');
          await getPrice(host);
          await confirm(host);
          await frame.getByText('Orders of this size cannot be accepted right now.').waitFor();
          await expectFocus(frame, STAKE);
        },
        'house-live',
      );
    });
  });

  test('of the balance and all limits the lowest is said while the customer types, and offered', async () => {
    const lowest = (most: string) => `The most you can stake right now is ${most}.`;
    await kinds.withHost({ user: 'poor' }, async (host) => {
      const { frame } = host;
      await openTicket(host, '20000');
      await frame.getByText(`This is above the maximum for a practice order. ${lowest('$10,000.00')}`).waitFor();
      await frame.getByLabel(STAKE).fill('6000');
      await getPrice(host);
      await confirm(host);
      await frame.getByText('Bought', { exact: true }).waitFor();
      await frame.getByRole('button', { name: 'Place another order' }).click();
      await frame.getByText(`You do not have enough money for this order. ${lowest('$4,000.00')}`).waitFor();
      expect(await frame.getByRole('button', { name: 'Get price' }).isDisabled()).toBe(true);
      await frame.getByRole('button', { name: 'Stake $4,000.00' }).click();
      await getPrice(host);
      await expectFocus(frame, 'Confirm: buy for $4,000.00');
    });
  });

  test('a limit that was lowered while the frame is open refuses, and what is offered is the lowest of all', async () => {
    await kinds.withHost({ user: 'lowered' }, async (host) => {
      const { frame } = host;
      await openTicket(host, '20');
      await frame.locator('[data-test=payoff]').waitFor();
      await withOperator({ max_wager_minor: 1500, max_order_minor: 900 }, async () => {
        await getPrice(host);
        await frame.getByText('This is above your limit for a single wager.').waitFor();
        await frame.getByText('The most you can stake right now is $9.00.').waitFor();
        await frame.getByRole('button', { name: 'Stake $9.00' }).click();
        await expectFocus(frame, 'Confirm: buy for $9.00');
      });
    });
  });

  test('a pause of trading and a place without markets say so and lead back', async () => {
    await kinds.withHost({ user: 'halted', mint: { jurisdiction: { country: 'HR' } } }, async (host) => {
      const { frame } = host;
      await openTicket(host);
      await withOperator({ trading_paused: true }, async () => {
        await getPrice(host);
        await frame.getByText('Trading is paused at the moment.').waitFor();
        await expectFocus(frame, STAKE);
      });
      await withOperator({ jurisdiction_mode: 'enforced', permitted_countries: ['US'] }, async () => {
        const told = frame.getByText(NOT_HERE).waitFor();
        // the page may learn it by itself, and take the ticket away before it can be used
        await Promise.any([getPrice(host), told]);
        await told;
        await frame.locator('.ticket').waitFor({ state: 'detached' });
        await frame.getByRole('button', { name: 'Back to markets' }).click();
        await frame.getByRole('button', { name: 'See your positions' }).waitFor();
      });
    });
  });

  test('a place without markets is said before the ticket, and what is held can be seen, and sold where exits are allowed', async () => {
    const mint = { jurisdiction: { country: 'HR' } };
    await kinds.withHost({ user: 'moved-away', mint }, async (host) => {
      await openTicket(host, '10');
      await getPrice(host);
      await confirm(host);
      await host.frame.getByText('Bought', { exact: true }).waitFor();
    });
    for (const exits of [false, true]) {
      const closed = { jurisdiction_mode: 'enforced', permitted_countries: ['US'], jurisdiction_allow_exits: exits };
      await withOperator(closed, async () => {
        await kinds.withHost({ user: 'moved-away', mint, path: '/evt_rain' }, async ({ frame }) => {
          const hint = exits ? 'You can still see and sell the positions' : 'You can still see the positions';
          await frame.getByRole('alert').getByText(`${NOT_HERE} ${hint} that you have.`).waitFor();
          for (const price of await frame.locator('button.price').all()) {
            expect(await price.isDisabled()).toBe(true);
          }
          expect(await frame.locator('.ticket').count()).toBe(0);
          await frame.getByRole('button', { name: 'Positions' }).click();
          await frame.getByText('If sold now').first().waitFor();
          expect(await frame.getByRole('button', { name: 'Cash out' }).count()).toBe(exits ? 1 : 0);
        });
      });
    }
  });

  test('an outcome that closes while the customer types says so, keeps the stake and leads on', async () => {
    const { sql } = kinds.world.service;
    const late = (status: string) =>
      seed(sql, [{ id: 'late', title: 'Will it end early?', contracts: [{ id: 'late', status }] }]);
    await late('open');
    await kinds.world.service.context.board.refresh();
    await kinds.withHost({ user: 'typing' }, async (host) => {
      const { frame } = host;
      await openEvent(host, 'Will it end early?');
      await frame.getByLabel(STAKE).fill('12.5');
      await late('closed');
      await kinds.world.service.context.board.refresh();
      await frame.getByRole('alert').getByText('This market is no longer open.').waitFor();
      expect(await frame.getByLabel(STAKE).inputValue()).toBe('12.5');
      expect(await frame.getByRole('button', { name: 'Get price' }).count()).toBe(0);
      await frame.getByText('Trading in this market has ended. The result is not final yet.').waitFor();
      await frame.locator('.ticket form').getByRole('button', { name: 'Browse markets' }).press('Enter');
      await expectFocus(frame, 'Markets');
    });
  });

  test('a part that fills says what is returned, and a part that sells says what is kept', async () => {
    const { service, key } = kinds.world;
    const arm = () =>
      service.request('POST', '/api/v1/sandbox/scenarios', { key, body: { kind: 'partial_fill', fillFraction: 0.4 } });
    await kinds.withHost({ user: 'partly' }, async (host) => {
      const { frame, page } = host;
      await openTicket(host);
      await arm();
      await getPrice(host);
      await confirm(host);
      await frame.getByText('Only part of your order was filled. The rest of your money is returned to you.').waitFor();
      expect(await frame.locator('.receipt dt').allInnerTexts()).toEqual([
        'Contracts',
        'Price',
        'Payout if you win',
        'Stake',
        'Returned',
      ]);
      await expectFocus(frame, 'See your positions');
      await page.keyboard.press('Enter');
      await frame.getByRole('button', { name: 'Cash out' }).click();
      await kinds.resetBooks();
      await arm();
      await getPrice(host);
      await confirm(host);
      await frame.getByText('Only part of your contracts was sold. You keep the others.').waitFor();
      await expectFocus(frame, 'Done');
    });
  });

  test('an answer that is lost is looked for, and the order is placed once', async () => {
    const { service, key } = kinds.world;
    await kinds.withHost({ user: 'lost' }, async (host) => {
      const { frame, page } = host;
      let answers = 0;
      await page.route('**/api/embed/orders', async (route) => {
        const answer = await route.fetch();
        answers += 1;
        await (answers < 3 ? route.abort('connectionreset') : route.fulfill({ response: answer }));
      });
      await openTicket(host);
      await getPrice(host);
      await confirm(host);
      await frame.getByText(/We are checking the result of your order\. Please do not order again/).waitFor();
      expect(await buttonsIn(frame.locator('.deal'))).toEqual(['See your positions']);
      await expectFocus(frame, 'See your positions');
      await frame.getByText('Bought', { exact: true }).waitFor();
      const { body } = await service.request('GET', '/api/v1/orders?externalUserId=lost', { key });
      expect(body.orders).toHaveLength(1);
    });
  });

  test.each<[string, string, Script, string, string[]]>([
    [
      'rejects',
      'rejected',
      () => ({ outcome: 'rejected', reason: 'odd word', order: null }),
      'Your order was not accepted. You have not been charged. The exchange did not take it.',
      ['Get a new price', 'Change the amount'],
    ],
    [
      'has too little of our money',
      'uncovered',
      () => ({ outcome: 'rejected', reason: 'insufficient_balance', order: null }),
      'Your order was not accepted. You have not been charged. The exchange did not take it for a reason on our side; your balance has nothing to do with it.',
      ['Get a new price', 'Change the amount'],
    ],
    [
      'has closed the market',
      'closed-there',
      () => ({ outcome: 'rejected', reason: 'market_already_closed', order: null }),
      'Your order was not accepted. You have not been charged. This market is no longer open.',
      ['Browse markets'],
    ],
    [
      'does not answer',
      'silent',
      (_order, venue) => venue.silence(),
      'We are checking the result of your order. Please do not order again; you will see the result here.',
      ['See your positions'],
    ],
  ])('a venue that %s leaves words, the reference and a way on', async (_name, user, script, words, ways) => {
    await kinds.withHost({ user, live: true }, async (host) => {
      const { frame } = host;
      const { executionRef } = await sendLive(host, user, script);
      await frame.getByText(words).waitFor();
      await expectWays(host, executionRef, ways);
      await expectFocus(frame, ways[0] ?? '');
    });
  });

  test('a price that moves while the money is reserved is said, and the new price is offered', async () => {
    const moved =
      'Your order was withdrawn. You have not been charged. The price moved before the order could be placed.';
    await kinds.withHost({ user: 'moved', live: true }, async (host) => {
      const { frame } = host;
      const { executionRef } = await sendLive(host, 'moved', undefined, 0.6);
      await frame.getByText(moved).waitFor();
      await frame.getByText('The price was 57¢ and is now 60¢. Confirm only if you accept it.').waitFor();
      await expectWays(host, executionRef, ['Accept the new price and buy for $10.00', 'Cancel']);
      await expectFocus(frame, 'Accept the new price and buy for $10.00');
      await frame.getByRole('button', { name: 'Cancel' }).click();
      expect(await frame.getByText(moved).count()).toBe(0);

      // The reason stays, in the list of orders, and leads back to the ticket with the same stake.
      await frame.getByLabel(STAKE).fill('25');
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByRole('button', { name: 'Activity' }).click();
      const card = frame.locator('.card', { hasText: executionRef });
      await card.getByText(moved).waitFor();
      expect(await card.innerText()).toMatch(/Buy\s+\$10\.00/);
      expect(await card.locator('.figures').count()).toBe(0);
      await card.getByRole('button', { name: 'Get a new price' }).click();
      await frame.getByRole('heading', { level: 1, name: RAIN }).waitFor();
      await until(async () => expect(await frame.getByLabel(STAKE).inputValue()).toBe('10'));
    });
  });

  test('a worse price that is accepted beforehand is not asked about, also of a sale, and the choice is kept', async () => {
    await kinds.withHost({ user: 'easy' }, async (host) => {
      const { frame } = host;
      const accept = frame.getByLabel('Accept prices up to 1¢ worse');
      await openTicket(host);
      await getPrice(host);
      const terms = frame.locator('.offer .terms');
      await terms.waitFor();
      expect(await terms.innerText()).not.toContain('Worst price accepted');
      await frame.locator('.offer').locator(accept).check();
      expect(await terms.innerText()).toMatch(/Price\s+57¢\s+Worst price accepted\s+58¢/);
      await moveRain(0.5525, 0.5725);
      await confirm(host);
      await frame.locator('.receipt').getByText('57.25¢').waitFor();
      await frame.getByRole('button', { name: 'See your positions' }).click();
      await frame.getByRole('button', { name: 'Cash out' }).click();
      await getPrice(host);
      await terms.waitFor();
      expect(await terms.innerText()).toMatch(/Price\s+55\.25¢\s+Worst price accepted\s+54\.25¢/);
      await moveRain(0.5515, 0.58);
      await confirm(host);
      await frame.locator('.receipt').getByText('55.15¢').waitFor();

      await frame.evaluate(() => location.reload());
      await frame.getByRole('button', { name: 'Settings' }).click();
      expect(await accept.isChecked()).toBe(true);
    });
  });

  test('a refused try in practice mode costs nothing and says so, with its reference', async () => {
    await kinds.withHost({ user: 'practised' }, async (host) => {
      const { frame } = host;
      await openTicket(host);
      await getPrice(host);
      await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).waitFor();
      await moveRain(0.56, 0.58);
      await confirm(host);
      const words =
        'Your order was not accepted. You have not been charged. The price moved before the order could be placed.';
      await frame.getByText(words).waitFor();
      const [order] = await kinds.world.service.sql<{ executionRef: string }[]>`
        select execution_ref from orders where external_user_id = 'practised'`;
      await expectWays(host, order?.executionRef ?? '', ['Accept the new price and buy for $10.00', 'Cancel']);
      await frame.getByRole('button', { name: 'Accept the new price' }).click();
      await frame.getByText('Bought', { exact: true }).waitFor();
      expect(await frame.getByText(words).count()).toBe(0);
    });
  });
});

async function moveRain(bid: number, ask: number): Promise<void> {
  await moveBook(kinds.world.service.sql, { id: 'rain', bids: [[bid, 100_000]], asks: [[ask, 100_000]] });
  await kinds.world.service.context.board.refresh();
}

/**
 * Orders in a live frame, confirms the reserve as the operator does, and sends the order to a venue that answers as its script says.
 * @param ask the price of Yes in dollars when the order is sent
 */
async function sendLive(
  host: Host,
  user: string,
  script: Script | undefined,
  ask = 0.57,
): Promise<{ readonly executionRef: string }> {
  const { service, liveKey: key } = kinds.world;
  const [live] = await service.sql<{ operatorId: string }[]>`
    update operators set execution_confirmed = true where slug = 'house-live' returning operator_id`;
  await moveCollateral(service.sql, live?.operatorId ?? '', 'deposit', 10_000n);
  await openTicket(host);
  await getPrice(host);
  await confirm(host);
  await host.frame.getByText('Waiting for House Live to reserve your money.').waitFor();
  const { body } = await service.request('GET', `/api/v1/orders?externalUserId=${user}`, { key });
  const { orderId, executionRef } = body.orders[0];
  await service.request('POST', `/api/v1/orders/${orderId}/confirm-reserve`, { key });
  const venue = new ScriptedVenue();
  if (script !== undefined) {
    venue.script = script;
  }
  await moveRain(ask - 0.02, ask);
  await sendOrder(service, venue, orderId);
  return { executionRef };
}

/** The buttons of the deal after the one that copies the reference. */
async function expectWays({ frame }: Host, executionRef: string, ways: readonly string[]): Promise<void> {
  await until(async () =>
    expect(await buttonsIn(frame.locator('.deal'))).toEqual([`Copy: Reference ${executionRef}`, ...ways]),
  );
}
