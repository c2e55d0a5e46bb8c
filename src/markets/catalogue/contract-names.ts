/** What contracts are called, also when they are no longer listed: old orders and positions name them by id only. */
import type { Sql } from '../../db/client.ts';

export interface ContractName {
  readonly id: string;
  readonly label: string;
  readonly eventId: string;
  readonly title: string;
}

/** @returns the known ones of these contracts, in English, in no particular order */
export function readContractNames(sql: Sql, contractIds: readonly string[]): Promise<ContractName[]> {
  return sql<ContractName[]>`
    select c.contract_id as id, c.label, c.event_id, e.title
      from contracts c join events e using (event_id)
     where c.contract_id = any(${contractIds}::text[])`;
}
