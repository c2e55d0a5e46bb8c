-- How much a finding differs (contracts of a position in millionths, cents of the cash, signed). A
-- difference over which a person resumed trading stops it again only when it grows.
alter table venue_findings add column size bigint not null default 0;
