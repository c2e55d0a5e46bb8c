import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { moveBook } from '../catalogue/seed.ts';
import { HOSTILE_TITLE, seedKinds } from './catalogue.ts';
import { type BrowserWorld, type Host, hasChromium, openDoor, openWorld } from './world.ts';

// A busy machine draws slowly; what must be quick says so itself.
vi.setConfig({ testTimeout: 120_000 });

let world: BrowserWorld;

beforeAll(async () => {
  if (!hasChromium) {
    return;
  }
  world = await openWorld();
  await seedKinds(world.service.sql);
  await world.service.context.board.refresh();
}, 120_000);
afterAll(() => world?.close());

/** Confirms the books again: the tests last longer than a price stays fresh. */
async function freshen(): Promise<void> {
  await moveBook(world.service.sql, { id: 'rain', bids: [[0.55, 100_000]], asks: [[0.57, 100_000]] });
  await world.service.context.board.refresh();
}

async function openEvent(host: Host, title: string): Promise<void> {
  await host.frame.getByRole('button', { name: title, exact: true }).click();
  await host.frame.getByRole('heading', { level: 1, name: title }).waitFor();
}

async function withHost(
  options: Parameters<BrowserWorld['open']>[0],
  act: (host: Host) => Promise<void>,
): Promise<void> {
  const host = await world.open(options);
  try {
    await act(host);
    expect(await host.violations()).toEqual([]);
  } finally {
    await host.close();
  }
}

describe.skipIf(!hasChromium)('the handshake', () => {
  test('asks the registered page for a session and shows the markets', async () => {
    await withHost({}, async ({ frame, messages, asked }) => {
      await frame.getByRole('button', { name: 'Who wins the cup?' }).waitFor();
      expect((await messages())[0]).toEqual({ type: 'service.session.required', reason: 'missing' });
      const origins = new Set(asked.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin));
      expect([...origins].sort()).toEqual([world.origin, world.service.url].sort());
      expect(asked.filter((url) => url.includes('ies1.'))).toEqual([]);
    });
  });

  test('ignores messages of another shape, size or type', async () => {
    await withHost({ answers: false }, async ({ frame, page, post }) => {
      await frame.getByText('Connecting to House').waitFor();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      const { body } = await world.service.request('POST', '/api/v1/embed-sessions', {
        key: world.key,
        body: { externalUserId: 'player-1' },
      });
      for (const message of [
        'service.session',
        null,
        [],
        42,
        { type: 'service.session' },
        { type: 'service.session', token: 7 },
        { type: 'service.session', token: body.token, extra: true },
        { type: 'service.session', token: `${body.token}${'x'.repeat(100_000)}` },
        { type: 'service.other', token: body.token },
        { type: 'service.theme', theme: { mode: 'x'.repeat(1000) } },
      ]) {
        await post(message);
      }
      await page.waitForTimeout(300);
      expect(await frame.getByRole('navigation').count()).toBe(0);
      expect(errors).toEqual([]);
      await post({ type: 'service.session', token: body.token });
      await frame.getByRole('navigation').waitFor();
    });
  });

  test('a foreign origin neither frames it nor speaks to it', async () => {
    const foreign = await world.open({ from: world.strange });
    await foreign.page.waitForTimeout(500);
    expect(foreign.frame.url()).toMatch(/^chrome-error:/);
    await foreign.close();

    await withHost({ answers: false }, async ({ page, frame }) => {
      await frame.getByText('Connecting to House').waitFor();
      const { body } = await world.service.request('POST', '/api/v1/embed-sessions', {
        key: world.key,
        body: { externalUserId: 'player-1' },
      });
      const strange = await page.evaluateHandle((address) => {
        const other = document.createElement('iframe');
        other.src = address;
        document.body.append(other);
        return new Promise<HTMLIFrameElement>((resolve) => {
          other.onload = () => resolve(other);
        });
      }, `${world.strange}/`);
      const inside = await strange.asElement()?.contentFrame();
      await inside?.evaluate((token) => {
        window.parent.frames[0]?.postMessage({ type: 'service.session', token }, '*');
      }, body.token);
      await page.waitForTimeout(400);
      expect(await frame.getByRole('navigation').count()).toBe(0);
    });
  });

  test('an expired and a revoked session are asked for again, by their reason, without losing the page', async () => {
    await withHost({ user: 'ends' }, async ({ frame, messages, session }) => {
      await frame.getByRole('button', { name: 'Who wins the cup?' }).waitFor();
      await world.service.sql`update embed_sessions set created_at = created_at - interval '2 hours',
        expires_at = now() - interval '1 second' where session_id = ${session().sessionId}`;
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByText('You have no positions yet.').waitFor();
      expect((await messages()).at(-1)).toEqual({ type: 'service.session.required', reason: 'expired' });
      const second = session().sessionId;
      await world.service.request('DELETE', `/api/v1/embed-sessions/${second}`, { key: world.key });
      await frame.getByRole('button', { name: 'Markets', exact: true }).click();
      await frame.getByRole('button', { name: 'Who wins the cup?' }).waitFor();
      expect((await messages()).at(-1)).toEqual({ type: 'service.session.required', reason: 'revoked' });
      expect(session().sessionId).not.toBe(second);
    });
  });

  test('a suspended customer sees a message that says so', async () => {
    await world.service.request('POST', '/api/v1/embed-sessions', {
      key: world.key,
      body: { externalUserId: 'barred' },
    });
    await world.service.sql`update customers set status = 'suspended' where external_user_id = 'barred'`;
    await withHost({ user: 'barred' }, async ({ frame }) => {
      await frame.getByText('Your account cannot trade. Please contact House.').waitFor();
    });
  });
});

