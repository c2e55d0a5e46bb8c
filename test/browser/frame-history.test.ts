/** Back and Forward of the browser, in the page of an operator on another origin that has the frame in its HTML. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { setUpKindsWorld } from './kinds-world.ts';

const kinds = setUpKindsWorld();
let server: Server;
let casino = '';

/** The page of docs/guides/embed.md, and another one that the customer comes from. */
beforeAll(async () => {
  if (!hasChromium) {
    return;
  }
  let key = '';
  const { service } = kinds.world;
  server = createServer(async ({ url }, response) => {
    if (url === '/mint') {
      const minted = await service.request('POST', '/api/v1/embed-sessions', {
        key,
        body: { externalUserId: 'walker' },
      });
      response.end(minted.body.token);
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end(url === '/markets' ? pageWithFrame(service.url) : '<!doctype html><title>Lobby</title><h1>Lobby</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  casino = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const operator = await service.createOperator({ slug: 'walked', name: 'Walked', frameOrigins: [casino] });
  key = (await service.issueKey(operator)).apiKey;
});
afterAll(() => server?.close());

function pageWithFrame(service: string): string {
  return `<!doctype html><title>Casino</title>
<iframe id="markets" title="Prediction markets" style="width:100%;height:800px;border:0"
  src="${service}/embed/predictions?operator=walked"></iframe>
<script>
  addEventListener('message', async ({ origin, source, data }) => {
    if (origin === '${service}' && data.type === 'service.session.required') {
      source.postMessage({ type: 'service.session', token: await (await fetch('/mint')).text() }, origin);
    }
  });
</script>`;
}

async function withPhone(act: (page: Page) => Promise<void>): Promise<void> {
  const { page, close } = await kinds.world.open({ answers: false, width: 390, height: 844 });
  try {
    await page.goto(`${casino}/lobby`);
    await page.goto(`${casino}/markets`);
    await act(page);
  } finally {
    await close();
  }
}

// a moment later, because the answer of a page that is being left would be lost
const step = (page: Page, by: number) => page.evaluate((steps) => void setTimeout(() => window.history.go(steps)), by);

describe.skipIf(!hasChromium)('the history', () => {
  test('Back and Forward lead through list, event and ticket, and Back leaves the page from the list alone', async () => {
    await kinds.resetBooks();
    await withPhone(async (page) => {
      const frame = page.frameLocator('#markets');
      const list = frame.getByRole('button', { name: 'Will it rain tomorrow?', exact: true });
      const event = frame.getByRole('heading', { level: 1, name: 'Who wins the cup?' });
      const ticket = frame.getByRole('dialog', { name: 'Your ticket' });
      const positions = frame.getByRole('heading', { level: 1, name: 'Positions' });
      const past = frame.getByText('You have no closed or settled positions yet.');

      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).click();
      await event.waitFor();
      await frame.getByRole('button', { name: /^Yes .*Buy: Blues$/ }).click();
      await ticket.waitFor();
      // Another side is the same ticket.
      await ticket.getByRole('button', { name: /^No .*Buy: Blues$/ }).click();
      await step(page, -1);
      await ticket.waitFor({ state: 'detached' });
      await event.waitFor();
      await step(page, 1);
      await ticket.locator('.ticket-title', { hasText: 'No' }).waitFor();
      await step(page, -1);
      await ticket.waitFor({ state: 'detached' });
      await frame.getByRole('button', { name: 'Positions' }).click();
      await positions.waitFor();
      await frame.getByRole('button', { name: 'Past' }).click();
      await past.waitFor();

      await step(page, -1);
      await frame.getByText('You have no positions yet.').waitFor();
      await step(page, -1);
      await event.waitFor();
      await step(page, -1);
      await list.waitFor();

      await step(page, 1);
      await event.waitFor();
      await step(page, 2);
      await past.waitFor();

      await step(page, -3);
      await list.waitFor();
      expect(page.url()).toBe(`${casino}/markets`);
      await step(page, -1);
      await page.getByRole('heading', { name: 'Lobby' }).waitFor();
    });
  });

  test('what is closed leaves no step behind', async () => {
    await kinds.resetBooks();
    await withPhone(async (page) => {
      const frame = page.frameLocator('#markets');
      const list = frame.getByRole('button', { name: 'Will it rain tomorrow?', exact: true });
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).click();
      await frame.getByRole('button', { name: /^Yes .*Buy: Blues$/ }).click();
      await frame.getByRole('button', { name: 'Close' }).click();
      await frame.getByRole('dialog', { name: 'Your ticket' }).waitFor({ state: 'detached' });
      await frame.getByRole('button', { name: 'Back to markets' }).click();
      await list.waitFor();
      await step(page, -1);
      await page.getByRole('heading', { name: 'Lobby' }).waitFor();
    });
  });

  test('Back returns to the place in the list', async () => {
    await kinds.resetBooks();
    await withPhone(async (page) => {
      const frame = page.frameLocator('#markets');
      const ladder = frame.getByRole('button', { name: 'How high will it go?', exact: true });
      const inside = async () => frame.locator(':root').evaluate(() => Math.round(window.scrollY));
      await ladder.waitFor();
      await frame.locator(':root').evaluate(() => window.scrollTo(0, 300));
      await ladder.click();
      await frame.getByRole('heading', { level: 1, name: 'How high will it go?' }).waitFor();
      expect(await inside()).toBe(0);
      await step(page, -1);
      await ladder.waitFor();
      await until(async () => expect(await inside()).toBe(300));
    });
  });

  test('a reload of the page keeps the view, and Back leads to the list from there', async () => {
    await kinds.resetBooks();
    await withPhone(async (page) => {
      const frame = page.frameLocator('#markets');
      const event = frame.getByRole('heading', { level: 1, name: 'Will it rain tomorrow?' });
      await frame.getByRole('button', { name: 'Will it rain tomorrow?', exact: true }).click();
      await event.waitFor();
      await page.reload();
      await event.waitFor();
      await step(page, -1);
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
      expect(page.url()).toBe(`${casino}/markets`);
    });
  });
});
