-- The records beside the feed as texts that are the same on every machine. A column that is null is
-- left out, so that a column added later, null in older rows, leaves their texts as they are. This
-- function reads a range for a seal, by key.
create or replace function book_records(p_operator_id text, p_after bigint, p_through bigint,
  p_seals_after bigint, p_seals_through bigint)
returns table (record text, place bigint, content text) language sql stable
set timezone = 'UTC' set bytea_output = 'hex'
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select found.record, found.place, record_text(found.record, found.place, found.content)
  from (
    select 'ledger_entries' as record, entry.position as place, row_to_json(entry) as content
    from (select operator_id, position, entry_id, movement_type, memo, reference_type,
        reference_id, corrects_entry_id, recorded_at, effective_at, external_user_id, order_id
        from ledger_entries) entry
    where entry.operator_id = p_operator_id
      and entry.position > p_after and entry.position <= p_through
    union all
    select 'ledger_lines', line.position, json_agg(line order by line.line_no)
    from (select operator_id, position, line_no, account_id, amount, balance_after
        from ledger_lines) line
    where line.operator_id = p_operator_id
      and line.position > p_after and line.position <= p_through
    group by line.position
    union all
    select 'settlements', settlement.feed_position, row_to_json(settlement)
    from settlements settlement where settlement.operator_id = p_operator_id
      and settlement.feed_position > p_after and settlement.feed_position <= p_through
    union all
    select 'fills', item.position, row_to_json(fill)
    from items_between(p_operator_id, p_after, p_through) item
      join fills fill on fill.operator_id = p_operator_id
        and fill.order_id = item.order_id and fill.fill_id = item.item_id
    where item.type = 'order.filled'
    union all
    select 'ledger_seals', ledger_seal.number, row_to_json(ledger_seal)
    from ledger_seals ledger_seal where ledger_seal.operator_id = p_operator_id
      and ledger_seal.number > p_seals_after and ledger_seal.number <= p_seals_through
  ) found
  order by found.record collate "C", found.place
$$;

-- All records for an export, also rows that belong to no item of the feed, which have position 0.
create or replace function all_book_records(p_operator_id text)
returns table (record text, place bigint, content text) language sql stable
set timezone = 'UTC' set bytea_output = 'hex' as $$
  select found.record, found.place, record_text(found.record, found.place, found.content)
  from (
    select 'ledger_entries' as record, entry.position as place, row_to_json(entry) as content
    from (select operator_id, position, entry_id, movement_type, memo, reference_type,
        reference_id, corrects_entry_id, recorded_at, effective_at, external_user_id, order_id
        from ledger_entries) entry
    where entry.operator_id = p_operator_id
    union all
    select 'ledger_lines', line.position, json_agg(line order by line.line_no)
    from (select operator_id, position, line_no, account_id, amount, balance_after
        from ledger_lines) line
    where line.operator_id = p_operator_id
    group by line.position
    union all
    select 'settlements', settlement.feed_position, row_to_json(settlement)
    from settlements settlement where settlement.operator_id = p_operator_id
    union all
    select 'fills', coalesce(item.position, 0), row_to_json(fill)
    from fills fill left join feed_items item on item.operator_id = fill.operator_id
      and item.item_id = fill.fill_id and item.type = 'order.filled'
    where fill.operator_id = p_operator_id
    union all
    select 'ledger_seals', ledger_seal.number, row_to_json(ledger_seal)
    from ledger_seals ledger_seal where ledger_seal.operator_id = p_operator_id
  ) found
  order by found.record collate "C", found.place
$$;

-- The seals themselves, as an export has them before the records.
create or replace function record_seal_texts(p_operator_id text)
returns table (record text, place bigint, content text) language sql stable as $$
  select 'record_seals', stored.number, concat('{"record":"record_seals","number":', stored.number,
    ',"after":', stored.after_position, ',"through":', stored.through_position,
    ',"ledgerSeals":', stored.ledger_seals,
    ',"sealedAt":"', to_char(stored.sealed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    '","marks":"', encode(stored.marks, 'hex'), '","seal":"', encode(stored.seal, 'hex'), '"}')
  from record_seals stored where stored.operator_id = p_operator_id order by stored.number
$$;
