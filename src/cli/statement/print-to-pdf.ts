/** Prints a page with the Chromium or Chrome of this machine, which knows page headers and page breaks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Failure } from '../failure.ts';

const TIMEOUT_MS = 120_000;
const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * @param page HTML that names no other file
 * @param configured path of the browser; by default the first one that is installed
 * @throws Failure browser_missing, browser_failed
 */
export async function printToPdf(page: string, configured?: string): Promise<Uint8Array> {
  const browser = configured ?? BROWSERS.find((path) => existsSync(path));
  if (browser === undefined || !existsSync(browser)) {
    throw new Failure(
      'browser_missing',
      browser === undefined
        ? 'No browser was found that can write a PDF.'
        : `${browser} (CHROMIUM_PATH) does not exist.`,
      { next: 'Install Chromium, set CHROMIUM_PATH to a browser, or write an .html file and print it.' },
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'inlay-print-'));
  const [source, target] = [join(folder, 'page.html'), join(folder, 'page.pdf')];
  try {
    await writeFile(source, page, { mode: 0o600 });
    await runBrowser(browser, [
      '--headless',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-pdf-header-footer',
      `--user-data-dir=${join(folder, 'profile')}`,
      `--print-to-pdf=${target}`,
      // Chromium refuses its sandbox to root. The page is ours and has no script.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      pathToFileURL(source).href,
    ]);
    return await readFile(target);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure('browser_failed', `${browser} could not write the PDF: ${reason}.`, {
      next: 'Write an .html file and print it.',
      cause: error,
    });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function runBrowser(path: string, argv: readonly string[]): Promise<void> {
  const child = spawn(path, argv, { stdio: 'ignore', timeout: TIMEOUT_MS });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (code !== 0) {
    throw new Error(code === null ? `it was ended by ${signal}` : `it ended with ${code}`);
  }
}
