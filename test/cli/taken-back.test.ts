/**
 * What pays, closes, suspends, withdraws, approves or replaces a secret needs --yes where nobody can be asked, and its question names
 * what is changed, the people and the sum. Every command is in one of the two lists below.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cutText } from '../../src/cli/terminal/table.ts';
import { projectRoot } from '../../src/core/environment.ts';
import { stopTradingBecause } from '../../src/trading/account/venue-findings.ts';
import type { TestMarket } from '../support/market.ts';
import type { RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

/** Commands that do not ask, each with the reason. */
const ASKS_NOTHING: Readonly<Record<string, string>> = {
  ...because(
    'reads, or writes files of the person who calls it',
    ...['doctor', 'top', 'whoami', 'open', 'categories', 'quote', 'events list', 'events show'],
    ...['prices watch', 'positions list', 'positions show', 'settlements list', 'orders list', 'orders show'],
    ...['orders lookup', 'orders stuck', 'limits get', 'jurisdiction get', 'operators list'],
    ...['operators show', 'keys list', 'customers list', 'customers show', 'webhooks list'],
    ...['webhooks deliveries', 'webhooks verify', 'webhooks listen', 'jobs list', 'markets groups', 'venues list'],
    ...[
      'venues account',
      'venues compare',
      'venues revenue',
      'venues transfers',
      'venues redemptions list',
      'books list',
      'audit log',
    ],
    ...['periods list', 'periods statement', 'approvals list', 'profiles list', 'paper list', 'feed tail'],
    ...['feed checkpoint', 'feed verify', 'ledger verify', 'ledger balances', 'ledger checkpoint', 'ledger prove'],
    ...['reconciliation show', 'reconciliation export', 'reconciliation compare', 'reconciliation revenue'],
    ...['reconciliation month', 'reconciliation run'],
    ...['sandbox balance', 'sandbox ledger', 'sandbox scenarios list'],
  ),
  ...because('runs a process, or brings the schema up to date', 'up', 'serve', 'worker', 'emulate', 'migrate'),
  ...because(
    'undone by its counterpart, or by giving the former value; whole numbers of cents are repeated in dollars',
    ...['operators resume', 'operators resume-trading', 'customers resume', 'markets resume', 'webhooks enable'],
    ...['webhooks update', 'rates set', 'limits set', 'jurisdiction set', 'profiles use', 'login'],
    ...['approvals required', 'operators collateral deposit', 'venues transfer', 'sandbox scenarios disarm'],
    ...['paper book', 'paper age', 'paper thaw', 'paper next', 'paper fee'],
  ),
  ...because(
    'adds something that can be removed or is not used until then',
    ...['operators create', 'keys issue', 'webhooks add', 'books create', 'embed-sessions mint'],
    ...['sandbox scenarios arm', 'sandbox fund', 'venues redemptions record'],
  ),
  ...because(
    'repeats what was done',
    'jobs retry',
    'webhooks replay',
    'webhooks resend',
    'webhooks test',
    'markets sync',
  ),
  ...because('the second step of what was shown before', 'order', 'orders confirm-reserve'),
  ...because('nothing happens, and the request can be made again', 'approvals refuse'),
  ...because('sends what its caller wrote, as any program with the key could', 'api'),
  ...because('trades test money of a sandbox', 'conformance', 'conformance operator', 'sandbox run'),
};

function because(reason: string, ...commands: string[]): Record<string, string> {
  return Object.fromEntries(commands.map((command) => [command, reason]));
}

interface Asking {
  readonly argv: () => readonly string[];
  /** What the question names. */
  readonly names: string | RegExp | (() => string);
}

