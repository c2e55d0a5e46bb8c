/** The frame and its session: which messages it takes, from whom, and what it asks for again. */
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { setUpKindsWorld } from './kinds-world.ts';

const kinds = setUpKindsWorld();

describe.skipIf(!hasChromium)('the handshake', () => {
  // contract 31.6, contract 31.7
  test('asks the registered page for a session and shows the markets', async () => {
    await kinds.withHost({}, async ({ frame, messages, asked }) => {
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
      expect((await messages())[0]).toEqual({ type: 'service.session.required', reason: 'missing' });
      const origins = new Set(asked.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin));
      expect([...origins].sort()).toEqual([kinds.world.origin, kinds.world.service.url].sort());
      expect(asked.filter((url) => url.includes('ies1.'))).toEqual([]);
    });
  });

  test('says after five seconds what it waits for, and leaves the console of the page clean', async () => {
    const { service, origin, strange } = kinds.world;
    await service.sql`update operators set frame_origins = ${[strange, 'https://casino.example', origin]} where slug = 'house'`;
    try {
      await kinds.withHost({ answers: false }, async ({ page, frame, messages }) => {
        const printed: string[] = [];
        page.on('console', (message) => printed.push(message.text()));
        await frame.getByRole('heading', { level: 1, name: 'Signing you in with House…' }).waitFor();
        await frame.getByText(`the frame waits for the message service.session from ${origin}.`).waitFor();
        await frame.getByText('the answer to POST /api/v1/embed-sessions says why').waitFor();
        const guide = frame.getByRole('link', { name: 'How to embed the frame (opens a new page)' });
        expect((await service.request('GET', (await guide.getAttribute('href')) ?? '')).status).toBe(200);
        expect((await messages()).length).toBeGreaterThanOrEqual(5);
        expect(printed).toEqual([]);
      });
    } finally {
      await service.sql`update operators set frame_origins = ${[origin]} where slug = 'house'`;
    }
  });

  test('opened by itself it says that it belongs into a page', async () => {
    const { page, close } = await kinds.world.open({ answers: false });
    await page.goto(`${kinds.world.service.url}/embed/predictions?operator=house`);
    await page.getByText('These markets open inside the page of House.').waitFor();
    await page.getByText(`service.session from ${kinds.world.origin}.`).waitFor();
    await close();
  });

  // contract 31.7
  test('ignores messages of another shape, size or type', async () => {
    await kinds.withHost({ answers: false }, async ({ frame, page, post }) => {
      await frame.getByText('Connecting to House').waitFor();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      const { body } = await kinds.world.service.request('POST', '/api/v1/embed-sessions', {
        key: kinds.world.key,
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

  // contract 31.4, contract 31.7
  test('a foreign origin neither frames it nor speaks to it', async () => {
    const foreign = await kinds.world.open({ from: kinds.world.strange });
    await until(() => expect(foreign.frame.url()).toMatch(/^chrome-error:/));
    await foreign.close();

    await kinds.withHost({ answers: false }, async ({ page, frame }) => {
      await frame.getByText('Connecting to House').waitFor();
      const { body } = await kinds.world.service.request('POST', '/api/v1/embed-sessions', {
        key: kinds.world.key,
        body: { externalUserId: 'player-1' },
      });
      const strange = await page.evaluateHandle((address) => {
        const other = document.createElement('iframe');
        other.src = address;
        document.body.append(other);
        return new Promise<HTMLIFrameElement>((resolve) => {
          other.onload = () => resolve(other);
        });
      }, `${kinds.world.strange}/`);
      const inside = await strange.asElement()?.contentFrame();
      await inside?.evaluate((token) => {
        window.parent.frames[0]?.postMessage({ type: 'service.session', token }, '*');
      }, body.token);
      await page.waitForTimeout(400);
      expect(await frame.getByRole('navigation').count()).toBe(0);
    });
  });

  // contract 31.6
  test('an expired and a revoked session are asked for again, by their reason, without losing the page', async () => {
    await kinds.withHost({ user: 'ends' }, async ({ frame, messages, session }) => {
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
      await kinds.world.service.sql`update embed_sessions set created_at = created_at - interval '2 hours',
        expires_at = now() - interval '1 second' where session_id = ${session().sessionId}`;
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByText('You have no positions yet.').waitFor();
      expect((await messages()).at(-1)).toEqual({ type: 'service.session.required', reason: 'expired' });
      const second = session().sessionId;
      await kinds.world.service.request('DELETE', `/api/v1/embed-sessions/${second}`, { key: kinds.world.key });
      await frame.getByRole('button', { name: 'Markets', exact: true }).click();
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
      expect((await messages()).at(-1)).toEqual({ type: 'service.session.required', reason: 'revoked' });
      expect(session().sessionId).not.toBe(second);
    });
  });

  test('a suspended customer sees a message that says so', async () => {
    await kinds.world.service.request('POST', '/api/v1/embed-sessions', {
      key: kinds.world.key,
      body: { externalUserId: 'barred' },
    });
    await kinds.world.service.sql`update customers set status = 'suspended' where external_user_id = 'barred'`;
    await kinds.withHost({ user: 'barred' }, async ({ frame }) => {
      await frame.getByText('Your account cannot trade. Please contact House.').waitFor();
    });
  });
});
