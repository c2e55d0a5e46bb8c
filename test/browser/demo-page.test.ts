/** The demo page: its cash ledger, and axe on our own pages. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { setUpKindsWorld } from './kinds-world.ts';

const kinds = setUpKindsWorld();

describe.skipIf(!hasChromium)('the demo', () => {
  // contract 1.4
  test('its page keeps a cash ledger by the instructions of what happens in the frame', async () => {
    await kinds.freshen();
    const { page, close } = await kinds.world.open({ answers: false });
    await page.goto(`${kinds.world.service.url}/demo`);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Will it rain tomorrow?', exact: true }).click();
    await frame.getByRole('button', { name: /^Yes / }).first().click();
    await frame.getByRole('button', { name: 'Get price' }).click();
    await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).click();
    await frame.getByText('Bought', { exact: true }).waitFor();
    const balance = page.locator('[data-test=balance]');
    await until(async () => expect(await balance.textContent()).toBe('$990.00'), 10_000);
    await page.getByRole('button', { name: 'void' }).click();
    await until(async () => expect(await balance.textContent()).toBe('$1,000.00'), 10_000);
    await close();
  });

  test('axe finds nothing on the website and the demo page', async () => {
    const { page, close } = await kinds.world.open({ answers: false });
    for (const [path, sign] of [
      ['/', 'Who wins the cup?'],
      ['/demo', 'Your cash ledger'],
    ] as const) {
      await page.goto(kinds.world.service.url + path);
      await page.getByText(sign).first().waitFor();
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
        .analyze();
      expect(violations.map(({ id, nodes }) => [path, id, nodes.map(({ target }) => target)])).toEqual([]);
    }
    await close();
  });
});
