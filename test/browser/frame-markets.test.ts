/** What the frame draws of the catalogue: outcomes, chart, team marks, hostile texts, search. */
import { describe, expect, test } from 'vitest';
import { seed } from '../catalogue/seed.ts';
import { hasChromium } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { HOSTILE_TITLE } from './catalogue.ts';
import { openEvent, setUpKindsWorld } from './kinds-world.ts';
import { expectSound } from './sound-page.ts';

const kinds = setUpKindsWorld();

describe.skipIf(!hasChromium)('what is drawn', () => {
  test('a ladder by threshold, a field by likelihood', async () => {
    await kinds.withHost({}, async (host) => {
      const labels = () => host.frame.locator('.row-label').allInnerTexts();
      await openEvent(host, 'How high will it go?');
      await host.frame.locator('.ladder').waitFor();
      expect(await labels()).toEqual(['Above 100', 'Above 200', 'Above 300']);
      await host.frame.getByRole('button', { name: 'Back to markets' }).click();
      await openEvent(host, 'Who wins the cup?');
      expect((await labels())[0]).toBe('Blues');
    });
  });

  test('a chart of what was recorded, in lines and in words', async () => {
    const hourAgo = new Date(Math.floor((Date.now() - 3_600_000) / 60_000) * 60_000);
    await kinds.world.service.sql`insert into price_history (contract_id, step_minutes, at, price_micros)
      select 'ctr_blues', step, ${hourAgo}, 400000 from unnest(array[1, 5, 60]) step on conflict do nothing`;
    await kinds.withHost({}, async (host) => {
      await openEvent(host, 'Who wins the cup?');
      const { frame } = host;
      await frame.locator('.plot canvas').waitFor();
      expect(await frame.locator('figcaption').textContent()).toContain(
        'Blues: 40% at the start, 51% now, between 40% and 51%.',
      );
      await frame.getByRole('button', { name: '1 week' }).click();
      await frame.locator('.plot canvas').waitFor();
    });
  });

  test('the chart of a running game has its score at the moments at which it changed', async () => {
    const { sql, context } = kinds.world.service;
    const at = (minutesAgo: number) => new Date(Math.floor(Date.now() / 60_000 - minutesAgo) * 60_000);
    await seed(sql, [
      {
        id: 'derby',
        title: 'Reds v Blues',
        category: 'sports',
        eventType: 'game',
        league: 'league',
        liveMatch: { homeScore: 1, awayScore: 0, period: '1H', clock: "30'", observedAt: at(0).toISOString() },
        contracts: [{ id: 'derby-reds', label: 'Reds', bids: [[0.6, 1_000]], asks: [[0.62, 1_000]] }],
      },
    ]);
    for (const minutes of [120, 40, 20, 1]) {
      await sql`insert into price_history (contract_id, step_minutes, at, price_micros)
        select 'ctr_derby-reds', step, ${at(minutes)}, ${minutes > 10 ? 400_000 : 600_000}
        from unnest(array[1, 5, 60]) step on conflict do nothing`;
    }
    await sql`insert into event_course (event_id, at, home_score, away_score)
      values ('evt_derby', ${at(30)}, 0, 0), ('evt_derby', ${at(10)}, 1, 0)`;
    await context.board.refresh();
    await kinds.withHost({}, async (host) => {
      await openEvent(host, 'Reds v Blues');
      const { frame } = host;
      const chart = frame.getByRole('figure', { name: 'Price history' });
      await chart.locator('.plot canvas').waitFor();
      await chart.getByRole('button', { name: 'Game', pressed: true }).waitFor();
      const words = async () => (await chart.locator('figcaption').textContent()) ?? '';
      // From the kick-off on: the price of two hours ago is not part of the game.
      await until(words, (text) => /: 1-0\.$/.test(text));
      expect(await chart.locator('.change').innerText()).toMatch(/^▲ \d+ pts since the start$/);
      await chart.getByRole('button', { name: '1 day' }).click();
      await chart.locator('.change', { hasText: 'today' }).waitFor();
    });
  });

  test('marks of teams come from safe bytes only', async () => {
    const { sql, context } = kinds.world.service;
    const png = 'data:image/png;base64,iVBORw0KGgo=';
    for (const [id, logo, colour] of [
      ['reds', 'https://evil.example/logo.png', 'red;background:url(//evil.example)'],
      ['greens', 'data:image/svg+xml;base64,PHN2Zy8+', '#00ff00'],
      ['blues', png, null],
    ] as const) {
      await sql`with r as (update board_revision set revision = revision + 1 returning revision)
        update contracts c set team_logo_url = ${logo}, team_color = ${colour}, team_abbr = 'ABC', revision = r.revision
        from r where contract_id = ${`ctr_${id}`}`;
    }
    await context.board.refresh();
    await kinds.withHost({}, async (host) => {
      await openEvent(host, 'Who wins the cup?');
      const marks = await host.frame
        .locator('.row img')
        .evaluateAll((all) => all.map((one) => one.getAttribute('src')));
      expect(marks).toEqual([png]);
      const shields = await host.frame
        .locator('.row .crest path')
        .evaluateAll((all) => all.map((one) => one.getAttribute('fill')));
      // The rows stand in the order of their prices, which other tests move.
      expect(new Set(shields)).toEqual(new Set(['#00ff00', '#5a6274']));
      expect(host.asked.filter((url) => url.includes('evil'))).toEqual([]);
    });
  });

  test('a fixture shows the crests of its teams, and an event without a picture the icon of its category', async () => {
    const { sql, context } = kinds.world.service;
    const crest = (last: string) => `data:image/png;base64,iVBORw0KGgo${last}=`;
    const contracts = ['one', 'two'].map((id) => ({ id, label: id, bids: [[0.5, 900]], asks: [[0.52, 900]] }) as const);
    await seed(sql, [{ id: 'game', title: 'One v Two', kind: 'mutually_exclusive', eventType: 'game', contracts }]);
    await sql`with r as (update board_revision set revision = revision + 1 returning revision)
      update contracts c set revision = r.revision,
        team_logo_url = case contract_id when 'ctr_one' then ${crest('A')} else ${crest('B')} end
      from r where contract_id in ('ctr_one', 'ctr_two')`;
    await context.board.refresh();
    await kinds.withHost({}, async ({ frame }) => {
      const picturesOf = (title: string) => frame.locator('.card', { hasText: title }).locator('.picture');
      const crests = picturesOf('One v Two').locator('img');
      await crests.first().waitFor({ state: 'attached' });
      const sources = await crests.evaluateAll((all) => all.map((one) => one.getAttribute('src')));
      expect(new Set(sources)).toEqual(new Set([crest('A'), crest('B')]));
      expect(await picturesOf('How high will it go?').locator('svg').count()).toBe(1);
    });
  });

  test('the events of one game share a card, the decided lines are left out, and each leads to the others', async () => {
    const { sql, context } = kinds.world.service;
    const game = {
      category: 'sports',
      sport: 'soccer',
      league: 'cup',
      eventType: 'game',
      closesAt: new Date(Date.now() + 3_600_000),
      liveMatch: { homeScore: 1, awayScore: 0, period: '2H', clock: "70'", observedAt: new Date().toISOString() },
    } as const;
    const line = (id: string, label: string, threshold: number, bid: number, status = 'open') =>
      ({ id, label, threshold, direction: 'above', status, bids: [[bid, 900]], asks: [[bid + 0.02, 900]] }) as const;
    await seed(sql, [
      {
        ...game,
        id: 'derby-goals',
        title: 'Norths v Souths: total goals',
        kind: 'cumulative_ladder',
        volume24h: 9_000,
        contracts: [
          line('g0', 'Above 0.5', 0.5, 0.5, 'resolved'),
          line('g1', 'Above 1.5', 1.5, 0.6),
          line('g2', 'Above 2.5', 2.5, 0.2),
        ],
      },
      {
        ...game,
        id: 'derby',
        title: 'Norths v Souths',
        kind: 'mutually_exclusive',
        contracts: [
          { id: 'norths', label: 'Norths', teamAbbr: 'NOR', bids: [[0.7, 900]], asks: [[0.72, 900]] },
          { id: 'souths', label: 'Souths', teamAbbr: 'SOU', volume24h: 50, bids: [[0.1, 900]], asks: [[0.12, 900]] },
        ],
      },
    ]);
    await context.board.refresh();
    await kinds.withHost({ width: 1280 }, async (host) => {
      const { frame } = host;
      const cards = frame.locator('.card', { hasText: 'Norths v Souths' });
      await cards.first().waitFor();
      expect(await cards.count()).toBe(1);
      expect(await cards.locator('h2').textContent()).toBe('Norths v Souths');
      expect(await cards.locator('.picture text').allTextContents()).toEqual(['NOR', 'SOU']);
      expect(await cards.locator('.others .line-label').textContent()).toBe('total goalsAbove 1.5');
      // A list that has the total and not the result still shows the game.
      await frame.getByRole('searchbox').fill('total goals');
      await frame.getByText('1 market found', { exact: true }).waitFor({ state: 'attached' });
      expect(await frame.locator('.card h2').allTextContents()).toEqual(['Norths v Souths']);
      await frame.getByRole('searchbox').fill('');
      await frame.locator('.card').nth(1).waitFor();
      await cards.getByRole('button', { name: 'Norths v Souths: total goals' }).click();
      const markets = frame.getByRole('navigation', { name: 'Markets of this game' });
      await markets.getByRole('button', { name: 'Result' }).click();
      await frame.getByRole('heading', { level: 1, name: 'Norths v Souths', exact: true }).waitFor();
      const board = frame.locator('.score.large');
      expect(await board.textContent()).toContain('1-0');
      expect((await board.boundingBox())?.width).toBeGreaterThan(600);
      expect(await markets.locator('[aria-current]').textContent()).toBe('Result');
      await expectSound(host, 'game');
    });
  });

  test('a game has one button for each side, in the list, on its page and in its ticket, and bars in the colours of the crests', async () => {
    const { sql, context } = kinds.world.service;
    const side = (id: string, label: string, bid: number, team?: readonly [abbr: string, colour: string]) => ({
      id,
      label,
      ...(team && { teamAbbr: team[0], teamColor: team[1] }),
      bids: [[bid, 900]] as const,
      asks: [[bid + 0.02, 900]] as const,
    });
    const game = { category: 'sports', eventType: 'game', kind: 'mutually_exclusive' } as const;
    await seed(sql, [
      {
        ...game,
        id: 'nfl',
        title: 'Green Bay Packers v Chicago Bears',
        // alike, so that the lines of the chart have other colours than the crests
        contracts: [
          side('gb', 'Green Bay Packers', 0.42, ['GB', '#203731']),
          side('chi', 'Chicago Bears', 0.57, ['CHI', '#0b162a']),
        ],
      },
      {
        ...game,
        id: 'hnl',
        title: 'Hajduk v Dinamo',
        contracts: [
          side('haj', 'Hajduk', 0.43, ['HAJ', '#ffffff']),
          side('dinamo', 'Dinamo', 0.27, ['DIN', '#0033a0']),
          side('draw', 'Draw', 0.28),
        ],
      },
    ]);
    await context.board.refresh();
    await kinds.withHost({ width: 1280, user: 'games' }, async (host) => {
      const { frame } = host;
      const pricesIn = async (place: string) =>
        (await frame.locator(`${place} .price`).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
      const card = frame.locator('.card', { hasText: 'Hajduk v Dinamo' });
      await card.waitFor();
      expect(await pricesIn('.card:has-text("Hajduk v Dinamo")')).toEqual(['HAJ 45¢', 'Draw 30¢', 'DIN 29¢']);
      const bars = card.locator('.chance-bar i');
      expect(await bars.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor))).toEqual([
        'rgb(255, 255, 255)',
        expect.any(String),
        'rgb(0, 51, 160)',
      ]);
      await openEvent(host, 'Green Bay Packers v Chicago Bears');
      // the likelier side has its ticket open
      await frame.locator('.ticket-title', { hasText: /^Chicago Bears$/ }).waitFor();
      expect(await pricesIn('.event-main')).toEqual(['GB 44¢', 'CHI 59¢']);
      expect(await pricesIn('.ticket')).toEqual(['GB 44¢', 'CHI 59¢']);
      expect(
        await frame.locator('.teams .chance-bar i').evaluateAll((all) => all.map((one) => one.style.background)),
      ).toEqual(['rgb(32, 55, 49)', 'rgb(11, 22, 42)']);
      await frame.locator('.ticket').getByRole('button', { name: 'GB 44¢, Buy: Green Bay Packers' }).click();
      await frame.locator('.ticket-title', { hasText: /^Green Bay Packers$/ }).waitFor();
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).click();
      await frame.getByText('Bought', { exact: true }).waitFor();
      await expectSound(host, 'a game with a receipt');
      const { body } = await kinds.world.service.request('GET', '/api/v1/positions?externalUserId=games', {
        key: kinds.world.key,
      });
      expect(body.positions).toMatchObject([{ contractId: 'ctr_gb', side: 'YES' }]);
    });
    await kinds.withHost({ width: 320, user: 'small-games' }, async (host) => {
      const { frame } = host;
      await openEvent(host, 'Hajduk v Dinamo');
      expect(await frame.locator('.event-main .price').count()).toBe(3);
      await frame.getByRole('button', { name: 'Draw 30¢, Buy: Draw' }).click();
      await frame.locator('.sheet .ticket-title', { hasText: /^Draw$/ }).waitFor();
      await expectSound(host, 'the ticket of a game on a small phone');
    });
  });

  test('on a wide screen the ticket opens with the outcome that leads, without taking the focus', async () => {
    await kinds.resetBooks();
    await kinds.withHost({ width: 1280, user: 'wide' }, async (host) => {
      const { frame } = host;
      const ticket = frame.locator('.event-side .ticket-title');
      for (const [title, leader] of [
        ['Who wins the cup?', 'Yes · Blues'],
        // the level that is most in doubt
        ['How high will it go?', 'Yes · Above 200'],
        ['Will it rain tomorrow?', 'Yes · Will it rain tomorrow?'],
      ] as const) {
        await openEvent(host, title);
        await until(async () => expect(await ticket.innerText()).toBe(leader));
        await until(async () => expect(await frame.evaluate(() => document.activeElement?.tagName)).toBe('H1'));
        await frame.getByRole('button', { name: 'Back to markets' }).click();
        await frame.locator('.card').first().waitFor();
      }
      await openEvent(host, 'Who wins the cup?');
      await frame.locator('.ticket').getByRole('button', { name: 'Close' }).click();
      await frame.getByText('Choose a price to open your ticket.').waitFor();
      await frame.getByRole('button', { name: /^Yes .*Buy: Reds$/ }).click();
      await until(async () => expect(await ticket.innerText()).toBe('Yes · Reds'));
      await until(async () => expect(await frame.evaluate(() => document.activeElement?.tagName)).toBe('INPUT'));
    });
    await kinds.withHost({ width: 390, user: 'narrow' }, async (host) => {
      await openEvent(host, 'Who wins the cup?');
      await host.frame.locator('.row .price').first().waitFor();
      expect(await host.frame.locator('.ticket').count()).toBe(0);
    });
  });

  test('sports begin with the games in play, then those that start soon; sides keep their places, with their points', async () => {
    const { sql, context } = kinds.world.service;
    const game = {
      category: 'sports',
      sport: 'soccer',
      league: 'cup',
      eventType: 'game',
      kind: 'mutually_exclusive',
    } as const;
    const side = (id: string, label: string, bid: number) =>
      ({ id, label, bids: [[bid, 900]], asks: [[bid + 0.02, 900]] }) as const;
    const liveMatch = {
      homeScore: 3,
      awayScore: 12,
      period: 'Q1',
      clock: '02:10',
      observedAt: new Date().toISOString(),
    };
    await seed(sql, [
      {
        ...game,
        id: 'tonight',
        league: 'night',
        subtitle: 'Night league',
        title: 'Easts v Wests',
        closesAt: new Date(Date.now() + 5 * 3_600_000),
        contracts: [side('easts', 'Easts', 0.2), side('wests', 'Wests', 0.7)],
      },
      {
        ...game,
        id: 'playing',
        title: 'Reds v Greens',
        closesAt: new Date(Date.now() + 3_600_000),
        liveMatch,
        contracts: [side('reds', 'Reds', 0.1), side('greens', 'Greens', 0.8)],
      },
    ]);
    await context.board.refresh();
    await kinds.withHost({}, async (host) => {
      const { frame } = host;
      await frame.getByRole('button', { name: 'Sports', exact: true }).click();
      await frame.getByRole('heading', { name: 'Live', exact: true }).waitFor();
      expect((await frame.locator('.part').allTextContents()).slice(0, 2)).toEqual(['Live', 'Starting soon']);
      const [live, soon] = [frame.locator('.cards').nth(0), frame.locator('.cards').nth(1)];
      const playing = live.locator('.card', { hasText: 'Reds v Greens' });
      expect(await playing.locator('.line-label').allTextContents()).toEqual(['Reds3', 'Greens12']);
      expect(await playing.locator('.over').textContent()).toContain('Live Q1 · 02:10');
      await sql`with r as (update board_revision set revision = revision + 1 returning revision)
        update events e set live_match = ${sql.json({ ...liveMatch, homeScore: 6 })}, revision = r.revision
        from r where event_id = 'evt_playing'`;
      await context.board.refresh();
      await playing.locator('.points', { hasText: /^6$/ }).waitFor();
      const tonight = soon.locator('.card', { hasText: 'Easts v Wests' });
      expect(await tonight.locator('.line-label').allTextContents()).toEqual(['Easts', 'Wests']);
      expect(await frame.locator('.card', { hasText: 'Reds v Greens' }).count()).toBe(1);
      const leagues = frame.getByRole('group', { name: 'League' });
      await leagues.getByRole('button', { name: 'Night league' }).click();
      await until(async () => expect(await frame.locator('.card h2').allTextContents()).toEqual(['Easts v Wests']));
      await leagues.getByRole('button', { name: 'All' }).click();
      await playing.waitFor();
      await expectSound(host, 'sports');
    });
  });

  test('a question shows the line of its day in the list, read when its card is seen', async () => {
    const hourAgo = new Date(Math.floor((Date.now() - 3_600_000) / 60_000) * 60_000);
    await kinds.world.service.sql`insert into price_history (contract_id, step_minutes, at, price_micros)
      select 'ctr_rain', step, ${hourAgo}, 400000 from unnest(array[1, 5, 60]) step on conflict do nothing`;
    await kinds.withHost({}, async ({ frame, asked }) => {
      await frame
        .locator('.card', { hasText: 'Will it rain tomorrow?' })
        .locator('.spark path')
        .waitFor({ state: 'attached' });
      expect(asked.filter((url) => url.includes('/evt_rain/history?range=1d')).length).toBe(1);
    });
  });

  test('hostile texts stay texts', async () => {
    await kinds.withHost({}, async (host) => {
      await host.frame.getByRole('button', { name: HOSTILE_TITLE, exact: true }).click();
      await host.frame.getByRole('heading', { level: 1 }).waitFor();
      expect(await host.frame.getByRole('heading', { level: 1 }).textContent()).toBe(HOSTILE_TITLE);
      expect(await host.frame.evaluate(() => 'hacked' in window)).toBe(false);
      expect(host.asked.filter((url) => url.endsWith('/x'))).toEqual([]);
    });
  });

  test('search and categories narrow the list', async () => {
    await kinds.withHost({}, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Finance' }).click();
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor({ state: 'detached' });
      await frame.getByRole('button', { name: 'All', exact: true }).click();
      await frame.getByRole('searchbox').fill('cup');
      await frame.getByRole('button', { name: 'How high will it go?', exact: true }).waitFor({ state: 'detached' });
      await frame.getByRole('searchbox').fill('nothing at all');
      await frame.locator('.empty').getByText('No results for “nothing at all”.').waitFor();
    });
  });

  test('cards of different categories have different pictures, and no phrase is on every card', async () => {
    await kinds.withHost({ width: 1280 }, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
      const shapes = await frame
        .locator('.picture path')
        .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')));
      expect(new Set(shapes).size).toBeGreaterThanOrEqual(3);
      const feet = await frame.locator('.card-foot').allInnerTexts();
      expect(new Set(feet).size).toBeGreaterThanOrEqual(3);
    });
  });
});