describe.skipIf(!hasChromium)('trading', () => {
  test('a buy, a new price that the customer confirms, and a cash-out', async () => {
    await freshen();
    const held = async () =>
      (await world.service.request('GET', '/api/v1/positions?externalUserId=trader', { key: world.key })).body
        .positions;
    await withHost({ user: 'trader' }, async (host) => {
      const { frame } = host;
      await openEvent(host, 'Will it rain tomorrow?');
      await frame.getByLabel('Stake in US dollars').fill('20');
      await frame.getByRole('button', { name: 'Get price' }).click();
      const confirm = frame.getByRole('button', { name: 'Confirm: buy for $20.00' });
      await confirm.waitFor();
      await frame.getByText(/Price held for \d+ s/).waitFor();

      await moveBook(world.service.sql, { id: 'rain', bids: [[0.6, 100_000]], asks: [[0.62, 100_000]] });
      await world.service.context.board.refresh();
      await confirm.click();
      const accept = frame.getByRole('button', { name: 'Accept the new price and buy for $20.00' });
      await accept.waitFor();
      await frame.getByText('The price was 57¢ and is now 62¢. Confirm only if you accept it.').waitFor();
      const before = await world.service.request('GET', '/api/v1/positions?externalUserId=trader', { key: world.key });
      expect(before.body.positions).toEqual([]);

      await accept.click();
      await frame.getByText('Bought', { exact: true }).waitFor();
      const { body } = await world.service.request('GET', '/api/v1/positions?externalUserId=trader', {
        key: world.key,
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

  test('the ticket and what is confirmed are always of one side', async () => {
    await freshen();
    await withHost({ user: 'sides' }, async (host) => {
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
    await freshen();
    await withHost({ live: true, user: 'live' }, async (host) => {
      const { frame } = host;
      await openEvent(host, 'Will it rain tomorrow?');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).click();
      await frame.getByText('Waiting for House Live to reserve your money.').waitFor();
      const key = world.liveKey;
      const { body } = await world.service.request('GET', '/api/v1/orders?externalUserId=live', { key });
      expect(body.orders).toMatchObject([{ status: 'reserve_pending', simulated: false }]);
      await world.service.request('POST', `/api/v1/orders/${body.orders[0].orderId}/cancel`, { key });
      await frame.getByText('Your order was withdrawn. You have not been charged.').waitFor();
    });
  });

  test('refusals are words, and leave a way on', async () => {
    await freshen();
    await withHost({ user: 'refused' }, async (host) => {
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

  test('an executable that is null is no price, and the reference does not stand in for it', async () => {
    await withHost({}, async (host) => {
      await openEvent(host, 'Will nobody trade this?');
      const yes = host.frame.getByRole('button', { name: 'Yes –, Buy: Will nobody trade this?, No price' }).first();
      await yes.waitFor();
      expect(await yes.textContent()).toMatch(/Yes\s*–/);
      await host.frame.getByRole('button', { name: 'No 70¢, Buy: Will nobody trade this?' }).first().waitFor();
    });
  });

  test('prices move by the stream', async () => {
    await withHost({}, async (host) => {
      await openEvent(host, 'Who wins the cup?');
      await host.frame.getByRole('button', { name: 'Yes 22¢, Buy: Reds' }).waitFor();
      await moveBook(world.service.sql, { id: 'reds', bids: [[0.3, 9000]], asks: [[0.3175, 9000]] });
      await host.frame.getByRole('button', { name: 'Yes 31.75¢, Buy: Reds' }).waitFor();
    });
  });
});

describe.skipIf(!hasChromium)('what is drawn', () => {
  test('a ladder by threshold, a field by likelihood', async () => {
    await withHost({}, async (host) => {
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
    await world.service.sql`insert into price_history (contract_id, step_minutes, at, price_micros)
      select 'ctr_blues', step, ${hourAgo}, 400000 from unnest(array[1, 5, 60]) step on conflict do nothing`;
    await withHost({}, async (host) => {
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

  test('marks of teams come from safe bytes only', async () => {
    const { sql, context } = world.service;
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
    await withHost({}, async (host) => {
      await openEvent(host, 'Who wins the cup?');
      const marks = await host.frame
        .locator('.row img')
        .evaluateAll((all) => all.map((one) => one.getAttribute('src')));
      expect(marks).toEqual([png]);
      const letters = await host.frame
        .locator('.row .letters')
        .evaluateAll((all) => all.map((one) => one.getAttribute('style')));
      // The rows stand in the order of their prices, which other tests move.
      expect(new Set(letters)).toEqual(new Set(['border-color: rgb(0, 255, 0);', null]));
      expect(host.asked.filter((url) => url.includes('evil'))).toEqual([]);
    });
  });

  test('hostile texts stay texts', async () => {
    await withHost({}, async (host) => {
      await host.frame.getByRole('button', { name: HOSTILE_TITLE, exact: true }).click();
      await host.frame.getByRole('heading', { level: 1 }).waitFor();
      expect(await host.frame.getByRole('heading', { level: 1 }).textContent()).toBe(HOSTILE_TITLE);
      expect(await host.frame.evaluate(() => 'hacked' in window)).toBe(false);
      expect(host.asked.filter((url) => url.endsWith('/x'))).toEqual([]);
    });
  });

  test('search and categories narrow the list', async () => {
    await withHost({}, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Finance' }).click();
      await frame.getByRole('button', { name: 'Who wins the cup?' }).waitFor({ state: 'detached' });
      await frame.getByRole('button', { name: 'All', exact: true }).click();
      await frame.getByRole('searchbox').fill('cup');
      await frame.getByRole('button', { name: 'How high will it go?' }).waitFor({ state: 'detached' });
      await frame.getByRole('searchbox').fill('nothing at all');
      await frame.getByText('No results for “nothing at all”.').waitFor();
    });
  });

  test('the theme changes live, and a hostile value changes nothing', async () => {
    await withHost({ query: '&accent=%23f00&mode=light&radius=round' }, async ({ frame, post, page }) => {
      await frame.getByRole('navigation').waitFor();
      const worn = () =>
        frame.evaluate(() => [
          document.documentElement.dataset['mode'],
          document.documentElement.dataset['radius'],
          document.documentElement.style.getPropertyValue('--accent'),
        ]);
      expect(await worn()).toEqual(['light', 'round', '#ff0000']);
      await post({ type: 'service.theme', theme: { mode: 'dark', accent: '#00aa88' } });
      await page.waitForTimeout(200);
      expect(await worn()).toEqual(['dark', 'round', '#00aa88']);
      await post({
        type: 'service.theme',
        theme: { mode: 'none', accent: 'red;} body{display:none}', radius: 'url(//x)' },
      });
      await page.waitForTimeout(200);
      expect(await worn()).toEqual(['dark', 'round', '#00aa88']);
      await post({ type: 'service.theme', theme: { accent: '#ffe600' } });
      await page.waitForTimeout(200);
      expect(await frame.evaluate(() => document.documentElement.style.getPropertyValue('--on-accent'))).toBe(
        '#0c0e14',
      );
    });
  });

  test('the session decides where the address does not', async () => {
    const mint = { theme: { mode: 'dark', accent: '#123456', radius: 'sharp' }, locale: 'hr-HR' };
    await withHost({ mint, query: '&radius=round' }, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Tržišta', exact: true }).waitFor();
      expect(
        await frame.evaluate(() => {
          const { dataset, style, lang } = document.documentElement;
          return [lang, dataset['mode'], dataset['radius'], style.getPropertyValue('--accent')];
        }),
      ).toEqual(['hr', 'dark', 'round', '#123456']);
    });
  });

  test('tells its height only when asked to, and only when it changed enough', async () => {
    await withHost({ query: '&sizing=auto' }, async (host) => {
      await host.frame.getByRole('button', { name: 'Who wins the cup?' }).waitFor();
      await host.page.waitForTimeout(800);
      const heights = (await host.messages())
        .filter(({ type }) => type === 'service.height_changed')
        .map(({ height }) => Number(height));
      expect(heights.length).toBeGreaterThan(0);
      const real = await host.frame.evaluate(() => document.getElementById('app')?.getBoundingClientRect().height ?? 0);
      expect(Math.abs((heights.at(-1) ?? 0) - real)).toBeLessThan(24);
      expect(heights.slice(1).every((height, index) => Math.abs(height - (heights[index] ?? 0)) >= 24)).toBe(true);
    });
    await withHost({}, async (host) => {
      await host.frame.getByRole('button', { name: 'Who wins the cup?' }).waitFor();
      expect((await host.messages()).some(({ type }) => type === 'service.height_changed')).toBe(false);
    });
  });

  test.each([
    ['en', 'Markets', 320],
    ['en', 'Markets', 420],
    ['en', 'Markets', 700],
    ['es-AR', 'Mercados', 320],
    ['pt', 'Mercados', 320],
    ['hr', 'Tržišta', 320],
    ['xx', 'Markets', 320],
  ] as const)('speaks %s (%s) at %d pixels without scrolling sideways', async (locale, word, width) => {
    await freshen();
    await withHost({ width, height: 640, query: `&locale=${locale}`, user: 'narrow' }, async ({ frame, page }) => {
      await frame.getByRole('button', { name: word, exact: true }).waitFor();
      const fits = async () => expect(await frame.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await frame.locator('.card').first().waitFor();
      await fits();
      const sort = await frame.getByRole('combobox').first().boundingBox();
      expect((sort?.x ?? 0) + (sort?.width ?? 0)).toBeLessThanOrEqual(width);
      await frame.locator('.price').first().click();
      await frame.locator('.ticket').waitFor();
      await fits();
      const spill = await frame.evaluate(() => {
        const ticket = document.querySelector('.ticket')?.getBoundingClientRect();
        return [...document.querySelectorAll('.ticket *')].filter(
          (part) => part.getBoundingClientRect().right > (ticket?.right ?? 0),
        ).length;
      });
      expect(spill).toBe(0);
      await page.waitForTimeout(100);
    });
  });

  test('display currencies are shown beside dollars, with the date of their rate', async () => {
    await world.service.sql`insert into display_rates (currency, rate) values ('EUR', 0.5) on conflict do nothing`;
    await freshen();
    await withHost({ user: 'euro' }, async (host) => {
      const { frame } = host;
      await frame.getByLabel('Show amounts in').selectOption('EUR');
      await frame.getByText(/1 USD = 0.5 EUR as of/).waitFor();
      await openEvent(host, 'Will it rain tomorrow?');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).waitFor();
      await frame.getByText('≈ €5.00').first().waitFor();
    });
  });
});

describe.skipIf(!hasChromium)('for everybody', () => {
  test.each(['light', 'dark'] as const)(
    'axe finds nothing in %s',
    async (scheme) => {
      await freshen();
      await withHost({ scheme, user: `axe-${scheme}` }, async (host) => {
        const { frame, page } = host;
        const check = async (where: string) => {
          const { violations } = await new AxeBuilder({ page })
            .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
            .include(['iframe', 'body'])
            .analyze();
          expect(
            violations.map(({ id, nodes }) => [
              where,
              id,
              nodes.map(({ target, failureSummary }) => [target, failureSummary]),
            ]),
          ).toEqual([]);
        };
        await frame.getByRole('button', { name: 'Who wins the cup?' }).waitFor();
        await check('markets');
        await openEvent(host, 'Will it rain tomorrow?');
        await frame.getByRole('button', { name: 'Get price' }).click();
        await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).waitFor();
        await check('quote');
        await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).click();
        await frame.getByText('Bought', { exact: true }).waitFor();
        await check('receipt');
        await frame.getByRole('button', { name: 'See your positions' }).click();
        await frame.getByRole('button', { name: 'Cash out' }).click();
        await check('positions');
        await frame.getByRole('button', { name: 'Markets', exact: true }).click();
        await openEvent(host, 'Who wins the cup?');
        await check('field');
      });
    },
    60_000,
  );

  test('axe finds nothing on the website and the demo page', async () => {
    const { page, close } = await world.open({ answers: false });
    for (const [path, sign] of [
      ['/', 'Who wins the cup?'],
      ['/demo', 'Your cash ledger'],
    ] as const) {
      await page.goto(world.service.url + path);
      await page.getByText(sign).first().waitFor();
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
        .analyze();
      expect(violations.map(({ id, nodes }) => [path, id, nodes.map(({ target }) => target)])).toEqual([]);
    }
    await close();
  });

  test('is used by keyboard alone', async () => {
    await freshen();
    await withHost({ user: 'keys' }, async (host) => {
      const { frame, page } = host;
      await frame.getByRole('button', { name: 'Will it rain tomorrow?', exact: true }).focus();
      await page.keyboard.press('Enter');
      await frame.getByLabel('Stake in US dollars').waitFor();
      await frame.getByLabel('Stake in US dollars').focus();
      await page.keyboard.press('Enter');
      await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).waitFor();
      await page.keyboard.press('Enter');
      await frame.getByText('Bought', { exact: true }).waitFor();
      expect(await frame.evaluate(() => document.activeElement?.textContent)).toBe('See your positions');
    });
  });

  test('says that the service is away, and recovers within ten seconds of its return', async () => {
    const door = await openDoor(world.service.url);
    await withHost({ frameUrl: door.url }, async ({ frame, page }) => {
      await frame.getByRole('button', { name: 'Who wins the cup?' }).waitFor();
      await page.waitForTimeout(500);
      await door.shut();
      await frame.getByText('The service cannot be reached. Trying again…').waitFor({ timeout: 15_000 });
      await page.waitForTimeout(1500);
      await door.open();
      await frame
        .getByText('The service cannot be reached. Trying again…')
        .waitFor({ state: 'detached', timeout: 10_000 });
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByText('You have no positions yet.').waitFor();
    });
    await door.close();
  });
});

describe.skipIf(!hasChromium)('the demo', () => {
  test('its page keeps a cash ledger by the instructions of what happens in the frame', async () => {
    await freshen();
    const { page, close } = await world.open({ answers: false });
    await page.goto(`${world.service.url}/demo`);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Will it rain tomorrow?', exact: true }).click();
    await frame.getByRole('button', { name: /^Yes / }).first().click();
    await frame.getByRole('button', { name: 'Get price' }).click();
    await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).click();
    await frame.getByText('Bought', { exact: true }).waitFor();
    const balance = page.locator('[data-test=balance]');
    await expect.poll(() => balance.textContent(), { timeout: 10_000 }).toBe('$990.00');
    await page.getByRole('button', { name: 'void' }).click();
    await expect.poll(() => balance.textContent(), { timeout: 10_000 }).toBe('$1,000.00');
    await close();
  });
});
