/**
 * The rules of an event as the API shows them: one text if they are the same for all outcomes, else one for each. They are read from the
 * database when an event is looked at, because the texts of all events would fill the board; what was read is kept for a moment.
 */
import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/client.ts';
import type { EventRules } from '../../wire/catalogue.ts';

const KEPT_BYTES = 16 * 1024 * 1024;
const KEPT_MS = 15_000;

export interface EventRulesReader {
  /** JSON text; `null` if none are published. It is there at once if it was read within the last seconds. */
  find(eventId: string): string | Promise<string>;
}

interface RulesRow {
  readonly contractId: string;
  readonly text: string | null;
  readonly source: string | null;
  readonly sourceUrl: string | null;
  /** ISO-8601 UTC. */
  readonly resolvesAt: string | null;
}

export function createEventRules(sql: Sql): EventRulesReader {
  const kept = new LRUCache<string, string>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (json) => json.length * 2,
    ttl: KEPT_MS,
  });

  async function read(eventId: string): Promise<string> {
    const rows = await sql<RulesRow[]>`
      select contract_id, rules->>'text' as text, rules->>'source' as source, rules->>'sourceUrl' as source_url,
        rules->>'resolvesAt' as resolves_at
      from contracts where event_id = ${eventId} and rules is not null
      order by position, contract_id`;
    const json = JSON.stringify(renderRules(rows));
    kept.set(eventId, json);
    return json;
  }

  return { find: (eventId) => kept.get(eventId) ?? read(eventId) };
}

/** @param rows of one event, in the order of its outcomes */
export function renderRules(rows: readonly RulesRow[]): EventRules | null {
  const [first] = rows;
  if (first === undefined) {
    return null;
  }
  const shared = rows.every(({ text }) => text === first.text);
  const { source, sourceUrl } = rows.find((row) => row.source !== null || row.sourceUrl !== null) ?? first;
  const times = rows.flatMap(({ resolvesAt }) => (resolvesAt === null ? [] : [resolvesAt])).toSorted();
  return {
    text: shared ? first.text : null,
    source,
    sourceUrl,
    resolvesAt: times.at(-1) ?? null,
    outcomes: shared ? [] : rows.flatMap(({ contractId, text }) => (text === null ? [] : [{ id: contractId, text }])),
  };
}
