-- Operators that move between cells (docs/cells.md). A row in each of the two cells, written by the owner only: it decides in which
-- cell an operator trades. The service reads it and cannot change it.
create table operator_moves (
  operator_id id primary key,
  move_id id not null,
  -- the operator whose slug was given: an aggregator moves with its children
  leader_id id not null,
  peer text not null,
  -- of the cell that it leaves: copying (it still trades here), fenced, left; of the other one: arriving, arrived, cancelled
  state text not null check (state in ('copying', 'fenced', 'left', 'arriving', 'arrived', 'cancelled')),
  -- what the operator's status was when it was fenced, and becomes again
  status_before text,
  began_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp()
);

-- `moving`: it trades in another cell, or is on its way. The statements of orders and admission read the status anyway. Every row
-- that exists has one of the other two.
alter table operators drop constraint operators_status_check;
alter table operators add constraint operators_status_check check (status in ('active', 'suspended', 'moving')) not valid;

-- Only the end of a move ends `moving`: resuming an operator in the wrong cell would make it trade in both. What left is not changed
-- any more; what arrives is written by the move.
create function refuse_change_of_moving_operator() returns trigger language plpgsql as $$
begin
  if exists (select 1 from operator_moves move where move.operator_id = new.operator_id
             and (move.state in ('fenced', 'left', 'cancelled') or (move.state = 'arriving' and new.status <> 'moving'))) then
    raise exception 'operator % is in another cell', new.operator_id using errcode = 'IN007';
  end if;
  return new;
end $$;
create trigger operators_moving before update on operators
  for each row when (old.status = 'moving') execute function refuse_change_of_moving_operator();

-- Refuses every new or changed row of an operator that trades in another cell. `inlay operators move` creates the triggers that
-- call it, on every table of operators and with a condition that names the operator, so that nobody else pays for them.
create function refuse_row_of_moved_operator() returns trigger language plpgsql as $$
begin
  raise exception '% is written for an operator in another cell', tg_table_name using errcode = 'IN007';
end $$;

-- An order that arrives from another cell comes with the status that it has reached there, where each step was checked.
create or replace function refuse_unknown_transition() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.status = old.status then
    return new;
  end if;
  if not exists (select 1 from order_transitions
                 where from_status = case when tg_op = 'INSERT' then '' else old.status end and to_status = new.status) then
    if exists (select 1 from operator_moves where operator_id = new.operator_id and state = 'arriving') then
      return new;
    end if;
    raise exception 'no transition of an order from % to %', case when tg_op = 'INSERT' then 'none' else old.status end, new.status
      using errcode = 'IN003';
  end if;
  return new;
end $$;
