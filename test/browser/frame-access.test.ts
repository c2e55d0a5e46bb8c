/** The frame with a screen reader, by keyboard, and while the service is away. */
import type { Frame, Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { buyRain, openEvent, setUpKindsWorld } from './kinds-world.ts';
import { expectNothingFound } from './sound-page.ts';
import { openDoor } from './world.ts';

const kinds = setUpKindsWorld();

describe.skipIf(!hasChromium)('for everybody', () => {
  test.each(['light', 'dark'] as const)(
    'axe finds nothing in %s',
    async (scheme) => {
      await kinds.resetBooks();
      await kinds.withHost({ scheme, user: `axe-${scheme}` }, async (host) => {
        const { frame } = host;
        const check = (where: string) => expectNothingFound(host, where);
        await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
        await check('markets');
        await openEvent(host, 'Will it rain tomorrow?');
        await frame.getByText('Payout if you win').waitFor();
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

  test('is used by keyboard alone, from the top of the page, with a visible focus at every stop', async () => {
    await kinds.resetBooks();
    await kinds.withHost({ user: 'keys' }, async (host) => {
      const { frame, page } = host;
      const rain = frame.getByRole('button', { name: 'Will it rain tomorrow?', exact: true });
      await rain.waitFor();
      await tabTo(page, frame, rain);
      await page.keyboard.press('Enter');
      const stake = frame.getByLabel('Stake in US dollars');
      await stake.waitFor();
      await tabTo(page, frame, stake);
      await page.keyboard.press('Control+A');
      await page.keyboard.type('15');
      await page.keyboard.press('Enter');
      const confirm = frame.getByRole('button', { name: 'Confirm: buy for $15.00' });
      await confirm.waitFor();
      expect(await isFocused(confirm)).toBe(true);
      await page.keyboard.press('Enter');
      await frame.getByText('Bought', { exact: true }).waitFor();
      expect(await frame.evaluate(() => document.activeElement?.textContent)).toBe('See your positions');
      await page.keyboard.press('Enter');
      const cashOut = frame.getByRole('button', { name: 'Cash out' });
      await cashOut.waitFor();
      await tabTo(page, frame, cashOut);
    });
  });

  test('moves nothing for a customer who asked for less motion', async () => {
    await kinds.resetBooks();
    await kinds.withHost({ user: 'still' }, async (host) => {
      const { frame, page } = host;
      const longest = () =>
        frame.evaluate(() => {
          const elements = [...document.querySelectorAll('*')];
          const seconds = (text: string) =>
            text.split(',').map((one) => Number.parseFloat(one) * (one.includes('ms') ? 1 : 1_000));
          return Math.max(
            ...elements.flatMap((element) => {
              const { transitionDuration, animationDuration } = getComputedStyle(element);
              return [...seconds(transitionDuration), ...seconds(animationDuration)];
            }),
          );
        });
      await frame.locator('.chance-bar').first().waitFor();
      await until(longest, (ms) => ms > 10);
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await until(longest, (ms) => ms <= 10);
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

  test('everything that a finger touches has 44 pixels', async () => {
    await kinds.resetBooks();
    await buyRain(kinds, 'finger', 10);
    await kinds.withHost({ user: 'finger', width: 390, height: 844, touch: true }, async (host) => {
      const { frame } = host;
      const expectRoom = async (state: string) => {
        const small = await frame.locator('button:visible, select:visible, label.check:visible').evaluateAll((all) =>
          all.flatMap((one) => {
            const { width, height } = one.getBoundingClientRect();
            return Math.min(width, height) < 44 ? [`${one.textContent} ${width}x${height}`] : [];
          }),
        );
        expect(small, state).toEqual([]);
      };
      await frame.getByRole('button', { name: 'Who wins the cup?', exact: true }).waitFor();
      await expectRoom('the list');
      await frame.getByRole('button', { name: 'Settings' }).click();
      await expectRoom('the settings');
      await openEvent(host, 'Who wins the cup?');
      await expectRoom('a field');
      await frame.getByRole('button', { name: /^Yes .*Buy: Blues/ }).click();
      await frame.getByText('Balance').waitFor();
      await expectRoom('a ticket');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: /^Confirm: buy/ }).waitFor();
      await expectRoom('a quote');
      await frame.getByRole('button', { name: 'Close', exact: true }).click();
      await frame.getByRole('button', { name: 'Positions' }).click();
      await frame.getByRole('button', { name: 'Cash out' }).waitFor();
      await expectRoom('the positions');
      await frame.getByRole('button', { name: 'Activity' }).click();
      await frame.locator('.reference').waitFor();
      await expectRoom('the activity');
    });
  });
});

const MOST_STOPS = 80;

/** Presses Tab until the element has the focus; each stop before it must be seen. */
async function tabTo(page: Page, frame: Frame, element: Locator): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    expect(await frame.evaluate(unseenFocus), `stop ${stop}`).toBeNull();
    if (await isFocused(element)) {
      return;
    }
  }
  throw new Error(`the focus does not get there in ${MOST_STOPS} stops`);
}

function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((one) => one === document.activeElement);
}

/** The element with the focus if nothing shows that it has it; the page around the frame is not ours. */
function unseenFocus(): string | null {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) {
    return null;
  }
  // a field shows it on the box around it
  const isSeen = [activeElement, activeElement.parentElement ?? activeElement].some((element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  });
  return isSeen ? null : activeElement.outerHTML.slice(0, 200);
}
