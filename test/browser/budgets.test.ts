/** What the frame may cost a customer, measured in Chromium over its protocol: time to the first words, movement, bytes, fonts. */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { en } from '../../src/frame/texts/en.ts';
import { es } from '../../src/frame/texts/es.ts';
import { hr } from '../../src/frame/texts/hr.ts';
import { pt } from '../../src/frame/texts/pt.ts';
import { hasChromium } from '../support/browser.ts';
import { setUpKindsWorld } from './kinds-world.ts';

const PHONE = { width: 390, height: 844 } as const;
const FIRST_WORDS_MS = 1_000;
/** A machine that runs other tests beside this one is slow at times; the frame is too slow only if it never makes it. */
const TRY_FOR_MS = 90_000;

const kinds = setUpKindsWorld();
vi.setConfig({ testTimeout: 180_000 });

const readFirstWords = (): number | undefined =>
  performance.getEntriesByName('first-contentful-paint').at(0)?.startTime;

interface Shift {
  readonly value: number;
  readonly moved: readonly string[];
}

/** Every shift of the layout since the page was opened, with what moved. */
const readShifts = (): Promise<Shift[]> =>
  new Promise((resolve) => {
    new PerformanceObserver((list, observer) => {
      observer.disconnect();
      resolve(toShifts(list.getEntries()));
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve([]), 500);

    function toShifts(entries: PerformanceEntryList): Shift[] {
      return (entries as (PerformanceEntry & { value: number; sources: { node: Node | null }[] })[]).map(
        ({ value, sources }) => ({
          value,
          moved: sources.map(({ node }) => (node instanceof Element ? `${node.tagName}.${node.className}` : 'text')),
        }),
      );
    }
  });

describe.skipIf(!hasChromium)('the budgets of the frame', () => {
  test('the first words appear within a second on a slow phone', async ({ skip }) => {
    const times: number[] = [];
    const until = Date.now() + TRY_FOR_MS;
    while (Date.now() < until && Math.min(...times) >= FIRST_WORDS_MS) {
      times.push(
        await kinds.withHost({ ...PHONE, slow: true }, async ({ frame }) => {
          await frame.getByRole('button', { name: 'Markets' }).waitFor({ timeout: 60_000 });
          return (await frame.evaluate(readFirstWords)) ?? Number.POSITIVE_INFINITY;
        }),
      );
    }
    console.info(`first contentful paint on a slow phone: ${times.map((ms) => Math.round(ms)).join(', ')} ms`);
    const isBusy = (loadavg()[0] ?? 0) > availableParallelism();
    skip(isBusy && Math.min(...times) >= FIRST_WORDS_MS, 'this machine is too busy to measure a phone');
    expect(Math.min(...times)).toBeLessThan(FIRST_WORDS_MS);
  });

  test('the words before the script are those of the script, in each language', async () => {
    for (const [locale, { connecting }] of Object.entries({ en, es, pt, hr })) {
      const { text } = await kinds.world.service.request('GET', `/embed/predictions?operator=house&locale=${locale}`, {
        key: null,
      });
      expect(text).toContain(`<h1 class="empty-title">${connecting.replace('{operator}', 'House')}</h1>`);
    }
  });

  test.each([
    ['the markets on a phone', { ...PHONE }, 'Will it rain tomorrow?'],
    ['the markets on a slow phone', { ...PHONE, slow: true }, 'Will it rain tomorrow?'],
    ['the markets on a desk', { width: 1280, height: 900 }, 'Will it rain tomorrow?'],
    ['an event on a phone', { ...PHONE, path: '/evt_rain' }, 'How this market is settled'],
    ['an event on a desk', { width: 1280, height: 900, path: '/evt_field' }, 'How this market is settled'],
  ] as const)('nothing moves after it is shown: %s', async (_name, options, last) => {
    await kinds.withHost(options, async ({ frame, page }) => {
      await frame.getByText(last).first().waitFor({ timeout: 60_000 });
      await frame.locator('[aria-busy="true"]').first().waitFor({ state: 'detached', timeout: 60_000 });
      await page.waitForTimeout(1_500);
      expect(await frame.evaluate(readShifts)).toEqual([]);
    });
  });

  test('the font is ours, is fetched at once, and its figures are equally wide', async () => {
    await kinds.withHost(PHONE, async ({ frame, asked }) => {
      await frame.getByText('Will it rain tomorrow?').waitFor();
      expect(await frame.evaluate(() => document.fonts.check('700 15px Inter'))).toBe(true);
      const fonts = asked.filter((address) => address.includes('.woff'));
      expect(fonts).toHaveLength(1);
      expect(new URL(fonts[0] ?? '').origin).toBe(kinds.world.service.url);
      const widths = await frame.evaluate(() =>
        [...'0123456789'].map((figure) => {
          const box = document.createElement('span');
          box.textContent = figure.repeat(20);
          document.body.append(box);
          const { width } = box.getBoundingClientRect();
          box.remove();
          return width;
        }),
      );
      expect(
        widths.every((width) => width === widths[0]),
        String(widths),
      ).toBe(true);
    });
  });

  test('scripts and styles together are under 90 KB, the font under 40', () => {
    const folder = join(import.meta.dirname, '..', '..', 'dist', 'frame');
    const size = (fits: (name: string) => boolean) =>
      readdirSync(folder)
        .filter(fits)
        .reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
    // The demo, the website and the documents are no part of what a customer loads.
    const code = size((name) => /\.(?:js|css)\.gz$/.test(name) && !/^(?:host|site|docs)-/.test(name));
    const font = size((name) => name.endsWith('.woff2'));
    console.info(
      `compressed: ${Math.round(code / 102.4) / 10} KB of code, ${Math.round(font / 102.4) / 10} KB of font`,
    );
    expect(code).toBeLessThan(90 * 1024);
    expect(font).toBeLessThan(40 * 1024);
  });
});
