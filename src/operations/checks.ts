/**
 * The checks of `inlay doctor`: whether the database, the configuration of this machine and our accounts at the venues are
 * as the service needs them. It only reads, and sends no order. `inspect-work.ts` checks the work in progress.
 */
import { statSync } from 'node:fs';
import { isLoopbackAddress } from '../core/addresses.ts';
import { type Environment, isWeakSecret, readDatabaseUrl } from '../core/environment.ts';
import { canTrade } from '../core/venue-settings.ts';
import { hasTenantRole, isSpread, TENANT_ROLE } from '../db/by-operator.ts';
import type { Sql } from '../db/client.ts';
import { type Database, openDatabase } from '../db/embedded/embedded.ts';
import {
  type DatabaseState,
  describeDurability,
  describeLoss,
  inspectDatabase,
  inspectReplication,
  readVersion,
} from '../db/inspect.ts';
import { isMigrated, roleOf } from '../db/schema/migrate.ts';
import { compareCopies } from '../db/schema/shard-copies.ts';
import { EVERYWHERE, OF_THE_SERVICE, SPREAD_TABLES } from '../db/schema/spread.ts';
import { loadLogSigner } from '../ledger/log/sign-log.ts';
import { listEmptyParts } from '../trading/account/venue-facts.ts';
import { tryOrderLocks } from '../trading/orders/orders.ts';
import { MOST_SKEW_MS } from '../venues/adapter.ts';
import { isReadableByOthers } from '../venues/key-file.ts';
import { openVenues } from '../venues/registry.ts';
import { workChecks } from './inspect-work.ts';
import { CHECK_MS, type Check, type DatabaseCheck, runChecks } from './run-checks.ts';

const OLDEST_POSTGRES = 150_000;

/** Facts that the checks of the database do not have themselves. */
interface DatabaseOptions {
  /** Whether the API runs; only then is missing work an error and not a warning. */
  readonly runs: boolean;
  /** Explains an error to the reader. */
  readonly wordsOf: (error: unknown) => string;
}

/**
 * Checks the database and the work in it, each for a few seconds at most.
 * @throws DatabaseNotRunning if there is no database of this configuration
 */
export async function checkDatabase(environment: Environment, { runs, wordsOf }: DatabaseOptions): Promise<Check[]> {
  const database = await openDatabase(environment, CHECK_MS);
  const look = (checks: readonly DatabaseCheck[]) => runChecks(database, checks, wordsOf);
  let version: number | undefined;
  let isCurrent: boolean | undefined;
  const reached = await look([
    {
      name: 'database',
      run: async (sql) => {
        version = await readVersion(sql);
        return describeVersion(version, database);
      },
    },
  ]);
  if (version === undefined) {
    return reached;
  }
  const schema = await look([
    {
      name: 'schema',
      run: async (_sql, session) => {
        isCurrent = await isMigrated(database.url, roleOf(database.url), session);
        return describeSchema(isCurrent);
      },
    },
  ]);
  if (isCurrent === false) {
    return [...reached, ...schema];
  }
  const work = workChecks(environment).map(({ name, run }) => ({
    name,
    run: async (...session: Parameters<DatabaseCheck['run']>) =>
      [await run(...session)].flat().map((check) => ({ ...check, warning: check.warning === true || !runs })),
  }));
  const rest = await look([
    { name: 'locks', lost: 'orders cannot be written', run: checkOrderLocks },
    { name: 'settings', run: (sql) => checkSettings(sql, database) },
    { name: 'tenants', run: checkTenantWall },
    { name: 'recorded times', run: checkRecordedTimes },
    ...work,
    { name: 'venue parts', run: checkVenueParts },
    { name: 'servers', run: checkServers },
  ]);
  return [...reached, ...schema, ...rest];
}

function describeVersion(version: number, { embedded, url }: Database): Check {
  const where = embedded ? 'embedded' : readDatabaseUrl(url).where;
  const detail = `PostgreSQL ${Math.floor(version / 10_000)}, ${where}`;
  return { name: 'database', ok: version >= OLDEST_POSTGRES, detail };
}

function describeSchema(isCurrent: boolean): Check {
  const detail = isCurrent
    ? 'up to date'
    : 'not that of this release; "inlay migrate" or a start of the service updates it';
  return { name: 'schema', ok: isCurrent, detail };
}

