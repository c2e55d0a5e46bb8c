/** `venues parts transfer|close`: cash moves between the parts of Kalshi once, whatever answer is lost, and is shown on its way. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type KalshiEmulator, startKalshiEmulator } from '../../src/emulators/kalshi/emulator.ts';
import { controlRequest } from '../../src/emulators/kalshi/requests.ts';
import { compareCash } from '../../src/trading/account/account-cash.ts';
import { compareAccount } from '../../src/trading/account/compare-account.ts';
import { createRecordPorts } from '../../src/trading/execution/record-execution.ts';
import { openKalshi } from '../../src/venues/kalshi/kalshi.ts';
import type { Venue } from '../../src/venues/port.ts';
import { newKalshiKey } from '../emulators/kalshi-venue.ts';
import { commandRunner, type RunCommand } from '../support/run-command.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { VENUE_SETTINGS } from '../support/venue-access.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SEND = 'POST /portfolio/intra_exchange_instance_transfer';
let emulator: KalshiEmulator;
let service: TestService;
let venue: Venue;
let inlay: RunCommand;

const tell = (request: object) => emulator.control(controlRequest.parse(request));
const transfer = (cents: string, reference: string, ...more: string[]) =>
  inlay(
    'venues/parts',
    ...['transfer', 'kalshi', cents, '--from', '0', '--to', '2', '--reference', reference],
    ...['--as', 'ada', '--yes', '--json', ...more],
  );
const close = (reference: string) =>
  inlay('venues/parts', 'close', 'kalshi', reference, '--evidence', 'ticket 812', '--as', 'ada', '--json');
const compare = () => compareAccount({ ...createRecordPorts(service.sql), log: service.context.log }, venue, 0, 0);
const stateOf = async (reference: string) =>
  (await service.sql`select state from venue_part_transfers where reference = ${reference}`)[0]?.['state'];
const moved = () => emulator.state.accounts.get('k')?.transfers.length;
const cashOn = async (part: number) =>
  (await venue.account?.parts?.())?.find((one) => one.part === part)?.balanceMicros;

beforeAll(async () => {
  emulator = await startKalshiEmulator();
  const keyFile = newKalshiKey(emulator, 'k');
  service = await startTestService();
  venue = openKalshi('kalshi', async () => emulator.url, {
    ...VENUE_SETTINGS.kalshi,
    keyId: 'k',
    privateKeyFile: keyFile,
  });
  const { database, context } = service;
  inlay = await commandRunner({
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    INLAY_DATA_DIR: context.environment.dataDir,
    INLAY_SECRET: 'a secret that only tests know',
    INLAY_VENUES: 'kalshi',
    INLAY_KALSHI_URL: emulator.url,
    INLAY_KALSHI_KEY_ID: 'k',
    INLAY_KALSHI_PRIVATE_KEY_FILE: keyFile,
    NO_COLOR: '1',
  });
  expect(await compare()).toEqual([]);
});
afterAll(async () => {
  await venue?.close();
  await service?.close();
  await emulator?.close();
});

test('moves cash once under a reference, and says who did', async () => {
  const first = await transfer('2500', 'first');
  expect([first.exitCode, first.json]).toMatchObject([
    0,
    { venue: 'kalshi', reference: 'first', from: 0, to: 2, amount: '25.00', state: 'arrived', requestedBy: 'ada' },
  ]);
  expect((await transfer('2500', 'first')).json).toEqual(first.json);
  expect((await transfer('2600', 'first')).json.error).toBe('idempotency_conflict');
  expect(moved()).toBe(1);
  expect([await cashOn(0), await cashOn(2)]).toEqual([975_000_000n, 25_000_000n]);
  const logged = await service.sql`
    select arguments::text as line from audit_log where actor = 'ada' and outcome = 'done' limit 1`;
  expect(String(logged[0]?.['line'])).toContain('first');
});

test('is refused for what the part does not have, and moves nothing', async () => {
  const refused = await transfer('9999900', 'too much');
  expect([refused.exitCode, refused.json]).toMatchObject([1, { state: 'refused', detail: 'insufficient_balance' }]);
  expect((await transfer('100', 'r', '--from', '2')).exitCode).toBe(2);
  expect(moved()).toBe(1);
});

test('money between two parts is shown, is no difference of cash, and arrives by the comparison', async () => {
  tell({ do: 'transfers', takeMs: null });
  const half = await transfer('5000', 'half done');
  expect([half.exitCode, half.json.state]).toEqual([0, 'under_way']);
  const account = await inlay('venues', 'account', 'kalshi', '--json');
  expect(account.json.openTransfers).toMatchObject([{ reference: 'half done', amount: '50.00', state: 'under_way' }]);
  expect(account.json.balance).toBe(950);
  expect(await compare()).toEqual([]);
  expect(await stateOf('half done')).toBe('under_way');
  tell({ do: 'transfers', takeMs: 0 });
  expect(await compare()).toEqual([]);
  expect(await stateOf('half done')).toBe('arrived');
  if (venue.account !== null) {
    expect(await compareCash(service.sql, 'kalshi', venue.account)).toMatchObject({
      agrees: true,
      least: 1_000_000_000n,
    });
  }
});

test('a request without an answer is found in the list of the exchange, and is never sent again', async () => {
  tell({ do: 'fault', on: SEND, fault: { kind: 'timeout_after_apply' } });
  const unanswered = await transfer('700', 'lost answer');
  expect([unanswered.exitCode, unanswered.json.state]).toEqual([0, 'arrived']);
  expect((await transfer('700', 'lost answer')).json.state).toBe('arrived');
  expect(moved()).toBe(3);
});

test('a request that the exchange never received stays without an answer until a person closes it', async () => {
  tell({ do: 'fault', on: SEND, fault: { kind: 'timeout_before_apply' } });
  const lost = await transfer('800', 'never there');
  expect([lost.exitCode, lost.json.state]).toEqual([6, 'asked']);
  expect((await transfer('800', 'another')).json.error).toBe('transfer_unanswered');
  expect((await transfer('800', 'never there')).json.state).toBe('asked');
  expect(await compare()).toEqual([]);
  expect(moved()).toBe(3);
  expect((await close('never there')).json).toMatchObject({ state: 'refused', detail: 'ticket 812' });
  expect((await close('never there')).json.error).toBe('transfer_answered');
  expect((await close('first')).json.error).toBe('transfer_answered');
  expect((await close('nowhere')).exitCode).toBe(3);
  expect((await transfer('800', 'another')).json.state).toBe('arrived');
  expect(moved()).toBe(4);
});

test('a timeout that the exchange answers with a refusal (408) is no refusal: it is not known whether cash moved', async () => {
  const body = { code: 'request_timeout', message: 'timed out' };
  tell({ do: 'fault', on: SEND, fault: { kind: 'status', status: 408, body } });
  const unknown = await transfer('900', 'timed out');
  expect([unknown.exitCode, unknown.json.state]).toEqual([6, 'asked']);
  expect((await close('timed out')).json).toMatchObject({ state: 'refused' });
});

test('a transfer whose answer was lost is found behind a hundred later ones', async () => {
  const before = moved() ?? 0;
  tell({ do: 'fault', on: SEND, fault: { kind: 'timeout_after_apply' } });
  const asking = transfer('1100', 'behind others');
  await until(
    async () => moved(),
    (now) => now === before + 1,
    60_000,
  );
  const all = emulator.state.accounts.get('k')?.transfers ?? [];
  const createdAt = new Date();
  for (let number = 0; number < 150; number++) {
    all.push({ transferId: `other-${number}`, from: 2, to: 3, amount: 1n, createdAt, arrived: true });
  }
  expect((await asking).json.state).toBe('arrived');
});
