/** `/.well-known/security.txt` (RFC 9116): whom to tell of a fault. Only if the deployment names a contact. */
import type { Routes } from '../http/api.ts';

/** The standard asks for less than a year. */
const VALID_MS = 180 * 24 * 3_600_000;

export const securityTextRoutes: Routes = (app, { environment, clock }) => {
  const { securityContact } = environment;
  if (securityContact === undefined) {
    return;
  }
  app.route({
    method: 'GET',
    url: '/.well-known/security.txt',
    config: { auth: 'none' },
    schema: { hide: true },
    handler: (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(
          `Contact: ${securityContact}\nExpires: ${new Date(clock.now().getTime() + VALID_MS).toISOString()}\nPreferred-Languages: en\n`,
        ),
  });
};
