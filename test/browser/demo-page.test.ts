/// <reference lib="dom" />
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
    await kinds.resetBooks();
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

  test.each([390, 820])('the menus of the operators are whole and in their order at %d pixels', async (width) => {
    const { page, close } = await kinds.world.open({ answers: false, width });
    await page.goto(`${kinds.world.service.url}/demo`);
    for (const [kind, rooms] of [
      ['Casino', ['Lobby', 'Live tables', 'Slots', 'Predictions']],
      ['Sportsbook', ['Football', 'Tennis', 'Basketball', 'Racing', 'Predictions']],
      ['Broker', ['Portfolio', 'Shares', 'Funds', 'Event contracts']],
    ] as const) {
      await page.getByRole('button', { name: kind }).click();
      await page.locator('.rooms', { hasText: rooms[0] }).waitFor();
      const read = await page.locator('.rooms').evaluate((menu) => {
        const { left, right } = menu.getBoundingClientRect();
        const [name, wallet] = ['.house-name', '.wallet'].map((part) =>
          document.querySelector(part)?.getBoundingClientRect(),
        );
        return {
          oneLine: name !== undefined && wallet !== undefined && wallet.top < name.bottom,
          seen: [...menu.children]
            .map((room) => ({ room: room.textContent, box: room.getBoundingClientRect() }))
            .filter(({ box }) => box.left >= left - 1 && box.right <= right + 1)
            .sort((a, b) => a.box.left - b.box.left)
            .map(({ room }) => room),
        };
      });
      expect(read, kind).toEqual({ oneLine: true, seen: [...rooms] });
    }
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

  test('has room for the ticket beside the event, and three kinds of operator', async () => {
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
});
