/** Tells operators of contracts that resolved otherwise than their positions were paid. Moves no money. */
import type { Sql } from '../db/client.ts';
import { listRevised } from './unsettled.ts';

/** @param contractId one contract, or null for all with a recent word on their resolution. @returns events raised. */
export async function raiseResolutionChanges(sql: Sql, contractId: string | null): Promise<number> {
  const contracts = contractId === null ? await listRevised(sql) : [contractId];
  let raised = 0;
  for (const contract of contracts) {
    const [row] = await sql<{ raised: number }[]>`select raise_resolution_changes(${contract}) as raised`;
    raised += row?.raised ?? 0;
  }
  return raised;
}
