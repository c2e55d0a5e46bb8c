/**
 * Copies a part of feed or ledger into a tablespace, in a schema of its own, where nothing reads it. Old facts never change, so
 * the copy is made in batches beside all other work.
 */
import type { Sql } from '../../db/client.ts';
import type { StoredPart } from './fact-parts.ts';

export const COPIES = 'moving_facts';
/** Refuses changes of a copy until it is attached, when the trigger of the whole does. */
export const GUARD = 'copied_facts_append_only';

/** Refuses new rows of a part while it is copied, where any can come. The copy does not have it. */
export const CLOSED = 'moving_part_closed';

const BATCH_ROWS = 20_000;

/** Removes what a run that was ended left behind. */
export async function removeCopies(owner: Sql): Promise<void> {
  await owner.unsafe(`drop schema if exists ${COPIES} cascade`);
}

/**
 * @param batchRows rows of one statement
 * @returns how many rows the copy has
 */
export async function copyPart(
  owner: Sql,
  part: StoredPart,
  tablespace: string,
  batchRows: number = BATCH_ROWS,
): Promise<number> {
  const { name, key } = part;
  const copy = `${COPIES}.${name}`;
  await removeCopies(owner);
  await owner`select set_config('default_tablespace', ${tablespace}, false)`;
  try {
    await owner.unsafe(`create schema ${COPIES}`);
    await owner.unsafe(`create table ${copy} (like public.${name} including constraints including storage)`);
    await owner.unsafe(`alter table ${copy} add constraint ${partCheck(part)} check (${part.condition})`);
    const rows = await copyRows(owner, name, key, batchRows);
    await owner.unsafe(`alter table ${copy} add constraint ${name}_pkey primary key (${key.join(', ')})`);
    for (const statement of await listLikeStatements(owner, part)) {
      await owner.unsafe(statement);
    }
    await owner.unsafe(`create trigger ${GUARD} before update or delete on ${copy}
      for each row execute function refuse_change()`);
    await owner.unsafe(`vacuum (freeze, analyze) ${copy}`);
    return rows;
  } finally {
    await owner`select set_config('default_tablespace', '', false)`;
  }
}

/** The check that spares the scan when the copy is attached. */
export function partCheck({ name }: StoredPart): string {
  return `${name}_part`;
}

interface Batch {
  readonly count: number;
  /** Of its last row. */
  readonly key: string[];
}

async function copyRows(owner: Sql, name: string, key: readonly string[], batchRows: number): Promise<number> {
  const columns = await listColumns(owner, name);
  const keyText = key.join(', ');
  const keyTexts = key.map((column) => `${column}::text`).join(', ');
  const down = key.map((column) => `${column} desc`).join(', ');
  let rows = 0;
  let after: readonly string[] | null = null;
  for (;;) {
    const from: string = after === null ? '' : `where (${keyText}) > (${key.map((_, at) => `$${at + 1}`).join(', ')})`;
    const batch = `select ${columns} from public.${name} ${from} order by ${keyText} limit ${batchRows}`;
    const found: Batch[] = await owner.unsafe<Batch[]>(
      `with batch as (${batch}), put as (insert into ${COPIES}.${name} (${columns}) select ${columns} from batch)
       select (select count(*)::integer from batch) as count, array[${keyTexts}] as key from batch order by ${down} limit 1`,
      after === null ? [] : [...after],
    );
    const [last] = found;
    if (last === undefined) {
      return rows;
    }
    rows += last.count;
    after = last.key;
  }
}

async function listColumns(owner: Sql, name: string): Promise<string> {
  const rows = await owner<{ name: string }[]>`
    select attname::text as name from pg_attribute
    where attrelid = ${`public.${name}`}::regclass and attnum > 0 and not attisdropped order by attnum`;
  return rows.map((row) => `"${row.name}"`).join(', ');
}

/** Statements that give the copy the indexes of the part, under the same names, its own triggers, its rights and its policies. */
async function listLikeStatements(owner: Sql, { name }: StoredPart): Promise<string[]> {
  const copy = `${COPIES}.${name}`;
  const rows = await owner<{ statement: string }[]>`
    select replace(pg_get_indexdef(made.indexrelid), ${` ON public.${name} `}, ${` ON ${COPIES}.${name} `}) as statement
    from pg_index made where made.indrelid = ${`public.${name}`}::regclass and not made.indisprimary
    union all
    select replace(pg_get_triggerdef(made.oid), ${` ON public.${name} `}, ${` ON ${COPIES}.${name} `})
    from pg_trigger made
    where made.tgrelid = ${`public.${name}`}::regclass and not made.tgisinternal and made.tgparentid = 0 and made.tgname <> ${CLOSED}
    union all
    select format('grant %s%s on %s to %s%s', held.privilege_type, ' (' || quote_ident(held.name) || ')', ${copy}::text,
      case held.grantee when 0 then 'public' else held.grantee::regrole::text end,
      case when held.is_grantable then ' with grant option' else '' end)
    from (select null::name as name, whole.*, part.relowner from pg_class part cross join aclexplode(part.relacl) whole
          where part.oid = ${`public.${name}`}::regclass
          union all
          select field.attname, one.*, part.relowner
          from pg_class part join pg_attribute field on field.attrelid = part.oid cross join aclexplode(field.attacl) one
          where part.oid = ${`public.${name}`}::regclass) held
    where held.grantee <> held.relowner
    union all
    select format('alter table %s enable row level security', ${copy}::text)
    from pg_class part where part.oid = ${`public.${name}`}::regclass and part.relrowsecurity
    union all
    select format('create policy %I on %s for %s to %s%s%s', policyname, ${copy}::text, cmd, array_to_string(roles, ', '),
      ' using (' || qual || ')', ' with check (' || with_check || ')')
    from pg_policies where schemaname = 'public' and tablename = ${name}`;
  return rows.map(({ statement }) => statement);
}

/** Whether both have the same rows, by their number and two sums of hashes of the whole rows, in one snapshot. */
export async function isSame(owner: Sql, { name }: StoredPart): Promise<boolean> {
  const digest = (table: string) => `(select row(count(*), sum(hashtextextended(held::text, 1)::numeric),
    sum(hashtextextended(held::text, 2)::numeric))::text from ${table} held)`;
  const [row] = await owner.unsafe<{ same: boolean }[]>(
    `select ${digest(`public.${name}`)} = ${digest(`${COPIES}.${name}`)} as same`,
  );
  return row?.same === true;
}
