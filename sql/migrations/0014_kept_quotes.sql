-- Quotes that an order spent: kept for good when the table of their week leaves. What nobody spent is forgotten with it.
-- A column that quotes are given later has to be given to this table too, in the same place.
create table kept_quotes (
  like quotes including defaults including constraints,
  primary key (operator_id, quote_id)
);
alter table kept_quotes alter column spent_by set not null;
create trigger kept_quotes_append_only before update or delete on kept_quotes for each row execute function refuse_change();
create trigger kept_quotes_keep before truncate on kept_quotes for each statement execute function refuse_change();
