/** Ids as people have them: as a table abbreviates them, by a unique beginning, and references with other signs around them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Config } from '@oclif/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderColumns } from '../../src/cli/print/print-trading.ts';
import { cutText, renderTable } from '../../src/cli/terminal/table.ts';
import { projectRoot } from '../../src/core/environment.ts';
import { readExecutionRef } from '../../src/core/ids.ts';
import { startWebhookJobs } from '../../src/jobs/deliver.ts';
import type { TestMarket } from '../support/market.ts';
import type { RunCommand } from '../support/run-command.ts';
import { until } from '../support/until.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let market: TestMarket;
let inlay: RunCommand;
beforeAll(async () => {
  service = await openWorld();
  market = await service.openMarket('a-market-with-a-long-name-0001');
  await service.openMarket('a-market-with-a-long-name-0002');
  inlay = await service.commands({ INLAY_WEBHOOK_ALLOW_LOOPBACK: '1' });
});
afterAll(() => service.close());

const buy = async (user: string, ...flags: string[]) => {
  const what = [market.contractId, 'yes', '--stake', '5', '--user', user, '--yes', '--json'];
  return (await inlay('', 'buy', ...what, ...flags)).json;
};

test('what a table of 80 columns abbreviates is taken by the command that it is pasted into', async () => {
  const event = cutText(market.eventId, 12);
  expect(event).toContain('…');
  const shown = await inlay('events', 'show', event, '--json');
  expect([shown.exitCode, shown.json.data.id]).toEqual([0, market.eventId]);
  const contract = cutText(market.contractId, 12);
  const bought = await inlay('', 'buy', contract, 'yes', '--stake', '5', '--user', 'ana', '--yes', '--json');
  expect([bought.exitCode, bought.json.contractId]).toEqual([0, market.contractId]);

  const { orderId, executionRef } = bought.json;
  expect((await inlay('orders', 'show', cutText(orderId, 14), '--json')).json.orderId).toBe(orderId);
  const [position] = (await inlay('positions', 'list', '--user', 'ana', '--json')).json.positions;
  const id = cutText(position.positionId, 14);
  expect((await inlay('positions', 'show', id, '--json')).json.positionId).toBe(position.positionId);
  expect((await inlay('orders', 'lookup', cutText(orderId, 14), '--json')).json.order.executionRef).toBe(executionRef);
});

test('a unique beginning is enough; several are listed and refused, an unknown one is said to be unknown', async () => {
  const whole = await inlay('events', 'show', market.eventId.slice(0, -4), '--json');
  expect([whole.exitCode, whole.json.matches]).toEqual([2, expect.arrayContaining([market.eventId])]);
  expect(whole.json.error).toBe('ambiguous_reference');
  const { orderId } = await buy('ben');
  expect((await inlay('orders', 'show', orderId.slice(0, 20), '--json')).json.orderId).toBe(orderId);
  const unknown = await inlay('orders', 'show', 'ord_ffffffff', '--json');
  expect([unknown.exitCode, unknown.json.error]).toEqual([3, 'unknown_order']);
});

test('a reference is found with other signs around it, without its first letters, and by its beginning', async () => {
  const { executionRef } = await buy('lucia-7');
  const digits = executionRef.slice('inl_Best_'.length);
  for (const written of [
    digits,
    `Ref: ${executionRef}`,
    `inl Best ${digits.slice(0, 5)} ${digits.slice(5)}`,
    executionRef.toLowerCase(),
    executionRef.slice(0, 18),
  ]) {
    const found = await inlay('orders', 'lookup', written, '--operator', 'demo', '--json');
    expect([written, found.json.order?.executionRef]).toEqual([written, executionRef]);
  }
  const told = await inlay('orders', 'lookup', digits, '--operator', 'demo');
  expect(told.stdout.split('\n')[0]).toMatch(/^lucia-7 bought 8\.596491 YES of "/);
  expect((await inlay('orders', 'lookup', 'inl_Best_zzzzzz', '--operator', 'demo', '--json')).exitCode).toBe(3);
});

// contract 38.8, contract 40.5
test('a support reference is found as somebody wrote it down', async () => {
  const { orderId, executionRef } = await buy('writer');
  const written = encodeURIComponent(` ${executionRef.toLowerCase()}`);
  const found = await service.request('GET', `/api/v1/orders?executionRef=${written}`);
  expect(found.body.orders).toMatchObject([{ orderId }]);
  expect(readExecutionRef('INL_BEST_ol1il0abcdefgh')).toBe('inl_Best_011110ABCDEFGH');
  expect(readExecutionRef('ord_1')).toBe('ord_1');
});

test('every command that takes an order takes any of its references', async () => {
  const order = await buy('caller', '--client-order-id', 'bet-4711');
  const references = [[order.orderId], [order.executionRef.toLowerCase()], ['bet-4711', '--user', 'caller']];
  for (const reference of references) {
    const { json: shown } = await inlay('orders', 'show', ...reference, '--json');
    expect(shown, `show ${reference}`).toMatchObject({ orderId: order.orderId });
    for (const command of ['cancel', 'confirm-reserve']) {
      const { json } = await inlay('orders', command, ...reference, '--yes', '--json');
      // found, and refused because it is final
      expect(json.error, `${command} ${reference}`).toMatch(/^(order_not_cancellable|not_an_intent)$/);
    }
  }
  const unknown = await inlay('orders', 'show', 'bet-4711');
  expect(unknown.exitCode).toBe(3);
  expect(unknown.stderr).toContain('name the customer with --user');
});

test('at 80 columns a list of orders keeps reference, time, status and action', async () => {
  const { orders } = (await inlay('orders', 'list', '--json')).json;
  const { text, leftOut } = await renderTable(orders, orderColumns(new Map()), (_, cell) => cell, 80);
  expect(text.split('\n')[0]).toMatch(/^reference +time UTC +status +order +amount +user/);
  expect(text).toContain(orders[0].executionRef);
  expect(leftOut).not.toContain('debit');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('an origin is added and removed by itself, and what is replaced is said', async () => {
  const [first, second] = ['http://127.0.0.1:18350', 'http://localhost:18350'];
  const update = (...flags: string[]) => inlay('operators', 'update', 'demo', ...flags, '--json');
  expect((await update('--frame-origin', first)).json.frameOrigins).toEqual([first]);
  expect((await update('--add-frame-origin', second)).json.frameOrigins).toEqual([first, second]);
  expect((await update('--remove-frame-origin', first)).json.frameOrigins).toEqual([second]);
  const replaced = await update('--frame-origin', first);
  expect(replaced.json.frameOrigins).toEqual([first]);
  expect(replaced.stderr).toContain(`May no longer frame the embed: ${second}`);
});

interface Described {
  readonly description?: string;
  readonly summary?: string;
  readonly required?: boolean;
  readonly dependsOn?: readonly string[];
}
type Values = Record<string, unknown>;
interface CommandClass {
  new (
    argv: string[],
    config: Config,
  ): {
    init(): Promise<void>;
    run(): Promise<unknown>;
    finally(error: undefined): Promise<void>;
    args: Values;
    flags: Values;
  };
  readonly args?: Record<string, Described>;
  readonly flags?: Record<string, Described>;
  readonly ids: Readonly<Record<string, string>>;
}

describe('every argument and flag that is an id', async () => {
  const folder = join(projectRoot, 'src', 'commands');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const commands = await Promise.all(
    paths.sort().map(async (path) => {
      const { default: command } = (await import(join(folder, path))) as { default: CommandClass };
      return [path.slice(0, -'.ts'.length).replaceAll('/', ' '), command] as const;
    }),
  );
  const namesOf = ({ args, flags }: CommandClass) => Object.entries({ ...args, ...flags });
  const kindsOf = ({ ids }: CommandClass): Record<string, string> => ({
    ...{ operator: 'operator', parent: 'operator', slug: 'operator', user: 'customer' },
    ...ids,
  });

  /** What the words of the help call an id, and is none that a table abbreviates. */
  const TAKEN_AS_IT_IS: Readonly<Record<string, readonly string[]>> = {
    'your own id, which may be new': ['client-order-id'],
    'found by any of its references, as the tests above show': ['ref', 'order'],
    'printed whole': ['quote', 'id', 'operator-book-id', 'item', 'api-key'],
    'not ours': ['chain', 'key-id', 'seed', 'reserve-reference', 'reference', 'key-file'],
    'words of the catalogue': ['sport', 'league'],
    'a listing or a contract, completed by the command': ['one', 'other'],
  };

  test('is declared as one, or has a reason why it is taken as it is', () => {
    const taken = Object.values(TAKEN_AS_IT_IS).flat();
    const undeclared = commands.flatMap(([name, command]) =>
      namesOf(command)
        .filter(([, { description = '', summary = description }]) =>
          /\bids?\b|\bslug\b|Id\b|From "|\b[Cc]ontract to|listing\b/.test(summary),
        )
        .filter(([each]) => kindsOf(command)[each] === undefined && !taken.includes(each))
        .map(([each]) => `${name}: ${each}`),
    );
    expect(undeclared).toEqual([]);
  });

  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const customer = '0197f1c2-a0b3-7d3e-8a6b-1c5d9e2f4a60';
    const listingId = '71321045679252212594626385532706912750332728571942532289631379312455583992563';
    const other = await service.openMarket('another-market-at-another-venue', undefined, {
      venue: 'kalshi',
      listingId,
    });
    const added = ['--operator', 'demo', '--url', 'http://127.0.0.1:9/hooks', '--json'];
    const { endpointId } = (await inlay('webhooks', 'add', ...added)).json;
    const { orderId } = await buy(customer);
    const [position] = (await inlay('positions', 'list', '--user', customer, '--json')).json.positions;
    const jobs = await startWebhookJobs(service.openWorker());
    const [delivery] = await until(
      async () => (await inlay('webhooks', 'deliveries', '--json')).json.deliveries,
      (found) => found.length > 0,
    );
    await jobs.close();
    const armed = await inlay('sandbox/scenarios', 'arm', '--fill-fraction', '0.5', '--client-order-id', 'x', '--json');
    const match = await inlay('markets', 'match', other.contractId, market.contractId, '--yes', '--json');
    expect(match.exitCode, match.stdout).toBe(0);
    await inlay('approvals', 'required', '--set', 'market_reopening');
    const asked = await inlay('markets', 'reopen', market.contractId, '--yes', '--json');
    Object.assign(ids, {
      approval: asked.json.approvalId,
      contract: other.contractId,
      customer,
      delivery: delivery.deliveryId,
      endpoint: endpointId,
      event: other.eventId,
      group: match.json.groupKey,
      key: (await service.issueKey(service.operator)).keyId,
      listing: listingId,
      operator: service.operator.operatorId,
      order: orderId,
      position: position.positionId,
      scenario: armed.json.scenarioId,
    });
  });

  /** What the parser wants beside the id. */
  const SAMPLES: Readonly<Record<string, string>> = {
    cents: '100',
    seconds: '1',
    until: '2026-01-01',
    since: '2026-01-01',
    place: 'HR',
    listen: '4242',
    endpoint: 'http://127.0.0.1:9/',
    books: 'http://127.0.0.1:9/',
    side: 'yes',
  };

  test.each(
    commands.flatMap(([name, command]) =>
      namesOf(command)
        .filter(([each]) => kindsOf(command)[each] !== undefined)
        .map(([each]) => [name, each, command] as const),
    ),
  )('%s: %s', async (_, name, command) => {
    const kind = kindsOf(command)[name] ?? '';
    const whole = ids[kind] ?? '';
    const isFlag = command.flags?.[name] !== undefined;
    const beginnings =
      kind === 'customer' || kind === 'listing' ? [] : [whole.slice(0, Math.min(34, whole.length - 2))];
    const cuts = [cutText(whole, 14), `${whole.slice(0, 5)}...${whole.slice(-8)}`].filter((text) => text !== whole);
    for (const given of [...cuts, ...beginnings]) {
      const words = Object.entries(command.args ?? {})
        .filter(([each, { required }]) => required === true || each === name)
        .map(([each]) => (each === name ? given : (SAMPLES[each] ?? 'sample')));
      const flags = Object.entries(command.flags ?? {})
        .filter(([each, { required }]) => each !== name && required === true)
        .flatMap(([each]) => [`--${each}`, SAMPLES[each] ?? 'sample']);
      const ownFlag = isFlag ? [`--${name}`, given] : [];
      const needed = isFlag ? (command.flags?.[name]?.dependsOn ?? []) : [];
      const others = needed.flatMap((each) => [`--${each}`, SAMPLES[each] ?? 'sample']);
      const called = new command([...words, ...flags, ...ownFlag, ...others], await Config.load(projectRoot));
      called.run = () => Promise.resolve();
      await called.init();
      await called.run();
      await called.finally(undefined);
      const [value] = [(isFlag ? called.flags : called.args)[name]].flat();
      expect([given, value]).toEqual([given, whole]);
    }
  });

  test('deliveries are sent again by the id that their table prints, and by their order', async () => {
    const { delivery = '', endpoint = '', order = '' } = ids;
    const giveUp = () => service.sql`
      update webhook_deliveries set status = 'exhausted', finished_at = now() where status = 'pending'`;
    await giveUp();
    const listed = await inlay('webhooks', 'deliveries', '--endpoint', cutText(endpoint, 12), '--json');
    const all = listed.json.deliveries.map(({ deliveryId }: { deliveryId: string }) => deliveryId);
    expect(all).toContain(delivery);
    const one = await inlay('webhooks', 'replay', cutText(delivery, 12), '--json');
    expect(one.json).toEqual({ replayed: 1, deliveryIds: [delivery] });
    await giveUp();
    const ofOrder = await inlay('webhooks', 'replay', '--order', cutText(order, 14), '--operator', 'demo', '--json');
    expect(ofOrder.json.deliveryIds.toSorted()).toEqual(all.toSorted());
    const none = await inlay('webhooks', 'replay', '--order', cutText(order, 14), '--json');
    expect([none.exitCode, none.json.error]).toEqual([3, 'unknown_delivery']);
    for (const wrong of [['--order', order, '--since', '2026-01-01'], [delivery, '--operator', 'demo'], []]) {
      expect((await inlay('webhooks', 'replay', ...wrong)).exitCode).toBe(2);
    }
  });
});
