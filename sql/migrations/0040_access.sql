-- A parent has no parent, and its children have its mode: otherwise a sandbox key could act for a live child. A trigger and not a
-- foreign key, so that a database which already holds such rows can be migrated; admit_requests refuses to act on them.
create function check_parent() returns trigger language plpgsql as $$
declare
  parent operators;
begin
  if new.parent_id is not null then
    -- for share: the parent cannot get a parent or another mode while this row is written
    select * into parent from operators o where o.operator_id = new.parent_id for share;
    if parent.operator_id = new.operator_id or parent.parent_id is not null then
      raise exception 'The parent of an operator has no parent itself.' using errcode = 'check_violation', constraint = 'operators_parent';
    end if;
    if parent.mode <> new.mode then
      raise exception 'An operator has the mode of its parent.' using errcode = 'check_violation', constraint = 'operators_parent';
    end if;
  end if;
  if exists (select from operators o where o.parent_id = new.operator_id and (new.parent_id is not null or o.mode <> new.mode)) then
    raise exception 'An operator with children has no parent, and keeps the mode of its children.'
      using errcode = 'check_violation', constraint = 'operators_parent';
  end if;
  return new;
end $$;
create trigger operators_parent before insert or update of parent_id, mode on operators for each row execute function check_parent();

alter table api_keys
  add expires_at timestamptz check (expires_at > created_at),
  -- null admits every address
  add allowed_addresses cidr[] check (cardinality(allowed_addresses) between 1 and 100);

-- When a key was last used, and from where. Not in api_keys: a write there would end what processes remember of the key.
create table api_key_uses (
  operator_id id not null,
  key_id id not null references api_keys,
  used_at timestamptz not null,
  address inet not null,
  primary key (operator_id, key_id)
);
