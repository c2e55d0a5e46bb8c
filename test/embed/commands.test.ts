import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import BooksCreate from '../../src/commands/books/create.ts';
import BooksList from '../../src/commands/books/list.ts';
import CustomersShow from '../../src/commands/customers/show.ts';
import Mint from '../../src/commands/embed-sessions/mint.ts';
import Revoke from '../../src/commands/embed-sessions/revoke.ts';
import JurisdictionGet from '../../src/commands/jurisdiction/get.ts';
import JurisdictionSet from '../../src/commands/jurisdiction/set.ts';
import LimitsClear from '../../src/commands/limits/clear.ts';
import LimitsGet from '../../src/commands/limits/get.ts';
import LimitsSet from '../../src/commands/limits/set.ts';
import OperatorsShow from '../../src/commands/operators/show.ts';
import RatesSet from '../../src/commands/rates/set.ts';
import { seedMarket } from '../support/market.ts';
import { startApi, type TestApi, type TestOperator } from './service.ts';

let api: TestApi;
let operator: TestOperator;
let config: Config;

beforeAll(async () => {
  api = await startApi();
  operator = await api.newOperator({ slug: 'house' });
  await seedMarket(api.sql, 'alpha');
  config = await Config.load(fileURLToPath(new URL('../..', import.meta.url)));
  process.env['DATABASE_URL'] = api.database.url;
  process.env['INLAY_API_URL'] = api.url;
  process.env['INLAY_API_KEY'] = operator.apiKey;
});
afterAll(() => api.close());

interface Runnable {
  new (argv: string[], config: Config): { _run(): Promise<unknown> };
}

/** Runs a command as `--json` does: what it returns, what it printed, and how it would have ended. */
async function run(command: unknown, argv: string[]) {
  const { printed, exitCode } = await print(command, [...argv, '--json']);
  return { json: JSON.parse(printed), exitCode };
}

async function print(command: unknown, argv: string[]): Promise<{ printed: string; exitCode: number | string }> {
  const printed: string[] = [];
  const write = process.stdout.write;
  process.stdout.write = ((chunk: string) => printed.push(String(chunk)) > 0) as typeof write;
  process.exitCode = 0;
  try {
    await new (command as Runnable)(argv, config)._run();
    return { printed: printed.join(''), exitCode: process.exitCode ?? 0 };
  } finally {
    process.stdout.write = write;
    process.exitCode = 0;
  }
}

describe('commands of a partner', () => {
  // contract 40.6
  test('mint and revoke', async () => {
    const argv = ['--user', 'cli', '--return-origin', 'https://casino.example', '--ttl', '60', '--locale', 'hr'];
    const minted = await run(Mint, [
      ...argv,
      '--region',
      'hr',
      '--country',
      'US-NJ',
      '--theme',
      'mode=dark',
      '--theme',
      'n=2',
    ]);
    expect(minted.json).toMatchObject({
      externalUserId: 'cli',
      origin: 'https://casino.example',
      expiresInSeconds: 60,
      jurisdiction: { country: 'US', subdivision: 'NJ' },
      theme: { mode: 'dark', n: 2 },
      token: expect.stringMatching(/^ies1\./),
    });
    const revoked = await run(Revoke, [minted.json.sessionId, '--yes']);
    expect(revoked.json).toMatchObject({ sessionId: minted.json.sessionId, revokedAt: expect.any(String) });
    expect(await run(Revoke, ['ses_none', '--yes'])).toMatchObject({
      json: { error: 'session_not_found' },
      exitCode: 3,
    });
    expect(await run(Mint, ['--user', 'cli', '--region', 'xx'])).toMatchObject({
      json: { error: 'invalid_usage' },
      exitCode: 2,
    });
  });

  // contract 40.7
  test('limits: set, get, clear; half a pair is wrong usage', async () => {
    const set = await run(LimitsSet, [
      'cli',
      '--max-wager',
      '500',
      '--period-stake',
      '900',
      '--period-hours',
      '24',
      '--note',
      'n',
    ]);
    expect(set.json.account).toEqual({ maxWagerMinor: 500, periodStakeMinor: 900, periodHours: 24, note: 'n' });
    expect((await run(LimitsGet, ['cli'])).json).toEqual(set.json);
    expect((await run(LimitsClear, ['cli', '--yes'])).json.effective).toEqual({
      maxWagerMinor: null,
      maxWagerRung: null,
      periods: [],
    });
    expect((await run(LimitsSet, ['cli', '--period-stake', '900'])).exitCode).toBe(2);
    expect((await run(LimitsClear, ['cli'])).exitCode).toBe(2);
  });

  // contract 29.4, contract 40.7
  test('jurisdiction: set and get', async () => {
    const set = await run(JurisdictionSet, ['cli', 'HR-21']);
    expect(set.json.jurisdiction).toEqual({ country: 'HR', subdivision: '21' });
    expect((await run(JurisdictionGet, ['cli'])).json).toEqual(set.json);
    const notes = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const unassigned = await run(JurisdictionSet, ['cli', 'uk']);
    expect(unassigned.json.jurisdiction).toEqual({ country: 'UK', subdivision: null });
    expect(notes.mock.calls.join()).toContain('The United Kingdom is GB.');
    notes.mockRestore();
    expect((await run(JurisdictionSet, ['cli', 'HRV'])).exitCode).toBe(2);
    expect((await run(JurisdictionSet, ['cli', 'A-B-C'])).exitCode).toBe(2);
  });
});

