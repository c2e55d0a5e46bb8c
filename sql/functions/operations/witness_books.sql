-- Holds what a worker has seen of the books against what they are now, and counts on. Commits that were acknowledged to it and
-- are gone raise the epoch; a plain change of server does not.
create or replace function witness_books(p_witness text, p_seen json)
returns table (epoch integer, beat bigint, system_identifier bigint, timeline bigint, lsn text, at timestamptz, lost boolean) language plpgsql as $$
#variable_conflict use_column
declare
  b books;
  now_id bigint := (select c.system_identifier from pg_control_system() c);
  now_timeline bigint := ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint;
  -- read before this statement's own commit, so that whoever acknowledged that commit has everything up to here
  now_lsn pg_lsn := pg_current_wal_insert_lsn();
  seen_epoch integer := (p_seen ->> 'epoch')::integer;
  seen_beat bigint := (p_seen ->> 'beat')::bigint;
  counted bigint;
begin
  select * into b from books;
  select w.beat into counted from books_witnesses w where w.witness_id = p_witness;
  lost := coalesce(books_went_back(b.epoch, coalesce(counted, 0), now_id, now_lsn, p_seen), false);
  if lost or (b.system_identifier, b.timeline) is distinct from (now_id, now_timeline) then
    select * into b from books for update;
    lost := coalesce(books_went_back(b.epoch, coalesce(counted, 0), now_id, now_lsn, p_seen), false);
    update books set system_identifier = now_id, timeline = now_timeline, changed_at = clock_timestamp(),
      epoch = case when lost then greatest(b.epoch, seen_epoch) + 1 else b.epoch end
    returning * into b;
    if lost then
      insert into books_epochs (epoch, seen, found) values (b.epoch, p_seen,
        json_build_object('beat', counted, 'systemIdentifier', now_id::text, 'timeline', now_timeline, 'lsn', now_lsn));
    end if;
  end if;
  insert into books_witnesses as w (witness_id, beat, seen_at) values (p_witness, greatest(counted, seen_beat, 0) + 1, clock_timestamp())
  on conflict (witness_id) do update set beat = greatest(w.beat, excluded.beat - 1) + 1, seen_at = excluded.seen_at
  returning w.beat into counted;
  return query select b.epoch, counted, now_id, now_timeline, now_lsn::text, clock_timestamp(), lost;
end $$;

-- Another witness that saw the same loss raised the epoch already: then it is above the one seen.
create or replace function books_went_back(p_epoch integer, p_beat bigint, p_system_identifier bigint, p_lsn pg_lsn, p_seen json)
returns boolean language sql immutable as $$
  select p_seen is not null and ((p_seen ->> 'epoch')::integer > p_epoch
    or ((p_seen ->> 'epoch')::integer = p_epoch and (p_beat < (p_seen ->> 'beat')::bigint
      or ((p_seen ->> 'systemIdentifier')::bigint = p_system_identifier and p_lsn < (p_seen ->> 'lsn')::pg_lsn))))
$$;
