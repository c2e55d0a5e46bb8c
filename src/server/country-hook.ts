/** Notes where a customer's calls come from, once they are answered. Which header to trust is a matter of the deployment. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiContext } from '../context.ts';
import { createCountryObserver } from '../risk/observed-country.ts';

export function createCountryHook({ sql, environment, log }: ApiContext) {
  const observe = createCountryObserver(sql, environment.countryHeader, log);
  return function observeCountry(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
    const externalUserId = request.caller?.externalUserId;
    if (externalUserId) observe(request.caller.operator.operatorId, externalUserId, request.headers);
    done();
  };
}