describe('commands of the service operator', () => {
  // contract 39.21
  test('books: create by slug or id, list; an event that is none', async () => {
    const created = await run(BooksCreate, [
      '--operator',
      'house',
      '--name',
      ' Specials ',
      '--event',
      'alpha',
      '--event',
      'evt_alpha',
    ]);
    expect(created.json).toEqual({
      operatorBookId: expect.stringMatching(/^bk_/),
      name: 'Specials',
      eventIds: ['evt_alpha'],
    });
    expect((await run(BooksList, ['--operator', 'house'])).json).toMatchObject({ books: [created.json], count: 1 });
    expect((await run(OperatorsShow, ['house'])).json).toMatchObject({ operatorBookEnabled: true });
    const unknown = await run(BooksCreate, ['--operator', 'house', '--name', 'x', '--event', 'evt_none']);
    expect(unknown).toMatchObject({ json: { error: 'unknown_event' }, exitCode: 3 });
    const nobody = await run(BooksCreate, ['--operator', 'nobody', '--name', 'x', '--event', 'alpha']);
    expect(nobody).toMatchObject({ json: { error: 'unknown_operator' }, exitCode: 3 });
  });

  test('customers show: who set what, and when, newest first', async () => {
    await run(LimitsSet, ['audited', '--max-wager', '500', '--note', 'asked by the player']);
    await run(LimitsClear, ['audited', '--yes']);
    await run(JurisdictionSet, ['audited', 'HR-21']);
    const who = ['audited', '--operator', 'house'];
    const { json } = await run(CustomersShow, who);
    const setBy = operator.keyId;
    expect(json.changes).toMatchObject([
      { subject: 'jurisdiction', action: 'set', country: 'HR', subdivision: '21', source: 'api', setBy },
      { subject: 'limits', action: 'cleared', maxWagerMinor: null, note: null, setBy },
      { subject: 'limits', action: 'set', maxWagerMinor: 500, note: 'asked by the player', setBy },
    ]);
    const times = json.changes.map(({ recordedAt }: { recordedAt: string }) => Date.parse(recordedAt));
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
    const { printed } = await print(CustomersShow, who);
    const lines = printed.slice(printed.indexOf('Changes')).trimEnd().split('\n');
    expect(lines.slice(1).map((line) => line.replace(/^ +\S+ \S+Z +/, '').trim())).toEqual([
      ...['place set to HR-21 (api)', `by ${setBy}`, 'limits cleared', `by ${setBy}`],
      ...['limits set to 5.00 USD a wager: asked by the player', `by ${setBy}`],
    ]);
    const nobody = await run(CustomersShow, ['nobody', '--operator', 'house']);
    expect(nobody).toMatchObject({ json: { error: 'unknown_user' }, exitCode: 3 });
  });

  // contract 39.12
  test('rates', async () => {
    const set = await run(RatesSet, ['gbp', '0.79']);
    expect(set.json).toMatchObject({ currency: 'GBP', rate: 0.79, setAt: expect.any(String) });
    expect((await run(RatesSet, ['USD', '1'])).exitCode).toBe(2);
  });
});

test('what people read', async () => {
  await run(LimitsSet, ['reader', '--max-wager', '500', '--period-stake', '900', '--period-hours', '24']);
  const limits = await print(LimitsGet, ['reader']);
  expect(limits.printed).toMatch(/one wager +5\.00 USD \(account\)/);
  expect(limits.printed).toMatch(/in a period +9\.00 USD in 24 h \(account\)/);
  await run(JurisdictionSet, ['reader', 'HR-21']);
  expect((await print(JurisdictionGet, ['reader'])).printed).toMatch(/asserted +HR-21 \(api, /);
  expect((await print(Mint, ['--user', 'reader'])).printed).toMatch(/token +ies1\./);
  expect((await print(BooksList, [])).printed).toContain('Specials');
  expect((await print(BooksList, ['--output', 'csv'])).printed).toMatch(
    /^operatorBookId,operatorId,name,eventIds,createdAt\n/,
  );
  expect((await print(RatesSet, ['EUR', '0.92'])).printed).toMatch(/1 USD is shown as 0\.92 EUR/);
});
