/** What people met in the frame, one test a finding: each fails on the frame that they met. */
import { describe, expect, test } from 'vitest';
import { moveBook } from '../catalogue/seed.ts';
import { hasChromium } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { openEvent, setUpKindsWorld } from './kinds-world.ts';
import { type Host, type HostOptions, openDoor } from './world.ts';

const kinds = setUpKindsWorld();

const freshen = async () => {
  await moveBook(kinds.world.service.sql, { id: 'blues', bids: [[0.543, 9000]], asks: [[0.553, 9000]] });
  await kinds.freshen();
};
const withHost = async (options: HostOptions, act: (host: Host) => Promise<void>) => {
  await freshen();
  await kinds.withHost(options, act);
};

const impliedIn = async ({ frame }: Host) =>
  (await frame.locator('.implied').innerText()).replaceAll(/\s+/g, ' ').trim();

/** Buys YES of the rain for a stake. */
async function buyRain(user: string, stake: number): Promise<string> {
  const { request } = kinds.world.service;
  const body = { marketId: 'ctr_rain', side: 'YES', action: 'buy', stake };
  const quote = await request('POST', '/api/v1/quotes', { key: kinds.world.key, user, body });
  const order = await request('POST', '/api/v1/orders', {
    key: kinds.world.key,
    user,
    body: { quoteId: quote.body.quoteId, clientOrderId: `${user}-${Math.random()}` },
  });
  expect(order.body.status).toBe('filled');
  const { body: page } = await request('GET', `/api/v1/positions?externalUserId=${user}`, { key: kinds.world.key });
  return page.positions[0].positionId;
}

