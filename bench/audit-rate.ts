/** Row `audit-rate`: rows of the journal that the auditor reads a second, alone, against the orders a second that wrote them. */
import { listUnread, readOn } from '../src/audit/read-on.ts';
import { connect } from '../src/db/client.ts';
import { toldOf } from '../src/ledger/render/told.ts';
import { seedMarket } from '../test/support/market.ts';
import { type Measure, median, mediansOf, type Run } from './measure.ts';
import { confirmBook, DEEP, IN_FLIGHT, load, ORDERS, orderShots } from './orders.ts';
import { cpuSeconds } from './process-facts.ts';
import type { World } from './world.ts';

const MICROS = 1_000_000;

/** The orders of `orders-spread`, each of which is one row, and then all rows that they recorded. */
export async function auditRate(world: World, { rounds, size }: Run): Promise<Measure> {
  const operators = await world.createOperators('audited', 50, 4);
  const market = await seedMarket(world.sql, 'bench-audited', DEEP);
  const api = await world.startApi();
  const audit = connect(world.database.auditUrl, { max: 1, applicationName: 'inlay-bench-audit' });
  const count = size(ORDERS, IN_FLIGHT);
  const [read, placed, inAuditor, inDatabase]: number[][] = [[], [], [], []];
  for (let round = 0; round <= rounds; round += 1) {
    await confirmBook(world, market);
    const shots = await orderShots(world, api.url, operators, market.contractId, `a${round}`, count);
    const { perSecond } = await load(world, { url: api.url, inFlight: IN_FLIGHT, shots });
    const [cpu, database, start] = [cpuSeconds(process.pid), world.databaseCpu(), performance.now()];
    let rows = 0;
    for (const operatorId of await listUnread(audit)) {
      rows += await readOn(audit, operatorId, toldOf);
    }
    const seconds = (performance.now() - start) / 1_000;
    // the first round has the customers' opening credits too
    if (round > 0) {
      if (rows !== count) {
        throw new Error(`${rows} rows were read of ${count} orders`);
      }
      read?.push(rows / seconds);
      placed?.push(perSecond);
      inAuditor?.push(((cpuSeconds(process.pid) - cpu) * MICROS) / rows);
      inDatabase?.push(((world.databaseCpu() - database) * MICROS) / rows);
    }
  }
  const [finding] = await audit<{ detail: string }[]>`select detail from audit.findings limit 1`;
  if (finding !== undefined) {
    throw new Error(`the auditor found: ${finding.detail}`);
  }
  await audit.end();
  await api.close();
  return {
    ...mediansOf(read ?? [], placed ?? []),
    unit: 'per s',
    note: `µs of CPU a row: auditor ${median(inAuditor ?? []).toFixed(0)}, database ${median(inDatabase ?? []).toFixed(0)}`,
  };
}
