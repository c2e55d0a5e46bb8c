/**
 * The facts of a command as record_facts takes them: an item of the feed carries those that follow it in its row, so that a
 * purchase is one row of the feed and one ledger entry.
 */
import type { Fact, FeedItemType } from '../core/fact.ts';
import { rowType } from './row-type.ts';

/** A fact of the SQL type `feed_fact`, with the number of its command and the subject that the command names. */
interface FeedFact extends Fact {
  /** The number of its row, from 1. */
  readonly command: number;
  /** The order in which the facts of the batch are recorded, from 1. */
  readonly ord: number;
  readonly operatorId: string;
  readonly externalUserId: string;
  readonly orderId: string;
  /** Which of the command's positions is its own, from 0. */
  readonly place: number;
  /** How many positions the command has. */
  readonly places: number;
  /** How many items its row has. */
  readonly items: number;
  /** The items after it, one line each (the view following_items reads them). */
  readonly following: string | null;
}

export const FEED_FACT = rowType<FeedFact>({
  command: 'integer',
  ord: 'integer',
  operatorId: 'text',
  type: 'text',
  itemId: 'text',
  externalUserId: 'text',
  orderId: 'text',
  money: 'json',
  detail: 'json',
  lines: 'json',
  place: 'integer',
  places: 'integer',
  items: 'integer',
  following: 'text',
});

/** Types that may be inside a row, with their letters (following_type in SQL). The others begin a row. */
const FOLLOWING_KINDS: ReadonlyMap<FeedItemType, string> = new Map([
  ['fee.assessed', 'a'],
  ['order.filled', 'f'],
  ['webhook.emitted', 'w'],
  ['position.exited', 'x'],
]);
/** Stands for a position that is an entry's or another row's. */
const ELSEWHERE = '\n-';
/** Items after the first one of a row are less than this behind it (feed_row_reach). */
const REACH = 32;

interface Row {
  readonly fact: Fact;
  readonly place: number;
  /** The place of its last item. */
  last: number;
  items: number;
  following: string;
}

/**
 * @param command what the facts share: its number, and the order, customer and operator that it names.
 * @param firstOrd the number of its first fact in the batch; the next command begins after as many as this one has facts.
 * @returns the JSON objects of the command's facts
 */
export function packFacts(
  facts: readonly Fact[],
  command: Pick<FeedFact, 'command' | 'operatorId' | 'externalUserId' | 'orderId'>,
  firstOrd: number,
): string[] {
  const rows: Row[] = [];
  let row: Row | undefined;
  for (const [place, fact] of facts.entries()) {
    const kind = FOLLOWING_KINDS.get(fact.type);
    if (kind !== undefined && row !== undefined && place - row.place < REACH) {
      row.following += `${ELSEWHERE.repeat(place - row.last - 1)}\n${kind}${fullText(fact)}`;
      row.last = place;
      row.items += 1;
      continue;
    }
    const begun: Row = { fact, place, last: place, items: 1, following: '' };
    rows.push(begun);
    if (fact.lines === undefined) {
      row = begun;
    }
  }
  const places = facts.length;
  const shared = { ...command, places };
  return rows.map(({ fact, place, items, following }) =>
    FEED_FACT.toJson({
      ...shared,
      ...fact,
      ord: firstOrd + place,
      place,
      items,
      following: following === '' ? null : following,
    }),
  );
}

function fullText({ itemId, money, detail }: Fact): string {
  return `\t${itemId}\t${money === null ? '' : JSON.stringify(money)}\t${JSON.stringify(detail)}`;
}
