-- The nightly report, the last one kept whole.
create table reconciliation_reports (
  operator_id id primary key references operators,
  -- set by the worker that takes an operator's night, so that one does
  claimed_at timestamptz not null,
  ran_at timestamptz,
  ok boolean,
  report json
);