/** Commands that ask, with a call that would do something. */
const ASKS: Readonly<Record<string, Asking>> = {
  'markets resolve': {
    argv: () => [market.contractId, 'yes'],
    names:
      'Resolve "Will taken-back happen?" as yes? Pays 17.19 to 1 customer of 1 operator, and nothing to 1 customer.',
  },
  'markets reopen': {
    argv: () => [decided.contractId],
    names:
      'Withdraw the resolution of "Will decided happen?"? What was paid stays paid: 17.19 to 1 customer of 1 operator.',
  },
  'markets pause': {
    argv: () => [market.contractId],
    names: 'Withdraws what waits to be sent: 1 order of 1 customer of 1 operator, 10.00.',
  },
  'markets match': { argv: () => ['taken-back-listing', 'elsewhere'], names: 'the same contract' },
  'markets verify': { argv: () => ['rte_none'], names: 'rte_none' },
  'markets unmatch': { argv: () => ['mat_none'], names: 'mat_none' },
  'paper resolve': {
    argv: () => [market.contractId, 'split:0.4'],
    names: 'Let the venue resolve "Will taken-back happen?" as split:0.4? Pays 19.93 to 2 customers of 1 operator.',
  },
  'paper reopen': { argv: () => [decided.contractId], names: '"Will decided happen?"' },
  'sandbox resolve': {
    argv: () => [ids.position, 'win'],
    names: 'Settle 17.192982 YES of "Will taken-back happen?" as WIN? Pays 17.19 to ana.',
  },
  'orders resolve': {
    argv: () => [ids.order, '--rejected', '--evidence', 'ticket 4711'],
    names: /the buy of YES of "Will taken-back happen\?" for 10.00 by livia at \S+ \(inl_Best_\w+\): rejected\?/,
  },
  'orders arm': {
    argv: () => [ids.order],
    names: /Arm the buy of YES of "Will taken-back happen\?" for 10.00 by livia/,
  },
  'orders cancel': {
    argv: () => [ids.order, '--api-key', ids.liveKey],
    names: /Cancel the buy of YES of "Will taken-back happen\?" for 10.00 by livia \(inl_Best_\w+\)\?/,
  },
  buy: { argv: () => [market.contractId, 'yes', '--stake', '10', '--user', 'ana'], names: 'asks before it buys' },
  sell: { argv: () => [ids.position, '--contracts', 'all'], names: 'asks before it sells' },
  'periods close': {
    argv: () => ['--operator', 'demo', '--until', '2026-01-01'],
    names: 'Close the books of demo from the beginning until 2026-01-01T00:00:00.000Z?',
  },
  'operators collateral withdraw': {
    argv: () => [ids.live, '12345'],
    names: () => `Withdraw 123.45 USD of ${ids.live}? 990.00 are available.`,
  },
  'operators update': {
    argv: () => [ids.live, '--collateral', '60000'],
    names: () => `Withdraw 400.00 USD of ${ids.live}? 600.00 stay.`,
  },
  'operators suspend': {
    argv: () => ['demo'],
    names:
      'Suspend demo? Its keys are refused until it is resumed. What is held stays and settles: 2 open positions of 2 customers, 20.00.',
  },
  'operators pause-trading': {
    argv: () => [ids.live],
    names: 'Withdraws what waits to be sent: 1 order of 1 customer of 1 operator, 10.00.',
  },
  'customers suspend': {
    argv: () => ['--operator', 'demo', '--user', 'ana'],
    names: 'Suspend ana of demo? What is held stays and settles: 1 open position, 10.00.',
  },
  'keys revoke': { argv: () => [ids.key], names: /Revoke the key \w+\.\.\. "finance" of demo\?/ },
  'keys rotate': { argv: () => [ids.key, '--grace', '0'], names: /Replace the key \w+\.\.\. "finance" of demo\?/ },
  'ledger rotate-key': { argv: () => ['--operator', 'demo'], names: 'Change the key of the log of demo?' },
  'webhooks rotate': {
    argv: () => [ids.endpoint],
    names: 'Replace the secret of http://127.0.0.1:4242/hooks of demo now?',
  },
  'webhooks disable': { argv: () => [ids.endpoint], names: 'Stop sending to http://127.0.0.1:4242/hooks of demo?' },
  'webhooks remove': { argv: () => [ids.endpoint], names: 'Remove http://127.0.0.1:4242/hooks of demo' },
  'approvals approve': {
    argv: () => [ids.approval],
    names:
      /asks to resolve "Will taken-back happen\?" as no .*Pays 21.77 to 1 customer of 1 operator, and nothing to 1 customer\. Approve it\?/,
  },
  'embed-sessions revoke': { argv: () => [ids.session], names: () => `End ${ids.session}?` },
  'embed-sessions revoke-all': { argv: () => ['--operator', 'demo'], names: 'End all embed sessions of demo?' },
  'limits clear': { argv: () => ['ana'], names: 'Withdraw the limits set on ana?' },
  logout: { argv: () => ['staging'], names: 'Remove the key of profile "staging"?' },
  'venues stop': {
    argv: () => ['paper', '--reason', 'a test'],
    names: 'Stop trading at paper for all operators? Withdraws what waits to be sent: 1 order',
  },
  'venues resume': { argv: () => ['paper-2'], names: 'Trading at paper-2 stopped because of a test.' },
};

let service: World;
let run: RunCommand;
let market: TestMarket;
let decided: TestMarket;
const ids = { approval: '', endpoint: '', key: '', live: '', liveKey: '', order: '', position: '', session: '' };

