/**
 * What ties an operator to the accounts of its cell at venues: orders whose end is not known, contracts that are held there, and
 * findings that a person has not settled. None of it can follow the operator, because the other cell has accounts of its own.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '../../../core/errors.ts';
import type { HostedClient } from '../../../db/pg-client.ts';
import type { MovingOperator } from './movable.ts';

const NAMED = 5;
/** In seconds. An attempt ends sooner, unless its answer was lost. */
export const LONG_UNDER_WAY = 15;
const ANSWERS_MS = 30_000;
const LOOK_MS = 250;

interface Ties {
  readonly orders: string[];
  readonly held: string[];
  readonly findings: string[];
}

/**
 * @param underWay how old an attempt without an end must be, in seconds, to count
 * @throws `invalid_request` that names the orders, contracts or findings
 */
export async function expectNothingAtVenues(
  source: HostedClient,
  { slug, operatorIds }: MovingOperator,
  cell: string,
  underWay = 0,
): Promise<void> {
  const { orders, held, findings } = await readTies(source, operatorIds, underWay);
  const [what, then] =
    orders.length > 0
      ? [`orders at a venue whose end is not known: ${named(orders)}`, 'Wait for them, or see "inlay orders stuck".']
      : held.length > 0
        ? [
            `contracts in the account of cell ${cell}, which cannot follow it: ${named(held)}`,
            'Move it when they are sold or settled.',
          ]
        : findings.length > 0
          ? [`open findings in the account of cell ${cell}: ${named(findings)}`, 'See "inlay venues compare".']
          : [];
  if (what !== undefined) {
    throw refuse('invalid_request', `${slug} has ${what}. ${then}`);
  }
}

/** Waits until the end of every order at a venue is known; gives up silently after half a minute, or after `mostMs`. */
export async function awaitVenueAnswers(
  source: HostedClient,
  { operatorIds }: MovingOperator,
  mostMs: number,
): Promise<void> {
  const until = performance.now() + Math.min(ANSWERS_MS, mostMs);
  while ((await readTies(source, operatorIds, 0)).orders.length > 0 && performance.now() < until) {
    await sleep(LOOK_MS);
  }
}

async function readTies(source: HostedClient, operatorIds: readonly string[], underWay: number): Promise<Ties> {
  const { rows } = await source.query<Ties>(
    `select
       array(select o.execution_ref || ' at ' || t.venue || ' (' || replace(t.state, '_', ' ') || ')'
         from transmissions t join orders o using (operator_id, order_id)
         where t.operator_id = any ($1) and t.state <> 'done'
           and t.sent_at <= clock_timestamp() - make_interval(secs => $2) order by t.sent_at) as orders,
       array(select trim_scale(sum(h.quantity) / 1000000.0) || ' of ' || p.contract_id || ' (' || p.side || ') at ' || h.venue
         from positions p join position_holdings h using (operator_id, position_id)
         where p.operator_id = any ($1) and p.status = 'open' and not p.simulated and h.quantity > 0
         group by p.contract_id, p.side, h.venue order by p.contract_id, p.side) as held,
       array(select replace(f.kind, '_', ' ') || ' ' || f.subject || ' at ' || f.venue from venue_findings f
         where f.operator_id = any ($1) and f.cleared_at is null order by f.finding_id) as findings`,
    [operatorIds, underWay],
  );
  return rows[0] ?? { orders: [], held: [], findings: [] };
}

function named(all: readonly string[]): string {
  const rest = all.length > NAMED ? ` and ${all.length - NAMED} more` : '';
  return `${all.slice(0, NAMED).join(', ')}${rest}`;
}
