/** A cluster that was restored to a point of another: what was acknowledged before the point is there, and the service trades on. */
import { z } from 'zod';
import { connect } from '../../src/db/client.ts';
import { orderIdOf } from '../../src/trading/execution/attempts.ts';
import { inlay } from '../support/process.ts';
import { until } from '../support/until.ts';
import type { Cluster } from './cluster.ts';
import { type Acknowledged, startLoad } from './load.ts';
import { type Service, startProcesses } from './service.ts';
import { findFaults } from './verdict.ts';
import { acknowledgedAfter } from './waits.ts';

export interface RestorePoint {
  readonly name: string;
  /** What was acknowledged before the point was asked for. */
  readonly before: readonly Acknowledged[];
  /** Acknowledged when it was there. */
  readonly after: readonly Acknowledged[];
}

const ENDED_WITHIN_MS = 60_000;

/** @returns one line for each fault; empty if all is as it must be */
export async function tradeRestored(
  cluster: Cluster,
  service: Service,
  { name, before, after }: RestorePoint,
  say: (text: string) => void,
): Promise<string[]> {
  const environment = { ...service.environment, DATABASE_URL: cluster.address('inlay_service', 'inlay') };
  const ownerUrl = cluster.address('inlay_owner', 'inlay');
  const sql = connect(ownerUrl, { max: 1, applicationName: 'inlay-ha' });
  await preparedEnded(cluster);
  const processes = await startProcesses({ ...environment, DATABASE_OWNER_URL: ownerUrl });
  try {
    const rows = await sql<{ orderId: string }[]>`select order_id from orders`;
    const kept = new Set(rows.map(({ orderId }) => orderId));
    const gone = after.filter(({ orderId }) => !kept.has(orderId)).length;
    // nothing is sent to a venue before this
    const onlyThere = await findOnlyAtVenue(environment);
    const load = startLoad(processes.urls, service.traders, 'restored');
    await acknowledgedAfter(load, service.traders, performance.now());
    await load.stop();
    say(
      `restored to ${name}: ${before.length} orders acknowledged before it are looked for, ${gone} of ${after.length} acknowledged after it are gone, the venue names ${onlyThere.size} that it received after it, ${load.acknowledged.length} were acknowledged since`,
    );
    const [books] = await sql<{ epoch: number }[]>`select epoch from books`;
    const faults = await findFaults(sql, [...before, ...load.acknowledged], environment, { atVenue: false });
    return [
      ...(gone === 0 ? ['the restore went past its point'] : []),
      ...(books?.epoch === 2 ? [] : ['the books did not begin an epoch']),
      ...(onlyThere.size === 0 ? ['no order was sent after the point'] : []),
      ...before.filter(({ orderId }) => onlyThere.has(orderId)).map(({ orderId }) => `only the venue has ${orderId}`),
      ...after
        .filter(({ live, orderId }) => live && !kept.has(orderId) && !onlyThere.has(orderId))
        .map(({ orderId }) => `neither the books nor the comparison name ${orderId}`),
      ...processes.restarted(),
      ...faults,
    ];
  } finally {
    await processes.close();
    await sql.end({ timeout: 1 });
  }
}

const comparison = z.object({ findings: z.array(z.object({ kind: z.string(), subject: z.string() })) });

/** The orders that the venue received and the restored books do not have: the venue, like an exchange, goes back to no point. */
async function findOnlyAtVenue(environment: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> {
  const { stdout } = await inlay(['venues', 'compare', 'paper', '--json'], { env: environment });
  const { findings } = comparison.parse(JSON.parse(stdout));
  return new Set(findings.flatMap(({ kind, subject }) => (kind === 'foreign_order' ? (orderIdOf(subject) ?? []) : [])));
}

/** Until no server has anything prepared that the coordinator has not ended: such rows cannot be seen yet. */
async function preparedEnded(cluster: Cluster): Promise<void> {
  const admin = connect(cluster.address('postgres', 'inlay'), { max: 1, applicationName: 'inlay-ha' });
  try {
    await until(
      () => admin<{ result: string }[]>`
        select result from run_command_on_all_nodes('select count(*) from pg_prepared_xacts')`,
      (servers) => servers.every(({ result }) => result === '0'),
      ENDED_WITHIN_MS,
    );
  } finally {
    await admin.end({ timeout: 1 });
  }
}
