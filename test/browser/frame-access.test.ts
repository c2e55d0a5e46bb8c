/** The frame with a screen reader, by keyboard, and while the service is away. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, test } from 'vitest';
import { openEvent, setUpKindsWorld } from './kinds-world.ts';
import { hasChromium, openDoor } from './world.ts';

const kinds = setUpKindsWorld();

describe.skipIf(!hasChromium)('for everybody', () => {
  test.each(['light', 'dark'] as const)(
    'axe finds nothing in %s',
    async (scheme) => {
      await kinds.freshen();
      await kinds.withHost({ scheme, user: `axe-${scheme}` }, async (host) => {
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
        await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
        await check('markets');
        await openEvent(host, 'Will it rain tomorrow?');
        await frame.getByText('To win').waitFor();
        await check('ticket');
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
    180_000,
  );

  test('is used by keyboard alone', async () => {
    await kinds.freshen();
    await kinds.withHost({ user: 'keys' }, async (host) => {
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
    const door = await openDoor(kinds.world.service.url);
    await kinds.withHost({ frameUrl: door.url }, async ({ frame, page }) => {
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
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
