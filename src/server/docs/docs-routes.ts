/** `/docs`: the documentation as a site. Its pages are made once, soon after a start or at the first request, and then sent as they are. */

import { refuse } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { findAssets } from '../frame/assets.ts';
import type { Api } from '../http/api.ts';
import { type ReadyText, sendText } from '../ready/ready-text.ts';
import { DOCS_POLICY } from './page/early-script.ts';
import type { DescribedApi } from './reference/described-api.ts';
import { FIRST_PAGE } from './site-map.ts';

/** After the first requests of a new process. */
const AFTER_START_MS = 3_000;

/** Registered after all other routes, because the reference shows them. */
export function serveDocs(app: Api): void {
  const site = createSite(app);
  app.decorate('prepareDocs', async () => (await site()).size);
  for (const url of [FIRST_PAGE, `${FIRST_PAGE}/*`]) {
    app.route({
      method: 'GET',
      url,
      config: { auth: 'none' },
      schema: { hide: true },
      handler: async (request, reply) => {
        const [path = ''] = request.url.split('?');
        const page = (await site()).get(path.length > FIRST_PAGE.length ? path.replace(/\/$/, '') : path);
        if (page === undefined) {
          throw refuse('not_found');
        }
        return sendText(request, reply.header('content-security-policy', DOCS_POLICY), page);
      },
    });
  }
}

/** Makes the pages after the start, which does not wait for them, so that no reader has to. */
export function prepareDocsLater(app: Api, log: Logger): void {
  const timer = setTimeout(() => {
    app.prepareDocs().then(
      (pages) => log.debug({ pages }, 'the documentation is ready'),
      (error: unknown) => log.warn({ err: error }, 'could not prepare the documentation; its first reader will'),
    );
  }, AFTER_START_MS);
  timer.unref();
  app.server.once('close', () => clearTimeout(timer));
}

/** Made again only if the browser code was built meanwhile, because the pages name its files. */
function createSite(app: Api): () => Promise<ReadonlyMap<string, ReadyText>> {
  let made: Promise<ReadonlyMap<string, ReadyText>> | undefined;
  let madeFor: string | undefined;
  return () => {
    const assets = findAssets('docs/docs.ts');
    if (made === undefined || madeFor !== assets?.script) {
      madeFor = assets?.script;
      // The libraries that make pages are loaded now, not by every start.
      made = import('./build-site.ts').then(({ buildSite }) =>
        buildSite(app.swagger() as unknown as DescribedApi, assets),
      );
      made.catch(() => {
        made = undefined;
      });
    }
    return made;
  };
}
