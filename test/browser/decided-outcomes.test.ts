/** What the frame shows of an outcome once it is decided, in lists, on its page and in an open ticket. */
import type { Locator } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { seed } from '../catalogue/seed.ts';
import { hasChromium } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { openEvent, setUpKindsWorld } from './kinds-world.ts';
import { expectSound } from './sound-page.ts';

const kinds = setUpKindsWorld();

async function decide(id: string, resolution: 'YES' | 'NO' | 'VOID' | 'SPLIT', yesWorth?: number): Promise<void> {
  const { sql, context } = kinds.world.service;
  await sql`select * from decide_market(${`ctr_${id}`}, 'resolve', ${resolution}, ${yesWorth ?? null})`;
  await context.board.refresh();
}

const contract = (id: string, label: string, bid: number) =>
  ({ id, label, bids: [[bid, 900]], asks: [[bid + 0.02, 900]] }) as const;

/** The text of each element on one line. */
async function linesOf(elements: Locator): Promise<string[]> {
  return (await elements.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
}

describe.skipIf(!hasChromium)('a decided outcome', () => {
  test('says how it ended in place of its prices, behind those that are open, at once', async () => {
    const { sql, context } = kinds.world.service;
    await seed(sql, [
      {
        id: 'mixed',
        title: 'Which of these happen?',
        kind: 'ambiguous',
        category: 'world',
        contracts: [
          contract('m1', 'First', 0.6),
          contract('m2', 'Second', 0.5),
          contract('m3', 'Third', 0.4),
          contract('m4', 'Fourth', 0.3),
          contract('m5', 'Fifth', 0.2),
        ],
      },
    ]);
    await context.board.refresh();
    await kinds.withHost({ width: 1280, user: 'decided' }, async (host) => {
      const { frame } = host;
      const rows = () => linesOf(frame.locator('.row-line'));
      await openEvent(host, 'Which of these happen?');
      await until(async () => expect((await rows())[0]).toBe('First 61% Yes 62¢ No 40¢'));
      await decide('m1', 'NO');
      // the stream brings it, before the page is read again
      await until(async () => expect((await rows()).join()).toContain('First Lost'));
      await frame.locator('.ticket').getByText('This market is no longer open.').waitFor();
      expect(await linesOf(frame.locator('.ticket .price'))).toEqual(['Lost']);
      await decide('m2', 'VOID');
      await decide('m3', 'SPLIT', 400_000);
      await decide('m5', 'YES');
      await frame.getByRole('button', { name: 'Back to markets' }).click();
      await openEvent(host, 'Which of these happen?');
      await until(async () =>
        expect(await rows()).toEqual([
          'Fourth 31% Yes 32¢ No 70¢',
          'Fifth Won',
          'Third Yes Paid $0.40 No Paid $0.60',
          'First Lost',
          'Second Refunded',
        ]),
      );
      await expectSound(host, 'decided outcomes');
    });
  });

  test('of a field: the winner is named, nothing promises that another one wins, and no ticket opens for one', async () => {
    const { sql, context } = kinds.world.service;
    await seed(sql, [
      {
        id: 'nominee',
        title: 'Who will be nominated?',
        kind: 'mutually_exclusive',
        volume24h: 9_000,
        contracts: [contract('n1', 'Vance', 0.5), contract('n2', 'Rubio', 0.3), contract('n3', 'Another', 0.1)],
      },
    ]);
    await sql`insert into price_history (contract_id, step_minutes, at, price_micros)
      select 'ctr_n2', step, date_bin('1 hour', now() - interval '2 hours', 'epoch'), 250000
      from unnest(array[1, 5, 60]) step`;
    await context.board.refresh();
    await kinds.withHost({ width: 1280 }, async (host) => {
      const { frame } = host;
      const words = async () => (await frame.locator('figcaption').textContent()) ?? '';
      await openEvent(host, 'Who will be nominated?');
      await frame.locator('.outcomes > .quiet', { hasText: 'Exactly one of these outcomes will win.' }).waitFor();
      await until(words, (text) => text.includes('Rubio: 25% at the start, 31% now'));
      await decide('n2', 'YES');
      await until(words, (text) => text.includes('Rubio: 25% at the start, 100% now'));
      await frame.getByRole('button', { name: 'Back to markets' }).click();
      const card = frame.locator('.card', { hasText: 'Who will be nominated?' });
      await card.locator('.result', { hasText: 'Won' }).waitFor();
      await openEvent(host, 'Who will be nominated?');
      await frame.locator('.row .result', { hasText: 'Won' }).waitFor();
      expect(await frame.locator('.row-label').allInnerTexts()).toEqual(['Vance', 'Another', 'Rubio']);
      expect(await frame.getByText('Exactly one of these outcomes will win.').count()).toBe(0);
      await frame.getByText('Choose a price to open your ticket.').waitFor();
    });
  });

  test('of a finished game and of a question: all that is left is the result, and the line that ends there', async () => {
    const { sql } = kinds.world.service;
    await seed(sql, [
      {
        id: 'final',
        title: 'Norths v Souths',
        kind: 'mutually_exclusive',
        category: 'sports',
        eventType: 'game',
        contracts: [
          { ...contract('norths', 'Norths', 0.5), teamAbbr: 'NOR', teamColor: '#203731' },
          { ...contract('souths', 'Souths', 0.48), teamAbbr: 'SOU', teamColor: '#0b162a' },
        ],
      },
      { id: 'sun', title: 'Will the sun rise?', contracts: [contract('sun', 'Yes', 0.8)] },
    ]);
    await sql`insert into price_history (contract_id, step_minutes, at, price_micros)
      select contract_id, step, date_bin('1 hour', now() - interval '2 hours', 'epoch'), 500000
      from contracts, unnest(array[1, 5, 60]) step where event_id in ('evt_final', 'evt_sun')`;
    await decide('norths', 'NO');
    await decide('souths', 'YES');
    await decide('sun', 'NO');
    for (const width of [320, 1280]) {
      await kinds.withHost({ width, path: '/evt_final' }, async (host) => {
        const { frame } = host;
        await frame.getByText('This market has its result.').waitFor();
        expect(await linesOf(frame.locator('.teams .price'))).toEqual(['NOR Lost', 'SOU Won']);
        const words = async () => (await frame.locator('figcaption').textContent()) ?? '';
        await until(words, (text) => text.includes('50% at the start, 100% now'));
        await frame.getByRole('button', { name: 'All', pressed: true }).waitFor();
        expect(await frame.locator('.event-side').count()).toBe(0);
        const terms = frame.locator('.rules');
        expect(await terms.locator('dt').allTextContents()).toEqual(['Opened', 'Decided']);
        expect(await terms.textContent()).not.toContain('will win');
        await expectSound(host, `a finished game, ${width}`);
      });
    }
    await kinds.withHost({ path: '/evt_sun', mint: { locale: 'es' } }, async (host) => {
      const { frame } = host;
      await frame.locator('.result').first().waitFor();
      expect(await linesOf(frame.locator('.outcomes .price'))).toEqual(['Sí Perdió', 'No Ganó']);
      expect((await frame.locator('.event-head .chance').textContent())?.trim()).toBe('');
    });
  });
});
