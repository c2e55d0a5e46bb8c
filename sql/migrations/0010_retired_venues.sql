-- A venue that is no longer among those of the deployment is not reported as a feed that fell silent.
alter table venue_feeds add column if not exists retired boolean not null default false;
