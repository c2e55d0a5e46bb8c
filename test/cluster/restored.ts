/** A cluster that was restored to a point of another: what was acknowledged before the point is there, and the service trades on. */
import { connect } from '../../src/db/client.ts';
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
    await inlay(['venues', 'compare', 'paper', '--json'], { env: environment });
    const load = startLoad(processes.urls, service.traders, 'restored');
    await acknowledgedAfter(load, service.traders, performance.now());
    await load.stop();
    say(
      `restored to ${name}: ${before.length} orders acknowledged before it are looked for, ${gone} of ${after.length} acknowledged after it are gone, ${load.acknowledged.length} were acknowledged since`,
    );
    const [books] = await sql<{ epoch: number }[]>`select epoch from books`;
    const faults = await findFaults(sql, [...before, ...load.acknowledged], environment, { atVenue: false });
    return [
      ...(gone === 0 ? ['the restore went past its point'] : []),
      ...(books?.epoch === 2 ? [] : ['the books did not begin an epoch']),
      ...processes.restarted(),
      ...faults,
    ];
  } finally {
    await processes.close();
    await sql.end({ timeout: 1 });
  }
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
