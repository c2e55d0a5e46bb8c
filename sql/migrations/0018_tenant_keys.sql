-- A database that shards by operator takes a unique key only where the operator is part of it. These were without, and none
-- needs more: the ids are random or of one sequence, and each index still leads with what it is searched by.
alter table venue_evidence drop constraint venue_evidence_pkey, add primary key (operator_id, evidence_id);
drop index orders_execution_ref;
create unique index orders_execution_ref on orders (execution_ref, operator_id);
alter table embed_sessions drop constraint embed_sessions_secret_hash_key, add unique (secret_hash, operator_id);
alter table transmissions drop constraint transmissions_our_id_key, add unique (our_id, operator_id);
