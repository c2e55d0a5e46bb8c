/** Reports contracts to operators whose resolution now differs from the one that was paid. Moves no money. */
import type { Sql } from '../db/client.ts';
import { listRevised } from './unsettled.ts';

const ALL_DAYS = 36_500;

/**
 * @param contractId one contract, or null for all whose resolution changed within `days`
 * @returns the number of events
 */
export async function raiseResolutionChanges(sql: Sql, contractId: string | null, days = ALL_DAYS): Promise<number> {
  const contracts = contractId === null ? await listRevised(sql, days) : [contractId];
  let raised = 0;
  for (const contract of contracts) {
    const [row] = await sql<{ raised: number }[]>`select raise_resolution_changes(${contract}) as raised`;
    raised += row?.raised ?? 0;
  }
  return raised;
}
