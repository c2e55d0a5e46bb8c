/** States of the whole frame that could strand a customer: the market ends, the session ends, the service is away, nothing is found. */
import { describe, expect, test } from 'vitest';
import { en } from '../../src/frame/texts/en.ts';
import { es } from '../../src/frame/texts/es.ts';
import { hr } from '../../src/frame/texts/hr.ts';
import { pt } from '../../src/frame/texts/pt.ts';
import { seed } from '../catalogue/seed.ts';
import { hasChromium } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { buyRain, openEvent, setUpKindsWorld } from './kinds-world.ts';
import { buttonsIn, expectFocus } from './states.ts';
import { openDoor } from './world.ts';

const kinds = setUpKindsWorld({ endsSound: true });
const CUP = { name: 'Who wins the cup?', exact: true } as const;

describe.skipIf(!hasChromium)('a page always leads on', () => {
  test.each([
    ['paused', null, en.state_paused],
    ['closed', null, en.state_closed],
    ['resolved', 'YES', en.state_resolved],
    ['voided', 'VOID', en.state_voided],
  ] as const)(
    'a market that is %s while it is open on the page says what follows',
    async (status, resolution, words) => {
      const { service } = kinds.world;
      const title = `Will this be ${status}?`;
      const change = async (to: string) => {
        const contract = { id: status, status: to, ...(to !== 'open' && resolution && { resolution }) };
        await seed(service.sql, [{ id: status, title, contracts: [contract] }]);
        await service.context.board.refresh();
      };
      await change('open');
      await kinds.withHost({ user: 'watcher' }, async (host) => {
        const { frame } = host;
        await openEvent(host, title);
        const state = frame.locator('.market-state');
        expect([await state.getAttribute('role'), await state.textContent()]).toEqual(['status', '']);
        await change(status);
        await state.getByText(words).waitFor({ timeout: 60_000 });
        expect(await buttonsIn(state)).toEqual(['See your positions', 'Browse markets']);
        await state.getByRole('button', { name: 'See your positions' }).press('Enter');
        await expectFocus(frame, 'Positions');
      });
    },
  );

  test('a session that is not renewed hides the account, and is asked for again by a button', async () => {
    const { service, key } = kinds.world;
    const mint = () =>
      service.request('POST', '/api/v1/embed-sessions', { key, body: { externalUserId: 'signed-out' } });
    await kinds.withHost({ answers: false }, async ({ frame, post, messages }) => {
      const first = await mint();
      await frame.getByText('Connecting to House').waitFor();
      await post({ type: 'service.session', token: first.body.token });
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByText('You have no positions yet.').waitFor();
      await service.request('DELETE', `/api/v1/embed-sessions/${first.body.sessionId}`, { key });
      await frame.getByRole('button', { name: 'Markets', exact: true }).click();
      await frame.getByRole('status').getByText('Your session was ended. Requesting a new one from House…').waitFor();
      expect(await frame.getByRole('navigation').count()).toBe(0);
      await expectFocus(frame, 'Try again');
      const asked = (await messages()).length;
      await frame.getByRole('button', { name: 'Try again' }).press('Enter');
      await until(async () => expect((await messages()).length).toBeGreaterThan(asked));
      expect((await messages()).at(-1)).toEqual({ type: 'service.session.required', reason: 'revoked' });
      await post({ type: 'service.session', token: (await mint()).body.token });
      await frame.getByRole('button', CUP).waitFor();
    });
  });

  test('what was typed into the ticket is there again when the session is renewed, but not for another customer', async () => {
    const { service, key } = kinds.world;
    const mint = async (externalUserId: string) =>
      (await service.request('POST', '/api/v1/embed-sessions', { key, body: { externalUserId } })).body;
    await kinds.withHost({ answers: false, width: 1280 }, async (host) => {
      const { frame, post } = host;
      const stake = frame.getByLabel('Stake in US dollars');
      const endSession = async ({ sessionId }: { sessionId: string }) => {
        await service.request('DELETE', `/api/v1/embed-sessions/${sessionId}`, { key });
        await frame.getByRole('button', { name: 'Get price' }).click();
        await frame.getByRole('status').getByText('Your session was ended.').waitFor({ timeout: 60_000 });
      };
      const first = await mint('typing');
      await post({ type: 'service.session', token: first.token });
      await kinds.resetBooks();
      await openEvent(host, 'Will it rain tomorrow?');
      await frame.locator('.ticket').getByRole('button', { name: /^No / }).click();
      await stake.fill('73.5');
      await endSession(first);
      const second = await mint('typing');
      await post({ type: 'service.session', token: second.token });
      await frame.locator('.ticket-title').getByText('No', { exact: true }).waitFor();
      expect(await stake.inputValue()).toBe('73.5');
      await endSession(second);
      await post({ type: 'service.session', token: (await mint('someone-else')).token });
      await stake.waitFor();
      expect(await stake.inputValue()).toBe('10');
    });
  });

  test('without a network it says so, offers a button, and continues by itself once there is one', async () => {
    await kinds.withHost({ user: 'offline' }, async ({ frame, page }) => {
      await frame.getByRole('button', CUP).waitFor();
      await page.context().setOffline(true);
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByRole('status').getByText(en.away).waitFor();
      await frame.getByText(en.awayHint).waitFor();
      expect(await buttonsIn(frame.locator('.empty'))).toEqual(['Try now']);
      await page.context().setOffline(false);
      await frame.getByText('You have no positions yet.').waitFor();
    });
  });

  test('a busy service is left alone for as long as it asks', async () => {
    await kinds.withHost({ user: 'crowd' }, async ({ frame, page, asked }) => {
      await frame.getByRole('button', CUP).waitFor();
      const busy = { status: 503, headers: { 'retry-after': '6' }, json: { error: 'service_unavailable' } };
      await page.route('**/api/embed/**', (route) => route.fulfill(busy));
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByRole('status').getByText('The service is busy. Trying again…').waitFor();
      const before = asked.length;
      await page.waitForTimeout(4_000);
      expect(asked.slice(before).filter((address) => /health|embed/.test(address))).toEqual([]);
      await page.unroute('**/api/embed/**');
      await frame.getByText('You have no positions yet.').waitFor();
      await frame.getByText('The service is busy. Trying again…').waitFor({ state: 'detached' });
    });
  });

  test('too many requests are repeated when the service takes them again', async () => {
    await kinds.withHost({ user: 'eager' }, async ({ frame, page }) => {
      await frame.getByRole('button', CUP).waitFor();
      const refusal = { status: 429, json: { error: 'rate_limited', message: '', retryAfterSeconds: 3 } };
      await page.route('**/api/embed/positions**', (route) => route.fulfill(refusal), { times: 1 });
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByRole('alert').getByText(en.e_rate_limited).waitFor();
      expect(await buttonsIn(frame.getByRole('alert'))).toEqual(['Try again']);
      await frame.getByText('You have no positions yet.').waitFor();
    });
  });

  test('a search without results says so, and widens by keyboard', async () => {
    await kinds.withHost({}, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Sports' }).click();
      await frame.getByRole('searchbox').fill('rain');
      const none = frame.locator('.empty');
      await none.getByText('No results for “rain”.').waitFor();
      await frame.getByRole('status').getByText('No results for “rain”.').waitFor();
      expect(await buttonsIn(none)).toEqual(['Search in all categories', 'Clear search']);
      await none.getByRole('button', { name: 'Search in all categories' }).press('Enter');
      await frame.getByRole('status').getByText('1 market found').waitFor();
      await expectFocus(frame, 'Search markets');
      await frame.getByRole('searchbox').fill('nothing of the kind');
      await none.getByRole('button', { name: 'Clear search' }).press('Enter');
      await frame.getByRole('button', CUP).waitFor();
      await expectFocus(frame, 'Search markets');
    });
  });

  test('without positions the next step is one key away', async () => {
    await kinds.withHost({ user: 'new-here' }, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Positions' }).click();
      await expectFocus(frame, 'Positions');
      await frame.locator('.empty').getByRole('button', { name: 'Browse markets' }).press('Enter');
      await expectFocus(frame, 'Markets');
    });
  });

  test.each(Object.entries({ en, es, pt, hr }))(
    'a link to a market that is gone leads on, in %s',
    async (locale, texts) => {
      await kinds.withHost({ path: '/gone-market', query: `&locale=${locale}` }, async ({ frame }) => {
        const alert = frame.getByRole('alert');
        await alert.getByText(texts.e_unknown_event).waitFor();
        expect(await buttonsIn(alert)).toEqual([texts.browse]);
        await alert.getByRole('button', { name: texts.browse }).press('Enter');
        await expectFocus(frame, texts.markets);
        await frame.locator('.card h2').first().waitFor();
      });
    },
  );

  test('a suspended customer, a market that is gone, a place without markets and a service that is away lead on', async () => {
    const { service, key } = kinds.world;
    await service.request('POST', '/api/v1/embed-sessions', { key, body: { externalUserId: 'barred-holder' } });
    await kinds.resetBooks();
    await buyRain(kinds, 'barred-holder', 10);
    await service.sql`update customers set status = 'suspended' where external_user_id = 'barred-holder'`;
    await kinds.withHost({ user: 'barred-holder' }, async ({ frame }) => {
      await frame.getByText('Your account cannot trade. Please contact House.').waitFor();
      await frame.getByText('Your open positions are kept and are settled as usual.').waitFor();
      await frame.getByRole('heading', { name: 'Will it rain tomorrow?' }).waitFor();
      await frame.getByText('If sold now').first().waitFor();
      expect(await frame.getByRole('button', { name: 'Cash out' }).count()).toBe(0);
    });
    await kinds.withHost({ path: '/evt_gone' }, async ({ frame }) => {
      await frame.getByText('This market does not exist or is not available here.').waitFor();
      expect(await frame.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await frame.getByRole('button', { name: 'Browse markets' }).click();
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
    });
    await service.sql`update operators set jurisdiction_mode = 'enforced', permitted_countries = array['US'] where slug = 'house'`;
    try {
      await kinds.withHost({ user: 'abroad', mint: { jurisdiction: { country: 'HR' } } }, async ({ frame }) => {
        await frame.getByText('Prediction markets are not available in your location.').waitFor();
        await until(async () => expect(await frame.getByRole('searchbox').count()).toBe(0));
        await frame.getByRole('button', { name: 'See your positions' }).click();
        await frame.getByText('You have no positions yet.').waitFor();
      });
    } finally {
      await service.sql`update operators set jurisdiction_mode = 'off', permitted_countries = '{}' where slug = 'house'`;
    }
    const door = await openDoor(service.url);
    await kinds.withHost({ frameUrl: door.url }, async ({ frame }) => {
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
    await kinds.withHost({}, async (host) => {
      const { frame, page } = host;
      await openEvent(host, 'Will it rain tomorrow?');
      await page.context().setOffline(true);
      await frame.getByText('The service cannot be reached. Trying again…').waitFor({ timeout: 3_000 });
      await page.context().setOffline(false);
      await frame.getByText('The service cannot be reached. Trying again…').waitFor({ state: 'detached' });
    });
  });
});
