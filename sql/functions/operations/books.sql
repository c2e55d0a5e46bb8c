-- Writes and replaces the auditor's books; the witness that notices lost commits of the database.

-- Writes the auditor's books after it has read a batch. If others have written them since they were
-- read, nothing is written and the result is false. p_rows has rows of p_tables as arrays: a new
-- row is added, and an existing one is replaced in all columns; earlier findings stay. The digests
-- of the rows that were read are stored with them.
create or replace function write_books(p_operator_id text, p_writes bigint,
  p_progress audit.progress[], p_tables text[], p_rows text[], p_findings audit.findings[],
  p_keys bigint[], p_digests bigint[])
returns boolean language plpgsql as $$
declare
  v_read audit.progress := p_progress[1];
  v_operator_id text := split_part(p_operator_id, '/', 1);
  v_key text;
  v_values text;
  -- as a variable: Citus refuses a clock in an update
  v_now timestamptz := clock_timestamp();
begin
  if p_writes = 0 then
    insert into audit.progress values (p_operator_id, v_read.sequence, v_read.recorded_at,
      v_read.entries, v_read.exits, v_read.agrees, v_read.disagrees, 1, v_now)
    on conflict do nothing;
  else
    update audit.progress set sequence = v_read.sequence, recorded_at = v_read.recorded_at,
      entries = v_read.entries, exits = v_read.exits, agrees = v_read.agrees,
      disagrees = v_read.disagrees, writes = p_writes + 1, audited_at = v_now
    where operator_id = p_operator_id and writes = p_writes;
  end if;
  if not found then
    return false;
  end if;
  for v_place in 1..cardinality(p_tables) loop
    select string_agg(quote_ident(col.attname), ', ') filter (where kept.is_key),
      string_agg(format('%1$I = excluded.%1$I', col.attname), ', ') filter (where not kept.is_key)
    into v_key, v_values
    from pg_index primary_key join pg_attribute col on col.attrelid = primary_key.indrelid
      cross join lateral (select col.attnum = any (primary_key.indkey::int2[]) as is_key) kept
    where primary_key.indrelid = p_tables[v_place]::regclass and primary_key.indisprimary
      and col.attnum > 0;
    execute format('insert into %1$s select kept.* from unnest($1::%1$s[]) kept
      on conflict (%2$s) do update set %3$s', p_tables[v_place]::regclass, v_key, v_values)
    using p_rows[v_place];
  end loop;
  if cardinality(p_findings) > 0 then
    insert into audit.findings (operator_id, sequence, check_name, severity, detail, subject_type,
      subject_id)
    select found.operator_id, found.sequence, found.check_name, found.severity, found.detail,
      found.subject_type, found.subject_id
    from unnest(p_findings) found;
  end if;
  -- a row that has a digest already keeps its first one, also while books are rebuilt
  insert into audit.digests as known (operator_id, source, block, keys, digests)
  select v_operator_id, 'journal', read.key / 256, array_agg(read.key order by read.key),
    array_agg(read.digest order by read.key)
  from unnest(p_keys, p_digests) read(key, digest)
    left join (select earlier.block, earlier.keys[cardinality(earlier.keys)] as last
      from audit.digests earlier
      where earlier.operator_id = v_operator_id and earlier.source = 'journal'
        and earlier.block between p_keys[1] / 256 and p_keys[cardinality(p_keys)] / 256) remembered
      on remembered.block = read.key / 256
  where read.key > coalesce(remembered.last, -1)
  group by read.key / 256 order by read.key / 256
  on conflict (operator_id, source, block) do update set keys = known.keys || excluded.keys,
    digests = known.digests || excluded.digests;
  return true;
end $$;

-- Puts books that were rebuilt under a temporary name in the place of those of an operator. If
-- p_as_far requires it and they have not read as far as these, nothing is done and the result is
-- false. Rebuilt books of the operator that were not continued for an hour are removed.
create or replace function replace_books(p_operator_id text, p_built text, p_as_far boolean)
returns boolean language plpgsql as $$
declare
  v_old audit.progress;
  v_built audit.progress;
  v_gone text[];
  v_table regclass;
  v_columns text;
  v_now timestamptz := clock_timestamp();
begin
  insert into audit.progress values (p_operator_id, 0, null, 0, 0, 0, 0, 1, v_now)
  on conflict do nothing;
  select * into v_old from audit.progress where operator_id = p_operator_id for update;
  select * into v_built from audit.progress where operator_id = p_built;
  if p_as_far and v_old.sequence > coalesce(v_built.sequence, 0) then
    return false;
  end if;
  -- a process that has read the old books cannot write the new ones
  update audit.progress set sequence = coalesce(v_built.sequence, 0),
    recorded_at = v_built.recorded_at, entries = coalesce(v_built.entries, 0),
    exits = coalesce(v_built.exits, 0), agrees = coalesce(v_built.agrees, 0),
    disagrees = coalesce(v_built.disagrees, 0), writes = v_old.writes + 1,
    audited_at = v_now
  where operator_id = p_operator_id;
  select array_agg(operator_id) into v_gone from audit.progress
    where operator_id = p_built or starts_with(operator_id, p_operator_id || '/')
      and audited_at < v_now - interval '1 hour';
  for v_table in
    select oid from pg_class where relnamespace = 'audit'::regnamespace and relkind in ('r', 'p')
      and relname not in ('progress', 'digests')
  loop
    select string_agg(quote_ident(attname), ', ') into v_columns from pg_attribute
      where attrelid = v_table and attnum > 0 and not attisdropped and attname <> 'operator_id';
    execute format('delete from %s where operator_id = $1', v_table) using p_operator_id;
    -- no update, because Citus does not move rows to another operator
    execute format('insert into %1$s (operator_id, %2$s) overriding system value
      select $1, %2$s from %1$s where operator_id = $2', v_table, v_columns)
      using p_operator_id, p_built;
    execute format('delete from %s where operator_id = any ($1)', v_table) using v_gone;
  end loop;
  delete from audit.progress where operator_id = any (v_gone);
  return true;
end $$;

-- Compares the counts that a process has seen with the books as they are now, and counts this
-- process on. If commits that were acknowledged to it are missing, it raises the epoch of the
-- books; a change of server without a loss does not. Locks: the row of the books, only if something
-- changed.
create or replace function witness_books(p_witness text, p_seen json)
returns table (epoch integer, beat bigint, system_identifier bigint, timeline bigint, lsn text,
  at timestamptz, lost boolean) language plpgsql as $$
#variable_conflict use_column
declare
  v_books books;
  v_now_id bigint := (select control.system_identifier from pg_control_system() control);
  v_now_timeline bigint := ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(
    32)::bigint;
  -- read before this statement's own commit, so that the process that acknowledged that commit has
  -- everything up to here
  v_now_lsn pg_lsn := pg_current_wal_insert_lsn();
  v_seen_epoch integer := (p_seen ->> 'epoch')::integer;
  v_seen_beat bigint := (p_seen ->> 'beat')::bigint;
  v_counted bigint;
  v_now timestamptz := clock_timestamp();
begin
  select * into v_books from books;
  select witness.beat into v_counted from books_witnesses witness
    where witness.witness_id = p_witness;
  lost := coalesce(books_went_back(v_books.epoch, coalesce(v_counted, 0), v_now_id, v_now_lsn,
    p_seen), false);
  if lost or (v_books.system_identifier, v_books.timeline)
    is distinct from (v_now_id, v_now_timeline) then
    select * into v_books from books for update;
    lost := coalesce(books_went_back(v_books.epoch, coalesce(v_counted, 0), v_now_id, v_now_lsn,
      p_seen), false);
    update books set system_identifier = v_now_id, timeline = v_now_timeline,
      changed_at = v_now,
      epoch = case when lost then greatest(v_books.epoch, v_seen_epoch) + 1 else v_books.epoch end
    returning * into v_books;
    if lost then
      insert into books_epochs (epoch, seen, found) values (v_books.epoch, p_seen,
        json_build_object('beat', v_counted, 'systemIdentifier', v_now_id::text, 'timeline',
          v_now_timeline, 'lsn', v_now_lsn));
    end if;
  end if;
  insert into books_witnesses as witness (witness_id, beat, seen_at) values (p_witness,
    greatest(v_counted, v_seen_beat, 0) + 1, clock_timestamp())
  on conflict (witness_id) do update set beat = greatest(witness.beat, excluded.beat - 1) + 1,
    seen_at = excluded.seen_at
  returning witness.beat into v_counted;
  return query select v_books.epoch, v_counted, v_now_id, v_now_timeline, v_now_lsn::text,
    clock_timestamp(), lost;
end $$;

-- Whether commits that this witness saw are missing. Once another witness has raised the epoch for
-- the same loss, it is above the epoch that this one saw.
create or replace function books_went_back(p_epoch integer, p_beat bigint,
  p_system_identifier bigint, p_lsn pg_lsn, p_seen json)
returns boolean language sql immutable as $$
  select p_seen is not null and ((p_seen ->> 'epoch')::integer > p_epoch
    or ((p_seen ->> 'epoch')::integer = p_epoch and (p_beat < (p_seen ->> 'beat')::bigint
      or ((p_seen ->> 'systemIdentifier')::bigint = p_system_identifier
        and p_lsn < (p_seen ->> 'lsn')::pg_lsn))))
$$;
