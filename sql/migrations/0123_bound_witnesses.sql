-- A witness of a feed's log is bound by the service operator, with its key; what it cosigned comes later.
alter table feed_log_witnesses alter column size drop not null;
alter table feed_log_witnesses alter column note drop not null;
alter table feed_log_witnesses alter column cosigned_at drop not null;
alter table feed_log_witnesses alter column received_at drop not null;
alter table feed_log_witnesses alter column received_at drop default;
alter table feed_log_witnesses add constraint cosigned_whole check (num_nulls(size, note, cosigned_at, received_at) in (0, 4));
