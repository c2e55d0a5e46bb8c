-- The number of facts that a command has, so that a statement can refuse a batch that carries more or fewer of them.
alter type order_command add attribute fact_count integer;
alter type order_move add attribute fact_count integer;

-- The time of the last fact of each operator: record_facts never goes back behind it.
alter table operator_counters add column recorded_at timestamptz;

-- The word on a contract's result that is in force: the version of its row in contract_resolutions; 0 where none was ever given.
alter table contracts add column resolution_version integer not null default 0 check (resolution_version >= 0);
update contracts c set resolution_version = r.version
from (select contract_id, max(version) as version from contract_resolutions where applied group by contract_id) r
where r.contract_id = c.contract_id;

-- The version that a settlement was paid at; null where a sandbox tester asked for it, whatever the market said.
alter table settlements add column resolution_version integer check (resolution_version >= 0);
-- the register may be append-only already
alter table settlements disable trigger user;
update settlements s set resolution_version = coalesce((
    select max(r.version) from contract_resolutions r
    where r.contract_id = s.contract_id and r.applied and r.recorded_at <= s.settled_at), 0)
where not exists (select 1 from sandbox_resolutions t where t.operator_id = s.operator_id and t.position_id = s.position_id);
alter table settlements enable trigger user;

-- Settling reads the resolution itself, under a lock, and takes none from its caller any more.
drop function if exists settle_positions(text, text[], text, bigint);
