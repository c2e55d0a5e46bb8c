-- Creates one job for each endpoint and time. The key of the job keeps it at one, however often it
-- is asked for. Endpoints are taken in one order, so two callers never wait for each other in a
-- circle. Times are rounded up to a tenth of a second, so a burst of failures with the same delay
-- shares a job.
create or replace function wake_webhook_endpoints(p_operator_ids text[], p_endpoint_ids text[],
  p_run_at timestamptz[])
returns void language plpgsql as $$
begin
  perform graphile_worker.add_jobs(array(
    select row('webhook-deliver', json_build_object('operatorId', wake.operator_id, 'endpointId',
      wake.endpoint_id), null, wake.run_at,
      25, 'webhook:' || wake.endpoint_id
        || coalesce(':' || (extract(epoch from wake.run_at) * 10)::bigint, ''), null, null
    )::graphile_worker.job_spec
    from (select distinct operator_id, endpoint_id,
      to_timestamp(ceil(extract(epoch from run_at) * 10) / 10) as run_at
          from unnest(p_operator_ids, p_endpoint_ids, p_run_at)
            as given (operator_id, endpoint_id, run_at)) wake
    order by wake.endpoint_id, wake.run_at nulls first
  ));
end $$;
