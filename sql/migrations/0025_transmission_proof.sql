-- Why it is certain that the venue does not have the order: it was never written to the wire, or the venue refused to look at
-- it. Null where it may be there, or was answered.
alter table transmissions add column not_sent text;
