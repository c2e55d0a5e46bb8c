/// <reference lib="dom" />
/** What holds for the frame in every state: nothing wider than the page at any usual width, and nothing that axe finds. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect } from 'vitest';
import { until } from '../support/until.ts';
import type { Host } from './world.ts';

/** From the narrowest phone to a desk, in CSS pixels. */
const WIDTHS = [320, 390, 768, 1024, 1280, 1600] as const;
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** @param state a name for the message. The page has its own width again afterwards. */
export async function expectSound(host: Host, state: string): Promise<void> {
  await expectNothingFound(host, state);
  await expectFits(host, state);
}

/**
 * From the top of the page: what is scrolled under its bar is not a target that is too small.
 * @param dark whether the contrast is looked at in dark as well
 */
export async function expectNothingFound({ page, frame }: Host, state: string, dark = true): Promise<void> {
  await frame.evaluate(() => window.scrollTo(0, 0));
  const area = () => new AxeBuilder({ page }).include(['iframe', 'body']);
  const { violations } = await area().withTags(RULES).analyze();
  if (dark) {
    await page.emulateMedia({ colorScheme: 'dark' });
    violations.push(...(await area().withRules('color-contrast').analyze()).violations);
    await page.emulateMedia({ colorScheme: null });
  }
  const found = violations.map(({ id, nodes }) => [
    state,
    id,
    nodes.map(({ target, failureSummary }) => [target, failureSummary]),
  ]);
  expect(found).toEqual([]);
}

/** At the usual widths. */
export async function expectFits({ page, frame }: Host, state: string): Promise<void> {
  const own = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: own?.height ?? 900 });
    const wider = () => frame.evaluate(readWiderParts);
    await until(async () => expect(await wider(), `${state} at ${width} px`).toEqual([]), 5_000);
  }
  if (own !== null) {
    await page.setViewportSize(own);
  }
}

/** Parts that reach beyond the page, or whose text is cut off without the dots that say so. */
function readWiderParts(): string[] {
  const room = document.documentElement.clientWidth;
  const scrolls = (element: Element | null): boolean =>
    element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const name = (element: Element) => `${element.tagName}.${element.className}: ${element.textContent?.slice(0, 40)}`;
  return [...document.body.querySelectorAll('*')]
    .filter((element) => {
      const { left, right, width, height } = element.getBoundingClientRect();
      if (width <= 1 || height <= 1 || element.closest('svg') !== null) {
        return false;
      }
      const beyond = (right > room + 1 || left < -1) && !scrolls(element.parentElement);
      const cut = element instanceof HTMLButtonElement && element.scrollWidth > element.clientWidth + 1;
      return beyond || cut;
    })
    .map(name);
}
