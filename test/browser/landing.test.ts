/** The website at the root: what it says, the live frame in three clothes, a ledger in plain words, and the code. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { changeOperator, findOperator } from '../../src/operators/operators.ts';
import { moveBook } from '../catalogue/seed.ts';
import { hasChromium } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { startProgram } from '../support/process.ts';
import { until } from '../support/until.ts';
import { seedKinds } from './catalogue.ts';
import { type BrowserWorld, openBrowserWorld } from './world.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

describe.skipIf(!hasChromium)('the website', () => {
  let world: BrowserWorld;

  beforeAll(async () => {
    world = await openBrowserWorld();
    await seedKinds(world.service.sql);
    await world.service.context.board.refresh();
  });
  afterAll(() => world?.close());

  async function open(width = 1280) {
    await moveBook(world.service.sql, { id: 'rain', bids: [[0.55, 100_000]], asks: [[0.57, 100_000]] });
    await world.service.context.board.refresh();
    const host = await world.open({ answers: false, width });
    host.page.setDefaultTimeout(90_000);
    await host.page.goto(`${world.service.url}/`, { waitUntil: 'domcontentloaded' });
    await host.page.getByRole('heading', { level: 1 }).waitFor();
    return host;
  }

  test('says what it is, leads to demo and documentation, and shows the frame, the ledger, the code and the markets', async () => {
    const { page, close } = await open();
    await page.getByText('Who wins the cup?').first().waitFor();
    const headings = await page.locator('h1, h2').allInnerTexts();
    expect(headings).toEqual([
      'Prediction markets inside your own site, on your own ledger.',
      'One service, three different sites',
      'Your cash ledger',
      'What moves, and when',
      'You keep the money',
      'You choose the look',
      'You can check everything',
      'Put it into your page',
      'Open now',
    ]);
    for (const [name, path] of [
      ['Open the demo', '/demo'],
      ['Make a first trade', '/docs/guides/first-trade'],
    ] as const) {
      expect(await page.getByRole('link', { name }).getAttribute('href')).toBe(path);
      expect((await fetch(world.service.url + path)).status).toBe(200);
    }
    await close();
  });

  test('a purchase in the frame arrives in the ledger in words, and the names of the API are shown on request', async () => {
    const { page, close } = await open();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Will it rain tomorrow?', exact: true }).click();
    await frame.getByRole('button', { name: /^Yes / }).first().click();
    await frame.getByRole('button', { name: 'Get price' }).click();
    await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).click();
    await frame.getByText('Bought', { exact: true }).waitFor();
    const ledger = page.getByRole('region', { name: 'Live demo' });
    await ledger.getByText('Stake charged').waitFor({ timeout: 60_000 });
    const shown = (name: string) => page.locator(`[data-test=${name}]`).innerText();
    expect(await Promise.all(['balance', 'reserved', 'paid', 'won'].map(shown))).toEqual([
      '$990.00',
      '$0.00',
      '$10.00',
      '$0.00',
    ]);
    for (const kind of ['Sportsbook', 'Broker', 'Casino']) {
      await page.getByRole('button', { name: kind }).click();
      expect(await shown('wallet')).toBe('$990.00');
    }
    await page.getByRole('button', { name: 'win', exact: true }).click();
    await until(async () => expect(await shown('won')).not.toBe('$0.00'), 60_000);
    const cents = async (name: string) => Math.round(Number((await shown(name)).replace(/[$,]/g, '')) * 100);
    expect(await cents('wallet')).toBe(99_000 + (await cents('won')));
    expect(await ledger.innerText()).not.toMatch(/operatorMoney|actualDebit|authorizationAmount|order\.\w+_/);
    await page.getByRole('checkbox', { name: 'Show the names of the API' }).check();
    await ledger.getByText(/actualDebit/).waitFor();
    await close();
  });

  test('the frame wears the clothes of each kind of operator, and the code is that of the clothes', async () => {
    const { page, close } = await open();
    await page.frameLocator('iframe').getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show the code' }).click();
    for (const [kind, name, accent] of [
      ['Sportsbook', 'Matchday', '#d3222a'],
      ['Broker', 'Harbour Invest', '#17508f'],
      ['Casino', 'Northwind Casino', '#d4a02f'],
    ] as const) {
      await page.getByRole('button', { name: kind }).click();
      await page.locator('.house-name').getByText(name, { exact: true }).waitFor();
      await until(
        async () =>
          expect(
            await page
              .frameLocator('iframe')
              .locator(':root')
              .evaluate((root) => root.style.getPropertyValue('--accent')),
          ).toBe(accent),
        30_000,
      );
      for (const language of ['curl', 'Node', 'Python']) {
        await page.getByRole('button', { name: language }).click();
        expect(await page.locator('.sample pre').first().innerText()).toContain(accent);
      }
    }
    await close();
  });

  test.for(['Node', 'Python'] as const)(
    'the %s program serves the frame when it is pasted',
    async (language, { skip }) => {
      skip(language === 'Python' && spawnSync('python3', ['--version']).status !== 0, 'python3 is missing');
      const { page, close } = await open();
      await page.getByRole('button', { name: 'Show the code' }).click();
      await page.getByRole('button', { name: language, exact: true }).click();
      const code = await page.locator('.sample pre').innerText();
      const folder = mkdtempSync(join(tmpdir(), 'inlay-pasted-'));
      const demo = await findOperator(world.service.sql, 'demo');
      if (demo === undefined) {
        throw new Error('there is no tenant "demo"');
      }
      const { apiKey } = await world.service.issueKey(demo);
      const port = await freePort();
      const site = `http://127.0.0.1:${port}`;
      await changeOperator(world.service.sql, 'demo', { frameOrigins: [...demo.frameOrigins, site] });
      const [program, file] = language === 'Node' ? [process.execPath, 'page.mjs'] : ['python3', 'page.py'];
      writeFileSync(join(folder, file), code);
      mkdirSync(join(folder, '.inlay'));
      writeFileSync(join(folder, '.inlay', 'demo-keys.json'), JSON.stringify({ keys: [{ slug: 'demo', apiKey }] }));
      const running = startProgram(program, [join(folder, file)], {
        cwd: folder,
        env: { PORT: String(port) },
      });
      await until(
        async () =>
          expect(
            await fetch(site).then(
              ({ status }) => status,
              () => 0,
            ),
          ).toBe(200),
        60_000,
      );
      await page.goto(site);
      await page.frameLocator('iframe').getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
      running.child.kill();
      await running.ended;
      rmSync(folder, { recursive: true, force: true });
      await close();
    },
  );

  test.each([320, 390, 768, 1600])(
    'at %i pixels nothing is wider than the page, and axe finds nothing',
    async (width) => {
      const { page, violations, close } = await open(width);
      await page.getByText('Who wins the cup?').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
      const { violations: found } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag22aa'])
        .analyze();
      expect(found.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      expect(await violations().catch(() => [])).toEqual([]);
      await close();
    },
  );
});
