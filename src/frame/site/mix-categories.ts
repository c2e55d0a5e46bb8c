/** Chooses the events of the front page. Apart from `markets.tsx`, and pure, because its test loads no browser. */

/**
 * Takes the first event of each category, then the second of each, and so on, so that one busy category does not fill the page.
 * Categories come in the order of their first event, and events of one category stay in their order.
 * @param events in the order of the catalogue
 * @param most the largest number of events to choose
 */
export function mixCategories<Event extends { readonly category: string }>(
  events: readonly Event[],
  most: number,
): Event[] {
  const names = [...new Set(events.map(({ category }) => category))];
  const groups = names.map((name) => events.filter(({ category }) => category === name));
  const rounds = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => groups.flatMap((group) => group.slice(round, round + 1)))
    .flat()
    .slice(0, most);
}
