/**
 * Whether everything that should run beside the API runs: workers, feeds, waiting work, venues, books, secrets, partitions.
 * Reads only; for `inlay doctor`.
 */
import type { Environment } from '../core/environment.ts';
import { hasSecret, loadSecrets, paperToken } from '../core/secret.ts';
import type { Sql } from '../db/client.ts';
import { listenerName } from '../db/listener.ts';
import { INGEST_LEASE } from '../markets/ingestion/board-writes.ts';
import { listUnknownWords, listVenueFacts } from '../trading/account/venue-facts.ts';
import { describeWarning, listFindings, listStops } from '../trading/account/venue-findings.ts';
import { listStuck } from '../trading/orders/read-orders.ts';
import { locatePaperVenue } from '../venues/addresses.ts';
import { openVenues } from '../venues/registry.ts';
import { createSecretBox } from '../webhooks/endpoint-secret.ts';
import { inspectSecrets } from '../webhooks/reseal-secrets.ts';
import { type DueWork, measureDueWork } from './due-work.ts';
import type { Check, DatabaseCheck } from './run-checks.ts';

/** How long the oldest of each may have been due, in seconds. Behind a closed gate an order waits for a support person. */
const LATE_AFTER_SECONDS: Partial<Record<DueWork['name'], number>> = {
  'webhook-relay': 30,
  'webhook-deliveries': 300,
  transmission: 60,
  'venue-lookups': 120,
  settlement: 600,
  // the report's `log_behind` names the operator after the same time
  'feed-logs': 3_600,
  audit: 60,
};
const SHOWN = 3;
/** A look-up usually has its result much sooner. */
const UNKNOWN_FOR_MS = 120_000;

export function workChecks(environment: Environment): DatabaseCheck[] {
  return [
    { name: 'workers', run: checkWorkers },
    { name: 'restarts', run: checkRestarts },
    { name: 'feeds', run: (sql) => checkFeeds(sql, environment.venues) },
    { name: 'backlog', run: checkBacklog },
    ...environment.venues
      .filter((venue) => venue.startsWith('paper'))
      .map((venue) => ({ name: `venue ${venue}`, run: (sql: Sql) => checkPaperVenue(sql, environment, venue) })),
    { name: 'accounts', run: checkAccounts },
    { name: 'trading', run: checkTrading },
    { name: 'venue words', run: checkWords },
    { name: 'orders', run: checkUnknownOrders },
    { name: 'books', run: checkBooks },
    { name: 'secrets', run: (sql) => checkSecrets(sql, environment) },
    { name: 'partitions', run: checkPartitions },
  ];
}

/** Counts sessions, because a dead process has none. */
async function checkWorkers(sql: Sql): Promise<Check> {
  const [row] = await sql<{ workers: number; led: boolean }[]>`
    select (select count(*)::int from pg_stat_activity
        where datname = current_database() and application_name = ${listenerName('worker')}) as workers,
      exists (select 1 from leases where name = ${INGEST_LEASE} and expires_at > clock_timestamp()) as led`;
  const { workers = 0, led = false } = row ?? {};
  const ok = led && workers > 0;
  const seen = workers === 0 ? 'no worker is connected' : `workers connected: ${workers}`;
  const leads = led ? 'one of them leads ingestion' : 'none leads ingestion';
  return { name: 'workers', ok, detail: ok ? `${seen}; ${leads}` : `${seen}, ${leads}; "inlay worker" starts one` };
}

/**
 * Processes that started in the last hour. Each API process and each worker listens on one session for as long as it runs. A
 * service that is younger than an hour has had no restart.
 */
async function checkRestarts(sql: Sql): Promise<Check> {
  const [row] = await sql<{ databaseAt: Date | null; processes: number; lastAt: Date | null }[]>`
    with hour as (select now() - interval '1 hour' as ago)
    select case when pg_postmaster_start_time() > hour.ago then pg_postmaster_start_time() end as "databaseAt",
      started.processes, started.last_at as "lastAt"
    from hour cross join lateral (select count(*)::int as processes, max(backend_start) as last_at from pg_stat_activity
        where datname = current_database() and application_name in (${listenerName('api')}, ${listenerName('worker')}) and backend_start > hour.ago) started`;
  // apart, because sessions are of one server and operators may be on several
  const older = await sql`select from operators where created_at < now() - interval '1 hour' limit 1`;
  const { databaseAt = null, processes = 0, lastAt = null } = older.length > 0 ? (row ?? {}) : {};
  const said = [
    ...(databaseAt === null ? [] : [`the database started at ${databaseAt.toISOString()}`]),
    ...(lastAt === null
      ? []
      : [`service processes that started or connected again: ${processes}, the last at ${lastAt.toISOString()}`]),
  ];
  const detail = said.length === 0 ? 'no restart in the last hour' : `in the last hour: ${said.join('; ')}`;
  return { name: 'restarts', ok: said.length === 0, warning: true, detail };
}

