/** Looks at everything the service stands on and says what is wrong. It changes nothing. */
import { statSync } from 'node:fs';
import { BaseCommand } from '../cli/base-command.ts';
import { asFailure } from '../cli/failure.ts';
import { ApiClient } from '../cli/service/api-client.ts';
import { readDatabaseUrl } from '../core/database-url.ts';
import type { Environment } from '../core/environment.ts';
import { EXIT } from '../core/errors.ts';
import { isLoopbackAddress } from '../core/net/client-address.ts';
import { isWeakSecret } from '../core/secrets/secret-strength.ts';
import { hasTenantRole, TENANT_ROLE } from '../db/as-operator.ts';
import { connect, type Sql } from '../db/client.ts';
import { describeDurability } from '../db/durability.ts';
import { type Database, openDatabase } from '../db/embedded/embedded.ts';
import { inspectDatabase } from '../db/inspect.ts';
import { isMigrated } from '../db/schema/migrate.ts';
import { roleOf } from '../db/schema/ready.ts';
import { inspectWork } from '../operations/inspect-work.ts';

interface Check {
  name: string;
  ok: boolean;
  detail: string;
  /** Worth knowing, and no reason for a failed exit. */
  warning?: boolean;
}

const OLDEST_POSTGRES = 150_000;
const MOST_SKEW_MS = 2_000;

export default class Doctor extends BaseCommand<typeof Doctor> {
  static override summary =
    'Check what the service stands on: Node, environment, folders, database, schema, roles, workers, venues, secrets, API.';
  static override examples = ['<%= config.bin %> doctor', '<%= config.bin %> doctor --json'];

  override async run(): Promise<{ checks: Omit<Check, 'warning'>[] }> {
    const checks: Check[] = [{ name: 'node', ok: true, detail: `${process.version} at ${process.execPath}` }];
    const environment = this.readEnvironment(checks);
    if (environment !== undefined) {
      checks.push(checkSecret(environment), checkFolder(environment), checkProxies(environment));
      const api = await checkApi(environment);
      checks.push(...(await checkDatabase(environment, api.ok)));
      checks.push(api);
    }
    for (const { name, ok, warning, detail } of checks) {
      const word = ok
        ? this.paint('green', 'ok  ')
        : warning
          ? this.paint('yellow', 'warn')
          : this.paint('red', 'FAIL');
      this.say(`${word}  ${name.padEnd(12)}  ${detail}`);
    }
    if (checks.some(({ ok, warning }) => !ok && warning !== true)) {
      this.endWith(EXIT.expectationFailed);
    }
    return { checks: checks.map(({ name, ok, detail }) => ({ name, ok, detail })) };
  }

  private readEnvironment(checks: Check[]): Environment | undefined {
    try {
      const { environment } = this;
      const secret = environment.secret === undefined ? 'INLAY_SECRET from the data folder' : 'INLAY_SECRET set';
      checks.push({
        name: 'environment',
        ok: true,
        detail: `venues ${environment.venues.join(', ') || 'none'}; ${secret}`,
      });
      return environment;
    } catch (error) {
      checks.push({ name: 'environment', ok: false, detail: asFailure(error).message });
      return undefined;
    }
  }
}

/** In production a weak secret does not even start; elsewhere it is worth knowing. */
function checkSecret({ secret }: Environment): Check {
  const weak = secret !== undefined && isWeakSecret(secret);
  return {
    name: 'secret',
    ok: !weak,
    warning: true,
    detail: weak
      ? 'INLAY_SECRET can be guessed; "openssl rand -hex 32" prints one that cannot (rotate with INLAY_SECRET_PREVIOUS)'
      : secret === undefined
        ? 'made at random in the data folder'
        : 'INLAY_SECRET has 32 random bytes or more',
  };
}

function checkFolder({ dataDir }: Environment): Check {
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (folder === undefined) {
    return { name: 'data folder', ok: true, detail: `${dataDir} is made on first start` };
  }
  const own = process.getuid?.() === 0 || folder.uid === process.getuid?.();
  const closed = (folder.mode & 0o066) === 0;
  const detail = own ? (closed ? dataDir : `${dataDir} can be read by others`) : `${dataDir} belongs to another user`;
  return { name: 'data folder', ok: own && closed, detail };
}

