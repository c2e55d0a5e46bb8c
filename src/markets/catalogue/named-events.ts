/** Finds events by the id or slug that a person types. */
import { refuse } from '../../core/errors.ts';
import type { Sql } from '../../db/client.ts';

/**
 * @returns their ids, in the order of the references
 * @throws unknown_event naming the first that does not exist
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
