/** Ids as people have them: as a table abbreviates them, by a unique beginning, and references with other signs around them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderColumns } from '../../src/cli/print/print-trading.ts';
import { cutText, renderTable } from '../../src/cli/terminal/table.ts';
import type { TestMarket } from '../support/market.ts';
import type { RunCommand } from '../support/run-command.ts';
import { openWorld, type World } from '../support/world.ts';

let service: World;
let market: TestMarket;
let inlay: RunCommand;
beforeAll(async () => {
  service = await openWorld();
  market = await service.openMarket('a-market-with-a-long-name-0001');
  await service.openMarket('a-market-with-a-long-name-0002');
  inlay = await service.commands();
});
afterAll(() => service.close());

const buy = async (user: string) => {
  const { json } = await inlay('', 'buy', market.contractId, 'yes', '--stake', '5', '--user', user, '--yes', '--json');
  return json;
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
  const settled = await inlay('sandbox', 'resolve', id, 'won', '--yes', '--json');
  expect([settled.exitCode, settled.json.positionId, settled.json.resolution]).toEqual([0, position.positionId, 'WIN']);
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

test('keys of the service operator are taken as a list shows them', async () => {
  const { keyId } = await service.issueKey(service.operator);
  const revoked = await inlay('keys', 'revoke', cutText(keyId, 16), '--yes', '--json');
  expect([revoked.exitCode, revoked.json.keyId]).toEqual([0, keyId]);
});

test('people, support: a reference is found with other signs around it, without its first letters, and by its beginning', async () => {
  const { executionRef } = await buy('lucia-7');
  const digits = executionRef.slice('inl_Best_'.length);
  for (const written of [
    digits,
    `Ref: ${executionRef}`,
    `inl Best ${digits.slice(0, 5)} ${digits.slice(5)}`,
    executionRef.toLowerCase(),
    executionRef.slice(0, 18),
  ]) {
    const found = await inlay('orders', 'lookup', written, '--json');
    expect([written, found.json.order?.executionRef]).toEqual([written, executionRef]);
  }
  const told = await inlay('orders', 'lookup', digits);
  expect(told.stdout.split('\n')[0]).toMatch(/^lucia-7 bought 8\.596491 YES of "/);
  expect((await inlay('orders', 'lookup', 'inl_Best_zzzzzz', '--json')).exitCode).toBe(3);
});

test('at 80 columns a list of orders keeps reference, time, status and action', async () => {
  const { orders } = (await inlay('orders', 'list', '--json')).json;
  const { text, leftOut } = await renderTable(orders, orderColumns(new Map()), (_, cell) => cell, 80);
  expect(text.split('\n')[0]).toMatch(/^reference +time +status +action +side/);
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
