#!/usr/bin/env node
/**
 * `npm run pictures [-- --out DIR] [--url URL] [--only WORD] [--width N]... [--scheme light|dark]`: pictures of each state of the
 * frame and of our pages, light and dark, at five widths. They are for looking at and are not kept in the repository.
 * Without `--url` it starts a service of its own and removes its data afterwards.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { isTooOld, relaunch } from '../../bin/bundled-node.js';
import { pages, states } from './picture-states.js';

const script = fileURLToPath(import.meta.url);
const root = dirname(dirname(dirname(script)));
if (isTooOld()) {
  await relaunch(script);
}
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(tmpdir(), 'inlay-pictures') },
    url: { type: 'string' },
    only: { type: 'string', default: '' },
    width: { type: 'string', multiple: true, default: ['320', '390', '768', '1280', '1600'] },
    scheme: { type: 'string', multiple: true, default: ['light', 'dark'] },
  },
});

const service =
  values.url === undefined
    ? await startService()
    : { url: values.url, suspend: () => {}, refuse: () => {}, stop: () => {} };
mkdirSync(values.out, { recursive: true });
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  // The host page is made here, so Chromium does not know that it is on this machine.
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-features=LocalNetworkAccessChecks'],
});
try {
  // The service registers the demo's origins when the page is first opened.
  await fetch(`${service.url}/demo`);
  for (const width of values.width.map(Number)) {
    for (const scheme of values.scheme) {
      const shot = {
        browser,
        url: service.url,
        width,
        scheme,
        out: values.out,
        only: values.only,
        suspend: service.suspend,
        refuse: service.refuse,
      };
      await states(shot);
      await pages(shot);
    }
  }
} finally {
  await browser.close();
  service.stop();
}
process.stdout.write(`${values.out}\n`);

async function startService() {
  const data = mkdtempSync(join(tmpdir(), 'inlay-pictures-data-'));
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'bin', 'start.js')], {
    cwd: root,
    stdio: 'ignore',
    // The profile that a service keeps is not the developer's.
    env: { ...process.env, PORT: String(port), INLAY_DATA_DIR: data, XDG_CONFIG_HOME: data },
  });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 240; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const page = await fetch(`${url}/api/events?limit=30`).then(
      (answer) => answer.json(),
      () => null,
    );
    if ((page?.data?.length ?? 0) >= 30) {
      break;
    }
  }
  const stop = () => {
    child.once('exit', () => rmSync(data, { recursive: true, force: true }));
    child.kill('SIGTERM');
  };
  const run = (...args) =>
    spawnSync(process.execPath, [join(root, 'bin', 'run.js'), ...args], {
      env: { ...process.env, INLAY_DATA_DIR: data },
    });
  const suspend = (user) => run('customers', 'suspend', '--operator', 'demo-visitors', '--user', user, '--yes');
  const refuse = (isRefused) =>
    run(...['operators', 'update', 'demo-visitors', '--jurisdiction-mode'], isRefused ? 'enforced' : 'off');
  return { url, suspend, refuse, stop };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
