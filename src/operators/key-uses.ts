/**
 * When each key was last used, and from where. Collected in memory and written at intervals, so that no request waits
 * for it.
 */
import type { Sql } from '../db/client.ts';

interface KeyUse {
  readonly keyId: string;
  readonly address: string | null;
  readonly at: Date;
}

export interface KeyUses {
  note(use: KeyUse): void;
  /** Writes the uses since the last call in one statement; does nothing if there were none. */
  flush(): Promise<void>;
}

/** If the process dies, only uses that were not written yet are lost. */
export function createKeyUses(sql: Sql): KeyUses {
  let noted = new Map<string, KeyUse>();
  return {
    note: (use) => {
      noted.set(use.keyId, use);
    },
    flush: async () => {
      // the same order everywhere, so that processes that write at the same time cannot deadlock
      const uses = [...noted.values()].toSorted((one, other) => (one.keyId < other.keyId ? -1 : 1));
      noted = new Map();
      if (uses.length === 0) {
        return;
      }
      await sql`
        insert into api_key_uses as u (operator_id, key_id, used_at, address)
        select k.operator_id, k.key_id, w.used_at, w.address::inet
          from unnest(${uses.map(({ keyId }) => keyId)}::text[], ${uses.map(({ at }) => at.toISOString())}::text[]::timestamptz[],
            ${uses.map(({ address }) => address)}::text[]) w(key_id, used_at, address)
          join api_keys k on k.key_id = w.key_id
        on conflict (operator_id, key_id) do update set used_at = excluded.used_at, address = excluded.address
          where excluded.used_at > u.used_at`;
    },
  };
}
