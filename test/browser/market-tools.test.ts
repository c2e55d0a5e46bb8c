/** Favourites, links to a market, order book, recent trades and related markets, as a customer uses them. */
import { describe, expect, test } from 'vitest';
import { seed } from '../catalogue/seed.ts';
import { hasChromium } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { openEvent, setUpKindsWorld } from './kinds-world.ts';
import { expectNothingFound } from './sound-page.ts';
import type { Host, HostOptions } from './world.ts';

const kinds = setUpKindsWorld();

async function withHost(options: HostOptions, act: (host: Host) => Promise<void>): Promise<void> {
  await kinds.resetBooks();
  await kinds.withHost(options, act);
}

/** Trades that the market reports: its volume rises, and its last price is this. */
async function reportTrade(contractId: string, contracts: number, price: number): Promise<void> {
  const { sql, context } = kinds.world.service;
  await sql`with r as (update board_revision set revision = revision + 1 returning revision)
    update contracts c set volume_micros = volume_micros + ${contracts * 1_000_000}, updated_at = now(),
      last_price_micros = ${price * 1_000_000}, revision = r.revision
    from r where contract_id = ${contractId}`;
  await context.board.refresh();
}

describe.skipIf(!hasChromium)('the tools of a market', () => {
  test('what closes within a day counts down, by seconds at the end', async () => {
    const { sql, context } = kinds.world.service;
    const closing = (id: string, minutes: number) => ({
      id,
      title: `Closes ${id}`,
      closesAt: new Date(Date.now() + minutes * 60_000),
      contracts: [{ id }],
    });
    await seed(sql, [closing('soon', 5), closing('later', 135)]);
    await context.board.refresh();
    await withHost({ path: '/evt_soon' }, async ({ frame }) => {
      const left = frame.locator('.facts time');
      await left.waitFor();
      const first = await left.textContent();
      expect(first).toMatch(/^Closes in \d min \d{1,2} s$/);
      await until(async () => expect(await left.textContent()).not.toBe(first), 10_000);
      expect(await left.textContent()).toMatch(/^Closes in \d min \d{1,2} s$/);
    });
    await withHost({ path: '/evt_later' }, async ({ frame }) => {
      await frame.getByText(/^Closes in 2 h 1\d min$/).waitFor();
    });
  });

  test('a favourite is marked by keyboard, listed, kept for the next visit of this customer only, and unmarked', async () => {
    await withHost({ user: 'collector' }, async (host) => {
      const { frame, page } = host;
      const star = frame.getByRole('button', { name: 'Favourite: Who wins the cup?' });
      await frame.getByRole('button', { name: '★ Favourites' }).click();
      await frame.getByText('You have no favourites yet.').waitFor();
      await expectNothingFound(host, 'tools');
      await frame.getByRole('button', { name: 'All', exact: true }).click();
      await star.focus();
      await page.keyboard.press('Enter');
      expect(await star.getAttribute('aria-pressed')).toBe('true');
      await frame.getByRole('button', { name: '★ Favourites' }).click();
      await frame.getByRole('button', { name: 'How high will it go?', exact: true }).waitFor({ state: 'detached' });
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
      expect(await frame.locator('.card h2').allInnerTexts()).toEqual(['Who wins the cup?']);

      await frame.evaluate(() => location.reload());
      await frame.getByRole('button', { name: '★ Favourites' }).click();
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).click();
      await frame.getByRole('heading', { level: 1 }).waitFor();
      expect(await star.getAttribute('aria-pressed')).toBe('true');
      await star.click();
      await frame.getByRole('button', { name: 'Back to markets' }).click();
      await frame.getByText('You have no favourites yet.').waitFor();
      expect(host.asked.filter((url) => url.includes('favourite'))).toEqual([]);
      const kept = await frame.evaluate(() => Object.entries(localStorage));
      expect(kept).toEqual([['inlay.favourites.house.collector', '[]']]);
    });
  });

  test('the link leads to the market in the page of the operator, is selected, and is copied', async () => {
    const share = encodeURIComponent(`${kinds.world.origin}/markets?event={event}`);
    await withHost({ query: `&share=${share}` }, async (host) => {
      const { frame } = host;
      await openEvent(host, 'Will it rain tomorrow?');
      await frame.getByRole('button', { name: 'Share' }).click();
      const link = frame.getByRole('textbox', { name: 'Link to this market' });
      expect(await link.inputValue()).toBe(`${kinds.world.origin}/markets?event=slug-rain`);
      expect(await link.evaluate((field) => document.activeElement === field)).toBe(true);
      await frame.getByRole('button', { name: 'Copy' }).click();
      await frame.getByRole('status').getByText('Link copied.').waitFor();
      await expectNothingFound(host, 'tools');
    });
  });

  test('there is no link if the page gave no address, or one of a page that is not registered', async () => {
    for (const query of ['', `&share=${encodeURIComponent(`${kinds.world.strange}/{event}`)}`]) {
      await withHost({ query, path: '/evt_rain' }, async ({ frame }) => {
        await frame.getByRole('heading', { level: 1, name: 'Will it rain tomorrow?' }).waitFor();
        await frame.getByRole('button', { name: 'Favourite: Will it rain tomorrow?' }).waitFor();
        expect(await frame.getByRole('button', { name: 'Share' }).count()).toBe(0);
      });
    }
  });

  test('order book and trades open by keyboard, for the outcome that is chosen, and follow the market', async () => {
    await withHost({ path: '/evt_field', width: 390 }, async (host) => {
      const { frame, page } = host;
      await frame.getByRole('heading', { level: 1, name: 'Who wins the cup?' }).waitFor();
      expect(host.asked.filter((url) => url.includes('/book'))).toEqual([]);
      await frame.getByText('Order book and recent trades').focus();
      await page.keyboard.press('Enter');
      const rows = (name: string) => frame.getByRole('table', { name }).getByRole('row').allInnerTexts();
      await frame.getByRole('table', { name: 'Buyers' }).waitFor();
      await frame.getByRole('combobox', { name: 'Outcome' }).selectOption('Greens');
      await frame.getByRole('cell', { name: '26¢' }).waitFor();
      expect(await rows('Buyers')).toEqual(['Price\tContracts', '26¢\t9,000']);
      expect(await rows('Sellers')).toEqual(['Price\tContracts', '28¢\t9,000']);
      await frame.getByText('No trades have been reported recently.').waitFor();
      await expectNothingFound(host, 'tools');

      await reportTrade('ctr_greens', 12.5, 0.27);
      const trades = frame.getByRole('table', { name: 'Recent trades' });
      await trades.waitFor({ timeout: 30_000 });
      expect(await trades.getByRole('cell', { name: '27¢' }).count()).toBe(1);
      expect(await trades.getByRole('cell', { name: '12.5', exact: true }).count()).toBe(1);
      await expectNothingFound(host, 'tools');
      expect(await frame.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    });
  });

  test('related markets are of the same category, without the market itself, and lead there', async () => {
    await withHost({ path: '/evt_rain' }, async (host) => {
      const { frame } = host;
      const related = frame.getByRole('region', { name: 'More in Politics' });
      await related.getByRole('button', { name: 'Will nobody trade this?' }).click();
      await frame.getByRole('heading', { level: 1, name: 'Will nobody trade this?' }).waitFor();
      await related.getByRole('button', { name: 'Will it rain tomorrow?' }).waitFor();
      await expectNothingFound(host, 'tools');
    });
    await withHost({ path: '/evt_field' }, async ({ frame }) => {
      await frame.getByText('How this market is settled').waitFor();
      await frame.locator('.related').waitFor({ state: 'detached' });
    });
  });
});
