/** How long a request may have waited in its socket, from what the event loop knows of itself. */
import { expect, test } from 'vitest';
import { createDelayClock, readLoop } from '../../src/server/http/overload/arrival.ts';

/** A loop whose facts the test sets. */
function simulatedLoop() {
  const facts = { now: 0, rounds: 0, idleMs: 0 };
  let after: (() => void) | undefined;
  const delay = createDelayClock(
    () => facts.now,
    () => facts,
    (work) => {
      after = work;
    },
  );
  /** The sockets of this round have been read. */
  const read = () => {
    after?.();
    after = undefined;
  };
  return { facts, delay, read };
}

test('a request has waited for what the process did since it last read its sockets', () => {
  const { facts, delay, read } = simulatedLoop();
  delay();
  read();
  Object.assign(facts, { now: 80, rounds: 1, idleMs: 0 });
  expect(delay()).toBe(80);
  // of the same reading
  facts.now = 95;
  expect(delay()).toBe(80);
  read();
  Object.assign(facts, { now: 105, rounds: 2 });
  expect(delay()).toBe(10);
});

test('time without work is no delay, and neither is work before the last reading', () => {
  const { facts, delay, read } = simulatedLoop();
  delay();
  read();
  Object.assign(facts, { now: 500, rounds: 1, idleMs: 497 });
  expect(delay()).toBe(3);
  read();
  Object.assign(facts, { now: 900, rounds: 5, idleMs: 500 });
  expect(delay()).toBe(0);
});

test('a process that was stopped counts one second', () => {
  const { facts, delay, read } = simulatedLoop();
  delay();
  read();
  Object.assign(facts, { now: 60_000, rounds: 1 });
  expect(delay()).toBe(1_000);
});

test('the loop of this process counts its rounds and its idle time', async () => {
  const before = readLoop();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const after = readLoop();
  expect(after.rounds).toBeGreaterThan(before.rounds);
  expect(after.idleMs).toBeGreaterThan(before.idleMs);
});
