/** Exports for other programs: a journal that Debian's hledger checks. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountName } from '../../src/cli/export/converted.ts';
import type { RunCommand } from '../support/run-command.ts';
import { timePasses } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

const HLEDGER = spawnSync('hledger', ['--version']).status === 0;
if (!HLEDGER) {
  console.warn('hledger is missing (apt-get install hledger): its tests are skipped.');
}

let world: World;
let run: RunCommand;
let folder: string;
let middle: string;

beforeAll(async () => {
  world = await openWorld();
  const market = await world.openMarket('formats');
  for (let index = 0; index < 6; index += 1) {
    const order = await world.buy(market, `user ${index % 2}; "x"  y`, index % 2 === 0 ? 'YES' : 'NO', 10.37 + index);
    if (index === 2) {
      await world.sell(market, order.externalUserId ?? `user 0; "x"  y`, 1.5);
    }
  }
  middle = new Date().toISOString();
  await timePasses(20);
  await world.buy(market, 'later');
  await world.resolve(market, 'YES');
  run = await world.commands();
});
afterAll(() => world.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlay-formats-'));
  return () => rmSync(folder, { recursive: true, force: true });
});

async function exported(...flags: string[]): Promise<string> {
  const file = join(folder, 'export');
  const done = await run('reconciliation', 'export', '--out', file, ...flags);
  expect([done.exitCode, done.stderr]).toEqual([0, expect.stringMatching(/rows?, /)]);
  return file;
}

/** Balances by account, in cents. */
async function trialBalance(): Promise<Map<string, bigint>> {
  const { json } = await run('ledger', 'balances', '--operator', 'demo', '--json');
  const accounts = json.balances as { accountId: string; balance: string }[];
  return new Map(accounts.map(({ accountId, balance }) => [accountName(accountId), BigInt(balance.replace('.', ''))]));
}

function hledgerBalances(file: string): Map<string, bigint> {
  const csv = execFileSync('hledger', ['-f', file, 'balance', '--flat', '--empty', '--no-total', '-O', 'csv'], {
    encoding: 'utf8',
  });
  return new Map(
    csv
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => {
        const [, account = '', amount = ''] = /^"(.*)","(.*)"$/.exec(line) ?? [];
        const [digits = '0'] = amount.replace(/,/g, '').split(' ');
        return [account, BigInt(digits === '0' ? '000' : digits.replace('.', ''))] as const;
      }),
  );
}

describe('hledger', () => {
  test.skipIf(!HLEDGER)('agrees with the trial balance to the cent, and with every running balance', async () => {
    const file = await exported('--kind', 'ledger', '--format', 'hledger');
    execFileSync('hledger', ['-f', file, 'check', 'ordereddates', 'commodities']);
    expect(hledgerBalances(file)).toEqual(await trialBalance());
  });

  test.skipIf(!HLEDGER)('a journal that starts later opens its accounts with their balances', async () => {
    const file = await exported('--kind', 'ledger', '--format', 'hledger', '--from', middle);
    execFileSync('hledger', ['-f', file, 'check']);
    const expected = await trialBalance();
    const found = hledgerBalances(file);
    expect(found.delete('equity:opening')).toBe(true);
    expect(found.size).toBeGreaterThan(4);
    for (const [account, balance] of found) {
      expect([account, balance]).toEqual([account, expected.get(account)]);
    }
  });

  test.skipIf(!HLEDGER)('one changed cent is refused by hledger', async () => {
    const file = await exported('--kind', 'ledger', '--format', 'hledger');
    const text = readFileSync(file, 'utf8');
    const changed = text.replace(/ {2}(-?\d+)\.37 USD/, '  $1.38 USD');
    expect(changed).not.toBe(text);
    expect(spawnSync('hledger', ['-f', '-', 'check'], { input: changed }).status).not.toBe(0);
  });

  test('only the ledger is a journal, and a pipe takes it', async () => {
    expect((await run('reconciliation', 'export', '--kind', 'fees', '--format', 'hledger')).exitCode).toBe(2);
    const piped = await run('reconciliation', 'export', '--kind', 'ledger', '--format', 'hledger');
    expect(piped.stdout).toContain('commodity 1000.00 USD');
    expect(piped.stdout).toMatch(/SANDBOX_CREDIT\n {4}; sequence:1, /);
  });
});
