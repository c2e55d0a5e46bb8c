-- The fill of an order that is filled at once becomes part of the order's row, which says all of it but its id. Fills of orders at
-- venues, and those that are here, stay rows, in a table that is renamed. `fills` is a view of both from here on, under its old name
-- and with its old columns, so that processes and functions of the release before find every fill; what their functions insert
-- into it becomes a row, as before.
lock table orders, fills in access exclusive mode;

alter table orders
  -- null: its fills, if there are any, are rows of fill_rows
  add column own_fill_id id,
  add constraint orders_own_fill check (own_fill_id is null or (simulated and filled_quantity > 0
    and price_weight >= filled_quantity and price_weight <= filled_quantity::numeric * 999999)) not valid;

-- A fill never changes, and neither does what it is made of.
create function refuse_other_fill() returns trigger language plpgsql as $$
begin
  raise exception 'the fill of order % is part of its row and never changes', old.order_id using errcode = 'IN003';
end $$;
create trigger orders_own_fill before update of own_fill_id, filled_quantity, price_weight, created_at on orders
  for each row when (old.own_fill_id is distinct from new.own_fill_id or (old.own_fill_id is not null
    and (old.filled_quantity, old.price_weight, old.created_at) is distinct from (new.filled_quantity, new.price_weight, new.created_at)))
  execute function refuse_other_fill();

alter table fills rename to fill_rows;
alter table fill_rows rename constraint fills_pkey to fill_rows_pkey;
alter table fill_rows rename constraint fills_fill_no_check to fill_rows_fill_no_check;
alter table fill_rows rename constraint fills_quantity_check to fill_rows_quantity_check;
alter table fill_rows rename constraint fills_price_micros_check to fill_rows_price_micros_check;
alter index fills_venue rename to fill_rows_venue;

-- The price of a single fill divides exactly. The condition is outside of the union: a branch with a condition of its own takes no
-- key of a join and is read to its end.
create view fills with (security_invoker = true) as
  select operator_id, order_id, fill_no, fill_id, quantity, price_micros, fee_micros, venue_fill_id, filled_at
  from (
    select operator_id, order_id, fill_no, fill_id, quantity, price_micros, fee_micros, venue_fill_id, filled_at from fill_rows
    union all
    select operator_id, order_id, 1, own_fill_id, filled_quantity, div(price_weight, nullif(filled_quantity, 0))::bigint, 0::bigint,
      null::text, created_at
    from orders) fill
  where fill_id is not null;

create function insert_fill_row() returns trigger language plpgsql as $$
begin
  insert into fill_rows (operator_id, order_id, fill_no, fill_id, quantity, price_micros, fee_micros, venue_fill_id, filled_at)
  values (new.operator_id, new.order_id, new.fill_no, new.fill_id, new.quantity, new.price_micros, new.fee_micros,
    new.venue_fill_id, new.filled_at);
  return new;
end $$;
create trigger fills_insert instead of insert on fills for each row execute function insert_fill_row();

-- A view takes no `on conflict`. The function of the release before writes to the table until it is replaced, after all migrations.
do $$
begin
  if to_regprocedure('apply_fills(order_move[], timestamptz)') is not null then
    execute replace(pg_get_functiondef('apply_fills(order_move[], timestamptz)'::regprocedure), 'insert into fills as',
      'insert into fill_rows as');
  end if;
end $$;

-- Who could read or add fills still can; grants are applied only after all migrations.
do $$
declare
  held record;
begin
  for held in select given.grantee::regrole::text as role, given.privilege_type as kind
              from pg_class made cross join aclexplode(made.relacl) given
              where made.oid = 'fill_rows'::regclass and given.grantee <> 0
                and given.privilege_type in ('SELECT', 'INSERT') loop
    execute format('grant %s on fills to %s', held.kind, held.role);
  end loop;
end $$;