describe.skipIf(!hasChromium)('people frame', () => {
  test.each([320, 390])('the words on price buttons are whole at %d pixels', async (width) => {
    await withHost({ width, height: 844 }, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Yes 55.3¢, Buy: Blues' }).waitFor();
      const cut = await frame
        .locator('.price span')
        .evaluateAll((all) =>
          all.flatMap((one) => (one.scrollWidth > one.clientWidth && one.clientWidth > 0 ? [one.textContent] : [])),
        );
      expect(cut).toEqual([]);
    });
  });

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

  test('the demo has room for the ticket beside the event, and three kinds of operator', async () => {
    const { page, close } = await kinds.world.open({ answers: false, width: 1280, height: 900 });
    await page.goto(`${kinds.world.service.url}/demo`);
    const box = await page.locator('iframe').boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(882);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
    const accent = () => frame.locator(':root').evaluate((root) => root.style.getPropertyValue('--accent'));
    for (const [kind, name, colour] of [
      ['Sportsbook', 'Matchday', '#d3222a'],
      ['Broker', 'Harbour Invest', '#17508f'],
      ['Casino', 'Northwind Casino', '#d4a02f'],
    ] as const) {
      await page.getByRole('button', { name: kind }).click();
      await page.getByText(name, { exact: true }).waitFor();
      await until(async () => expect(await accent()).toBe(colour));
    }
    await page.getByRole('button', { name: 'Show the code' }).click();
    await page.getByText('service.session.required').first().waitFor();
    await close();
  });

  test('the profit over time is drawn below the positions, with its figure, once there is something to draw', async () => {
    await freshen();
    await buyRain('course', 20);
    await buyRain('course', 10);
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
    await buyRain('course', 5);
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
    await freshen();
    await buyRain('holder', 20);
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
    await freshen();
    const won = await buyRain('winner', 10);
    const lost = await buyRain('loser', 10);
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
    await freshen();
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

  test('the payoff is shown while typing, with balance and maximum', async () => {
    await freshen();
    await buyRain('typist', 10);
    await withHost({ user: 'typist' }, async (host) => {
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
    const { seed } = await import('../catalogue/seed.ts');
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

  test('cards of different categories have different pictures, and no phrase is on every card', async () => {
    await withHost({ width: 1280 }, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
      const shapes = await frame
        .locator('.picture path')
        .evaluateAll((paths) => paths.map((path) => path.getAttribute('d')));
      expect(new Set(shapes).size).toBeGreaterThanOrEqual(3);
      const feet = await frame.locator('.card-foot').allInnerTexts();
      expect(new Set(feet).size).toBeGreaterThanOrEqual(3);
    });
  });

  test('a score names its sides', async () => {
    const { seed } = await import('../catalogue/seed.ts');
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

  test('a customer who is suspended while the frame is open keeps what they hold in view', async () => {
    const { service } = kinds.world;
    await freshen();
    await buyRain('barred-meanwhile', 10);
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

  test('no state strands a person', async () => {
    const { service, key } = kinds.world;
    await service.request('POST', '/api/v1/embed-sessions', { key, body: { externalUserId: 'barred-holder' } });
    await freshen();
    await buyRain('barred-holder', 10);
    await service.sql`update customers set status = 'suspended' where external_user_id = 'barred-holder'`;
    await withHost({ user: 'barred-holder' }, async ({ frame }) => {
      await frame.getByText('Your account cannot trade. Please contact House.').waitFor();
      await frame.getByText('Your open positions are kept and are settled as usual.').waitFor();
      await frame.getByRole('heading', { name: 'Will it rain tomorrow?' }).waitFor();
      await frame.getByText('If sold now').first().waitFor();
      expect(await frame.getByRole('button', { name: 'Cash out' }).count()).toBe(0);
    });
    await withHost({ path: '/evt_gone' }, async ({ frame }) => {
      await frame.getByText('This market does not exist or is not available here.').waitFor();
      expect(await frame.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await frame.getByRole('button', { name: 'Browse markets' }).click();
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
    });
    await service.sql`update operators set jurisdiction_mode = 'enforced', permitted_countries = array['US'] where slug = 'house'`;
    try {
      await withHost({ user: 'abroad', mint: { jurisdiction: { country: 'HR' } } }, async ({ frame }) => {
        await frame.getByText('Prediction markets are not available in your location.').waitFor();
        await until(async () => expect(await frame.getByRole('searchbox').count()).toBe(0));
        await frame.getByRole('button', { name: 'See your positions' }).click();
        await frame.getByText('You have no positions yet.').waitFor();
      });
    } finally {
      await service.sql`update operators set jurisdiction_mode = 'off', permitted_countries = '{}' where slug = 'house'`;
    }
    const door = await openDoor(service.url);
    await withHost({ frameUrl: door.url }, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
      await door.shut();
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByText('The service cannot be reached. Trying again…').waitFor({ timeout: 15_000 });
      await frame.getByText('Nothing is lost. This page continues when the service answers.').waitFor();
      expect(await frame.getByText('Please try again.').count()).toBe(0);
      expect(await frame.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    });
    await door.close();
  });

  test('a device that goes offline is said at once, also while the stream of prices is open', async () => {
    await withHost({}, async (host) => {
      const { frame, page } = host;
      await openEvent(host, 'Will it rain tomorrow?');
      await page.context().setOffline(true);
      await frame.getByText('The service cannot be reached. Trying again…').waitFor({ timeout: 3_000 });
      await page.context().setOffline(false);
      await frame.getByText('The service cannot be reached. Trying again…').waitFor({ state: 'detached' });
    });
  });

  test('everything that a finger touches has 44 pixels', async () => {
    await freshen();
    await buyRain('finger', 10);
    await withHost({ user: 'finger', width: 390, height: 844, touch: true }, async (host) => {
      const { frame } = host;
      const expectRoom = async (state: string) => {
        const small = await frame.locator('button:visible, select:visible, label.check:visible').evaluateAll((all) =>
          all.flatMap((one) => {
            const { width, height } = one.getBoundingClientRect();
            return Math.min(width, height) < 44 ? [`${one.textContent} ${width}x${height}`] : [];
          }),
        );
        expect(small, state).toEqual([]);
      };
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
      await expectRoom('the list');
      await frame.getByRole('button', { name: 'Settings' }).click();
      await expectRoom('the settings');
      await openEvent(host, 'Who wins the cup?');
      await expectRoom('a field');
      await frame.getByRole('button', { name: /^Yes .*Buy: Blues/ }).click();
      await frame.getByText('Balance').waitFor();
      await expectRoom('a ticket');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: /^Confirm: buy/ }).waitFor();
      await expectRoom('a quote');
      await frame.getByRole('button', { name: 'Close', exact: true }).click();
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByRole('button', { name: 'Cash out' }).waitFor();
      await expectRoom('the positions');
      await frame.getByRole('button', { name: 'Activity' }).click();
      await frame.locator('.reference').waitFor();
      await expectRoom('the activity');
    });
  });

  test('with sizing=auto the ticket of a wide frame is no wider than beside the event', async () => {
    await withHost({ width: 1280, query: '&sizing=auto' }, async (host) => {
      await openEvent(host, 'Will it rain tomorrow?');
      await host.frame.getByRole('button', { name: /^Yes .*Buy: Will it rain/ }).click();
      expect((await host.frame.locator('.ticket').boundingBox())?.width).toBe(480);
    });
  });

  test.each([
    ['en', '$104,300', '$1.00'],
    ['es', '104.300 US$', '1,00 US$'],
    ['pt', 'US$ 104.300', 'US$ 1,00'],
    ['hr', '104.300 USD', '1,00 USD'],
  ])('money has one form on a page (%s)', async (locale, level, dollar) => {
    const { seed } = await import('../catalogue/seed.ts');
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

  test('on the narrowest phone the bar is one line in each language', async () => {
    for (const locale of ['en', 'es', 'pt', 'hr']) {
      await withHost({ width: 320, query: `&locale=${locale}` }, async ({ frame }) => {
        await frame.locator('.practice-tag').waitFor();
        const [bar, button] = await Promise.all(
          ['.bar', '.bar nav button'].map((part) => frame.locator(part).first().boundingBox()),
        );
        expect(bar?.height, locale).toBeLessThan((button?.height ?? 0) + 4);
      });
    }
  });

  test('skeletons have the height of cards, and practice mode is in view', async () => {
    await withHost({}, async ({ frame }) => {
      await frame.getByText('Practice', { exact: true }).waitFor();
      await frame.locator('.card h2').first().waitFor();
      const heights = await frame.evaluate(() => {
        const skeleton = document.createElement('div');
        skeleton.className = 'skeleton card';
        document.body.append(skeleton);
        const field = [...document.querySelectorAll('.card')].find((card) => card.textContent?.includes('cup'));
        // A row of cards is as tall as its tallest card; the height of this one alone counts.
        (field as HTMLElement).style.alignSelf = 'start';
        return [skeleton.offsetHeight, (field as HTMLElement).offsetHeight, field?.textContent];
      });
      expect(Math.abs(Number(heights[0]) - Number(heights[1])), String(heights)).toBeLessThan(40);
      expect(await frame.locator('.chips').evaluate((chips) => getComputedStyle(chips).maskImage)).toContain(
        'gradient',
      );
    });
  });

  test('a cash-out by share, with its estimate and profit', async () => {
    await freshen();
    await buyRain('seller', 20);
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
});
