/** What the log says of a venue that does not answer: for the person who reads it at night. */
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { logSilence } from '../../src/markets/ingestion/follow-venue.ts';
import { VenueUnknown } from '../../src/venues/port.ts';

function kept() {
  const lines: { level: string; msg: string; err?: unknown; why?: string; silentSeconds?: number }[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text));
  const log = pino({ level: 'debug', formatters: { level: (level) => ({ level }) } }, { write });
  return { lines, log };
}
const unknown = () => new VenueUnknown('paper', 'its address is not known', { notTaken: true });

test('a venue that is still starting is one calm line without a stack, and a warning after its time', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { lines, log } = kept();
    const silence = logSilence(log, 'paper');
    silence.failed(unknown());
    silence.failed(unknown());
    expect(lines.map(({ level }) => level)).toEqual(['info', 'debug']);
    expect(lines[0]).toMatchObject({ venue: 'paper', why: 'its address is not known' });
    vi.advanceTimersByTime(31_000);
    silence.failed(unknown());
    silence.failed(unknown());
    vi.advanceTimersByTime(60_000);
    silence.failed(unknown());
    expect(lines.slice(2).map(({ level, silentSeconds }) => [level, silentSeconds])).toEqual([
      ['warn', 31],
      ['warn', 91],
    ]);
    expect(lines.every(({ err }) => err === undefined)).toBe(true);
    silence.answered();
    expect(lines.at(-1)).toMatchObject({ level: 'info', msg: 'the catalogue can be read again' });
  } finally {
    vi.useRealTimers();
  }
});

test('one that answered before, one that talks nonsense, and a fault of our own are warnings at once', () => {
  const { lines, log } = kept();
  const silence = logSilence(log, 'paper');
  silence.answered();
  silence.failed(unknown());
  const odd = new VenueUnknown('paper', 'catalogue: no', { evidence: { about: 'catalogue', reason: 'no', raw: {} } });
  logSilence(log, 'paper').failed(odd);
  logSilence(log, 'paper').failed(new Error('a fault'));
  expect(lines.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn']);
  expect(lines.map(({ err }) => err !== undefined)).toEqual([false, false, true]);
});
