/**
 * Debian's Chromium for the tests: its headless shell, which takes a third of the processor time, or the whole browser where only that
 * is installed. Where neither is, the tests that need one say so and are skipped.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

export const hasChromium = executablePath !== undefined;
if (!hasChromium) {
  console.warn('Chromium is missing (apt-get install chromium-headless-shell): the browser tests are skipped.');
}

/** The caller closes it. Letters are as wide as their font says, as on people's screens; the shell would fit them to whole pixels. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'],
  });
}
