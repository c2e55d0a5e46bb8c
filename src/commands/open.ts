/** `open`: a page of the service in the browser. */
import { spawn } from 'node:child_process';
import { Args } from '@oclif/core';
import { usage } from '../cli/failure.ts';
import { PartnerCommand } from '../cli/partner-command.ts';

const PAGES: ReadonlyMap<string, string> = new Map([
  ['docs', '/docs'],
  ['demo', '/demo'],
]);
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

export default class Open extends PartnerCommand<typeof Open> {
  static override summary = 'Open the documentation or the demo in a browser.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> demo'];
  static override args = {
    page: Args.string({ default: 'docs', description: 'Page to open: docs or demo.' }),
  };

  async run(): Promise<{ url: string }> {
    const path = PAGES.get(this.args.page);
    if (path === undefined) {
      throw usage(`There is no page "${this.args.page}".`, `The pages are ${[...PAGES.keys()].join(' and ')}.`);
    }
    const url = `${this.apiUrl}${path}`;
    this.say(url);
    if (process.stdout.isTTY === true) {
      await openInBrowser(url);
    }
    return { url };
  }
}

/** On a machine without a browser, the address is printed anyway. */
function openInBrowser(url: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(OPENERS[process.platform] ?? 'xdg-open', [url], { stdio: 'ignore', detached: true });
    child.once('error', () => resolve());
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
