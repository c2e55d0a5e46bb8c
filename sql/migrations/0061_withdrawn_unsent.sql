-- Only what was never sent is withdrawn. Simulated orders that a crash left between their sending and their fill were withdrawn
-- with their transmission still `unknown`; nothing was sent of them, and their events said so.
update orders set transmission_state = 'not_transmitted', version = version + 1
where cancellation_id is not null and transmission_state = 'unknown' and simulated and filled_quantity = 0;
alter table orders add constraint orders_withdrawn_unsent check (cancellation_id is null or transmission_state = 'not_transmitted') not valid;
