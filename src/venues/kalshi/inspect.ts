/** What `doctor` says of our account at Kalshi: clock, key, scope, balance and region, in one line each. */
import type { AccountCheck } from '../account.ts';
import { microsDecimal } from '../decimal.ts';
import { said, type Verdict } from '../questions.ts';
import { expectShape } from '../response-shape.ts';
import { describeTier } from './limits.ts';
import { kalshiKeys } from './order-schemas.ts';
import type { KalshiParts } from './parts/read-parts.ts';
import type { KalshiRest } from './rest.ts';

const MOST_SKEW_MS = 2_000;
/** The header that names the time has whole seconds. */
const HALF_SECOND_MS = 500;
const SOON_MS = 14 * 86_400_000;

export async function inspectKalshi(
  venue: string,
  rest: KalshiRest,
  parts: KalshiParts,
  keyId: string,
): Promise<readonly AccountCheck[]> {
  return [
    await said('clock', () => clock(rest)),
    ...(await aboutKey(venue, rest, keyId)),
    await said('balance', () => balance(parts)),
    await said('allocation', () => allocation(parts)),
    await said('limits', async () => ({ ok: true, detail: await describeTier(venue, rest) })),
  ];
}

async function clock(rest: KalshiRest): Promise<Verdict> {
  const { date } = await rest.get('/exchange/status');
  if (date === null) {
    return { ok: false, detail: 'the exchange names no time' };
  }
  const offset = date.getTime() + HALF_SECOND_MS - Date.now();
  const ok = Math.abs(offset) <= MOST_SKEW_MS;
  const detail = `${offset} ms from that of this machine`;
  return { ok, detail: ok ? detail : `${detail}; nothing is sent beyond ${MOST_SKEW_MS} ms: set the clock (NTP)` };
}

/** One question answers for key, scope and region. */
async function aboutKey(venue: string, rest: KalshiRest, keyId: string): Promise<AccountCheck[]> {
  try {
    const { body } = await rest.get('/api_keys');
    const keys = expectShape(venue, 'keys', kalshiKeys, body);
    const own = keys.api_keys.find((key) => key.api_key_id === keyId);
    return [
      { name: 'key', ok: true, detail: `${keyId} is accepted` },
      { name: 'scope', ...scope(own?.scopes ?? []) },
      { name: 'region', ...region(keys.api_key_region_expiration_ts ?? null) },
    ];
  } catch (error) {
    const detail = `${keyId} cannot be used: ${(error as Error).message}; compare INLAY_KALSHI_KEY_ID with the key file`;
    return [{ name: 'key', ok: false, detail }];
  }
}

function scope(scopes: readonly string[]): Verdict {
  const ok = scopes.includes('write') || scopes.includes('write::trade');
  const detail = scopes.join(', ') || 'none';
  return { ok, detail: ok ? detail : `${detail}: the key may not trade; it needs write or write::trade` };
}

function region(expiresSeconds: number | null): Verdict {
  if (expiresSeconds === null) {
    return { ok: true, detail: 'the attestation of the region does not expire' };
  }
  const expires = new Date(expiresSeconds * 1_000);
  const left = expires.getTime() - Date.now();
  const detail = `the attestation of the region ${left > 0 ? 'expires' : 'expired'} at ${expires.toISOString()}`;
  return left > SOON_MS
    ? { ok: true, detail }
    : { ok: false, warning: left > 0, detail: `${detail}; without it sports, elections and entertainment are refused` };
}

async function balance(parts: KalshiParts): Promise<Verdict> {
  const { balance_dollars: total, balance_breakdown: breakdown } = await parts.balance();
  const each = (breakdown ?? []).map(
    ({ exchange_index: part, balance: cash }) => `${microsDecimal(cash)} on part ${part}`,
  );
  const detail = `${microsDecimal(total)} dollars${each.length > 1 ? ` (${each.join(', ')})` : ''}`;
  return total > 0n ? { ok: true, detail } : { ok: false, warning: true, detail: `${detail}: nothing can be bought` };
}

/** The exchange moves cash between its parts by itself, if it was told how; we move none. */
async function allocation(parts: KalshiParts): Promise<Verdict> {
  const percents = [...(await parts.allocation())].map(([part, percent]) => `${percent} % on part ${part}`);
  return { ok: true, detail: percents.join(', ') || 'none: the exchange moves no money between its parts' };
}