/** Tries until the locks of an order are free; the deadline of the check ends it. */
async function checkOrderLocks(sql: Sql): Promise<Check> {
  let state = await tryOrderLocks(sql);
  while (state === 'locked') {
    state = await tryOrderLocks(sql);
  }
  const ok = state === 'up';
  return { name: 'locks', ok, detail: ok ? 'orders wait for no lock' : 'the database takes no orders' };
}

/** The settings of the server, and the rights of the service's role. */
async function checkSettings(sql: Sql, database: Database): Promise<Check[]> {
  const facts = await inspectDatabase(sql);
  const skewMs = Math.abs(facts.now.getTime() - Date.now());
  return [
    checkRoles(facts, roleOf(database.adminUrl)),
    checkAuditor(facts),
    { name: 'durability', ...describeDurability(facts, database.embedded) },
    ...(facts.inRecovery ? [] : describeLoss(await inspectReplication(sql), { ...facts, single: database.embedded })),
    { name: 'clock', ok: skewMs < MOST_SKEW_MS, detail: `${skewMs} ms from that of the database` },
    {
      name: 'connections',
      ok: facts.connections < facts.maxConnections * 0.9,
      detail: `${facts.connections} of ${facts.maxConnections}`,
    },
  ];
}

/** An attacker in a process of the service has its role: a superuser is a failure, a role with needless rights a warning. */
function checkRoles({ role, superuser, keptFromLedger, owns }: DatabaseState, adminRole: string): Check {
  const found = (ok: boolean, detail: string) => ({
    name: 'roles',
    ok,
    ...(superuser ? {} : { warning: true }),
    detail: `the service connects as ${role}${detail}`,
  });
  if (superuser) {
    return found(false, ', a superuser; give it its own role, and set DATABASE_OWNER_URL and DATABASE_ADMIN_URL');
  }
  if (!keptFromLedger) {
    return found(
      false,
      `, which ${owns ? 'owns' : 'may change'} the tables; give it its own role and set DATABASE_OWNER_URL`,
    );
  }
  if (adminRole === role) {
    return found(
      false,
      ' and so do the commands of the service operator; give these a role of their own in DATABASE_ADMIN_URL, so that a process of the service can issue no keys',
    );
  }
  return found(true, `, which cannot change append-only tables; commands connect as ${adminRole}`);
}

/** A role that can write the auditor's books can hide its findings. Only workers and commands know the address of the auditor's role. */
function checkAuditor({ role, writesAudit, auditors }: DatabaseState): Check {
  return {
    name: 'auditor',
    ok: !writesAudit,
    warning: true,
    detail: writesAudit
      ? `${role}, the role of the service, may write the auditor's books; give the auditor a role of its own in DATABASE_AUDIT_URL`
      : `only ${auditors.join(' and ')} writes the auditor's books, in workers and commands`,
  };
}

/** Whether a jump of the database's clock left times behind that it has yet to reach. */
export async function checkRecordedTimes(sql: Sql): Promise<Check> {
  const ahead = await sql<{ slug: string; recordedAt: Date }[]>`
    select operator.slug, ledger.recorded_at from operator_ledgers ledger
      join operators operator on operator.operator_id = ledger.operator_id
    where runs_ahead(ledger.recorded_at) order by operator.slug`;
  const named = ahead.map(({ slug, recordedAt }) => `${slug} until ${recordedAt.toISOString()}`);
  const detail = `entries are recorded ahead of the clock of the database: ${named.join(', ')}`;
  return { name: 'recorded times', ok: ahead.length === 0, detail: ahead.length === 0 ? 'none is ahead' : detail };
}

async function checkTenantWall(sql: Sql): Promise<Check> {
  const walled = await hasTenantRole(sql);
  return {
    name: 'tenants',
    ok: walled,
    warning: true,
    detail: walled
      ? 'pages are read under row-level security'
      : `only the queries keep tenants apart; create the role ${TENANT_ROLE}, grant it to the role of the service and run "inlay migrate"`,
  };
}

/**
 * Whether our accounts can pay orders on every part of a venue that has trading markets, as of their last comparison. It only warns,
 * because a part may be empty on purpose.
 */
export async function checkVenueParts(sql: Sql): Promise<Check> {
  const empty = await listEmptyParts(sql);
  const described = empty.map(
    ({ venue, part, markets }) =>
      `${venue}: nothing on part ${part}, where ${markets === 1 ? '1 market trades' : `${markets} markets trade`}`,
  );
  return {
    name: 'venue parts',
    ok: empty.length === 0,
    warning: true,
    detail: described.join('; ') || 'no market trades where our accounts have nothing',
  };
}

