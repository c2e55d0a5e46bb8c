/** Notes where a customer's calls come from, before they are answered. Which header to trust is a matter of the deployment. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiContext } from '../context.ts';
import { createCountryObserver } from '../risk/observed-country.ts';

/** Without a header to trust there is nothing to note, and no call has the hook. */
export function observeCountries(app: FastifyInstance, { sql, environment, log }: ApiContext): void {
  const header = environment.countryHeader;
  if (header === undefined) return;
  const observe = createCountryObserver(sql, header, log);
  app.addHook('onSend', async (request: FastifyRequest) => {
    const externalUserId = request.caller?.externalUserId;
    if (externalUserId) await observe(request.caller.operator.operatorId, externalUserId, request.headers);
  });
}