/** A service that listens to the network usually has a proxy in front of it, and then needs both variables. */
function checkProxies({ host, trustedProxies, publicOrigins }: Environment): Check {
  const name = 'proxies';
  if (host === 'localhost' || isLoopbackAddress(host)) {
    return { name, ok: true, detail: `listens on ${host} alone` };
  }
  const missing = [
    ...(trustedProxies.length === 0
      ? ['INLAY_TRUSTED_PROXIES is not set: behind a proxy all clients share one address and one budget']
      : []),
    ...(publicOrigins.length === 0
      ? ['INLAY_PUBLIC_URL is not set: behind a proxy embedded sessions that are bound to an origin cannot trade']
      : []),
  ];
  const detail =
    missing.length > 0
      ? `listens on ${host}; ${missing.join('; ')}`
      : `trusts ${trustedProxies.join(', ')}; reached as ${publicOrigins.join(', ')}`;
  return { name, ok: missing.length === 0, warning: true, detail };
}

/** @param runs whether the service answers: what should run beside it is missed only then. */
async function checkDatabase(environment: Environment, runs: boolean): Promise<Check[]> {
  let database: Database;
  try {
    database = await openDatabase(environment);
  } catch (error) {
    return [{ name: 'database', ok: false, detail: asFailure(error).message }];
  }
  const sql = connect(database.url, { max: 1, applicationName: 'inlay-doctor' });
  try {
    const where = database.embedded ? 'embedded' : readDatabaseUrl(database.url).where;
    if (!(await isMigrated(database.url, roleOf(database.url)))) {
      return [
        { name: 'database', ok: true, detail: where },
        {
          name: 'schema',
          ok: false,
          detail: 'not the one of this release; "inlay migrate" or a start brings it up to date',
        },
      ];
    }
    const facts = await inspectDatabase(sql);
    const major = Math.floor(facts.version / 10_000);
    const skewMs = Math.abs(facts.now.getTime() - Date.now());
    return [
      { name: 'database', ok: facts.version >= OLDEST_POSTGRES, detail: `PostgreSQL ${major}, ${where}` },
      { name: 'schema', ok: true, detail: 'up to date' },
      {
        name: 'roles',
        ok: facts.keptFromLedger,
        warning: true,
        detail: facts.keptFromLedger
          ? `the service is ${facts.role} and cannot change what is append-only`
          : `the service is ${facts.role}, who ${facts.owns ? 'owns' : 'may change'} the tables; give it a role of its own and set DATABASE_OWNER_URL`,
      },
      await checkTenantWall(sql),
      { name: 'durability', ...describeDurability(facts, database.embedded) },
      { name: 'clock', ok: skewMs < MOST_SKEW_MS, detail: `${skewMs} ms from the database's` },
      {
        name: 'connections',
        ok: facts.connections < facts.maxConnections * 0.9,
        detail: `${facts.connections} of ${facts.maxConnections}`,
      },
      ...(await inspectWork(sql, environment)).map((check) => ({ ...check, warning: !runs })),
    ];
  } catch (error) {
    return [{ name: 'database', ok: false, detail: asFailure(error).message }];
  } finally {
    await sql.end({ timeout: 1 });
    await database.close();
  }
}

async function checkTenantWall(sql: Sql): Promise<Check> {
  const walled = await hasTenantRole(sql);
  return {
    name: 'tenants',
    ok: walled,
    warning: true,
    detail: walled
      ? 'pages are read under row-level security'
      : `tenants are kept apart by queries alone; make the role ${TENANT_ROLE}, grant it to the service's role and run "inlay migrate"`,
  };
}

/** A machine may be looked at before anything is started on it, so silence is worth a word and no failure. */
async function checkApi(environment: Environment): Promise<Check> {
  const url = environment.apiUrl ?? `http://127.0.0.1:${environment.port}`;
  try {
    const { status, body } = await new ApiClient(url, undefined).send<{ status?: string }>('GET', '/api/health');
    return { name: 'api', ok: status === 200, detail: `${url} says ${body.status ?? status}` };
  } catch {
    return { name: 'api', ok: false, warning: true, detail: `${url} does not answer; "inlay up" starts it` };
  }
}
