-- What a sandbox tester asked a position to resolve to. Such a settlement leaves the market alone, so a later resolution
-- of the market is no change of it.
create table sandbox_resolutions (
  operator_id id not null references operators,
  position_id id not null,
  resolution text not null check (resolution in ('WIN', 'LOSS', 'VOID')),
  requested_at timestamptz not null default now(),
  primary key (operator_id, position_id)
);
