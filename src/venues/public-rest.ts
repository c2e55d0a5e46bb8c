/** The public REST interface of a read-only venue. Its hosts come only from configuration. */
import { z } from 'zod';
import { openVenueHttp, type VenueAnswer } from './http.ts';
import { type Locate, VenueUnknown } from './port.ts';
import { misfit } from './response-shape.ts';

const TIMEOUT_MS = 10_000;

export interface PublicRest {
  /**
   * @param host one of the venue's hosts, by its name in the configuration
   * @returns a response with status 200 or 404
   * @throws VenueUnknown for any other status, and if the host is not configured
   */
  ask(host: string, method: 'GET' | 'POST', path: string, body?: object): Promise<VenueAnswer>;
  close(): Promise<void>;
}

export function openPublicRest(venue: string, locate: Locate): PublicRest {
  const http = openVenueHttp(venue, z.never());
  return {
    async ask(host, method, path, body) {
      const origin = await locate(host);
      if (origin === undefined) {
        throw new VenueUnknown(venue, `the address of ${host} is not configured`, { notTaken: true });
      }
      const answer = await http.call(method, `${origin}${path}`, TIMEOUT_MS, { body });
      if (answer.status !== 200 && answer.status !== 404) {
        throw misfit(venue, path, `status ${answer.status}`, answer.body);
      }
      return answer;
    },
    close: () => http.close(),
  };
}
