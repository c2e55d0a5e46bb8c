/** A customer's whole path on a phone, in each language. Back leads from each step to what was there before, and nothing is bought by it. */
import { describe, expect, test } from 'vitest';
import { en } from '../../src/frame/texts/en.ts';
import { es } from '../../src/frame/texts/es.ts';
import { hr } from '../../src/frame/texts/hr.ts';
import { pt } from '../../src/frame/texts/pt.ts';
import { hasChromium } from '../support/browser.ts';
import { openEvent, setUpKindsWorld } from './kinds-world.ts';
import { expectNothingFound } from './sound-page.ts';

const kinds = setUpKindsWorld();
const RAIN = 'Will it rain tomorrow?';

describe.skipIf(!hasChromium)('on a phone', () => {
  test.each(Object.entries({ en, es, pt, hr }))(
    'in %s a customer goes from the list to the cash-out, and back from each step',
    async (locale, texts) => {
      await kinds.resetBooks();
      const phone = { user: `walker-${locale}`, width: 390, height: 844, query: `&locale=${locale}` };
      await kinds.withHost(phone, async (host) => {
        const { page, frame } = host;
        const go = (by: -1 | 1) => page.evaluate((steps) => window.history.go(steps), by);
        const button = (name: string) => frame.getByRole('button', { name, exact: true });
        const startsWith = (text: string) => frame.getByRole('button', { name: new RegExp(`^${text.split('{')[0]}`) });
        const list = frame.locator('.cards');
        const event = frame.getByRole('heading', { level: 1, name: RAIN });
        const ticket = frame.getByRole('dialog', { name: texts.ticket });
        const getPrice = ticket.getByRole('button', { name: texts.getPrice });
        const positions = frame.getByRole('heading', { level: 1, name: texts.positions });
        const reference = frame.locator('.reference');
        const orders = async () =>
          (
            await kinds.world.service.sql`select 1 from orders
          where external_user_id = ${phone.user}`
          ).length;
        // The colours are the same in each language.
        const sound = (state: string) => expectNothingFound(host, `${state} in ${locale}`, locale === 'en');

        await sound('the list');
        await openEvent(host, RAIN);
        await go(-1);
        await list.waitFor();
        await go(1);
        await event.waitFor();
        await sound('an event');

        const pick = () => frame.locator('.outcomes > .two .price.yes').click();
        await pick();
        await ticket.waitFor();
        await sound('a ticket');
        await go(-1);
        await ticket.waitFor({ state: 'detached' });
        await event.waitFor();

        await pick();
        await getPrice.click();
        await startsWith(texts.confirmBuy).waitFor();
        await sound('a quote');
        await go(-1);
        await ticket.waitFor({ state: 'detached' });
        expect(await orders()).toBe(0);

        await pick();
        await getPrice.click();
        await startsWith(texts.confirmBuy).click();
        await ticket.getByText(texts.bought, { exact: true }).waitFor();
        expect(await ticket.locator('.receipt').textContent()).toContain(texts.payoutIfWon);
        await sound('a receipt');
        await button(texts.viewPositions).click();
        await positions.waitFor();
        await button(texts.cashOut).waitFor();
        await sound('the positions');
        await go(-1);
        await event.waitFor();
        await getPrice.waitFor();
        await go(1);
        await positions.waitFor();

        await button(texts.activity).click();
        await reference.waitFor();
        await sound('the activity');
        await go(-1);
        await button(texts.cashOut).waitFor();
        await go(1);
        await reference.waitFor();
        await button(texts.openPositions).click();

        await button(texts.cashOut).click();
        await button(texts.getPrice).waitFor();
        await sound('a cash-out');
        await go(-1);
        await button(texts.cashOut).waitFor();
        await go(1);
        await button(texts.getPrice).click();
        await startsWith(texts.confirmSell).waitFor();
        await go(-1);
        await button(texts.cashOut).waitFor();
        expect(await orders()).toBe(1);

        await button(texts.cashOut).click();
        await button(texts.getPrice).click();
        await startsWith(texts.confirmSell).click();
        await frame.getByText(texts.sold, { exact: true }).waitFor();
        await sound('a sale');
        await button(texts.done).click();
        await frame.getByText(texts.noPositions).waitFor();
        await sound('no positions');
        await button(texts.pastPositions).click();
        await frame.getByText(texts.status_closed, { exact: true }).waitFor();
        await sound('what is past');
        await go(-1);
        await frame.getByText(texts.noPositions).waitFor();
        expect(await orders()).toBe(2);
      });
    },
    240_000,
  );
});
