/// <reference lib="dom" />
/** How the tests of the frame's states read what a customer is offered: buttons by name, and where the keyboard is. */
import type { Frame, Locator } from 'playwright-core';
import { expect } from 'vitest';
import { until } from '../support/until.ts';

/** Names of the buttons in an area, in order. */
export function buttonsIn(area: Locator): Promise<string[]> {
  return area
    .getByRole('button')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent ?? ''));
}

/** Waits until the focus is on the element with this name or text. */
export async function expectFocus(frame: Frame, name: string): Promise<void> {
  await until(async () => expect(await frame.evaluate(readFocus), `the focus on "${name}"`).toBe(name), 30_000);
}

function readFocus(): string | null {
  const { activeElement } = document;
  const label = activeElement instanceof HTMLInputElement ? activeElement.labels?.[0]?.textContent : null;
  return label || (activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.trim() ?? null);
}
