/** The page of an event in the frame: its chart, how and when it is settled, its score, and its levels and money in each language. */
import { describe, expect, test } from 'vitest';
import { seed } from '../catalogue/seed.ts';
import { hasChromium } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { openEvent, setUpKindsWorld } from './kinds-world.ts';
import type { Host, HostOptions } from './world.ts';

const kinds = setUpKindsWorld();

async function withHost(options: HostOptions, act: (host: Host) => Promise<void>): Promise<void> {
  await kinds.resetBooks();
  await kinds.withHost(options, act);
}

const impliedIn = async ({ frame }: Host) =>
  (await frame.locator('.implied').innerText()).replaceAll(/\s+/g, ' ').trim();

describe.skipIf(!hasChromium)('the page of an event', () => {
  test('ranges differ, with a crosshair, end labels and the change', async () => {
    const ago = (days: number) => new Date(Math.floor((Date.now() - days * 86_400_000) / 3_600_000) * 3_600_000);
    for (const [days, price] of [
      [0.5, 400_000],
      [5, 300_000],
      [20, 200_000],
      [90, 100_000],
    ] as const) {
      await kinds.world.service.sql`insert into price_history (contract_id, step_minutes, at, price_micros)
        select 'ctr_rain', step, ${ago(days)}, ${price} from unnest(array[1, 5, 60]) step
        where ${days < 1} or step = 60 on conflict do nothing`;
    }
    await withHost({}, async (host) => {
      const { frame, page } = host;
      await openEvent(host, 'Will it rain tomorrow?');
      const change = frame.locator('.change');
      for (const [range, words] of [
        ['1 day', '▲ 16 pts today'],
        ['1 week', '▲ 26 pts this week'],
        ['1 month', '▲ 36 pts this month'],
        ['All', '▲ 46 pts since the start'],
      ] as const) {
        await frame.getByRole('button', { name: range, exact: true }).click();
        await frame.getByText(words, { exact: true }).waitFor();
      }
      await frame.locator('.plot canvas').waitFor();
      const box = await frame.locator('.plot .u-over').boundingBox();
      await until(async () => {
        await page.mouse.move((box?.x ?? 0) + 30, (box?.y ?? 0) + 60);
        await page.mouse.move((box?.x ?? 0) + 3, (box?.y ?? 0) + 40);
        expect(await frame.locator('.moment').innerText()).toMatch(/20\d\d/);
      });
      expect(await frame.locator('.legend b').innerText()).toBe('10%');
      expect(await change.innerText()).toContain('± 0');
    });
  });

  test('an event shows the published rules, their source and the date of the result', async () => {
    const { sql, context } = kinds.world.service;
    const rules = {
      text: 'Resolves to Yes if a millimetre of rain is measured.',
      source: 'The weather service',
      sourceUrl: 'https://weather.example/rain',
      resolvesAt: '2027-02-01T12:00:00.000Z',
    };
    await sql`update contracts set rules = ${sql.json(rules)} where contract_id = 'ctr_quiet'`;
    try {
      await withHost({ query: '&locale=es' }, async (host) => {
        await openEvent(host, 'Will nobody trade this?');
        const region = host.frame.getByRole('region', { name: 'Cómo se liquida este mercado' });
        await region.getByText('Reglas', { exact: true }).click();
        await until(async () => expect(await region.innerText()).toContain(rules.text));
        const text = await region.innerText();
        expect(text).toContain('Las reglas se publican en inglés.');
        expect(text).toMatch(/Resultado previsto\s+1 .*2027/);
        const link = region.getByRole('link', { name: 'The weather service (abre otra página)' });
        expect(await link.getAttribute('href')).toBe(rules.sourceUrl);
        expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
      });
    } finally {
      await sql`update contracts set rules = null where contract_id = 'ctr_quiet'`;
      await context.board.refresh();
    }
  });

  test('an event says how and when it is settled', async () => {
    await withHost({}, async (host) => {
      await openEvent(host, 'Will it rain tomorrow?');
      const rules = host.frame.getByRole('region', { name: 'How this market is settled' });
      const text = await rules.innerText();
      expect(text).toContain('Each contract pays $1.00 if it is right and nothing if it is not.');
      expect(text).toContain('If the market is annulled, you get everything back that you paid, fees included.');
      expect(text).toMatch(/Opened\s+\w{3} \d+, \d{4}[\s\S]*Trading closes\s+\w{3} \d+, \d{4}/);
    });
  });

  test.each([
    ['en', 'Market expects', '2028', '1.9'],
    ['es', 'El mercado prevé', '2028', '1,9'],
    ['hr', 'Tržište očekuje', '2028', '1,9'],
    ['pt', 'O mercado prevê', '2028', '1,9'],
  ] as const)('years and levels read as people write them (%s)', async (locale, words, year, goals) => {
    const { sql, context } = kinds.world.service;
    const ladder = (id: string, title: string, thresholds: readonly number[], share: number) => ({
      id,
      title,
      kind: 'cumulative_ladder' as const,
      category: 'world',
      volume24h: 50,
      contracts: thresholds.map((threshold, index) => ({
        id: `${id}${index}`,
        label: `Above ${threshold}`,
        threshold,
        direction: 'above' as const,
        bids: [[index === 0 ? 0.7 : share, 900]] as const,
        asks: [[index === 0 ? 0.72 : share + 0.02, 900]] as const,
      })),
    });
    await seed(sql, [
      ladder(`years-${locale}`, `After which year? ${locale}`, [2027, 2029], 0.28),
      ladder(`goals-${locale}`, `How many goals? ${locale}`, [1.5, 2.5], 0.1),
    ]);
    await context.board.refresh();
    await withHost({ query: `&locale=${locale}` }, async (host) => {
      await openEvent(host, `After which year? ${locale}`);
      expect(await impliedIn(host)).toBe(`${words} ${year}`);
      await host.frame.locator('.back').click();
      await openEvent(host, `How many goals? ${locale}`);
      expect(await impliedIn(host)).toBe(`${words} ${goals}`);
    });
  });

  test('lines have the colours of teams, and none is the green of Yes', async () => {
    await kinds.world.service.sql`with r as (update board_revision set revision = revision + 1 returning revision)
      update contracts c set team_color = '#0057b8', revision = r.revision from r where contract_id = 'ctr_blues'`;
    await kinds.world.service.context.board.refresh();
    await withHost({}, async (host) => {
      await openEvent(host, 'Who wins the cup?');
      const colours = await host.frame
        .locator('.legend .dot')
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
      expect(colours[0]).toBe('rgb(0, 87, 184)');
      const green = await host.frame.evaluate(() => {
        const probe = document.createElement('i');
        probe.className = 'yes-text';
        document.body.append(probe);
        return getComputedStyle(probe).color;
      });
      const isGreenish = (colour: string) => {
        const [red = 0, middle = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
        return middle > red * 1.2 && middle > blue * 1.2;
      };
      expect(isGreenish(green)).toBe(true);
      expect(colours.filter(isGreenish)).toEqual([]);
    });
  });

  test('a score names its sides', async () => {
    await seed(kinds.world.service.sql, [
      {
        id: 'match',
        title: 'Home Town v Away City',
        kind: 'mutually_exclusive',
        category: 'sports',
        volume24h: 950,
        contracts: [{ id: 'home', label: 'Home Town', bids: [[0.5, 900]], asks: [[0.52, 900]] }],
      },
    ]);
    const live = { homeScore: 13, awayScore: 22, period: 'Q3', clock: '08:30', observedAt: new Date().toISOString() };
    await kinds.world.service.sql`with r as (update board_revision set revision = revision + 1 returning revision)
      update events e set live_match = ${kinds.world.service.sql.json(live)}, revision = r.revision from r where event_id = 'evt_match'`;
    await kinds.world.service.context.board.refresh();
    await withHost({}, async (host) => {
      await openEvent(host, 'Home Town v Away City');
      const lines = await host.frame.locator('.score-line').allInnerTexts();
      expect(lines.map((line) => line.replace(/\s+/g, ' '))).toEqual(['Home Town 13-22 Away City']);
    });
  });

  test.each([
    ['en', '$104,300', '$1.00'],
    ['es', '104.300 US$', '1,00 US$'],
    ['pt', 'US$ 104.300', 'US$ 1,00'],
    ['hr', '104.300 USD', '1,00 USD'],
  ])('money has one form on a page (%s)', async (locale, level, dollar) => {
    const contracts = [104_000, 105_000].map((threshold, index) => ({
      id: `coin${index}`,
      label: `Above $${threshold.toLocaleString('en')}`,
      threshold,
      direction: 'above' as const,
      bids: [[index === 0 ? 0.64 : 0.14, 900]] as const,
      asks: [[index === 0 ? 0.66 : 0.16, 900]] as const,
    }));
    await seed(kinds.world.service.sql, [
      {
        id: 'coin',
        title: 'Where will the coin be?',
        kind: 'cumulative_ladder',
        category: 'crypto',
        volume24h: 40,
        contracts,
      },
    ]);
    await kinds.world.service.sql`with r as (update board_revision set revision = revision + 1 returning revision)
      update events e set level_format = concat('$', '{k}'), revision = r.revision from r where event_id = 'evt_coin'`;
    await kinds.world.service.context.board.refresh();
    await withHost({ query: `&locale=${locale}` }, async (host) => {
      await openEvent(host, 'Where will the coin be?');
      const plain = async (selector: string) => (await host.frame.locator(selector).innerText()).replaceAll(/\s/g, ' ');
      expect(await plain('.implied')).toContain(level);
      expect(await plain('section.rules')).toContain(dollar);
    });
  });
});