/** The version of Citus and its required settings, as one line per server. */
const ASKED = `select concat_ws(' ', extversion, current_setting('citus.enable_unsafe_triggers'),
  current_setting('citus.propagate_set_commands'), current_setting('wal_level')) from pg_extension where extname = 'citus'`;
const SET_UP = / on local logical$/;

/**
 * Whether spread operators are placed as this release needs it, and all servers have the same settings.
 * @returns no check if there is one server
 */
export async function checkServers(sql: Sql): Promise<Check[]> {
  if (!(await isSpread(sql))) {
    return [];
  }
  const known = `{${[...EVERYWHERE, ...OF_THE_SERVICE].join(',')}}`;
  const wanted = await sql.unsafe<{ name: string }[]>(SPREAD_TABLES, [known]);
  const placed = await sql<{ name: string }[]>`
    select replace(logicalrelid::text, 'public.', '') as name from pg_dist_partition where partmethod in ('h', 'n')`;
  const names = new Set(placed.map(({ name }) => name));
  const missing = [...EVERYWHERE, ...wanted.map(({ name }) => name)].filter((name) => !names.has(name));
  const servers = await sql<{ server: string; success: boolean; result: string }[]>`
    select node.nodename || ':' || node.nodeport as server, answer.success, answer.result
    from run_command_on_all_nodes(${ASKED}) answer join pg_dist_node node on node.nodeid = answer.nodeid order by 1`;
  const versions = new Set(servers.map(({ result }) => result));
  const copies = await compareCopies((statement, values) => sql.unsafe(statement, values));
  const wrong = servers.filter(({ success, result }) => !success || !SET_UP.test(result));
  return [
    {
      name: 'placement',
      ok: missing.length === 0,
      detail:
        missing.length === 0
          ? `${names.size} tables over ${servers.length} servers`
          : `not placed: ${missing.join(', ')}; "inlay migrate" places them`,
    },
    {
      name: 'copies',
      ok: copies.length === 0,
      detail:
        copies.length === 0
          ? 'every server has the functions of all shards'
          : `${copies.join('; ')}; "inlay migrate" makes them`,
    },
    {
      name: 'servers',
      ok: wrong.length === 0 && versions.size === 1,
      detail:
        wrong.length > 0
          ? `${wrong.map(({ server, result }) => `${server} has ${result}`).join('; ')}; docs/scale.md says what is needed`
          : `Citus ${[...versions].map((word) => word.split(' ')[0]).join(' and ')}`,
    },
  ];
}

/** Checks the configuration of this machine: the secret, the data folder, the proxies, the keys. */
export function checkEnvironment(environment: Environment): Check[] {
  return [
    checkSecret(environment),
    checkFolder(environment),
    checkProxies(environment),
    checkLogKey(environment),
    ...(environment.venues.includes('kalshi') ? [checkKalshiKey(environment)] : []),
    ...(environment.venues.includes('polymarket') ? [checkPolymarketKey(environment)] : []),
    ...(environment.venues.includes('gemini') ? [checkGeminiKey(environment)] : []),
  ];
}

/** In production the service refuses to start with a weak secret; elsewhere this is a warning. */
function checkSecret({ secret }: Environment): Check {
  const weak = secret !== undefined && isWeakSecret(secret);
  return {
    name: 'secret',
    ok: !weak,
    warning: true,
    detail: weak
      ? 'INLAY_SECRET can be guessed; "openssl rand -hex 32" prints a strong one (rotate with INLAY_SECRET_PREVIOUS)'
      : secret === undefined
        ? 'random, in the data folder'
        : 'INLAY_SECRET has 32 random bytes or more',
  };
}

function checkFolder({ dataDir }: Environment): Check {
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (folder === undefined) {
    return { name: 'data folder', ok: true, detail: `${dataDir} is created on the first start` };
  }
  const own = process.getuid?.() === 0 || folder.uid === process.getuid?.();
  const closed = (folder.mode & 0o066) === 0;
  const detail = own ? (closed ? dataDir : `${dataDir} can be read by others`) : `${dataDir} belongs to another user`;
  return { name: 'data folder', ok: own && closed, detail };
}

