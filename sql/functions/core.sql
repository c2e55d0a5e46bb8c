-- Small functions that statements of several rooms share: numbers and words of the API, ids, and
-- the rule for effective dates.

-- A number of millionths as the JSON number of the API: exact, without trailing zeros.
create or replace function micro_number(p_micros numeric)
returns numeric language sql immutable parallel safe as $$
  select trim_scale(p_micros / 1000000)
$$;

-- The digest of a row: eight bytes of a hash of its text. Columns without a value at its end do not
-- count, so that a column that is added changes no digest.
create or replace function row_digest(p_row text)
returns bigint language sql immutable parallel safe as $$
  select ('x' || left(encode(sha256(convert_to(rtrim(p_row, ',)'), 'UTF8')), 'hex'),
    16))::bit(64)::bigint
$$;

-- A resolution as part of a dedupe key: `null` if it was withdrawn, and a split with the value of
-- YES.
create or replace function resolution_word(p_resolution text, p_yes_worth bigint)
returns text language sql immutable parallel safe as $$
  select coalesce(p_resolution, 'null')
    || case when p_resolution = 'SPLIT' then ':' || micro_number(p_yes_worth) else '' end
$$;

-- A time-ordered UUID on every PostgreSQL from 15 on; uuidv7() itself exists from 18 on.
create or replace function uuidv7_text() returns text language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) placing
      substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6), 52, 1), 53, 1), 'hex')::uuid::text
$$;

-- No id of this kind made at that moment or later is smaller: ids begin with the milliseconds, by
-- the clock of the process that makes them.
create or replace function id_at(p_prefix text, p_moment timestamptz)
returns text language sql immutable parallel safe as $$
  select p_prefix || '_' || lpad(to_hex((extract(epoch from p_moment) * 1000)::bigint), 12, '0')
$$;

-- The id of an item of a row of the journal, as itemIdOf in src/ledger/render/entry.ts.
create or replace function item_id(p_prefix text, p_digits uuid, p_order_id text)
returns text language sql immutable parallel safe as $$
  select p_prefix || '_' || coalesce(replace(p_digits::text, '-', ''), substr(p_order_id, 5))
$$;

-- Whether an entry of this operator may take effect at a moment: not in a closed period, not in the
-- future. Null is the time of recording, which is always allowed.
create or replace function may_take_effect(p_ledger operator_ledgers, p_effective_at timestamptz)
returns boolean language sql volatile as $$
  select p_effective_at is null
    or (p_effective_at >= coalesce((p_ledger).closed_until, to_timestamp(0))
      and p_effective_at <= clock_timestamp())
$$;
