-- Writes the auditor's books after it has read on: its place moves on from where the books were
-- read, or nothing is written and the answer is false. p_books has, under the name of each table of
-- the schema `audit`, the rows that changed, without their operator: a row replaces the one of its
-- key.
create or replace function write_books(p_operator_id text, p_after bigint, p_books json)
returns boolean language plpgsql as $$
declare
  v_read audit.progress;
  v_table text;
  v_rows json;
  v_names text;
  v_key text;
  v_changes text;
  v_now timestamptz := clock_timestamp();
begin
  v_read := json_populate_record(null::audit.progress, p_books -> 'progress');
  insert into audit.progress as known (operator_id, sequence, recorded_at, entries, exits, agrees,
    disagrees)
  values (p_operator_id, v_read.sequence, v_read.recorded_at, v_read.entries, v_read.exits,
    v_read.agrees, v_read.disagrees)
  on conflict (operator_id) do update set sequence = excluded.sequence,
    recorded_at = excluded.recorded_at, entries = excluded.entries, exits = excluded.exits,
    agrees = excluded.agrees, disagrees = excluded.disagrees, audited_at = v_now
  where known.sequence = p_after;
  if not found then
    return false;
  end if;
  for v_table, v_rows in
    select book.key, book.value from json_each(p_books) book
    where book.key <> 'progress' and json_array_length(book.value) > 0 order by book.key
  loop
    -- what the table gives by itself is left out
    select string_agg(quote_ident(part.attname), ', ' order by part.attnum),
      string_agg(format('%1$I = excluded.%1$I', part.attname), ', ' order by part.attnum)
    into v_names, v_changes
    from pg_attribute part
    where part.attrelid = format('audit.%I', v_table)::regclass and part.attnum > 0
      and not part.attisdropped and not part.atthasdef and part.attidentity = ''
      and part.attname <> 'operator_id';
    -- findings have no key of their own: they are only added
    select string_agg(quote_ident(part.attname), ', ' order by part.attnum) into v_key
    from pg_index key join pg_attribute part
      on part.attrelid = key.indrelid and part.attnum = any (key.indkey)
    where key.indrelid = format('audit.%I', v_table)::regclass and key.indisprimary
      and part.attidentity = '';
    execute format('insert into audit.%1$I (operator_id, %2$s) select $1, %2$s '
      'from json_populate_recordset(null::audit.%1$I, $2) kept %3$s', v_table, v_names,
      case when v_table <> 'findings'
        then format('on conflict (%s) do update set %s', v_key, v_changes) else '' end)
    using p_operator_id, v_rows;
  end loop;
  return true;
end $$;
