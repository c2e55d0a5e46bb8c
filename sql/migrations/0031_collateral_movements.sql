-- Deposits and withdrawals of an operator's collateral: what was agreed outside the service, one row each. The ledger entry and
-- the feed item of a movement are written by the same statement, so this is the other source that they are held against.
create table collateral_movements (
  operator_id id not null references operators,
  -- what the service operator calls the movement: a bank's reference, a ticket. The same again moves nothing
  reference text collate "C" not null check (length(reference) between 1 and 200),
  kind text not null check (kind in ('deposit', 'withdrawal')),
  amount_minor bigint not null check (amount_minor > 0),
  -- position of its collateral.moved item in the operator's feed; its ledger entry stands right before it
  sequence bigint not null,
  recorded_at timestamptz not null,
  -- the operator's collateral right after it, the answer to whoever repeats the reference
  available_minor bigint not null check (available_minor >= 0),
  committed_minor bigint not null check (committed_minor >= 0),
  primary key (operator_id, reference)
);
create unique index collateral_movements_sequence on collateral_movements (operator_id, sequence);
create trigger collateral_movements_append_only before update or delete on collateral_movements
  for each row execute function refuse_change();
create trigger collateral_movements_keep before truncate on collateral_movements
  for each statement execute function refuse_change();

-- Movements recorded before this table: the id of the feed item is their reference.
insert into collateral_movements (operator_id, reference, kind, amount_minor, sequence, recorded_at, available_minor, committed_minor)
select f.operator_id, f.item_id, f.detail ->> 'kind', ((f.money ->> 'amount')::numeric * 100)::bigint, f.position, f.occurred_at,
  ((f.money ->> 'balanceAfter')::numeric * 100)::bigint, ((f.money ->> 'committedAfter')::numeric * 100)::bigint
from feed_items f
where f.type = 'collateral.moved' and f.detail ->> 'kind' in ('deposit', 'withdrawal');

-- move_collateral takes its place.
drop function if exists record_operator_facts(text, json);
