/** Lists of a venue that give the same cursor again: an error with the cursor as evidence, not a loop without end. */
import { expect, test } from 'vitest';
import { VenueUnknown } from '../../src/venues/port.ts';
import { nextPageOf } from '../../src/venues/shapes.ts';

test('a list ends without a cursor, with an empty one, or with the one that the venue ends lists with', () => {
  const nextPage = nextPageOf('kalshi', 'orders', 'LTE=');
  expect([nextPage('a'), nextPage('b'), nextPage(null), nextPage(undefined), nextPage(''), nextPage('LTE=')]).toEqual([
    'a',
    'b',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('a cursor that comes a second time ends the reading', () => {
  const nextPage = nextPageOf('kalshi', 'orders');
  nextPage('a');
  nextPage('b');
  expect(() => nextPage('a')).toThrow(VenueUnknown);
  expect(() => nextPage('a')).toThrow('orders: the list does not end');
});