const STALE_SECONDS = 60;

interface Feed {
  readonly venue: string;
  readonly connected: boolean;
  readonly lag: number | null;
}

/** Whether the prices of each venue are current. */
async function checkFeeds(sql: Sql, venues: readonly string[]): Promise<Check> {
  const rows = await sql<Feed[]>`
    select venue, connected, extract(epoch from now() - confirmed_at)::float8 as lag from venue_feeds`;
  const feeds = venues.map((venue) => ({ venue, feed: rows.find((row) => row.venue === venue) }));
  return {
    name: 'feeds',
    ok: feeds.every(({ feed }) => feed?.connected === true && feed.lag !== null && feed.lag < STALE_SECONDS),
    detail: feeds.map(({ venue, feed }) => `${venue} ${describeFeed(feed)}`).join('; ') || 'no venue is followed',
  };
}

function describeFeed(feed: Feed | undefined): string {
  const lag = feed?.lag ?? null;
  const confirmed = lag === null ? 'no books yet' : `confirmed ${Math.max(0, lag).toFixed(1)} s ago`;
  return feed?.connected === true ? confirmed : `not connected, ${confirmed}`;
}

async function checkBacklog(sql: Sql): Promise<Check> {
  const now = Date.now();
  const late = (await measureDueWork(sql)).flatMap(({ name, waiting, oldestAt }) => {
    const seconds = oldestAt === null ? 0 : Math.round((now - Date.parse(oldestAt)) / 1_000);
    return seconds > (LATE_AFTER_SECONDS[name] ?? Number.POSITIVE_INFINITY)
      ? [`${name}: ${waiting}, since ${seconds} s`]
      : [];
  });
  const detail = late.length === 0 ? 'no work is overdue' : `${late.join('; ')}; see "inlay jobs list"`;
  return { name: 'backlog', ok: late.length === 0, detail };
}