/** A service that listens to the network usually has a proxy in front of it and then needs both variables. */
function checkProxies({ host, trustedProxies, publicOrigins }: Environment): Check {
  const name = 'proxies';
  if (host === 'localhost' || isLoopbackAddress(host)) {
    return { name, ok: true, detail: `listens on ${host} only` };
  }
  const missing = [
    ...(trustedProxies.length === 0
      ? ['INLAY_TRUSTED_PROXIES is not set: behind a proxy all clients share one address and one request budget']
      : []),
    ...(publicOrigins.length === 0
      ? ['INLAY_PUBLIC_URL is not set: behind a proxy, embed sessions that are bound to an origin cannot trade']
      : []),
  ];
  const detail =
    missing.length > 0
      ? `listens on ${host}; ${missing.join('; ')}`
      : `trusts ${trustedProxies.join(', ')}; reached as ${publicOrigins.join(', ')}`;
  return { name, ok: missing.length === 0, warning: true, detail };
}

/** Whether the key that signs checkpoints can be read. */
function checkLogKey(environment: Environment): Check {
  const name = 'log key';
  const { logKeyFile } = environment;
  try {
    loadLogSigner(environment, { current: '' });
    return { name, ok: true, detail: logKeyFile ?? 'checkpoints are signed with a key derived from INLAY_SECRET' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { name, ok: false, detail: `${reason}; feeds keep their last checkpoints` };
  }
}

/** Whether the key of Kalshi can be used: a file that only its owner can read. */
function checkKalshiKey({ venueSettings }: Environment): Check {
  const name = 'kalshi key';
  const { privateKeyFile: file } = venueSettings.kalshi;
  if (file === undefined) {
    return { name, ok: true, detail: 'not set: the venue is read only' };
  }
  return checkKeyFile(name, file);
}

/** Whether the wallet of Polymarket can be used: its key, and the address of the money if that is another one. */
function checkPolymarketKey({ venueSettings }: Environment): Check {
  const name = 'polymarket key';
  const { privateKeyFile: file, funder, signatureType } = venueSettings.polymarket;
  if (file === undefined) {
    return { name, ok: true, detail: 'not set: the venue is read only' };
  }
  if (signatureType !== 0 && funder === undefined) {
    const detail = `INLAY_POLYMARKET_FUNDER is not set, so a wallet of kind ${signatureType} has no address that holds the money`;
    return { name, ok: false, detail };
  }
  return checkKeyFile(name, file);
}

/** Whether the secret of the key of Gemini can be used: a file that only its owner can read. */
function checkGeminiKey({ venueSettings }: Environment): Check {
  const name = 'gemini secret';
  const { keyId, secretFile: file } = venueSettings.gemini;
  return keyId === undefined || file === undefined
    ? { name, ok: true, detail: 'not set: the venue is read only' }
    : checkKeyFile(name, file);
}

function checkKeyFile(name: string, file: string): Check {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    return { name, ok: false, detail: `${file} does not exist, so nothing can be sent` };
  }
  const open = isReadableByOthers(file);
  return { name, ok: !open, warning: true, detail: open ? `${file} can be read by others; set mode 0600` : file };
}

/**
 * Checks with the venues on the internet whether our accounts can trade there. Venues without credentials have no account.
 * @param verifying also checks behaviour that no document of a venue describes
 */
export async function checkVenueAccounts(
  { venues: names, venueSettings }: Environment,
  verifying = false,
): Promise<Check[]> {
  const trading = names.filter((name) => !name.startsWith('paper') && canTrade(name, venueSettings));
  const addresses: Readonly<Record<string, string>> = {
    gemini: venueSettings.gemini.url,
    kalshi: venueSettings.kalshi.url,
    polymarket: venueSettings.polymarket.catalogueUrl,
    'polymarket-clob': venueSettings.polymarket.url,
    'polymarket-data': venueSettings.polymarket.dataUrl,
    'polymarket-site': venueSettings.polymarket.siteUrl,
  };
  const venues = openVenues(trading, async (name) => addresses[name], { paperToken: '', settings: venueSettings });
  try {
    const checks = await Promise.all(
      venues.list.map(async ({ name, account }) =>
        [...((await account?.inspect?.()) ?? []), ...((verifying ? await account?.verify?.() : undefined) ?? [])].map(
          (check) => ({ ...check, name: `${name} ${check.name}` }),
        ),
      ),
    );
    return checks.flat();
  } finally {
    await venues.close();
  }
}
