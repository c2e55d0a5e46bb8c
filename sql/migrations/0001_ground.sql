-- Ground: what every room leans on. Ids are compared byte by byte, so that time-ordered ids sort the same on every cluster.
create domain id as text collate "C";

-- Facts of a deployment that processes must agree on: the address of the paper venue, the hash of the applied functions.
create table settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);
