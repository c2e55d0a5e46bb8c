/** Whether the database is the one that the service needs, and whether the work that it holds is done. */
import { type Environment, readDatabaseUrl } from '../core/environment.ts';
import { hasTenantRole, TENANT_ROLE } from '../db/by-operator.ts';
import { connect, type Sql } from '../db/client.ts';
import { openDatabase } from '../db/embedded/embedded.ts';
import {
  type DatabaseState,
  describeDurability,
  describeLoss,
  inspectDatabase,
  inspectReplication,
} from '../db/inspect.ts';
import { isMigrated, roleOf } from '../db/schema/migrate.ts';
import type { Check } from './check.ts';
import { checkServers } from './check-servers.ts';
import { checkVenueParts } from './check-venue-parts.ts';
import { inspectWork } from './inspect-work.ts';

const OLDEST_POSTGRES = 150_000;
const MOST_SKEW_MS = 2_000;

/**
 * @param runs whether the API answers: only then is missing work an error rather than a warning.
 * @throws the error of the connection if the database cannot be reached.
 */
export async function checkDatabase(environment: Environment, runs: boolean): Promise<Check[]> {
  const database = await openDatabase(environment);
  const sql = connect(database.url, { max: 1, applicationName: 'inlay-doctor' });
  try {
    const where = database.embedded ? 'embedded' : readDatabaseUrl(database.url).where;
    if (!(await isMigrated(database.url, roleOf(database.url)))) {
      return [
        { name: 'database', ok: true, detail: where },
        {
          name: 'schema',
          ok: false,
          detail: 'not that of this release; "inlay migrate" or a start of the service updates it',
        },
      ];
    }
    const facts = await inspectDatabase(sql);
    const major = Math.floor(facts.version / 10_000);
    const skewMs = Math.abs(facts.now.getTime() - Date.now());
    return [
      { name: 'database', ok: facts.version >= OLDEST_POSTGRES, detail: `PostgreSQL ${major}, ${where}` },
      { name: 'schema', ok: true, detail: 'up to date' },
      checkRoles(facts, roleOf(database.adminUrl)),
      checkAuditor(facts, roleOf(database.auditUrl)),
      await checkTenantWall(sql),
      { name: 'durability', ...describeDurability(facts, database.embedded) },
      ...(facts.inRecovery ? [] : describeLoss(await inspectReplication(sql), { ...facts, single: database.embedded })),
      { name: 'clock', ok: skewMs < MOST_SKEW_MS, detail: `${skewMs} ms from that of the database` },
      {
        name: 'connections',
        ok: facts.connections < facts.maxConnections * 0.9,
        detail: `${facts.connections} of ${facts.maxConnections}`,
      },
      ...(await inspectWork(sql, environment)).map((check) => ({ ...check, warning: check.warning === true || !runs })),
      await checkVenueParts(sql),
      ...(await checkServers(sql)),
    ];
  } finally {
    await sql.end({ timeout: 1 });
    await database.close();
  }
}

/** Whoever takes over a process of the service has its role: a superuser is a failure, a role with more than it needs a warning. */
function checkRoles({ role, superuser, keptFromLedger, owns }: DatabaseState, adminRole: string): Check {
  const found = (ok: boolean, detail: string) => ({
    name: 'roles',
    ok,
    ...(superuser ? {} : { warning: true }),
    detail: `the service connects as ${role}${detail}`,
  });
  if (superuser) {
    return found(false, ', a superuser; give it a role of its own, and set DATABASE_OWNER_URL and DATABASE_ADMIN_URL');
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

/** Who can write the auditor's books can hide what it finds. */
function checkAuditor({ role }: DatabaseState, auditRole: string): Check {
  const own = auditRole !== role;
  return {
    name: 'auditor',
    ok: own,
    warning: true,
    detail: own
      ? `reads as ${auditRole}, which alone writes the auditor's books`
      : `the auditor connects as ${role}, as the service does; give it a role of its own in DATABASE_AUDIT_URL`,
  };
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
