-- A foreign key to operators costs a look-up and a row lock for each row that is written. These rows are only written by
-- money functions, after the operator's row was joined or its counter locked; and the counter, which each operator has from
-- its first moment, references the operator, so none can be deleted.
alter table orders drop constraint orders_operator_id_fkey;
alter table positions drop constraint positions_operator_id_fkey;
alter table outbox_events drop constraint outbox_events_operator_id_fkey;
