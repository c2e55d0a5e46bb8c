/**
 * Makes tables for what is to come and lets old quotes leave with the table of their week; what an order spent is kept first. Any
 * number of workers may run it: each step does nothing the second time. What waits for a lock gives up and comes again.
 */
import type { Context } from '../context.ts';
import { type Rounds, startRounds } from './periodic-job.ts';

const EVERY_MS = 600_000;
/** Long enough for "what was I offered?"; what was ordered is kept for good. */
const KEEP = '7 days';
const SWEEP = 5_000;
const SWEEPS_A_ROUND = 100;
const LOCK_NOT_AVAILABLE = '55P03';

/** One round. @param goesOn asked between its steps. */
export async function tendPartitions(
  { sql, log }: Pick<Context, 'sql' | 'log'>,
  goesOn: () => boolean = () => true,
): Promise<void> {
  const [row] = await sql<{ made: string[] }[]>`select make_partitions() as made`;
  if (row !== undefined && row.made.length > 0) {
    log.debug({ made: row.made }, 'tables for what is to come');
  }
  const passed = await sql<{ name: string; from_at: Date }[]>`
    select * from quote_weeks() where from_at + interval '7 days' < now() - ${KEEP}::interval order by from_at`;
  for (const { name, from_at: week } of passed) {
    if (!goesOn()) {
      return;
    }
    const [kept] = await sql<{ count: string }[]>`select keep_spent_quotes(${week})::text as count`;
    const [dropped] = await sql<{ done: boolean }[]>`select drop_quote_week(${week}, ${KEEP}::interval) as done`;
    if (dropped?.done === true) {
      log.info({ table: name, kept: Number(kept?.count ?? 0) }, 'the quotes of a past week have left');
    }
  }
  for (let sweeps = 0; sweeps < SWEEPS_A_ROUND && goesOn(); sweeps += 1) {
    const [swept] = await sql<{ count: number }[]>`select sweep_quotes_rest(${KEEP}::interval, ${SWEEP}) as count`;
    if ((swept?.count ?? 0) < SWEEP) {
      return;
    }
  }
}

export function startPartitions(context: Context): Rounds {
  const { reports, log } = context;
  return startRounds({
    everyMs: EVERY_MS,
    round: (goesOn) => tendPartitions({ sql: reports, log }, goesOn),
    failed(error) {
      if (error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE) {
        log.info('tables of quotes and feed are in use by something long, such as a backup; they are tended later');
      } else {
        log.warn({ err: error }, 'tables for what is to come could not be tended; it comes again');
      }
    },
  });
}