beforeAll(async () => {
  service = await openWorld();
  market = await service.openMarket('taken-back');
  decided = await service.openMarket('decided');
  await service.openMarket('elsewhere', undefined, { venue: 'paper-2', listingId: 'elsewhere' });
  run = await service.commands({ INLAY_VENUES: 'paper,paper-2', INLAY_WEBHOOK_ALLOW_LOOPBACK: '1' });
  await service.buy(market, 'ana');
  await service.buy(market, 'ben', 'NO');
  await service.buy(decided, 'ana');
  await service.resolve(decided, 'YES');
  const live = await service.tenant({ arming: 'manual' });
  const placed = await live.place('livia', { reserveReference: 'hold-1' }, { marketId: market.contractId });
  const json = async (topic: string, command: string, ...argv: string[]) => {
    const ran = await run(topic, command, ...argv, '--json');
    expect(ran.exitCode, ran.stdout).toBe(0);
    return ran.json;
  };
  const added = ['--operator', 'demo', '--url', 'http://127.0.0.1:4242/hooks'];
  await json('approvals', 'required', '--set', 'market_resolution');
  const asked = await run('markets', 'resolve', market.contractId, 'no', '--yes', '--json');
  await stopTradingBecause(service.sql, 'paper-2', 'a test');
  await json('', 'login', '--profile', 'staging', '--api-url', service.url, '--api-key', service.key, '--no-check');
  await json('limits', 'set', 'ana', '--max-wager', '5000');
  Object.assign(ids, {
    position: (await service.positionOf('ana', market)).positionId,
    order: placed.body.orderId,
    live: live.operator.slug,
    liveKey: live.key,
    key: (await json('keys', 'issue', '--operator', 'demo', '--label', 'finance')).keyId,
    endpoint: (await json('webhooks', 'add', ...added)).endpointId,
    session: (await json('embed-sessions', 'mint', '--user', 'ana')).sessionId,
    approval: asked.json.approvalId,
  });
});
afterAll(() => service.close());

const folder = join(projectRoot, 'src', 'commands');
const commands = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => path.slice(0, -'.ts'.length).replaceAll('/', ' '))
  .sort();

/** Runs it by its words, as they are typed. */
function inlay(command: string, ...argv: string[]) {
  const words = command.split(' ');
  return run(words.slice(0, -1).join('/'), words.at(-1) ?? '', ...argv);
}

test('every command asks, or has a reason why it does not', () => {
  const listed = [...Object.keys(ASKS), ...Object.keys(ASKS_NOTHING)];
  expect(listed.toSorted()).toEqual(commands);
});

/** Every row that a command of the list could change, as text. */
async function state(): Promise<Record<string, string>> {
  const tables = [
    ...['operators', 'api_keys', 'customers', 'limit_changes', 'suspension_changes', 'approvals', 'contracts'],
    ...['contract_resolutions', 'routing_groups', 'journal', 'operator_ledgers', 'wallets', 'collateral_references'],
    ...['accounting_periods', 'feed_log_keys', 'quotes', 'orders', 'positions', 'venue_stops'],
    ...['webhook_endpoints', 'webhook_deliveries', 'embed_sessions', 'sandbox_resolutions'],
  ];
  const { sql } = service;
  const found = tables.map(async (table) => {
    const rows = await sql<{ row: string }[]>`select t::text as row from ${sql(table)} t order by 1`;
    return [table, rows.map(({ row }) => row).join('\n')] as const;
  });
  const { stdout } = await run('profiles', 'list', '--output', 'csv');
  return { ...Object.fromEntries(await Promise.all(found)), profiles: stdout };
}

describe.each(Object.entries(ASKS))('%s', (command, { argv, names }) => {
  test('is refused in a script without --yes, says what it would do, and does nothing', async () => {
    const before = await state();
    const { exitCode, stderr } = await inlay(command, ...argv());
    const said = typeof names === 'function' ? names() : names;
    expect([exitCode, stderr]).toEqual([
      2,
      typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said),
    ]);
    expect(stderr).toContain('There is no terminal to answer on.\nAdd --yes to continue without the question.');
    expect(await state()).toEqual(before);
  });
});

test('an abbreviated id is taken with --yes, and the whole one is named', async () => {
  const { endpoint } = ids;
  for (const given of [cutText(endpoint, 16), endpoint.slice(0, -4)]) {
    const refused = await inlay('webhooks rotate', given);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('There is no terminal')]);
    const { exitCode, stderr } = await inlay('webhooks rotate', given, '--yes');
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`This is about ${endpoint}.`)]);
  }
});
