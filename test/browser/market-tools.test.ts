/** Favourites, links to a market, order book, recent trades and related markets, as a customer uses them. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, test } from 'vitest';
import { openEvent, setUpKindsWorld } from './kinds-world.ts';
import { type Host, type HostOptions, hasChromium } from './world.ts';

const kinds = setUpKindsWorld();

async function withHost(options: HostOptions, act: (host: Host) => Promise<void>): Promise<void> {
  await kinds.freshen();
  await kinds.withHost(options, act);
}

/** Axe on the page and the frame. */
async function expectAccessible({ page }: Host): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).include(['iframe', 'body']).analyze();
  const found = violations.filter(({ tags }) => tags.some((tag) => tag.startsWith('wcag')));
  expect(found.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
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
  test('people frame 12: a favourite is marked by keyboard, listed, kept for the next visit of this customer only, and unmarked', async () => {
    await withHost({ user: 'collector' }, async (host) => {
      const { frame, page } = host;
      const star = frame.getByRole('button', { name: 'Favourite: Who wins the cup?' });
      await frame.getByRole('button', { name: '★ Favourites' }).click();
      await frame.getByText('You have no favourites yet.').waitFor();
      await expectAccessible(host);
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

  test('people frame 12: the link leads to the market in the page of the operator, is selected, and is copied', async () => {
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
      await expectAccessible(host);
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

  test('people frame 12: order book and trades open by keyboard, for the outcome that is chosen, and follow the market', async () => {
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
      await expectAccessible(host);

      await reportTrade('ctr_greens', 12.5, 0.27);
      const trades = frame.getByRole('table', { name: 'Recent trades' });
      await trades.waitFor({ timeout: 30_000 });
      expect(await trades.getByRole('cell', { name: '27¢' }).count()).toBe(1);
      expect(await trades.getByRole('cell', { name: '12.5', exact: true }).count()).toBe(1);
      await expectAccessible(host);
      expect(await frame.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    });
  });

  test('people frame 12: related markets are of the same category, without the market itself, and lead there', async () => {
    await withHost({ path: '/evt_rain' }, async (host) => {
      const { frame } = host;
      const related = frame.getByRole('region', { name: 'More in Politics' });
      await related.getByRole('button', { name: 'Will nobody trade this?' }).click();
      await frame.getByRole('heading', { level: 1, name: 'Will nobody trade this?' }).waitFor();
      await related.getByRole('button', { name: 'Will it rain tomorrow?' }).waitFor();
      await expectAccessible(host);
    });
    await withHost({ path: '/evt_field' }, async ({ frame }) => {
      await frame.getByText('How this market is settled').waitFor();
      await frame.locator('.related').waitFor({ state: 'detached' });
    });
  });
});
