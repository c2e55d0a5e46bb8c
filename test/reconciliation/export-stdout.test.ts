/** `reconciliation export --json` without a file streams its rows as JSON lines, and nothing else on stdout. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { startProgram } from '../support/process.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Live, openLive } from '../support/world.ts';

const script = join(projectRoot, 'test/reconciliation/command-process.ts');
let live: Live;
let tenant: Tenant;

beforeAll(async () => {
  live = await openLive({ job: false });
  tenant = await live.tenant({ mode: 'sandbox' });
  for (let order = 0; order < 3; order += 1) {
    await tenant.place('ana');
  }
});
afterAll(() => live.close());

test('reconciliation export --json streams JSON lines on stdout', async () => {
  const env = { ...process.env, INLAY_API_URL: live.url, INLAY_API_KEY: tenant.key };
  for (const kind of ['orders', 'settlements']) {
    const argv = [script, 'reconciliation/export', '--kind', kind, '--json'];
    const { code, stdout } = await startProgram(process.execPath, argv, { env }).ended;
    const rows = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    expect([code, rows.length], kind).toEqual([0, kind === 'orders' ? 3 : 0]);
    for (const row of rows) {
      expect(row).toMatchObject({ externalUserId: 'ana', status: 'filled' });
    }
  }
});
