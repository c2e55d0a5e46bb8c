/** The theme, the height, the widths, the languages and the display currencies of the frame. */
import { describe, expect, test } from 'vitest';
import { moveBook } from '../catalogue/seed.ts';
import { hasChromium } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { openEvent, setUpKindsWorld } from './kinds-world.ts';
import { expectSound } from './sound-page.ts';

const kinds = setUpKindsWorld();

describe.skipIf(!hasChromium)('how it presents itself', () => {
  // contract 31.9
  test('the theme changes live, and a hostile value changes nothing', async () => {
    await kinds.withHost({ query: '&accent=%23f00&mode=light&radius=round' }, async ({ frame, post, page }) => {
      await frame.getByRole('navigation').waitFor();
      const worn = () =>
        frame.evaluate(() => [
          document.documentElement.dataset['mode'],
          document.documentElement.dataset['radius'],
          document.documentElement.style.getPropertyValue('--accent'),
        ]);
      expect(await worn()).toEqual(['light', 'round', '#ff0000']);
      await post({ type: 'service.theme', theme: { mode: 'dark', accent: '#00aa88' } });
      await until(async () => expect(await worn()).toEqual(['dark', 'round', '#00aa88']));
      await post({
        type: 'service.theme',
        theme: { mode: 'none', accent: 'red;} body{display:none}', radius: 'url(//x)' },
      });
      await page.waitForTimeout(200);
      expect(await worn()).toEqual(['dark', 'round', '#00aa88']);
      await post({ type: 'service.theme', theme: { accent: '#ffe600' } });
      const onAccent = () => frame.evaluate(() => document.documentElement.style.getPropertyValue('--on-accent'));
      await until(async () => expect(await onAccent()).toBe('#0c0e14'));
    });
  });

  test('the session decides where the address does not', async () => {
    const mint = { theme: { mode: 'dark', accent: '#123456', radius: 'sharp' }, locale: 'hr-HR' };
    await kinds.withHost({ mint, query: '&radius=round' }, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Tržišta', exact: true }).waitFor();
      expect(
        await frame.evaluate(() => {
          const { dataset, style, lang } = document.documentElement;
          return [lang, dataset['mode'], dataset['radius'], style.getPropertyValue('--accent')];
        }),
      ).toEqual(['hr', 'dark', 'round', '#123456']);
    });
  });

  // contract 31.8
  test('tells its height only when asked to, and only when it changed enough', async () => {
    await kinds.withHost({ query: '&sizing=auto' }, async (host) => {
      await host.frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
      const told = async () =>
        (await host.messages())
          .filter(({ type }) => type === 'service.height_changed')
          .map(({ height }) => Number(height));
      await until(async () => {
        const real = await host.frame.evaluate(
          () => document.getElementById('app')?.getBoundingClientRect().height ?? 0,
        );
        expect(Math.abs(((await told()).at(-1) ?? 0) - real)).toBeLessThan(24);
      });
      const heights = await told();
      expect(heights.slice(1).every((height, index) => Math.abs(height - (heights[index] ?? 0)) >= 24)).toBe(true);
    });
    await kinds.withHost({}, async (host) => {
      await host.frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
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
    await kinds.resetBooks();
    await kinds.withHost(
      { width, height: 640, query: `&locale=${locale}`, user: 'narrow' },
      async ({ frame, page }) => {
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
      },
    );
  });

  test('prices are shown in the format that the customer chose, everywhere, and the device remembers it', async () => {
    await kinds.resetBooks();
    await kinds.withHost({ user: 'bettor' }, async (host) => {
      const { frame } = host;
      const rain = frame.locator('.card', { hasText: 'Will it rain tomorrow?' });
      await rain.getByRole('button', { name: /^Yes 57¢/ }).waitFor();
      await frame.getByRole('button', { name: 'Settings' }).click();
      await frame.getByLabel('Show prices as').selectOption({ label: 'American odds (-133)' });
      await rain.getByRole('button', { name: /^Yes -133/ }).waitFor();
      await expectSound(host, 'settings');
      await frame.getByLabel('Show prices as').selectOption({ label: 'Decimal odds (1.75)' });
      await rain.getByRole('button', { name: /^No 2.22/ }).waitFor();
      await frame.evaluate(() => {
        Object.assign(window, { before: true });
        window.location.reload();
      });
      await frame.waitForFunction(() => !('before' in window));
      await frame
        .getByRole('button', { name: /^Yes 1\.75, Buy: Will it rain tomorrow/ })
        .first()
        .click();
      await frame.getByText(/contracts at 1\.75\./).waitFor();
      await frame.getByRole('button', { name: 'Get price' }).click();
      expect(await frame.locator('.terms').first().textContent()).toContain('Price1.75');
      await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).click();
      await frame.getByText('Bought', { exact: true }).waitFor();
      await frame.getByRole('button', { name: 'See your positions' }).click();
      await frame.getByText(/contracts at 1\.7\d$/).waitFor();
    });
  });

  // contract 2.3, contract 31.11
  test('display currencies are shown beside dollars, with the date of their rate', async () => {
    await kinds.world.service
      .sql`insert into display_rates (currency, rate) values ('EUR', 0.5) on conflict do nothing`;
    await kinds.resetBooks();
    await kinds.withHost({ user: 'euro' }, async (host) => {
      const { frame } = host;
      await frame.getByRole('button', { name: 'Settings' }).click();
      await frame.getByLabel('Show amounts in').selectOption('EUR');
      await frame.getByText(/1 USD = 0.5 EUR as of/).waitFor();
      await openEvent(host, 'Will it rain tomorrow?');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).waitFor();
      await frame.getByText('≈ €5.00').first().waitFor();
    });
  });

  test.each([320, 390])('the words on price buttons are whole at %d pixels', async (width) => {
    await moveBook(kinds.world.service.sql, { id: 'blues', bids: [[0.543, 9000]], asks: [[0.553, 9000]] });
    await kinds.world.service.context.board.refresh();
    await kinds.withHost({ width, height: 844 }, async ({ frame }) => {
      await frame.getByRole('button', { name: 'Yes 55.3¢, Buy: Blues' }).waitFor();
      const cut = await frame
        .locator('.price span')
        .evaluateAll((all) =>
          all.flatMap((one) => (one.scrollWidth > one.clientWidth && one.clientWidth > 0 ? [one.textContent] : [])),
        );
      expect(cut).toEqual([]);
    });
  });

  test('skeletons have the height of cards, and practice mode is in view', async () => {
    await kinds.withHost({}, async ({ frame }) => {
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

  test('with sizing=auto the ticket of a wide frame is no wider than beside the event', async () => {
    await kinds.withHost({ width: 1280, query: '&sizing=auto' }, async (host) => {
      await openEvent(host, 'Will it rain tomorrow?');
      await host.frame.getByRole('button', { name: /^Yes .*Buy: Will it rain/ }).click();
      expect((await host.frame.locator('.ticket').boundingBox())?.width).toBe(480);
    });
  });

  test('on the narrowest phone the bar is one line in each language', async () => {
    for (const locale of ['en', 'es', 'pt', 'hr']) {
      await kinds.withHost({ width: 320, query: `&locale=${locale}` }, async ({ frame }) => {
        await frame.locator('.practice-tag').waitFor();
        const [bar, button] = await Promise.all(
          ['.bar', '.bar nav button'].map((part) => frame.locator(part).first().boundingBox()),
        );
        expect(bar?.height, locale).toBeLessThan((button?.height ?? 0) + 4);
      });
    }
  });
});
