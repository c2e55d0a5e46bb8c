/** What `doctor` says of our account at Gemini: clock, key, terms and balance, in one line each. */
import type { AccountCheck, VenueAccount } from '../account.ts';
import { microsDecimal } from '../decimal.ts';
import { said, type Verdict } from '../questions.ts';
import { expectShape } from '../response-shape.ts';
import { geminiTerms } from './order-schemas.ts';
import type { GeminiRest } from './rest.ts';

const MOST_SKEW_MS = 2_000;
const TERMS_PATH = '/v1/prediction-markets/terms/status';

export async function inspectGemini(
  venue: string,
  rest: GeminiRest,
  account: Pick<VenueAccount, 'balanceMicros'>,
  keyId: string,
  url: string,
): Promise<readonly AccountCheck[]> {
  return [await said('clock', () => clock(rest)), await said('terms', terms), ...(await keyAndBalance())];

  async function terms(): Promise<Verdict> {
    const body = await rest.ask(TERMS_PATH, {}, { method: 'GET' });
    const { hasAcceptedLatest: ok, latestVersion } = expectShape(venue, 'terms', geminiTerms, body);
    const version = latestVersion == null ? '' : ` (version ${latestVersion})`;
    return ok
      ? { ok, detail: `the terms of prediction markets are accepted${version}` }
      : {
          ok,
          detail: `accept the terms of prediction markets${version} at the exchange: until then it refuses orders`,
        };
  }

  /** One question answers for both. */
  async function keyAndBalance(): Promise<AccountCheck[]> {
    try {
      const balance = await account.balanceMicros();
      const detail = `${microsDecimal(balance)} dollars`;
      return [
        { name: 'key', ok: true, detail: `${keyId} is accepted at ${url}` },
        balance > 0n
          ? { name: 'balance', ok: true, detail }
          : { name: 'balance', ok: false, warning: true, detail: `${detail}: nothing can be bought` },
      ];
    } catch (error) {
      const detail = `${keyId} cannot be used: ${(error as Error).message}; it must be a key of one account with a time-based nonce and the role Trader, and INLAY_GEMINI_SECRET_FILE must hold its secret`;
      return [{ name: 'key', ok: false, detail }];
    }
  }
}

async function clock(rest: GeminiRest): Promise<Verdict> {
  const offset = (await rest.serverTime()).getTime() - Date.now();
  const ok = Math.abs(offset) <= MOST_SKEW_MS;
  const detail = `${offset} ms from that of this machine`;
  return { ok, detail: ok ? detail : `${detail}; nothing is sent beyond ${MOST_SKEW_MS} ms: set the clock (NTP)` };
}
