/**
 * Records from which country a customer's requests come, before they are answered: from the header of a trusted proxy
 * only.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiContext } from '../../context.ts';
import { createPeerCheck } from '../../core/addresses.ts';
import { createCountryObserver } from '../../risk/jurisdiction.ts';

/** Without a configured header there is nothing to record, and no request has the hook. */
export function observeCountries(app: FastifyInstance, { sql, environment, log }: ApiContext): void {
  const header = environment.countryHeader;
  if (header === undefined) {
    return;
  }
  if (environment.trustedProxies.length === 0) {
    log.warn('INLAY_COUNTRY_HEADER is ignored: INLAY_TRUSTED_PROXIES names no trusted proxy');
    return;
  }
  const isTrusted = createPeerCheck(environment.trustedProxies);
  const observe = createCountryObserver(sql, header, log);
  app.addHook('onSend', async (request: FastifyRequest) => {
    const externalUserId = request.caller?.externalUserId;
    if (!isTrusted(request.raw.socket.remoteAddress)) {
      return;
    }
    if (externalUserId) {
      await observe(request.caller.operator.operatorId, externalUserId, request.headers);
    }
  });
}
