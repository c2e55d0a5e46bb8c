-- Compares what a process has seen of the books with what they are now, and counts this process on.
-- If commits that were acknowledged to it are missing, it raises the epoch of the books; a change
-- of server without a loss does not. Locks: the row of the books, only if something changed.
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
