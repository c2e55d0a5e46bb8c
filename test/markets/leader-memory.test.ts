/** What the leader of ingestion keeps in memory is bounded by the catalogue, however many listings come and go. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/time.ts';
import { openBoardWrites } from '../../src/markets/ingestion/board-writes.ts';
import { followVenue } from '../../src/markets/ingestion/follow-venue.ts';
import { createTestDatabase } from '../support/database.ts';
import { timePasses, until } from '../support/until.ts';
import { event, levels, market, TestVenue } from './test-venue.ts';

interface Held {
  readonly msg: string;
  readonly events: number;
  readonly listings: number;
  readonly sequences: number;
  readonly early: number;
  readonly remembered: number;
}

const LISTED = 5;

test('five-minute contracts that leave the catalogue leave the memory of the leader', async () => {
  const database = await createTestDatabase();
  const lines: Held[] = [];
  const log = pino({ level: 'debug' }, { write: (text: string) => void lines.push(JSON.parse(text)) });
  const venue = new TestVenue('paper');
  const writes = openBoardWrites({ sql: database.sql, log, clock: systemClock, fence: null });
  const following = await followVenue({ venue, rank: 0, writes, clock: systemClock, log, resyncMs: 20 });
  const reads = () => lines.filter(({ msg }) => msg === 'read the catalogue');
  try {
    for (let number = 0; number < 100; number += 1) {
      const id = `five-${number}`;
      venue.list(event(id, [market(id, id, { fiveMinute: true })]));
      venue.setBook(id, levels([0.4, 10]), levels([0.5, 10]));
      // a book of something that is never listed
      venue.setBook(`ghost-${number}`, levels([0.4, 10]), levels([0.5, 10]));
      venue.events.delete(`five-${number - LISTED}`);
      if (number % 10 === 0) {
        await timePasses(60);
      }
    }
    const before = reads().length;
    await until(
      async () => reads().length,
      (count) => count > before + 3,
    );
    expect(reads().at(-1)).toMatchObject({
      events: LISTED,
      listings: LISTED,
      sequences: LISTED,
      early: 0,
      remembered: 2 * LISTED,
    });
  } finally {
    await following.close();
    await writes.close();
    await database.close();
  }
});
