-- Null: the data is in old_event_data (0058). It changes the catalogue of the database only and reads no row.
alter table outbox_events alter column data drop not null;
