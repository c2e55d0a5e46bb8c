/** The positions in the frame, open and past: what they are worth, what they brought, and how a share of one is sold. */
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { buyRain, setUpKindsWorld } from './kinds-world.ts';
import type { Host, HostOptions } from './world.ts';

const kinds = setUpKindsWorld();

async function withHost(options: HostOptions, act: (host: Host) => Promise<void>): Promise<void> {
  await kinds.resetBooks();
  await kinds.withHost(options, act);
}

describe.skipIf(!hasChromium)('positions', () => {
  test('the profit over time is drawn below the positions, with its figure, once there is something to draw', async () => {
    await kinds.resetBooks();
    await buyRain(kinds, 'course', 20);
    await buyRain(kinds, 'course', 10);
    const course = ({ frame }: Host) => frame.getByRole('region', { name: 'Profit over time' });
    const openPositions = async ({ frame }: Host) => {
      const answered = frame.page().waitForResponse((response) => response.url().includes('/orders?limit=200'));
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByRole('button', { name: 'Cash out' }).waitFor();
      await (await answered).finished();
    };
    await withHost({ user: 'course' }, async (host) => {
      await openPositions(host);
      expect(await course(host).count()).toBe(0);
    });
    await buyRain(kinds, 'course', 5);
    await withHost({ user: 'course' }, async (host) => {
      await openPositions(host);
      // 34.3 contracts of $35 at 57¢ count at the chance of 56%.
      await until(async () =>
        expect(await course(host).innerText()).toMatch(/Profit over time\s+-\$1\.30\s+Since\s+\w/),
      );
      const [held, drawn] = [await host.frame.locator('.held .card').boundingBox(), await course(host).boundingBox()];
      expect(drawn?.y).toBeGreaterThan((held?.y ?? 0) + (held?.height ?? 0));
    });
  });

  test('positions show value, profit and their total', async () => {
    await kinds.resetBooks();
    await buyRain(kinds, 'holder', 20);
    await withHost({ user: 'holder' }, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Positions' }).click();
      // $20 less 2% buys 34.385964 contracts at 57¢; sold at 55¢ they bring $18.91 less a fee of $0.38.
      const card = frame.locator('.card').first();
      await card.getByText('$18.53').waitFor();
      await card.getByText('-$1.47').waitFor();
      const total = frame.getByRole('region', { name: 'All open positions' });
      expect(await total.innerText()).toMatch(/If sold now\s+\$18\.53\s+Profit\s+-\$1\.47\s*-7%\s+Stake\s+\$20\.00/);
    });
  });

  test('a settled position says won or lost, stake, payout and sign', async () => {
    await kinds.resetBooks();
    const won = await buyRain(kinds, 'winner', 10);
    const lost = await buyRain(kinds, 'loser', 10);
    for (const [positionId, resolution] of [
      [won, 'WIN'],
      [lost, 'LOSS'],
    ]) {
      const body = { positionId, resolution };
      await kinds.world.service.request('POST', '/api/v1/sandbox/resolutions', { key: kinds.world.key, body });
    }
    for (const [user, words] of [
      ['winner', /Won[\s\S]*Stake\s+\$10\.00\s+Payout\s+\$17\.19\s+Profit\s+\+\$7\.19\s*\+72%/],
      ['loser', /Lost[\s\S]*Stake\s+\$10\.00\s+Payout\s+\$0\.00\s+Profit\s+-\$10\.00\s*-100%/],
    ] as const) {
      await withHost({ user }, async ({ frame }) => {
        await frame.getByRole('button', { name: 'Positions' }).click();
        await frame.getByRole('button', { name: 'Past' }).click();
        await frame.locator('.verdict').waitFor();
        expect(await frame.locator('.card').first().innerText()).toMatch(words);
      });
    }
  });

  test('the profit of past positions is shown over time, exactly as it was booked', async () => {
    await kinds.resetBooks();
    const { request } = kinds.world.service;
    const bought: Record<string, string> = {};
    for (const [marketId, resolution] of [
      ['ctr_rain', 'WIN'],
      ['ctr_blues', 'LOSS'],
    ] as const) {
      const call = { key: kinds.world.key, user: 'past' };
      const quote = await request('POST', '/api/v1/quotes', {
        ...call,
        body: { marketId, side: 'YES', action: 'buy', stake: 10 },
      });
      await request('POST', '/api/v1/orders', {
        ...call,
        body: { quoteId: quote.body.quoteId, clientOrderId: marketId },
      });
      bought[marketId] = resolution;
    }
    const { body: page } = await request('GET', '/api/v1/positions?externalUserId=past', { key: kinds.world.key });
    for (const { positionId, contractId } of page.positions) {
      const body = { positionId, resolution: bought[contractId] };
      await request('POST', '/api/v1/sandbox/resolutions', { key: kinds.world.key, body });
    }
    await withHost({ user: 'past' }, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByRole('button', { name: 'Past' }).click();
      const profit = frame.getByRole('region', { name: 'Profit of past positions' });
      // 7.19 of the rain less 10.00 of the Blues.
      await profit.getByText('-$2.81').waitFor();
      expect(await profit.locator('path:not(.zero)').getAttribute('d')).toMatch(/^M0 [\d.]+L150 [\d.]+L300 [\d.]+$/);
    });
  });

  test('a cash-out by share, with its estimate and profit', async () => {
    await kinds.resetBooks();
    await buyRain(kinds, 'seller', 20);
    await withHost({ user: 'seller' }, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByRole('button', { name: 'Cash out' }).click();
      const shares = frame.getByRole('group', { name: 'Share to sell' });
      expect(await shares.getByRole('button').allInnerTexts()).toEqual(['25%', '50%', '75%', 'All']);
      await shares.getByRole('button', { name: '50%' }).click();
      // Half of 34.385964 contracts at 55¢: $9.45 less $0.19; half of the cost is $10.00.
      const estimate = frame.locator('[data-test=estimate]');
      await estimate.getByText('$9.26').waitFor();
      await estimate.getByText('-$0.73').or(estimate.getByText('-$0.74')).waitFor();
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: 'Confirm: sell for $9.26' }).click();
      await frame.getByText('Sold', { exact: true }).waitFor();
      const { body } = await kinds.world.service.request('GET', '/api/v1/positions?externalUserId=seller', {
        key: kinds.world.key,
      });
      expect(body.positions[0].quantity).toBeCloseTo(17.192982, 6);
    });
  });

  test('a customer who is suspended while the frame is open keeps what they hold in view', async () => {
    const { service } = kinds.world;
    await kinds.resetBooks();
    await buyRain(kinds, 'barred-meanwhile', 10);
    await withHost({ user: 'barred-meanwhile' }, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByRole('button', { name: 'Cash out' }).waitFor();
      await service.sql`update customers set status = 'suspended' where external_user_id = 'barred-meanwhile'`;
      await frame.getByText('Your account cannot trade. Please contact House.').waitFor({ timeout: 30_000 });
      await frame.getByRole('heading', { name: 'Will it rain tomorrow?' }).waitFor();
      expect(await frame.getByRole('button', { name: 'Cash out' }).count()).toBe(0);
      await service.sql`update customers set status = 'active' where external_user_id = 'barred-meanwhile'`;
      await frame.getByRole('button', { name: 'Try again' }).click();
      // The view is kept.
      await frame.getByRole('button', { name: 'Cash out' }).waitFor();
    });
  });
});
