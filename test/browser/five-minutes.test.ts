/** A five-minute market in the frame: the price to beat, the time left, and one tap that buys within the bound on its button. */
import { describe, expect, test } from 'vitest';
import { moveBook, seed } from '../catalogue/seed.ts';
import { hasChromium } from '../support/browser.ts';
import { timePasses } from '../support/until.ts';
import { openEvent, setUpKindsWorld } from './kinds-world.ts';
import { expectSound } from './sound-page.ts';

const kinds = setUpKindsWorld();
const WINDOW_MS = 300_000;
const TITLE = 'Bitcoin up or down?';

/** A window that has begun and does not end during the test. */
async function seedWindow(threshold: number | undefined): Promise<void> {
  const { sql, context } = kinds.world.service;
  const closesAt = new Date((Math.floor(Date.now() / WINDOW_MS) + (threshold === undefined ? 2 : 1)) * WINDOW_MS);
  await seed(sql, [
    {
      id: 'btc',
      title: TITLE,
      category: 'crypto',
      volume24h: 5_000,
      closesAt,
      contracts: [
        {
          id: 'btc-up',
          label: 'Up',
          yesLabel: 'Up',
          noLabel: 'Down',
          lastPrice: 0.5,
          fiveMinute: true,
          direction: 'above',
          ...(threshold !== undefined && { threshold }),
          closesAt,
          bids: [[0.5, 900_000]],
          asks: [[0.51, 900_000]],
        },
      ],
    },
  ]);
  await context.board.refresh();
}

async function reportCoin(price: number, secondsAgo: number): Promise<void> {
  await kinds.world.service.sql`insert into event_course (event_id, at, coin_price)
    values ('evt_btc', now() - make_interval(secs => ${secondsAgo}), ${price})`;
}

/** Less than this of a window is too little for a test: it waits for the next one. */
async function waitForTime(): Promise<void> {
  const left = WINDOW_MS - (Date.now() % WINDOW_MS);
  if (left < 60_000) {
    await timePasses(left + 1_000);
  }
}

