/**
 * Positions and cash of our account at a venue that differ from the books, as findings. What differs is looked at a second time,
 * a little later, because a result or a fill may just be on its way to us.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../db/client.ts';
import { MICROS_PER_CENT } from '../../money/decimal.ts';
import type { VenueAccount } from '../../venues/port.ts';
import { type ComparedCash, compareCash } from './account-cash.ts';
import { type ComparedPosition, comparePositions } from './account-positions.ts';
import { type Difference, nameOf } from './venue-findings.ts';

const LOOK_AGAIN_MS = 2_500;
const PAID_GRACE_MS = 15 * 60_000;
/** The cash is one subject. */
const ACCOUNT = { kind: 'cash', subject: 'account' };

export interface HoldingDifferences {
  readonly differences: readonly Difference[];
  /** Names of what cannot be decided now, because an order or a payment is under way: neither found nor gone (contract 19.3). */
  readonly undecided: readonly string[];
}

export async function holdingDifferences(
  sql: Sql,
  venue: string,
  account: VenueAccount,
  withCash: boolean,
): Promise<HoldingDifferences> {
  const first = await look(sql, venue, account, withCash);
  if (first.differences.length === 0) {
    return first;
  }
  await sleep(LOOK_AGAIN_MS);
  const again = await look(sql, venue, account, withCash);
  const earlier = first.differences.map(nameOf);
  return {
    differences: again.differences.filter((one) => earlier.includes(nameOf(one))),
    undecided: [...first.undecided, ...again.undecided],
  };
}

async function look(sql: Sql, venue: string, account: VenueAccount, withCash: boolean): Promise<HoldingDifferences> {
  const before = await comparePositions(sql, venue, []);
  const after = await comparePositions(sql, venue, await account.positions());
  const isMoving = (one: ComparedPosition) => moves(one, before);
  const unequal = after.filter((one) => one.theirs !== one.ours && !isMoving(one));
  const paid = await paidAlready(account, unequal);
  const differences = unequal.filter(({ listingId }) => !paid.has(listingId)).map(positionDifference);
  const undecided = [...after.filter(isMoving).map(({ listingId }) => listingId), ...paid].map((subject) =>
    nameOf({ kind: 'position', subject }),
  );
  if (!withCash) {
    return { differences, undecided };
  }
  // the payment is in the cash before the result is in the books
  const cash = paid.size === 0 ? await compareCash(sql, venue, account) : null;
  return cash === null || (cash.agrees && cash.least !== cash.most)
    ? { differences, undecided: [...undecided, nameOf(ACCOUNT)] }
    : { differences: cash.agrees ? differences : [...differences, cashDifference(cash)], undecided };
}

/** Listings that the venue has paid, while its result is still on its way to the books: no difference for this long. */
async function paidAlready(account: VenueAccount, unequal: readonly ComparedPosition[]): Promise<ReadonlySet<string>> {
  const gone = unequal.filter(({ theirs }) => theirs === 0n).map(({ listingId }) => listingId);
  const since = new Date(Date.now() - PAID_GRACE_MS);
  const settled = new Set(gone.length > 0 ? await account.settledSince?.(since, gone) : []);
  return new Set(gone.filter((listingId) => settled.has(listingId)));
}

/** Whether something of it is under way, or moved while the venue was asked. */
function moves(one: ComparedPosition, before: readonly ComparedPosition[]): boolean {
  const earlier = before.find(({ listingId }) => listingId === one.listingId);
  return one.inFlight || earlier?.inFlight === true || (earlier?.ours ?? 0n) !== one.ours;
}

function positionDifference({ listingId, contractId, theirs, ours }: ComparedPosition): Difference {
  const raw = { contractId, theirs, ours };
  return { kind: 'position', subject: listingId, operatorId: null, orderId: null, size: theirs - ours, raw };
}

/** Its size is what is beyond the bounds, so that it does not grow with what is under way. */
function cashDifference({ theirs, least, most }: ComparedCash): Difference {
  const beyond = theirs > most ? theirs - most : theirs - least;
  return { ...ACCOUNT, operatorId: null, orderId: null, size: beyond / MICROS_PER_CENT, raw: { theirs, least, most } };
}
