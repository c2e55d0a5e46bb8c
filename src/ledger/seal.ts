/** The seal of the ledger: a hash chain over the entries of each operator, made by a job and verified on request. */
import type { Sql } from '../db/client.ts';

/** The most entries of a seal: few enough to look through a broken one. */
const BATCH = 1000;

/** Seals what is unsealed, of all operators. @returns how many entries this call sealed. */
export async function sealLedger(sql: Sql): Promise<number> {
  let sealed = 0;
  for (;;) {
    const rows = await sql<{ entries: number }[]>`select entries from seal_ledger(${BATCH})`;
    sealed += rows.reduce((sum, row) => sum + row.entries, 0);
    if (!rows.some((row) => row.entries === BATCH)) {
      return sealed;
    }
  }
}

export interface LedgerVerdict {
  readonly operatorId: string;
  readonly slug: string;
  readonly ok: boolean;
  readonly entries: number;
  readonly sealedEntries: number;
  readonly seals: number;
  /** The first entry that does not fit its seal. */
  readonly unfit: { readonly position: number; readonly entryId: string | null; readonly reason: string } | null;
}

/** Checks every seal of one operator, or of all of them, against the entries of today. */
export async function verifyLedger(sql: Sql, operatorId: string | null): Promise<LedgerVerdict[]> {
  const rows = await sql<
    (Omit<LedgerVerdict, 'ok' | 'unfit'> & { place: bigint | null; entryId: string | null; reason: string | null })[]
  >`
    select o.operator_id as "operatorId", o.slug, e.entries::float8 as entries, s.seals::float8 as seals,
      s.entries::float8 as "sealedEntries", u.place, u.entry_id, u.reason
    from operators o
      cross join lateral (select count(*) as entries from ledger_entries x where x.operator_id = o.operator_id) e
      cross join lateral (select count(*) as seals, coalesce(sum(cardinality(x.positions)), 0) as entries
        from ledger_seals x where x.operator_id = o.operator_id) s
      left join lateral first_unfit_entry(o.operator_id, 0) u on true
    where ${operatorId}::text is null or o.operator_id = ${operatorId}
    order by o.slug`;
  return rows.map(({ place, entryId, reason, ...verdict }) => ({
    ...verdict,
    ok: reason === null,
    unfit: reason === null ? null : { position: Number(place), entryId, reason },
  }));
}