describe.skipIf(!hasChromium)('a five-minute market', () => {
  test('shows the price to beat and the time left, and one tap buys at a price from a quote, with its bound in the order', async () => {
    await waitForTime();
    await seedWindow(104_250.1);
    await kinds.withHost({ user: 'fast' }, async (host) => {
      const { frame, page } = host;
      const card = frame.locator('.card', { hasText: TITLE });
      await card.waitFor();
      expect(await card.locator('.price').allInnerTexts()).toEqual(['Up', 'Down']);
      await openEvent(host, TITLE);
      const facts = frame.locator('.five');
      await facts.getByText('$104,250.10').waitFor();
      expect(await facts.getByText('Price now').count()).toBe(0);
      await reportCoin(104_240.1, 4);
      await reportCoin(104_262.6, 2);
      await facts.getByText('$104,262.60 ▲ $12.50').waitFor();
      await frame.getByRole('figure', { name: 'Price of the coin' }).locator('.plot canvas').waitFor();
      await reportCoin(104_249.1, 0);
      await facts.getByText('$104,249.10 ▼ $1.00').waitFor();
      expect(await facts.getByRole('timer').textContent()).toMatch(/^[0-4]:[0-5]\d$/);
      const up = frame.getByRole('button', { name: /^Up 51¢ at most 53¢, Buy: Bitcoin up or down\?/ });
      await up.waitFor();
      await frame.getByRole('button', { name: /^Down 50¢ at most 52¢/ }).waitFor();
      // the chance between the two quotes, and whose it is
      expect(await frame.locator('.event-head .chance').innerText()).toBe('51%\nchance of Up');
      expect(await frame.getByText('Closes in').count()).toBe(0);
      expect(await frame.getByRole('button', { name: '1 week' }).count()).toBe(0);
      expect(await frame.getByText('Price on request').count()).toBe(0);
      await expectSound(host, 'five minutes');
      const ordered = page.waitForRequest(
        (request) => request.url().endsWith('/orders') && request.method() === 'POST',
      );
      await up.click();
      expect((await ordered).postDataJSON()).toMatchObject({ maxSlippage: 0.02 });
      await frame.getByText('Bought', { exact: true }).waitFor();
      expect(await frame.locator('.receipt').textContent()).toContain('51¢');
    });
  }, 180_000);

  test('a price above the bound is not bought, and one more tap buys at the new price, however late it comes', async () => {
    await waitForTime();
    await seedWindow(104_250.1);
    await kinds.withHost({ user: 'bounded' }, async (host) => {
      const { frame, page } = host;
      await openEvent(host, TITLE);
      const up = frame.getByRole('button', { name: /^Up 51¢/ });
      await up.waitFor();
      const orders: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/orders')) {
          orders.push(request.method());
        }
      });
      // The tap comes between two quotes, so the button still has the old price.
      await page.route('**/api/embed/quotes', async (route) => {
        if (route.request().postDataJSON().side === 'YES') {
          await moveBook(kinds.world.service.sql, {
            id: 'btc-up',
            bids: [[0.6, 900_000]],
            asks: [[0.61, 900_000]],
            fiveMinute: true,
          });
          await kinds.world.service.context.board.refresh();
        }
        await route.continue();
      });
      await up.click();
      await frame.getByText('The market has moved. Please confirm the new price.').waitFor();
      await frame.getByRole('button', { name: /^Up 61¢ at most 63¢/ }).click();
      await frame.getByText('Bought', { exact: true }).waitFor();
      expect(orders).toEqual(['POST']);
      expect(await frame.locator('.receipt').textContent()).toContain('61¢');
    });
  }, 180_000);

  test('a tap whose price moves before its order says so, and one more tap buys', async () => {
    await waitForTime();
    await seedWindow(104_250.1);
    await kinds.withHost({ user: 'overtaken' }, async (host) => {
      const { frame, page } = host;
      await openEvent(host, TITLE);
      const up = frame.getByRole('button', { name: /^Up 51¢/ });
      await up.waitFor();
      await page.route('**/api/embed/orders', async (route) => {
        await moveBook(kinds.world.service.sql, {
          id: 'btc-up',
          bids: [[0.6, 900_000]],
          asks: [[0.61, 900_000]],
          fiveMinute: true,
        });
        await kinds.world.service.context.board.refresh();
        await route.continue();
      });
      await up.click();
      await frame.getByText('The price moved before the order could be placed.').waitFor();
      await frame.getByRole('button', { name: /^Copy: Reference/ }).waitFor();
      await frame.getByRole('button', { name: /^Up 61¢ at most 63¢/ }).click();
      await frame.getByText('Bought', { exact: true }).waitFor();
    });
  }, 180_000);

  test('a stake that is no amount says so', async () => {
    await waitForTime();
    await seedWindow(104_250.1);
    await kinds.withHost({ user: 'mistyped' }, async (host) => {
      const { frame } = host;
      await openEvent(host, TITLE);
      for (const stake of ['0', '1e5', '']) {
        await frame.getByLabel('Stake in US dollars').fill(stake);
        await frame.getByText('Enter an amount such as 10 or 12.50.').waitFor();
        expect(await frame.getByRole('button', { name: /^Up .*Buy: Bitcoin/ }).isDisabled()).toBe(true);
        await frame.getByLabel('Stake in US dollars').fill('5');
      }
    });
  }, 180_000);

  test('with an empty side it shows no chance that the price of the other contradicts', async () => {
    await waitForTime();
    await seedWindow(104_250.1);
    await kinds.withHost({ user: 'one-sided' }, async (host) => {
      const { frame } = host;
      const { sql, context } = kinds.world.service;
      await openEvent(host, TITLE);
      await frame.getByRole('button', { name: /^Up 51¢/ }).waitFor();
      await moveBook(sql, { id: 'btc-up', bids: [[0.97, 900_000]], asks: [], fiveMinute: true });
      await context.board.refresh();
      await frame.getByRole('button', { name: /^Down 3¢/ }).waitFor();
      await frame.getByRole('button', { name: /^Up There is no price on this side right now\./ }).waitFor();
      expect(await frame.locator('.event-head .chance').innerText()).toBe('97%\nchance of Up');
    });
  }, 180_000);

  test('before its five minutes it says when they start, and that the price to beat is set then', async () => {
    await waitForTime();
    await seedWindow(undefined);
    await kinds.withHost({ user: 'early' }, async (host) => {
      await openEvent(host, TITLE);
      const facts = host.frame.locator('.five');
      await facts.getByText('Set when the five minutes start').waitFor();
      await facts.getByText('Starts in').waitFor();
    });
  }, 180_000);
});
