/** What the log says of work that fails round after round: for the person who reads it at night. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logFailures } from '../../src/db/failure-log.ts';
import { VenueUnknown } from '../../src/venues/port.ts';

interface Line {
  level: string;
  msg: string;
  why?: string;
  err?: { stack: string };
  alsoTimes?: number;
}
let lines: Line[] = [];

beforeEach(() => {
  lines = [];
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const write = (text: string) => void lines.push(JSON.parse(text));
  const log = pino({ formatters: { level: (level) => ({ level }) } }, { write });
  return logFailures(log, 'relay', 'the relay failed', (error) => error instanceof VenueUnknown);
}
const coded = (message: string, code: string) => Object.assign(new Error(message), { code });

test('a database that is away is one line without a stack, then one a minute, then one when it is back', () => {
  const trouble = open();
  trouble.over();
  for (let round = 0; round < 400; round += 1) {
    trouble.failed(round < 200 ? coded('connect ECONNREFUSED', 'ECONNREFUSED') : coded('starting up', '57P03'));
    vi.advanceTimersByTime(250);
  }
  trouble.over();
  trouble.over();
  expect(lines.map(({ level, why, err, alsoTimes }) => [level, why, err, alsoTimes])).toEqual([
    ['warn', 'connect ECONNREFUSED', undefined, undefined],
    ['warn', 'starting up', undefined, 239],
    ['info', undefined, undefined, 159],
  ]);
  expect(lines.at(-1)).toMatchObject({ job: 'relay', afterSeconds: 100, msg: 'the job succeeds again' });
});

test('an error of our own keeps its stack, and a different error is logged at once', () => {
  const trouble = open();
  trouble.failed(new Error('one'), { contractId: 'ctr_a' });
  trouble.failed(new Error('one'));
  trouble.failed(new Error('two'));
  expect(lines.map(({ level, err }) => [level, err?.stack.split('\n')[0]])).toEqual([
    ['error', 'Error: one'],
    ['error', 'Error: two'],
  ]);
  expect(lines[0]).toMatchObject({ contractId: 'ctr_a' });
});

test('a venue that does not answer is one line without a stack', () => {
  const trouble = open();
  trouble.over();
  trouble.failed(new VenueUnknown('paper', 'its address is not known', { notTaken: true }));
  expect(lines).toEqual([expect.objectContaining({ level: 'warn', why: 'its address is not known' })]);
  expect(lines[0]?.err).toBeUndefined();
});

test('what is not there yet in the first seconds of a service is logged only if it stays away', () => {
  const trouble = open();
  const failure = new VenueUnknown('paper', 'its address is not known', { notTaken: true });
  trouble.failed(failure);
  vi.advanceTimersByTime(4_000);
  trouble.failed(failure);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(2_000);
  trouble.failed(failure);
  expect(lines).toEqual([expect.objectContaining({ level: 'warn' })]);
});
