/** VenuePool: what runs side by side at one venue never takes those of another. */
import { expect, test } from 'vitest';
import { openVenuePool } from '../../src/jobs/venue-pool.ts';
import { until } from '../support/until.ts';

/** Work that ends when it is told to. */
function slow() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

test('a venue whose pool is full delays only its own work', async () => {
  let drained = 0;
  const pool = openVenuePool(2, () => {
    drained += 1;
  });
  const hung = slow();
  for (const id of ['a', 'b', 'c', 'd']) {
    pool.take('hangs', id, () => hung.work());
  }
  expect(pool.full()).toEqual(['hangs']);
  expect(pool.room('hangs')).toBe(0);
  expect(pool.room('well')).toBe(2);
  const done: string[] = [];
  pool.take('well', 'e', async () => {
    done.push('e');
  });
  expect(done).toEqual(['e']);
  expect(pool.taken().sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(pool.running().sort()).toEqual(['a', 'b', 'e']);
  hung.end();
  await until(() => expect(pool.taken()).toEqual([]));
  expect(drained).toBe(1);
  expect(pool.full()).toEqual([]);
  await pool.close();
});

test('the same id is never worked on twice at once, and newer work takes the place of what waits', async () => {
  const pool = openVenuePool(1, () => {});
  const first = slow();
  const done: string[] = [];
  pool.take('venue', 'one', first.work);
  pool.take('venue', 'one', async () => {
    done.push('again');
  });
  pool.take('venue', 'two', async () => {
    done.push('to be sent');
  });
  // withdrawn while it waited for a lane: that needs no venue and does not wait for one
  pool.take('', 'two', async () => {
    done.push('withdrawn');
  });
  expect(done).toEqual(['withdrawn']);
  first.end();
  await until(() => expect(pool.taken()).toEqual([]));
  expect(done).toEqual(['withdrawn']);
  await pool.close();
});

test('closing begins nothing more and waits for what is under way', async () => {
  const pool = openVenuePool(1, () => {});
  const first = slow();
  const done: string[] = [];
  pool.take('venue', 'one', async () => {
    await first.work();
    done.push('one');
  });
  pool.take('venue', 'two', async () => {
    done.push('two');
  });
  const closing = pool.close();
  first.end();
  await closing;
  expect(done).toEqual(['one']);
});
