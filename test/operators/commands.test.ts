/** The commands for operators, keys and customers against a real database: flags, JSON, exit codes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVICE_ROLE } from '../../src/db/embedded/cluster.ts';
import type { TestDatabase } from '../support/database.ts';
import type { TestMarket } from '../support/market.ts';
import type { RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
let database: TestDatabase;
let inlay: RunCommand;

beforeAll(async () => {
  world = await openWorld();
  ({ database } = world);
  inlay = await world.commands();
});
afterAll(() => world.close());

describe('operators', () => {
  // contract 39.4
  test('create prints four fields, and refuses a taken slug, a bad fee and a bad origin', async () => {
    const created = await inlay('operators', 'create', 'lucky', '--mode', 'sandbox', '--fee-bps', '200', '--json');
    expect(created.stderr + created.stdout).toContain('lucky');
    expect(created.exitCode).toBe(0);
    expect(created.json).toEqual({
      operatorId: expect.stringMatching(/^op_[0-9a-hjkmnp-tv-z]{12}$/),
      slug: 'lucky',
      mode: 'sandbox',
      status: 'active',
    });
    const taken = await inlay('operators', 'create', 'lucky', '--mode', 'live', '--json');
    expect([taken.exitCode, taken.json.error]).toEqual([1, 'operator_exists']);
    const fee = await inlay('operators', 'create', 'greedy', '--mode', 'live', '--fee-bps', '5001', '--json');
    expect([fee.exitCode, fee.json.error]).toEqual([2, 'invalid_request']);
    for (const origin of ['https://a.example/path', 'https://*.example', 'ftp://a.example', 'a.example']) {
      const bad = await inlay('operators', 'create', 'framed', '--mode', 'live', '--frame-origin', origin, '--json');
      expect([origin, bad.exitCode, bad.json.error]).toEqual([origin, 2, 'invalid_request']);
    }
    const slug = await inlay('operators', 'create', 'Not A Slug', '--mode', 'live', '--json');
    expect([slug.exitCode, slug.json.error]).toEqual([2, 'invalid_request']);
    const usage = await inlay('operators', 'create', 'nomode', '--json');
    expect(usage.exitCode).toBe(2);
  });

  // contract 29.4, contract 35.3, contract 39.5
  test('every flag of create and update is kept and shown', async () => {
    await inlay('operators', 'create', 'holder', '--mode', 'live');
    const created = await inlay(
      ...(['operators', 'create', 'full', '--mode', 'live', '--name', 'Full House', '--parent', 'holder'] as const),
      ...['--fee-bps', '150', '--frame-origin', 'https://full.example', '--frame-origin', 'http://localhost:3000'],
      ...['--jurisdiction-mode', 'enforced', '--permitted-country', 'hr', '--permitted-country', 'DE'],
      ...['--execution-confirmed', '--arming', 'manual', '--jurisdiction-allow-exits', '--json'],
    );
    expect(created.exitCode).toBe(0);
    expect(created.stderr).not.toContain('ISO 3166-1');
    const unassigned = await inlay('operators', 'update', 'full', '--permitted-country', 'hr,DE,uk', '--json');
    expect([unassigned.exitCode, unassigned.json.permittedCountries]).toEqual([0, ['DE', 'HR', 'UK']]);
    expect(unassigned.stderr).toContain('UK is not assigned by ISO 3166-1');
    expect(unassigned.stderr).toContain('The United Kingdom is GB.');
    expect((await inlay('operators', 'update', 'full', '--permitted-country', 'hr,DE')).exitCode).toBe(0);
    const updated = await inlay(
      ...(['operators', 'update', 'full', '--max-order', '500000', '--player-exposure', '100000'] as const),
      ...['--player-orders', '20', '--total-exposure', '9000000', '--total-orders', '900', '--max-wager', '25000'],
      ...[
        '--period-stake',
        '100000',
        '--period-hours',
        '24',
        '--rate-ceiling',
        '9000',
        '--no-offer-category',
        'politics',
      ],
      '--json',
    );
    expect(updated.exitCode).toBe(0);
    const shown = await inlay('operators', 'show', 'full', '--json');
    const { collateral, ...settings } = shown.json;
    expect(settings).toEqual(updated.json);
    expect(collateral).toMatchObject({ available: '0.00', committed: '0.00' });
    expect(shown.json).toMatchObject({
      slug: 'full',
      name: 'Full House',
      mode: 'live',
      status: 'active',
      platformFeeBps: 150,
      frameOrigins: ['https://full.example', 'http://localhost:3000'],
      jurisdictionMode: 'enforced',
      permittedCountries: ['DE', 'HR'],
      jurisdictionAllowExits: true,
      executionConfirmed: true,
      arming: 'manual',
      maxOrderMinor: 500000,
      playerExposureMinor: 100000,
      playerOrders: 20,
      totalExposureMinor: 9000000,
      totalOrders: 900,
      maxWagerMinor: 25000,
      periodStakeMinor: 100000,
      periodHours: 24,
      rateCeiling: 9000,
    });
    expect(shown.json.offerCategories).toHaveLength(9);
    const cleared = await inlay(
      ...(['operators', 'update', 'full', '--max-order', 'none', '--no-execution-confirmed', '--json'] as const),
      ...['--offer-category', 'sports', '--offer-category', 'crypto'],
    );
    expect(cleared.json).toMatchObject({
      maxOrderMinor: null,
      executionConfirmed: false,
      offerCategories: ['sports', 'crypto'],
      maxWagerMinor: 25000,
    });
    expect((await inlay('operators', 'update', 'full', '--offer-category', 'dancing', '--json')).json.error).toBe(
      'invalid_category',
    );
    expect((await inlay('operators', 'update', 'full', '--period-stake', '5', '--json')).exitCode).toBe(2);
  });

  // contract 39.6
  test('suspend, resume, pause-trading, resume-trading; an unknown operator is exit 3', async () => {
    await inlay('operators', 'create', 'switch', '--mode', 'sandbox');
    expect((await inlay('operators', 'suspend', 'switch', '--yes', '--json')).json).toMatchObject({
      status: 'suspended',
    });
    expect((await inlay('operators', 'resume', 'switch', '--json')).json).toMatchObject({ status: 'active' });
    expect((await inlay('operators', 'pause-trading', 'switch', '--yes', '--json')).json).toMatchObject({
      tradingPaused: true,
    });
    expect((await inlay('operators', 'resume-trading', 'switch', '--json')).json).toMatchObject({
      tradingPaused: false,
    });
    const missing = await inlay('operators', 'show', 'nobody', '--json');
    expect([missing.exitCode, missing.json.error]).toEqual([3, 'unknown_operator']);
  });

  // contract 39.6
  test('list prints JSON, CSV and a table', async () => {
    const listed = await inlay('operators', 'list', '--json');
    expect(listed.json.count).toBe(listed.json.operators.length);
    const csv = await inlay('operators', 'list', '--output', 'csv');
    expect(csv.stdout.split('\n')[0]).toBe('slug,operatorId,name,mode,status,tradingPaused,platformFeeBps,createdAt');
    expect((await inlay('operators', 'list')).stdout).toContain('lucky');
  });
});

describe('keys', () => {
  // contract 39.7
  test('issue, list, rotate, revoke', async () => {
    await inlay('operators', 'create', 'keyed', '--mode', 'live');
    const issued = await inlay('keys', 'issue', '--operator', 'keyed', '--label', 'site', '--json');
    expect(issued.exitCode).toBe(0);
    expect(Object.keys(issued.json)).toEqual(['keyId', 'prefix', 'apiKey', 'scopes']);
    expect(issued.json.apiKey).toMatch(/^sk_live_/);
    expect(issued.json.scopes).toHaveLength(8);
    const narrow = await inlay(
      ...(['keys', 'issue', '--operator', 'keyed', '--scope', 'markets:read'] as const),
      ...['--scope', 'orders:read', '--rate-limit', '60', '--json'],
    );
    expect(narrow.json.scopes).toEqual(['markets:read', 'orders:read']);
    for (const wrong of [
      ['--scope', 'everything'],
      ['--rate-limit', '6001'],
      ['--rate-limit', '0'],
    ]) {
      expect((await inlay('keys', 'issue', '--operator', 'keyed', ...wrong, '--json')).json.error).toBe(
        'invalid_request',
      );
    }
    const rotated = await inlay('keys', 'rotate', issued.json.keyId, '--grace', '1h', '--yes', '--json');
    expect(rotated.json).toMatchObject({ previousKeyId: issued.json.keyId, scopes: issued.json.scopes });
    expect(Date.parse(rotated.json.previousRevokedAt) - Date.now()).toBeGreaterThan(3_500_000);
    expect((await inlay('keys', 'revoke', rotated.json.keyId)).exitCode).toBe(2);
    const revoked = await inlay('keys', 'revoke', rotated.json.keyId, '--yes', '--json');
    expect(revoked.json.revokedAt).not.toBeNull();
    expect((await inlay('keys', 'revoke', 'key_none', '--yes', '--json')).exitCode).toBe(3);
    const listed = await inlay('keys', 'list', '--operator', 'keyed', '--json');
    expect(listed.json.keys).toHaveLength(3);
    expect(listed.stdout).not.toContain(issued.json.apiKey);
  });
});

describe('customers', () => {
  let market: TestMarket;
  beforeAll(async () => {
    market = await world.openMarket('cli');
  });
  const buy = (user: string) =>
    inlay('', 'buy', market.contractId, 'yes', '--stake', '5', '--user', user, '--yes', '--json');

  // contract 39.8
  test('list, suspend, resume; an unknown customer is exit 3', async () => {
    const { json } = await inlay('operators', 'create', 'crowd', '--mode', 'live', '--json');
    await database.sql`select ensure_customer(${json.operatorId}, 'player-1')`;
    await database.sql`select ensure_customer(${json.operatorId}, 'player-2')`;
    const who = ['--operator', 'crowd', '--user', 'player-1'] as const;
    expect((await inlay('customers', 'suspend', ...who, '--yes', '--json')).json).toMatchObject({
      status: 'suspended',
    });
    const listed = await inlay('customers', 'list', '--operator', 'crowd', '--json');
    expect(listed.json).toMatchObject({
      customers: [
        { externalUserId: 'player-1', status: 'suspended' },
        { externalUserId: 'player-2', status: 'active' },
      ],
      count: 2,
    });
    expect((await inlay('customers', 'resume', ...who, '--json')).json).toMatchObject({ status: 'active' });
    const sandbox = await inlay('operators', 'create', 'crowd-test', '--mode', 'sandbox', '--json');
    await inlay('customers', 'suspend', '--operator', 'crowd-test', '--user', 'never-traded', '--yes', '--json');
    const report = await inlay('reconciliation', 'run', '--operator', 'crowd-test', '--json');
    expect([report.exitCode, report.json.findings], 'the suspended customer has test money').toEqual([0, []]);
    const [wallet] = await database.sql<{ money: bigint }[]>`
      select -balance as money from account_balances where operator_id = ${sandbox.json.operatorId} and account_id = 'wallet:never-traded'`;
    expect(wallet?.money).toBe(1_000_000n);
    const missing = await inlay('customers', 'resume', '--operator', 'crowd', '--user', 'nobody', '--json');
    expect([missing.exitCode, missing.json.error]).toEqual([3, 'unknown_user']);
  });

  test('show has all that support asks for on one page of 80 columns, and in one document', async () => {
    const { json: order } = await buy('whole');
    await inlay('limits', 'set', 'whole', '--max-wager', '50000', '--note', 'asked by the player', '--json');
    const minted = await inlay('embed-sessions', 'mint', '--user', 'whole', '--country', 'HR', '--json');
    const reason = 'asked to be excluded until January';
    const why = ['--reason', reason, '--yes'];
    await inlay('customers', 'suspend', '--operator', 'demo', '--user', 'whole', ...why);
    const { json } = await inlay('customers', 'show', 'whole', '--json');
    expect(json).toMatchObject({
      customer: {
        externalUserId: 'whole',
        operator: 'demo',
        status: 'suspended',
        suspension: { reason, setBy: SERVICE_ROLE },
      },
      wallet: { available: '9995.00', held: '0.00' },
      limits: { effective: { maxWagerMinor: 50_000 } },
      place: { jurisdiction: { country: 'HR' }, policy: 'off', mayBuy: true },
      positions: [{ status: 'open', market: 'Will cli happen?' }],
      orders: [{ executionRef: order.executionRef, market: 'Will cli happen?' }],
      embedSessions: [{ sessionId: minted.json.sessionId }],
    });
    const { stdout } = await inlay('customers', 'show', '--user', 'whole');
    for (const part of [
      reason,
      `by ${SERVICE_ROLE}`,
      order.executionRef,
      'Will cli happen?',
      '500.00 USD',
      minted.json.sessionId,
    ]) {
      expect(stdout).toContain(part);
    }
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80 + reason.length);
    await inlay('customers', 'resume', '--operator', 'demo', '--user', 'whole');
    const resumed = (await inlay('customers', 'show', 'whole', '--json')).json;
    expect(resumed.customer).toMatchObject({ status: 'active', suspension: null });
    expect(resumed.changes.slice(0, 2)).toMatchObject([
      { subject: 'suspension', action: 'resumed', setBy: SERVICE_ROLE, note: null },
      { subject: 'suspension', action: 'suspended', setBy: SERVICE_ROLE, note: reason },
    ]);
  });

  test('show finds the customer without the operator, unless several have that id', async () => {
    await inlay('customers', 'suspend', '--operator', 'demo', '--user', 'shared', '--yes');
    expect((await inlay('customers', 'show', 'shared', '--json')).json.customer.operator).toBe('demo');
    await inlay('operators', 'create', 'twin', '--mode', 'sandbox', '--json');
    await inlay('customers', 'suspend', '--operator', 'twin', '--user', 'shared', '--yes');
    const several = await inlay('customers', 'show', 'shared', '--json');
    expect([several.exitCode, several.json.operators]).toEqual([2, ['demo', 'twin']]);
    const named = await inlay('customers', 'show', 'shared', '--operator', 'twin', '--json');
    expect(named.json.customer).toMatchObject({ operator: 'twin', suspension: { reason: null } });
    const none = await inlay('customers', 'show', 'nobody', '--json');
    expect([none.exitCode, none.json.error]).toEqual([3, 'unknown_user']);
  });

  test('a customer who never traded is suspended, and a wrong id is wrong usage', async () => {
    const who = ['--operator', 'demo', '--user', 'newcomer'];
    const suspended = await inlay('customers', 'suspend', ...who, '--yes', '--json');
    expect(suspended.json).toMatchObject({ externalUserId: 'newcomer', status: 'suspended' });
    expect(suspended.stderr).toContain('newcomer has not traded yet');
    expect((await buy('newcomer')).json.error).toBe('user_suspended');
    const wrong = await inlay('customers', 'suspend', '--operator', 'demo', '--user', ' x', '--yes', '--json');
    expect([wrong.exitCode, wrong.json.error]).toEqual([2, 'invalid_usage']);
  });
});
