-- ledger_entries_by_subject finds what it found, except entries of orders. A look-up by the release before reads them more slowly.
drop index ledger_entries_by_reference;
