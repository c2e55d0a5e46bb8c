/** Lanes: what runs side by side at one venue never takes those of another. */
import { expect, test } from 'vitest';
import { openLanes } from '../../src/jobs/venue-pool.ts';

/** Work that ends when it is told to. */
function slow() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

test('a venue whose lanes are taken keeps its own work waiting and nobody else’s', async () => {
  let drained = 0;
  const lanes = openLanes(2, () => {
    drained += 1;
  });
  const hung = slow();
  for (const id of ['a', 'b', 'c', 'd']) {
    lanes.take('hangs', id, () => hung.work());
  }
  expect(lanes.full()).toEqual(['hangs']);
  expect(lanes.room('hangs')).toBe(0);
  expect(lanes.room('well')).toBe(2);
  const done: string[] = [];
  lanes.take('well', 'e', async () => {
    done.push('e');
  });
  expect(done).toEqual(['e']);
  expect(lanes.inHand().sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  hung.end();
  await expect.poll(() => lanes.inHand()).toEqual([]);
  expect(drained).toBe(1);
  expect(lanes.full()).toEqual([]);
  await lanes.close();
});

test('the same id is never worked on twice at once, and newer work takes the place of what waits', async () => {
  const lanes = openLanes(1, () => {});
  const first = slow();
  const done: string[] = [];
  lanes.take('venue', 'one', first.work);
  lanes.take('venue', 'one', async () => {
    done.push('again');
  });
  lanes.take('venue', 'two', async () => {
    done.push('to be sent');
  });
  // withdrawn while it waited for a lane: that needs no venue and does not wait for one
  lanes.take('', 'two', async () => {
    done.push('withdrawn');
  });
  expect(done).toEqual(['withdrawn']);
  first.end();
  await expect.poll(() => lanes.inHand()).toEqual([]);
  expect(done).toEqual(['withdrawn']);
  await lanes.close();
});

test('closing begins nothing more and waits for what is under way', async () => {
  const lanes = openLanes(1, () => {});
  const first = slow();
  const done: string[] = [];
  lanes.take('venue', 'one', async () => {
    await first.work();
    done.push('one');
  });
  lanes.take('venue', 'two', async () => {
    done.push('two');
  });
  const closing = lanes.close();
  first.end();
  await closing;
  expect(done).toEqual(['one']);
});
