/**
 * The past of markets on the simulated exchange, which exists only since this service was first started: months of prices that
 * lead to the current price. The same contract always gets the same past. Markets of real exchanges keep what was recorded.
 */
import type { Sql } from '../../db/client.ts';
import { MICROS } from '../../money/units.ts';
import { createWalk, type PastPoint, pastOf } from './invented-walk.ts';

/** Names of the simulated exchange's instances. */
const SIMULATED = ['paper', 'paper-2'];
/** An event that opened later than this has no past to show. */
const LEAST_AGE = '1 day';
const MOST_CONTRACTS = 12;

interface NewContract {
  readonly contractId: string;
  readonly eventId: string;
  readonly kind: string;
  readonly direction: 'above' | 'below' | null;
  readonly opensAt: Date;
  readonly priceMicros: bigint;
}

/**
 * Writes the past of contracts that were recorded for the first time within the last two hours. One statement an event, the
 * most traded first, so that a first start is not slowed down and the markets that are opened first have theirs first.
 * @param keepGoing asked before each event; the next run writes what is left.
 * @returns how many points were written
 */
export async function inventHistory(sql: Sql, now: Date, keepGoing: () => boolean = () => true): Promise<number> {
  const found = await sql<NewContract[]>`
    select c.contract_id, c.event_id, e.kind, c.direction, e.opens_at, h.price_micros
    from contracts c join events e on e.event_id = c.event_id
      join lateral (select price_micros from price_history p where p.contract_id = c.contract_id and p.step_minutes = 60
        order by at desc limit 1) h on true
    where c.resolution is null and c.status = 'open'
      and e.opens_at < ${now}::timestamptz - ${LEAST_AGE}::interval
      and exists (select 1 from listings l where l.contract_id = c.contract_id and l.venue = any (${SIMULATED}))
      and not exists (select 1 from price_history o where o.contract_id = c.contract_id and o.step_minutes = 60
        and o.at < ${now}::timestamptz - interval '2 hours')
    order by e.volume_24h_micros desc, c.event_id, h.price_micros desc, c.contract_id`;
  let written = 0;
  for (const contracts of Map.groupBy(found, ({ eventId }) => eventId).values()) {
    if (!keepGoing()) {
      break;
    }
    written += await write(sql, pastOfEvent(contracts.slice(0, MOST_CONTRACTS), now));
  }
  return written;
}

interface Row extends PastPoint {
  readonly contractId: string;
}

function pastOfEvent(contracts: readonly NewContract[], now: Date): Row[] {
  const [first] = contracts;
  if (first === undefined) {
    return [];
  }
  const isLadder = first.kind === 'cumulative_ladder';
  const paths = contracts.map(({ contractId, eventId, direction, priceMicros }) => ({
    contractId,
    price: Number(priceMicros) / MICROS,
    // The levels of a ladder move together and stay in order.
    walk: createWalk(isLadder ? eventId : contractId),
    sign: isLadder && direction === 'below' ? -1 : 1,
  }));
  const share = first.kind === 'mutually_exclusive' ? 'field' : 'alone';
  const past = pastOf(paths, share, first.opensAt, now);
  return past.flatMap((points, index) =>
    points.map((point) => ({ ...point, contractId: paths[index]?.contractId ?? '' })),
  );
}

async function write(sql: Sql, rows: readonly Row[]): Promise<number> {
  const { count } = await sql`
    insert into price_history (contract_id, step_minutes, at, price_micros)
    select * from unnest(${rows.map(({ contractId }) => contractId)}::text[], ${rows.map(({ step }) => step)}::smallint[],
      ${rows.map(({ at }) => at.toISOString())}::timestamptz[], ${rows.map(({ priceMicros }) => priceMicros)}::bigint[])
    on conflict do nothing`;
  return count;
}