/** A venue that runs beside the service. Others are checked by their feeds. */
async function checkPaperVenue(sql: Sql, environment: Environment, name: string): Promise<Check> {
  const venues = openVenues([name], locatePaperVenue(sql), {
    // Without a secret no paper venue has run here, and this check must not create one.
    paperToken: hasSecret(environment) ? paperToken(loadSecrets(environment)) : '',
    settings: environment.venueSettings,
  });
  try {
    await venues.list[0]?.feeSchedule('a-listing-that-is-none');
    return { name: `venue ${name}`, ok: true, detail: 'answers' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    return { name: `venue ${name}`, ok: false, detail: `does not answer: ${reason}` };
  } finally {
    await venues.close();
  }
}

/**
 * Holdings of our accounts at venues that differ from the books, and whether the accounts are still compared. A venue that only has more
 * than the books, or owes a result, is a warning.
 */
async function checkAccounts(sql: Sql): Promise<Check> {
  const findings = await listFindings(sql);
  const [row] = await sql<{ late: string[] }[]>`
    select coalesce(array_agg(venue order by venue), '{}') as late from venue_accounts where compared_at < now() - interval '2 minutes'`;
  const late = row?.late ?? [];
  const said = [
    ...findings
      .toSorted((one, other) => Number(one.warning) - Number(other.warning))
      .slice(0, SHOWN)
      .map(({ venue, kind, subject, warning }) => {
        return `${venue}: ${kind.replaceAll('_', ' ')} ${subject}${warning ? ` ${describeWarning(kind)}` : ''}`;
      }),
    ...(findings.length > SHOWN ? [`and ${findings.length - SHOWN} more`] : []),
    ...late.map((venue) => `${venue} was not compared in the last two minutes`),
  ];
  const ok = said.length === 0;
  const warning = !ok && late.length === 0 && findings.every((one) => one.warning);
  const detail = ok ? 'the books match our accounts' : `${said.join('; ')}; see "inlay venues compare"`;
  return { name: 'accounts', ok, detail, warning };
}

/** Orders that were sent to a venue and whose outcome is unknown. */
async function checkUnknownOrders(sql: Sql): Promise<Check> {
  const late = (await listStuck(sql)).filter(({ sentAt }) => Date.now() - (sentAt?.getTime() ?? 0) > UNKNOWN_FOR_MS);
  const shown = late.slice(0, SHOWN).map(({ executionRef, slug }) => `${executionRef} of ${slug}`);
  const more = late.length > SHOWN ? `, and ${late.length - SHOWN} more` : '';
  return {
    name: 'orders',
    ok: late.length === 0,
    warning: true,
    detail:
      late.length === 0
        ? 'none waits for its outcome'
        : `outcome unknown: ${shown.join(', ')}${more}; see "inlay orders stuck"`,
  };
}

/** The result of the last report of each operator. */
async function checkBooks(sql: Sql): Promise<Check> {
  const rows = await sql<{ slug: string; ok: boolean; ranAt: Date }[]>`
    select operator.slug, last.ok, last.ran_at from reconciliation_reports last join operators operator using (operator_id)
    where last.ran_at is not null and last.ok is not null order by operator.slug`;
  const wrong = rows.filter(({ ok }) => !ok).map(({ slug, ranAt }) => `${slug} (${ranAt.toISOString()})`);
  const detail =
    wrong.length > 0
      ? `not reconciled: ${wrong.join(', ')}; see "inlay reconciliation run --operator SLUG"`
      : rows.length === 0
        ? 'no report has run yet'
        : `the last report of each of ${rows.length} operators is ok`;
  return { name: 'books', ok: wrong.length === 0, detail };
}

/** Whether trading has stopped anywhere, or our sends are held back. */
async function checkTrading(sql: Sql): Promise<Check> {
  const stops = await listStops(sql);
  const said = stops.map(
    ({ venue, stoppedAt, because }) =>
      `stopped at ${venue} since ${stoppedAt.toISOString()} because of ${because}; "inlay venues resume ${venue}" resumes it`,
  );
  for (const { name, held } of await listVenueFacts(sql)) {
    if (held !== null) {
      said.push(`sends to ${name} are held back since ${held.since}: ${held.because}`);
    }
  }
  return { name: 'trading', ok: said.length === 0, detail: said.join('; ') || 'not stopped anywhere' };
}

/** Words of venues in the last seven days that this release does not know; no check if there are none. */
async function checkWords(sql: Sql): Promise<Check[]> {
  const words = await listUnknownWords(sql);
  const shown = words.slice(0, SHOWN).map((one) => `${one.venue}: ${one.about} "${one.word}" (${one.seen} times)`);
  const more = words.length > SHOWN ? `; and ${words.length - SHOWN} more` : '';
  const detail = `not known to this release: ${shown.join('; ')}${more}`;
  return words.length === 0 ? [] : [{ name: 'venue words', ok: false, warning: true, detail }];
}

async function checkSecrets(sql: Sql, environment: Environment): Promise<Check> {
  const name = 'secrets';
  if (!hasSecret(environment)) {
    const [row] = await sql<{ endpoints: number }[]>`
      select count(*)::int as endpoints from webhook_endpoints where removed_at is null`;
    const ok = row?.endpoints === 0;
    const detail = 'no INLAY_SECRET here yet';
    return { name, ok, detail: ok ? detail : `${detail}, and ${row?.endpoints} webhook secrets to read; set it` };
  }
  const { total, previous, unreadable } = await inspectSecrets(sql, createSecretBox(loadSecrets(environment)));
  if (unreadable.length > 0) {
    const which = unreadable.slice(0, SHOWN).join(', ');
    const detail = `${unreadable.length} of ${total} webhook secrets were encrypted under another INLAY_SECRET (${which}); name it in INLAY_SECRET_PREVIOUS`;
    return { name, ok: false, detail };
  }
  const rotating = previous > 0 ? `, ${previous} of them by INLAY_SECRET_PREVIOUS until a worker has moved them` : '';
  return { name, ok: true, detail: `${total} webhook secrets can be read${rotating}` };
}

async function checkPartitions(sql: Sql): Promise<Check> {
  const name = 'partitions';
  const rows = await sql<{ what: string; next: boolean; until: string | null }[]>`
    with made (what, from_at, until) as (
      select 'week of quotes', from_at, from_at + interval '7 days' from quote_weeks()
      union all
      select 'month of the journal', month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC'
      from (select to_date(right(partition.relname, 6), 'YYYYMM')::timestamp as month
        from pg_inherits child join pg_class partition on partition.oid = child.inhrelid
        where child.inhparent = 'journal'::regclass and partition.relname ~ '^journal_\\d{6}$') months
    )
    select what, coalesce(max(from_at) > now(), false) as next, to_char(max(until) at time zone 'UTC', 'YYYY-MM-DD') as until
    from (values ('month of the journal'), ('week of quotes')) needed(what) left join made using (what) group by what order by what`;
  const missing = rows.filter(({ next }) => !next);
  const told = (missing.length > 0 ? missing : rows).map(({ what, next, until }) =>
    next
      ? `the last ${what} ends ${until}`
      : `the coming ${what} has no table${until === null ? '' : ` (the last ends ${until})`}; a worker makes it`,
  );
  return { name, ok: missing.length === 0, detail: told.join(', ') };
}
