/** What venues said that this release does not know: each word once, with how often it was seen. Nothing is lost with it. */
import type { Sql } from '../../db/client.ts';
import type { UnknownWord } from '../../venues/port.ts';

interface RecordedWord extends Pick<UnknownWord, 'about' | 'word'> {
  readonly fresh: boolean;
}

/** @returns those that were never seen before */
export async function recordUnknownWords(
  sql: Sql,
  venue: string,
  words: readonly UnknownWord[],
): Promise<readonly RecordedWord[]> {
  const rows = await sql<RecordedWord[]>`
    insert into venue_unknown_words as w (venue, about, word, seen)
    select ${venue}, given.about, given.word, given.seen
    from json_to_recordset(${JSON.stringify(words)}::text::json) as given(about text, word text, seen bigint)
    order by given.about, given.word
    on conflict (venue, about, word) do update set seen = w.seen + excluded.seen, last_seen_at = now()
    returning about, word, first_seen_at = last_seen_at as fresh`;
  return rows.filter(({ fresh }) => fresh);
}

export interface SeenWord {
  readonly venue: string;
  readonly about: string;
  readonly word: string;
  readonly seen: string;
}

/** Those of the last seven days, the most frequent first. */
export function listUnknownWords(sql: Sql): Promise<SeenWord[]> {
  return sql<SeenWord[]>`
    select venue, about, word, seen::text from venue_unknown_words
    where last_seen_at > now() - interval '7 days' order by venue, seen desc, about, word`;
}
