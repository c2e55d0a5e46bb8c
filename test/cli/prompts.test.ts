/**
 * Every question of the command line is asked by one helper, so all of them treat a missing terminal alike. A terminal is made by
 * `script`; without it the tests of a terminal are skipped.
 */
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../src/core/environment.ts';
import { type Ended, startProgram } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
const folder = temporaryFolder('inlay-prompts');

beforeAll(async () => {
  service = await openWorld();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const inlay = `${process.execPath} ${join(projectRoot, 'bin/run.js')}`;

/** Runs a command of the shell on a terminal. */
function onTerminal(command: string, input = ''): Promise<Ended> {
  const { ended } = startProgram('script', ['-qefc', command, '/dev/null'], {
    input,
    env: {
      SHELL: '/bin/sh',
      DATABASE_URL: service.database.url,
      INLAY_DATA_DIR: service.context.environment.dataDir,
      INLAY_SECRET: 'a secret that only tests know',
      INLAY_API_URL: service.url,
      INLAY_API_KEY: service.key,
      XDG_CONFIG_HOME: folder,
      XDG_CACHE_HOME: folder,
      XDG_DATA_HOME: folder,
    },
  });
  return ended;
}

/** Runs `inlay` on a terminal, its standard error redirected to a file. */
async function withoutStderr(line: string): Promise<{ code: number | null; stderr: string }> {
  const errors = join(folder, 'stderr.txt');
  const { code } = await onTerminal(`${inlay} ${line} 2>${errors}`);
  return { code, stderr: readFileSync(errors, 'utf8') };
}

test('no command asks by other means than the helper', () => {
  const files = globSync('src/{cli,commands}/**/*.{ts,tsx}', { cwd: projectRoot });
  const asking = files.filter((file) =>
    /@inquirer|stdin\.isTTY|stderr\.isTTY/.test(readFileSync(join(projectRoot, file), 'utf8')),
  );
  // live views read keys and ask nothing
  expect(asking).toEqual(['src/cli/terminal/live.ts', 'src/cli/terminal/prompt.ts']);
});

describe.skipIf(!existsSync('/usr/bin/script'))('on a terminal whose standard error is redirected', () => {
  test.each([
    'markets verify rte_none',
    'operators pause-trading demo',
    'operators suspend demo',
    'customers suspend --operator demo --user ana',
    'embed-sessions revoke emb_none',
    'embed-sessions revoke-all --operator demo',
    'limits clear ana',
    'periods close --operator demo --until 2026-01-01',
  ])('%s is refused without --yes, as in a script', async (line) => {
    const { code, stderr } = await withoutStderr(line);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Add --yes')]);
  });
});

describe.skipIf(!existsSync('/usr/bin/script'))('on a terminal', () => {
  // the bytes of a redrawn question, without its colours and line breaks
  const asked = async (line: string, answer: string) => {
    const { code, stdout } = await onTerminal(`stty cols 300; exec ${inlay} ${line}`, answer);
    return { code, text: stripVTControlCharacters(stdout) };
  };

  test('a resolution is asked about with its title, its people and its sum, and done after y', async () => {
    const market = await service.openMarket('asked-about');
    await service.buy(market, 'ana');
    const line = `markets resolve ${market.contractId} yes`;
    const no = await asked(line, 'n\n');
    expect(no.text).toContain(
      'Resolve "Will asked-about happen?" as yes? Pays 17.19 to 1 customer of 1 operator. (y/N)',
    );
    expect([no.code, no.text]).toEqual([1, expect.stringContaining('not_confirmed: Nothing was changed.')]);
    const yes = await asked(line, 'y\n');
    expect([yes.code, yes.text]).toEqual([0, expect.stringContaining(`${market.contractId} is resolved as YES.`)]);
  });

  // contract 38.10
  test('whole numbers of cents are repeated in dollars, and nothing is changed after n', async () => {
    const limits = async () => (await service.request('GET', '/api/v1/users/eve/limits')).body.account;
    const line = 'limits set eve --period-stake 250.00 --period-hours 24 --max-wager 5000';
    const no = await asked(line, 'n\n');
    expect([no.code, no.text]).toEqual([1, expect.stringContaining('limits set eve: --max-wager 50.00 USD? (y/N)')]);
    expect((await limits())?.maxWagerMinor ?? null).toBeNull();
    const yes = await asked(`${line} --yes`, '');
    expect([yes.code, yes.text]).toEqual([0, expect.not.stringContaining('(y/N)')]);
    expect((await limits()).maxWagerMinor).toBe(5000);
    const dollars = await asked('limits set eve --max-wager 60.00', '');
    expect([dollars.code, dollars.text]).toEqual([0, expect.not.stringContaining('(y/N)')]);
  });

  // contract 38.10
  test('a deposit of whole cents is asked about, a withdrawal once', async () => {
    const deposit = await asked('operators collateral deposit demo-live 5000', 'y\n');
    expect(deposit.text).toContain('operators collateral deposit demo-live: 50.00 USD? (y/N)');
    expect([deposit.code, deposit.text]).toEqual([0, expect.stringMatching(/amount +50\.00/)]);
    const withdrawal = await asked('operators collateral withdraw demo-live 5000', 'y\n');
    expect(withdrawal.code).toBe(0);
    expect(withdrawal.text).not.toContain('collateral withdraw demo-live: ');
  });

  test('an abbreviated id is asked about although --yes was given, and the whole one is named', async () => {
    const { keyId } = await service.issueKey(service.operator);
    const { code, text } = await asked(`keys revoke ${keyId.slice(0, 5)}…${keyId.slice(-10)} --yes`, 'n\n');
    expect([code, text]).toEqual([1, expect.stringContaining(`This is about ${keyId}.`)]);
    expect(text).toMatch(/Revoke the key pk_test_\S+\.\.\. of demo\? .*\(y\/N\)/);
  });
});

test.skipIf(!existsSync('/usr/bin/script'))(
  'a question that is longer than the line is broken between its words, and (y/N) is not',
  async () => {
    const user = 'a-customer-with-a-long-name';
    const { code, stdout } = await onTerminal(`stty cols 60; exec ${inlay} limits clear ${user}`, 'n\n');
    expect(code).toBe(1);
    expect(stripVTControlCharacters(stdout)).toMatch(
      /\? Withdraw the limits set on\r?\na-customer-with-a-long-name\? \(y\/N\)/,
    );
  },
);
