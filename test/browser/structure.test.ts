/**
 * What the frame tells a screen reader in each state and flow: roles, names and their order, held in files. Figures and dates are
 * left out, because other tests compare them. `npx vitest run test/browser/structure.test.ts -u` writes the files again.
 */
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../support/browser.ts';
import { timePasses, until } from '../support/until.ts';
import { openEvent, setUpKindsWorld } from './kinds-world.ts';
import { expectFits, expectNothingFound } from './sound-page.ts';
import type { Host } from './world.ts';

const kinds = setUpKindsWorld();
const RAIN = 'Will it rain tomorrow?';

/** Names of months, and words that follow the price or the clock, in the languages of this file. */
const MONTHS =
  /\b(January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|ene|feb|mar|abr|may|jun|jul|ago|sept?|oct|nov|dic)\b\.?/g;

const STEADY_MS = 400;

/** Read until it stays the same: parts of a page load after it. */
async function outline(frame: Frame): Promise<string> {
  let before = '';
  await until(async () => {
    const last = before;
    await timePasses(STEADY_MS);
    before = await readOutline(frame);
    expect(before, 'an outline that stays the same').toBe(last);
    expect(before).not.toContain('status "Loading');
  }, 60_000);
  return before;
}

async function readOutline(frame: Frame): Promise<string> {
  const tree = await frame.locator('body').ariaSnapshot();
  return `${tree
    .replaceAll(/_Best_\w{14}/g, '_Best_reference')
    .replaceAll(MONTHS, 'month')
    .replaceAll(/\b(up|down|unchanged|AM|PM|live|less than)\b/g, '~')
    .replaceAll(/(?<!level=)[-+−~]?\d[\d.,:]*/g, '0')}\n`;
}

/** Every state fits all widths as well. What axe finds in the states of a trade is asked in `customer-walk.test.ts`, in each language. */
async function hold(host: Host, name: string): Promise<void> {
  await holdOutline(host, name);
  await expectFits(host, name);
}

async function holdOutline(host: Host, name: string): Promise<void> {
  const file = join(import.meta.dirname, 'structures', `${name}.txt`);
  await expect(await outline(host.frame)).toMatchFileSnapshot(file);
}

describe.skipIf(!hasChromium)('the structure of the frame', () => {
  test('of a purchase and a sale, step by step', async () => {
    await kinds.resetBooks();
    await kinds.withHost({ user: 'outlined' }, async (host) => {
      const { frame } = host;
      await frame.getByRole('button', { name: RAIN, exact: true }).waitFor();
      await hold(host, 'markets');
      await openEvent(host, RAIN);
      await frame.getByText('Payout if you win').waitFor();
      await hold(host, 'ticket');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).waitFor();
      // A price expires before it could be looked at in every width.
      await holdOutline(host, 'quote');
      await frame.getByRole('button', { name: 'Confirm: buy for $10.00' }).click();
      await frame.getByText('Bought', { exact: true }).waitFor();
      await hold(host, 'bought');
      await frame.getByRole('button', { name: 'See your positions' }).click();
      await frame.getByRole('button', { name: 'Cash out' }).waitFor();
      await hold(host, 'positions');
      await frame.getByRole('button', { name: 'Cash out' }).click();
      await frame.getByLabel('How many contracts?').waitFor();
      await hold(host, 'cash-out');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByRole('button', { name: /^Confirm: sell for \$/ }).click();
      await frame.getByText('Sold', { exact: true }).waitFor();
      await hold(host, 'sold');
      await frame.getByRole('button', { name: 'Done' }).click();
      await frame.getByText('You have no positions yet.').waitFor();
      await hold(host, 'no-positions');
      await frame.getByRole('button', { name: 'Past' }).click();
      await frame.getByText('Cashed out').waitFor();
      await hold(host, 'past');
    });
  });

  test('of events with several outcomes, and of an amount that is none', async () => {
    await kinds.resetBooks();
    await kinds.withHost({ user: 'outlined-kinds' }, async (host) => {
      const { frame } = host;
      const back = () => frame.getByRole('button', { name: 'Markets', exact: true }).click();
      await openEvent(host, 'Who wins the cup?');
      await frame.getByRole('button', { name: /Blues/ }).first().waitFor();
      await hold(host, 'field');
      await expectNothingFound(host, 'field');
      await back();
      await openEvent(host, 'How high will it go?');
      await frame
        .getByRole('button', { name: /Above 300/ })
        .first()
        .waitFor();
      await hold(host, 'ladder');
      await expectNothingFound(host, 'ladder');
      await back();
      await openEvent(host, RAIN);
      await frame.getByLabel('Stake in US dollars').fill('ten');
      await frame.getByRole('button', { name: 'Get price' }).click();
      await frame.getByText('Enter an amount such as 10 or 12.50.').waitFor();
      await hold(host, 'refused');
      await expectNothingFound(host, 'refused');
    });
  });

  test('in Spanish it is the same, in other words', async () => {
    await kinds.resetBooks();
    const roles = (text: string) => text.replaceAll(/ "[^"]*"|: .*$/gm, '').replaceAll(/^ *- text$\n/gm, '');
    const listOf = (locale: string) =>
      kinds.withHost({ user: `outlined-${locale}`, width: 420, mint: { locale } }, async (host) => {
        await host.frame.getByRole('button', { name: RAIN, exact: true }).waitFor();
        return outline(host.frame);
      });
    const [english, spanish] = [await listOf('en'), await listOf('es')];
    expect(roles(spanish)).toBe(roles(english));
    expect(spanish).not.toBe(english);
    await expect(spanish).toMatchFileSnapshot(join(import.meta.dirname, 'structures', 'markets-es.txt'));
  });
});
