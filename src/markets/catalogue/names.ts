/**
 * Names of contracts and events in the database, also of those that are no longer listed: for orders and positions that contain only the id
 * of a contract, and for a support person who names an event by its slug.
 */
import { refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';

interface ContractName {
  readonly id: string;
  readonly label: string;
  readonly eventId: string;
  readonly title: string;
}

/** @returns names in English of those contracts that exist, in no particular order */
export function readContractNames(sql: Sql, contractIds: readonly string[]): Promise<ContractName[]> {
  return sql<ContractName[]>`
    select c.contract_id as id, c.label, c.event_id, e.title
      from contracts c join events e using (event_id)
     where c.contract_id = any(${contractIds}::text[])`;
}

/**
 * @param references ids or slugs of events
 * @returns the ids of the events, in the same order
 * @throws unknown_event with the first reference that does not exist
 */
export async function findNamedEvents(sql: Sql, references: readonly string[]): Promise<string[]> {
  const rows = await sql<{ reference: string; eventId: string | null }[]>`
    select r.reference, e.event_id as "eventId"
    from unnest(${[...references]}::text[]) with ordinality r(reference, place)
      left join events e on e.event_id = r.reference or e.slug = r.reference
    order by r.place`;
  return rows.map(({ reference, eventId }) => {
    if (eventId === null) {
      throw refuse('unknown_event', `There is no event ${reference}.`);
    }
    return eventId;
  });
}
