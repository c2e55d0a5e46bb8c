-- Each operator's feed as a transparency log: a Merkle tree over its items, stored in tiles of 256 hashes, and the newest
-- signed checkpoint. A job writes both behind the feed; no money statement touches them.

create table feed_log_tiles (
  operator_id id not null references operators,
  -- a hash of level L stands for the 256^L items below it
  level smallint not null check (level between 0 and 6),
  tile bigint not null check (tile >= 0),
  hashes bytea not null check (length(hashes) % 32 = 0 and length(hashes) between 32 and 8192),
  primary key (operator_id, level, tile)
);
-- hashes are random: compressing them costs time and saves nothing
alter table feed_log_tiles alter column hashes set storage external;

create table feed_log_heads (
  operator_id id primary key references operators,
  size bigint not null check (size >= 0),
  root bytea not null check (length(root) = 32),
  -- the checkpoint over both, signed with a key that the database does not hold
  note text not null,
  sealed_at timestamptz not null default clock_timestamp()
);

-- A tile only grows to the right and a log only grows: not even the owner rewrites them without dropping these triggers.
create function refuse_log_rewrite() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or tg_op = 'TRUNCATE' then
    raise exception '% is append-only', tg_table_name using errcode = 'IN002';
  elsif tg_table_name = 'feed_log_heads' then
    if new.operator_id <> old.operator_id or new.size < old.size or (new.size = old.size and new.root <> old.root) then
      raise exception 'the log of % does not go back', old.operator_id using errcode = 'IN002';
    end if;
  elsif row(new.operator_id, new.level, new.tile) <> row(old.operator_id, old.level, old.tile)
     or substring(new.hashes from 1 for length(old.hashes)) <> old.hashes then
    raise exception 'a tile of the log of % was to be rewritten', old.operator_id using errcode = 'IN002';
  end if;
  return new;
end $$;
create trigger feed_log_tiles_grow before update or delete on feed_log_tiles for each row execute function refuse_log_rewrite();
create trigger feed_log_heads_grow before update or delete on feed_log_heads for each row execute function refuse_log_rewrite();
create trigger feed_log_tiles_keep before truncate on feed_log_tiles for each statement execute function refuse_log_rewrite();
create trigger feed_log_heads_keep before truncate on feed_log_heads for each statement execute function refuse_log_rewrite();
