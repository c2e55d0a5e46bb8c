/** How places are shared when there are more requests than places. */
import { expect, test } from 'vitest';
import { createFairGate, GateFull } from '../../src/server/http/overload/fair-gate.ts';
import { importanceOf } from '../../src/server/http/overload/load-shed.ts';

const LIMITS = { slots: 4, tenantSlots: 2, waiting: 6, tenantWaiting: 4, waitMs: 200, expectedMs: 60_000 };

test('a tenant has its share of the places and no more; the rest of its requests wait', async () => {
  const gate = createFairGate(LIMITS);
  const first = await gate.enter('large');
  await gate.enter('large');
  let third = false;
  const waits = gate.enter('large').then(() => {
    third = true;
  });
  await gate.enter('small');
  expect([gate.inside, gate.waiting, third]).toEqual([3, 1, false]);
  first();
  first();
  await waits;
  expect([gate.inside, gate.waiting, third]).toEqual([3, 0, true]);
});

test('tenants that wait take turns, however many requests one of them has waiting', async () => {
  const gate = createFairGate({ ...LIMITS, slots: 1, tenantSlots: 1 });
  const order: string[] = [];
  let leave = await gate.enter('a');
  const enter = (tenant: string) =>
    gate.enter(tenant).then((left) => {
      order.push(tenant);
      leave = left;
    });
  const all = [...['a', 'a', 'a', 'b', 'c'].map(enter)];
  for (let turn = 0; turn < 5; turn += 1) {
    leave();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(all);
  expect(order.slice(0, 3).sort()).toEqual(['a', 'b', 'c']);
  expect(order.slice(3)).toEqual(['a', 'a']);
});

test('a request that waited too long is refused, and leaves its place in the queue', async () => {
  const gate = createFairGate({ ...LIMITS, slots: 1, tenantSlots: 1, waitMs: 30 });
  const leave = await gate.enter('a');
  await expect(gate.enter('b')).rejects.toBeInstanceOf(GateFull);
  expect(gate.waiting).toBe(0);
  leave();
  const again = await gate.enter('b');
  again();
  expect(gate.inside).toBe(0);
});

test('a request that need not wait enters without a promise, and never before those that wait', async () => {
  const gate = createFairGate({ ...LIMITS, slots: 2, tenantSlots: 1 });
  const leave = gate.tryEnter('a');
  expect([typeof leave, gate.tryEnter('a')]).toEqual(['function', undefined]);
  const waits = gate.enter('a');
  gate.tryEnter('b');
  expect([gate.inside, gate.waiting, gate.tryEnter('c')]).toEqual([2, 1, undefined]);
  leave?.();
  expect([gate.inside, gate.waiting, gate.tryEnter('a')]).toEqual([2, 0, undefined]);
  (await waits)();
  expect(typeof gate.tryEnter('a')).toBe('function');
});

test('a full queue refuses at once, with the time that those before it need', async () => {
  let clock = 0;
  const gate = createFairGate(
    { slots: 1, tenantSlots: 1, waiting: 3, tenantWaiting: 2, waitMs: 60_000, expectedMs: 600_000 },
    () => clock,
  );
  // every request takes 20 s
  for (let turn = 0; turn < 200; turn += 1) {
    const leave = await gate.enter('a');
    clock += 20_000;
    leave();
  }
  const held = await gate.enter('a');
  const kept = [gate.enter('a'), gate.enter('a')];
  const refused = await gate.enter('a').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(GateFull);
  expect((refused as GateFull).retryAfterSeconds).toBe(30);
  const empty = createFairGate({ ...LIMITS, slots: 1, waiting: 0 });
  await empty.enter('a');
  await expect(empty.enter('b')).rejects.toMatchObject({ retryAfterSeconds: 1 });
  held();
  for (const waiting of kept) {
    (await waiting)();
  }
});

test('a request that would wait longer than half a second is refused at once; a tenant with none waiting is not behind all', async () => {
  let clock = 0;
  const limits = { slots: 4, tenantSlots: 4, waiting: 1_000, tenantWaiting: 1_000, waitMs: 60_000, expectedMs: 500 };
  const gate = createFairGate(limits, () => clock);
  // every request takes 200 ms
  for (let turn = 0; turn < 200; turn += 1) {
    const leave = await gate.enter('large');
    clock += 200;
    leave();
  }
  const inside = await Promise.all(['large', 'large', 'large', 'large'].map((tenant) => gate.enter(tenant)));
  const kept: Promise<() => void>[] = [];
  let refused: unknown;
  while (refused === undefined && kept.length < 50) {
    const entry = gate.enter('large');
    const verdict = await Promise.race([entry.catch((error: unknown) => error), Promise.resolve('waits')]);
    if (verdict === 'waits' && gate.waiting > kept.length) {
      kept.push(entry);
    } else {
      refused = await entry.catch((error: unknown) => error);
    }
  }
  // ten turns of 50 ms each
  expect(kept).toHaveLength(10);
  expect(refused).toMatchObject({ name: 'GateFull', retryAfterSeconds: 1 });
  const small = gate.enter('small');
  expect(gate.waiting).toBe(11);
  for (const leave of inside) {
    leave();
  }
  for (const entry of [...kept, small]) {
    void entry.then((leave) => leave());
  }
  await Promise.all([...kept, small]);
});

test('money comes before reads, and reads before reports', () => {
  expect(importanceOf('POST', '/api/v1/orders')).toBe('money');
  expect(importanceOf('PUT', '/api/v1/users/:id/limits')).toBe('money');
  expect(importanceOf('GET', '/api/v1/orders/:id')).toBe('reads');
  expect(importanceOf('GET', '/api/v1/reconciliation/feed')).toBe('reads');
  expect(importanceOf('GET', '/api/v1/reconciliation')).toBe('reports');
  expect(importanceOf('GET', '/api/v1/reconciliation/export')).toBe('reports');
});
