/** Notes where a customer's calls come from, before they are answered: by the header of a trusted proxy, and of no other peer. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiContext } from '../../context.ts';
import { createPeerCheck } from '../../core/net/client-address.ts';
import { createCountryObserver } from '../../risk/observed-country.ts';

/** Without a header to trust there is nothing to note, and no call has the hook. */
export function observeCountries(app: FastifyInstance, { sql, environment, log }: ApiContext): void {
  const header = environment.countryHeader;
  if (header === undefined) {
    return;
  }
  if (environment.trustedProxies.length === 0) {
    log.warn('INLAY_COUNTRY_HEADER is ignored: INLAY_TRUSTED_PROXIES names no proxy whose header may be believed');
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
