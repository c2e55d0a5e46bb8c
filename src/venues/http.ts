/** One HTTP exchange with a venue over a kept pool: sends once, and says what is known when no good answer came. */
import { Agent, request } from 'undici';
import type { Invalid } from './listing.ts';
import { VenueUnknown } from './port.ts';

export interface VenueAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface VenueHttp {
  /** @throws VenueUnknown on time-out, reset, 5xx or a body that is no JSON. */
  call(method: 'GET' | 'POST', url: string, timeoutMs: number, body?: object): Promise<VenueAnswer>;
  close(): Promise<void>;
}

/** Errors of a connection that never came about: nothing can have been sent. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ENETUNREACH']);
const EVIDENCE_CHARS = 2_000;
/** Those of sends and those of look-ups (jobs/transmit.ts), so that sends that hang leave look-ups theirs. */
const CONNECTIONS = 160;

export function openVenueHttp(venue: string): VenueHttp {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: 1, keepAliveTimeout: 30_000, connectTimeout: 2_000 });
  return {
    async call(method, url, timeoutMs, body) {
      let status: number;
      let text: string;
      try {
        const response = await request(url, {
          method,
          dispatcher: agent,
          signal: AbortSignal.timeout(timeoutMs),
          headers: body === undefined ? {} : { 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        });
        status = response.statusCode;
        text = await response.body.text();
      } catch (cause) {
        const code = String((cause as { code?: unknown }).code ?? '');
        throw new VenueUnknown(venue, `${method}: ${code || (cause as Error).name}`, {
          cause,
          neverSent: NEVER_SENT.has(code),
        });
      }
      if (status >= 500) {
        throw new VenueUnknown(venue, `${method}: status ${status}`, {
          evidence: evidence(url, `status ${status}`, text),
        });
      }
      try {
        return { status, body: JSON.parse(text) };
      } catch (cause) {
        throw new VenueUnknown(venue, `${method}: no JSON`, { cause, evidence: evidence(url, 'no JSON', text) });
      }
    },
    close: () => agent.destroy(),
  };
}

function evidence(url: string, reason: string, text: string): Invalid {
  return { about: new URL(url).pathname, reason, raw: text.slice(0, EVIDENCE_CHARS) };
}
