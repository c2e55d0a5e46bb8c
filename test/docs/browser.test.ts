/// <reference lib="dom" />
/** The documentation in Chromium: what a reader, a keyboard, a screen reader, a phone and a printer get of it. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasChromium, openBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';
import { buildSite } from './site-pages.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

describe.skipIf(!hasChromium)('in a browser', () => {
  let service: World;
  let browser: Browser;

  beforeAll(async () => {
    await buildSite();
    service = await openWorld();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    context.setDefaultTimeout(60_000);
    await context.addInitScript(() => {
      Object.assign(window, { shifts: 0, broken: [] });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          Object.assign(window, {
            shifts: (window as never)['shifts'] + (entry as unknown as { value: number }).value,
          });
        }
      }).observe({ type: 'layout-shift', buffered: true });
      document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => {
        (window as unknown as { broken: string[] }).broken.push(violatedDirective);
      });
    });
    const page = await context.newPage();
    await page.goto(`${service.url}${path}`);
    await page.waitForLoadState('load');
    return page;
  }

  test('a guide is a banner, two lists of links, the text, and the pages before and after', async () => {
    const page = await open('/docs/guides/first-trade');
    const roles = await page.evaluate(() =>
      [...document.querySelectorAll('header, nav, main, h1, h2')]
        .filter((node) => node.checkVisibility())
        .map((node) =>
          `${node.tagName.toLowerCase()} ${node.getAttribute('aria-label') ?? (/^H\d/.test(node.tagName) ? node.textContent : '')}`.trim(),
        ),
    );
    expect(roles).toEqual([
      'header',
      'nav Pages',
      'h2 Guides',
      'h2 Reference',
      'h2 Tools',
      'h2 Command line',
      'h2 Changes',
      'main',
      'h1 Your first trade',
      'h2 Before you start',
      'h2 1. Find a contract',
      'h2 2. Ask for a price',
      'h2 3. Place the order',
      'h2 4. Read the position',
      'h2 5. Settle it',
      'h2 Next',
      'nav Previous and next',
      'nav On this page',
      'h2 On this page',
    ]);
    await page.context().close();
  });

  test('the language of the samples is one for all pages and is kept', async () => {
    const page = await open('/docs/guides/first-trade');
    await page.getByRole('button', { name: 'Python' }).nth(1).click();
    await page.goto(`${service.url}/docs/reference/trading`);
    expect(await page.locator('.sample.python').first().isVisible()).toBe(true);
    expect(await page.locator('.sample.curl').first().isVisible()).toBe(false);
    await until(
      async () =>
        expect(await page.getByRole('button', { name: 'Python' }).first().getAttribute('aria-pressed')).toBe('true'),
      30_000,
    );
    expect(await page.evaluate(() => (window as unknown as { shifts: number }).shifts)).toBe(0);
    await page.context().close();
  });

  test('each group of samples on each page shows one, and its tab is the selected one', async () => {
    const page = await open('/docs');
    const paths = await pagesOf(page);
    let groups = 0;
    for (const language of ['none', 'curl', 'ts', 'python']) {
      await page.evaluate(
        (chosen) =>
          chosen === 'none' ? localStorage.removeItem('language') : localStorage.setItem('language', chosen),
        language,
      );
      for (const path of paths) {
        await page.goto(`${service.url}${path}`);
        const shown = await page.evaluate(() =>
          [...document.querySelectorAll('.samples')].map((group) => ({
            samples: [...group.querySelectorAll('.sample')].filter((one) => one.checkVisibility()).length,
            tabs: group.querySelectorAll('[aria-pressed="true"]').length,
          })),
        );
        groups += shown.length;
        expect(
          shown.filter(({ samples, tabs }) => samples !== 1 || tabs !== 1),
          `${path} in ${language}`,
        ).toEqual([]);
      }
    }
    expect(groups).toBeGreaterThan(80);
    await page.context().close();
  });

  async function pagesOf(page: Page): Promise<string[]> {
    return page.evaluate(() =>
      [...document.querySelectorAll<HTMLAnchorElement>('nav[aria-label="Pages"] a')].map((link) => link.pathname),
    );
  }

  test('no page is wider than a phone or a screen, and none cuts a sample', async () => {
    const page = await open('/docs');
    for (const path of [...(await pagesOf(page)), '/docs/nothing']) {
      await page.goto(`${service.url}${path}`);
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        const cut = await page.evaluate(() => [
          document.documentElement.scrollWidth - window.innerWidth,
          ...[...document.querySelectorAll('pre')].map((one) => one.scrollWidth - one.clientWidth),
        ]);
        expect(Math.max(...cut), `${path} at ${width}`).toBeLessThanOrEqual(0);
      }
    }
    await page.context().close();
  });

  test('samples name the address at which the page was read', async () => {
    const page = await open('/docs/reference/trading');
    const addresses = await page.locator('.origin').allTextContents();
    expect(addresses.length).toBeGreaterThan(10);
    expect(new Set(addresses)).toEqual(new Set([service.url]));
    expect(await page.locator('.sample.curl').first().textContent()).toContain(`"${service.url}/api/v1/quotes"`);
    await page.context().close();
  });

  test('a first visitor reads headings in the font of the house, and no letter is thickened', async () => {
    const page = await open('/docs/guides/first-trade');
    const session = await page.context().newCDPSession(page);
    await session.send('DOM.enable');
    await session.send('CSS.enable');
    const { root } = await session.send('DOM.getDocument');
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
    expect(fonts.map(({ familyName, isCustomFont }) => [familyName, isCustomFont])).toEqual([['Inter Variable', true]]);
    const heavy = await page.evaluate(
      () =>
        [...document.querySelectorAll('body *')].filter((one) => Number(getComputedStyle(one).fontWeight) > 700).length,
    );
    expect(heavy).toBe(0);
    await page.context().close();
  });

  test('on a phone the error codes stand above their meaning', async () => {
    const page = await open('/docs/guides/errors', { viewport: { width: 390, height: 800 } });
    const row = page.locator('tr:has(#price_moved)');
    const [code, meaning] = await Promise.all([0, 1].map((index) => row.locator('td').nth(index).boundingBox()));
    expect(meaning?.y ?? 0).toBeGreaterThan((code?.y ?? 0) + 10);
    expect(meaning?.width ?? 0).toBeGreaterThan(300);
    await page.context().close();
  });

  test.each([1280, 390])('the search has its results below a wide field at %i px, and closes', async (width) => {
    const page = await open('/docs', { viewport: { width, height: 800 } });
    const dialog = page.locator('dialog');
    for (const word of ['price_moved', 'signature']) {
      await until(async () => {
        await page.keyboard.press('/');
        expect(await dialog.isVisible()).toBe(true);
      });
      await page.getByRole('combobox').fill(word);
      await page.getByRole('option').first().waitFor();
      const [field, result, box] = await Promise.all(
        [page.getByRole('combobox'), page.getByRole('option').first(), dialog].map((one) => one.boundingBox()),
      );
      expect(field?.width ?? 0).toBeGreaterThan((box?.width ?? 0) * 0.95);
      expect(box?.width ?? 0).toBeGreaterThan(Math.min(600, width * 0.9));
      expect(result?.width ?? 0).toBeGreaterThan((box?.width ?? 0) * 0.9);
      expect(result?.y ?? 0).toBeGreaterThan((field?.y ?? 0) + (field?.height ?? 0));
      await page.keyboard.press('Escape');
      expect(await dialog.isVisible()).toBe(false);
    }
    await page.context().close();
  });

  test('a slash opens the search, arrows choose, Enter goes there', async () => {
    const page = await open('/docs');
    await page.getByRole('button', { name: 'Search' }).waitFor();
    await until(async () => {
      await page.keyboard.press('/');
      expect(await page.getByRole('dialog').isVisible()).toBe(true);
    }, 30_000);
    await page.getByRole('combobox').fill('price_moved');
    await page
      .getByRole('option', { name: /price_moved/ })
      .first()
      .waitFor();
    const first = await page.getByRole('option').first().getAttribute('href');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('option', { selected: true }).getAttribute('id')).toBe('found-1');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${first}`);
    expect(first).toBe('/docs/guides/errors#price_moved');
    await page.context().close();
  });

  test('the search finds calls, guides and nothing, and names what it found', async () => {
    const page = await open('/docs');
    await page.getByRole('button', { name: 'Search' }).click();
    for (const [wanted, address] of [
      ['confirm reserve', '/docs/reference/trading#confirmReserve'],
      ['signature', '/docs/guides/webhooks#verify-and-answer'],
    ] as const) {
      await page.getByRole('combobox').fill(wanted);
      await page.locator(`[role=option][href="${address}"]`).waitFor();
    }
    await page.getByRole('combobox').fill('zzzzqqqq');
    await page.getByText('Nothing found for “zzzzqqqq”.').waitFor();
    await page.context().close();
  });

  test.each(['light', 'dark'] as const)('axe finds nothing wrong in %s', async (colorScheme) => {
    for (const [path, width] of [
      ['/docs', 1280],
      ['/docs/guides/first-trade', 1280],
      ['/docs/guides/errors', 390],
      ['/docs/guides/going-live', 1280],
      ['/docs/guides/production', 390],
      ['/docs/reference/positions', 1280],
      ['/docs/cli/start', 1280],
      ['/docs/nothing', 390],
    ] as const) {
      const page = await open(path, { colorScheme, viewport: { width, height: 900 } });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => [path, id, nodes[0]?.html])).toEqual([]);
      expect(await page.evaluate(() => (window as unknown as { broken: string[] }).broken)).toEqual([]);
      await page.context().close();
    }
  });

  test('on a phone the button that copies lies on no code', async () => {
    const page = await open('/docs/guides/first-trade', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const buttons = page.locator('.copy:visible');
    await buttons.first().waitFor();
    const gaps = await buttons.evaluateAll((all) =>
      all.map((button) => {
        const code = button.parentElement?.querySelector('pre')?.getBoundingClientRect();
        return (code?.top ?? 0) - button.getBoundingClientRect().bottom;
      }),
    );
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
    await page.context().close();
  });

  test.each([320, 768, 1600])('nothing is wider than a page of %i pixels, and nothing moves', async (width) => {
    for (const path of ['/docs', '/docs/guides/first-trade', '/docs/reference/trading', '/docs/guides/embed']) {
      const page = await open(path, { viewport: { width, height: 900 } });
      await page.waitForTimeout(300);
      const [over, shifts] = await page.evaluate(() => [
        document.documentElement.scrollWidth - window.innerWidth,
        (window as unknown as { shifts: number }).shifts,
      ]);
      // a font that comes late moves a line by a fraction of a pixel, which nobody sees
      expect([path, (over ?? 1) <= 0, (shifts ?? 1) < 0.005]).toEqual([path, true, true]);
      await page.context().close();
    }
  });

  test('without JavaScript each sample is there in all languages, and what needs it is not', async () => {
    const page = await open('/docs/guides/first-trade', { javaScriptEnabled: false });
    for (const language of ['curl', 'ts', 'python']) {
      expect(await page.locator(`.sample.${language}`).first().isVisible()).toBe(true);
    }
    expect(await page.getByRole('button').count()).toBe(0);
    await page.context().close();
  });

  test('on paper there is the text with every sample, and nothing to press', async () => {
    const page = await open('/docs/guides/first-trade');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav:visible, button:visible').count()).toBe(0);
    expect(await page.locator('.sample.python').first().isVisible()).toBe(true);
    await page.context().close();
  });

  test('a click copies the sample, and the mode is kept', async () => {
    const page = await open('/docs/guides/first-trade', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.locator('.sample.curl').first().hover();
    await page.locator('.sample.curl [data-copy]').first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^API=/);
    await page.getByRole('button', { name: 'Light', exact: true }).click();
    expect(await page.getByRole('button', { name: 'Dark', exact: true }).isVisible()).toBe(true);
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.dataset['mode'])).toBe('dark');
    await page.context().close();
  });
});
