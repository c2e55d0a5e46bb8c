/**
 * Rows that never change once they are recorded: the auditor keeps a digest of each row that it has read, and reports every row that has
 * changed since, or is gone. Digests are made and compared in the database, so that no row leaves it.
 */
import type { Sql } from '../db/client.ts';
import type { CheckName } from './books.ts';
import { type Comparison, compare, type Found } from './compare.ts';

interface Source {
  readonly table: string;
  readonly check: CheckName;
  /** The values that the digest covers, in SQL. */
  readonly values: string;
  /** The column that identifies the row in a finding. */
  readonly subject: string;
  /** A number for each row. */
  readonly key: string;
  /** The block of digests that holds the digest of a row. */
  readonly block: string;
  /** Whether rows are removed when they are old. */
  readonly leaves: boolean;
}

const numbered = (table: string, check: CheckName, key: string): Source => ({
  table,
  check,
  values: 'kept::text',
  subject: key,
  key: `kept.${key}`,
  block: `kept.${key} / 256`,
  leaves: false,
});

const dated = (table: string, check: CheckName, subject: string, values: string): Source => ({
  table,
  check,
  values,
  subject,
  key: `row_digest(kept.${subject})`,
  block: 'extract(epoch from kept.created_at)::bigint / 64',
  leaves: true,
});

/** Written with the books, for the rows that the auditor reads into them. */
const JOURNAL = numbered('journal', 'feed_gap', 'sequence');

const SOURCES: readonly Source[] = [
  numbered('venue_evidence', 'venue_evidence', 'evidence_id'),
  numbered('limit_changes', 'period_window', 'change_no'),
  numbered('period_statements', 'closed_period', 'number'),
  // a quote's expiry may be brought forward
  dated('quotes', 'order_terms', 'quote_id', "(to_jsonb(kept) - 'expires_at')::text"),
  dated(
    'webhook_deliveries',
    'webhook_due',
    'delivery_id',
    'row(kept.endpoint_id, kept.event_id, kept.sequence, kept.recorded_at, kept.type, kept.created_at)::text',
  ),
];

/** Number of positions of the journal that are compared at once. */
const SLICE = 65_536n;

/** Compares all rows with their digests, and stores the digests of new rows. */
export async function compareDigests(sql: Sql, operatorId: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const source of SOURCES) {
    found.push(...(await compare(sql, operatorId, comparisonOf(source, 'true', 'true'))));
    await remember(sql, operatorId, source);
  }
  const [journal] = await sql<{ end: bigint }[]>`
    select greatest((select max(block) * 256 + 256 from audit.digests where operator_id = ${operatorId} and source = 'journal'),
      (select sequence from audit.progress where operator_id = ${operatorId}), 0) as end`;
  const slice = comparisonOf(
    JOURNAL,
    'known.block >= $2::bigint / 256 and known.block < $3::bigint / 256',
    'kept.sequence >= $2 and kept.sequence < $3',
  );
  for (let from = 0n; from <= (journal?.end ?? 0n); from += SLICE) {
    found.push(...(await compare(sql, operatorId, slice, [from, from + SLICE])));
  }
  return found;
}

/**
 * The stored digests of a table.
 * @param where condition on the blocks
 */
const rememberedOf = ({ table }: Source, where: string) => `
  select one.key, one.digest from audit.digests known cross join unnest(known.keys, known.digests) one(key, digest)
  where known.operator_id = $1 and known.source = '${table}' and ${where}`;

/** The digests of the rows as they are now. */
const storedOf = ({ table, values, subject, key, block }: Source, where: string) => `
  select ${key} as key, ${block} as block, kept.${subject}::text as subject, row_digest(${values}) as digest
  from ${table} kept where kept.operator_id = $1 and ${where}`;

function comparisonOf(source: Source, blocks: string, rows: string): Comparison {
  const { table, check, leaves } = source;
  const added =
    source === JOURNAL ? 'stored.key <= (select sequence from audit.progress where operator_id = $1)' : 'false';
  return {
    statement: `
      select coalesce(stored.subject, remembered.key::text) as subject,
        case when stored.key is null then 'gone' when remembered.key is null then 'added' else 'changed' end as name, null as booked, null as stored
      from (${rememberedOf(source, blocks)}) remembered full join (${storedOf(source, rows)}) stored on stored.key = remembered.key
      where remembered.digest <> stored.digest or (stored.key is null and ${!leaves}) or (remembered.key is null and ${added})`,
    tell: ({ subject, name }) => {
      const happened = name === 'changed' ? 'is not as it was' : name === 'gone' ? 'is gone since' : 'was not there';
      const detail = `The row ${subject} of ${table} ${happened} when the auditor read it.`;
      return { check, severity: 'critical', detail, subjectType: 'record', subjectId: subject };
    },
  };
}

async function remember(sql: Sql, operatorId: string, source: Source): Promise<void> {
  await sql.unsafe(
    `insert into audit.digests as known (operator_id, source, block, keys, digests)
     select $1, '${source.table}', stored.block, array_agg(stored.key), array_agg(stored.digest)
     from (${storedOf(source, 'true')}) stored left join (${rememberedOf(source, 'true')}) remembered on remembered.key = stored.key
     where remembered.key is null group by stored.block order by stored.block
     on conflict (operator_id, source, block) do update set keys = known.keys || excluded.keys, digests = known.digests || excluded.digests`,
    [operatorId],
    { prepare: true },
  );
  if (source.leaves) {
    await sql.unsafe(
      `delete from audit.digests where operator_id = $1 and source = '${source.table}'
         and block < (select min(stored.block) from (${storedOf(source, 'true')}) stored)`,
      [operatorId],
      { prepare: true },
    );
  }
}
