-- The key made by 0070 takes the place of the two indexes.
alter table outbox_queue drop constraint outbox_queue_pkey,
  add constraint outbox_queue_pkey primary key using index outbox_queue_by_event;
drop index outbox_queue_by_age;
