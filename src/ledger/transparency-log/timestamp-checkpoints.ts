/**
 * Has the newest checkpoint of each log stamped by a time-stamping authority (RFC 3161): it proves that the checkpoint
 * existed at that time, also to those who do not trust the service. Sole owner of `feed_log_timestamps`.
 */
import { randomBytes } from 'node:crypto';
import { checkResponse, TimestampRefused, timestampRequest } from '../../core/transparency-log/timestamp-request.ts';
import { asOperator } from '../../db/as-operator.ts';
import type { Sql } from '../../db/client.ts';

/** A log is stamped at most this often. */
const EVERY_MS = 3_600_000;
const DEADLINE_MS = 10_000;
const NONCE_BYTES = 8;
const MOST_BYTES = 65_536;

export interface CheckpointTimestamp {
  /** Items of the checkpoint that was stamped. */
  readonly size: number;
  /** The signed checkpoint; the stamp is over its bytes. */
  readonly note: string;
  /** TimeStampResp, DER. */
  readonly response: Buffer;
  readonly stampedAt: Date;
}

/**
 * @param url of the authority, which takes requests by POST
 * @param keepGoing false once the worker closes
 * @returns how many checkpoints were stamped
 * @throws TimestampRefused, or the error of the connection; what was stamped before is kept
 */
export async function timestampCheckpoints(
  sql: Sql,
  url: string,
  keepGoing: () => boolean = () => true,
  everyMs = EVERY_MS,
): Promise<number> {
  const due = await sql<{ operatorId: string; size: number; note: string }[]>`
    select h.operator_id as "operatorId", h.size::float8 as size, h.note
    from feed_log_heads h left join lateral (select t.size, t.stamped_at from feed_log_timestamps t
      where t.operator_id = h.operator_id order by t.size desc limit 1) last on true
    where (last.size is null
      or (h.size > last.size and last.stamped_at <= clock_timestamp() - ${everyMs} * interval '1 millisecond'))
    order by h.operator_id`;
  let stamped = 0;
  for (const { operatorId, size, note } of due) {
    if (!keepGoing()) {
      break;
    }
    const response = await askAuthority(url, Buffer.from(note));
    await sql`
      insert into feed_log_timestamps (operator_id, size, note, response)
      values (${operatorId}, ${size}, ${note}, ${response}) on conflict (operator_id, size) do nothing`;
    stamped += 1;
  }
  return stamped;
}

async function askAuthority(url: string, data: Buffer): Promise<Buffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: new Uint8Array(timestampRequest(data, nonce)),
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const response = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok || response.length > MOST_BYTES) {
    throw new TimestampRefused(answer.ok ? 'the answer is too long' : `HTTP ${answer.status}`);
  }
  checkResponse(response, data, nonce);
  return response;
}

/** The newest stamp of an operator's log. */
export async function findTimestamp(sql: Sql, operatorId: string): Promise<CheckpointTimestamp | undefined> {
  const [found] = await asOperator<CheckpointTimestamp[]>(
    sql,
    operatorId,
    sql`
      select size::float8 as size, note, response, stamped_at as "stampedAt" from feed_log_timestamps
      where operator_id = ${operatorId} order by size desc limit 1`,
  );
  return found;
}
