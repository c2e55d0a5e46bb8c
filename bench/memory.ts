/** Row `memory`: the most an API process holds with the whole paper catalogue, moving, and 5,000 readers of whom 1,000 never read. */
import { loadCatalogue } from './catalogue.ts';
import type { Measure, Run } from './measure.ts';
import { memoryNow, peakMemory } from './process-facts.ts';
import type { StreamOrder } from './stream-load-process.ts';
import type { World } from './world.ts';

const LIMIT_MIB = 350;
const CONNECTIONS = 5_000;
const CONTRACTS = 25;
const PAGES = 40;
const SECONDS = 30;

export async function memory(world: World, { size }: Run): Promise<Measure> {
  const worker = await loadCatalogue(world);
  const api = await world.startApi();
  const contracts = await world.sql<{ contractId: string }[]>`
    select contract_id from contracts where not trading_closed and not five_minute order by contract_id`;
  const paths = Array.from({ length: PAGES }, (_, page) => {
    const ids = Array.from(
      { length: CONTRACTS },
      (_, index) => contracts[(page * CONTRACTS + index) % contracts.length],
    );
    return `/api/v1/stream/prices?contracts=${ids.map((one) => one?.contractId ?? '').join()}`;
  });
  const connections = size(CONNECTIONS, 500);
  const readers = await world.start('./stream-load-process.ts', {
    url: api.url,
    paths,
    connections,
    neverRead: connections / 5,
    mark: '\ndata: ',
  } satisfies StreamOrder);
  await new Promise((resolve) => setTimeout(resolve, size(SECONDS, 5) * 1000));
  const measured = peakMemory(api.pid);
  const resting = memoryNow(api.pid);
  await readers.close();
  await api.close();
  await worker.close();
  return {
    measured,
    baseline: LIMIT_MIB,
    unit: 'MiB',
    note: `baseline is the limit; ${contracts.length} contracts, ${connections} readers, ${resting.toFixed(0)} MiB at the end`,
  };
}
