-- concurrently
-- Reports that rest on a checkpoint read the deposits of the customers whose money moved since.
-- an index that an earlier try left unfinished is in the way
drop index concurrently if exists sandbox_deposits_credited;
create index concurrently sandbox_deposits_credited on sandbox_deposits (operator_id, external_user_id) where credited_at is not null;
