/** The choice of events for the front page: categories take turns, and nothing is lost, repeated or reordered in one. */
import { expect, test } from 'vitest';
import { mixCategories } from '../../src/frame/site/mix-categories.ts';

const eventsOf = (...categories: string[]) => categories.map((category, index) => ({ category, id: index }));
const idsOf = (events: readonly { readonly id: number }[]) => events.map(({ id }) => id);

test('categories take turns, in the order of their first event', () => {
  const events = eventsOf('sports', 'sports', 'sports', 'politics', 'sports', 'crypto', 'politics');
  expect(idsOf(mixCategories(events, 5))).toEqual([0, 3, 5, 1, 6]);
});

test('one category fills the page if there is no other, in its order', () => {
  expect(idsOf(mixCategories(eventsOf('sports', 'sports', 'sports'), 2))).toEqual([0, 1]);
  expect(mixCategories([], 9)).toEqual([]);
});

test('each event is chosen once if there is room for all', () => {
  const events = eventsOf('a', 'b', 'a', 'c', 'a', 'b');
  expect(idsOf(mixCategories(events, 9)).toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
});
