-- What the report holds the ledger against must not change after it was written: settlements, the resolutions of contracts and
-- what venues said are append-only, as the ledger and the feed are.
create trigger settlements_append_only before update or delete on settlements for each row execute function refuse_change();
create trigger settlements_keep before truncate on settlements for each statement execute function refuse_change();
create trigger contract_resolutions_append_only before update or delete on contract_resolutions for each row execute function refuse_change();
create trigger contract_resolutions_keep before truncate on contract_resolutions for each statement execute function refuse_change();
create trigger venue_evidence_append_only before update or delete on venue_evidence for each row execute function refuse_change();
create trigger venue_evidence_keep before truncate on venue_evidence for each statement execute function refuse_change();
