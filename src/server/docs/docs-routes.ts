/** `/docs`: the documentation as a site. Each page is made once, soon after a start or for its first reader, and then sent as it is. */

import { refuse } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { findAssets } from '../frame/assets.ts';
import type { Api } from '../http/api.ts';
import { sendText } from '../ready/ready-text.ts';
import { DOCS_POLICY } from './page/early-script.ts';
import type { DescribedApi } from './reference/described-api.ts';
import type { Site } from './site.ts';
import { FIRST_PAGE } from './site-map.ts';

/** After the first requests of a new process. */
const AFTER_START_MS = 3_000;

/** Registered after all other routes, because the reference shows them. */
export function serveDocs(app: Api): void {
  const site = keepSite(app);
  app.decorate('prepareDocs', async () => (await site()).makeAll());
  for (const url of [FIRST_PAGE, `${FIRST_PAGE}/*`]) {
    app.route({
      method: 'GET',
      url,
      config: { auth: 'none' },
      schema: { hide: true },
      handler: async (request, reply) => {
        const [path = ''] = request.url.split('?');
        const page = await (await site()).pageAt(path.length > FIRST_PAGE.length ? path.replace(/\/$/, '') : path);
        if (page === undefined) {
          throw refuse('not_found');
        }
        return sendText(request, reply.header('content-security-policy', DOCS_POLICY), page);
      },
    });
  }
}

/** Makes all pages after the start, which does not wait for them. */
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

/** Opened again only if the browser code was built meanwhile, because the pages name its files. */
function keepSite(app: Api): () => Promise<Site> {
  let opened: Promise<Site> | undefined;
  let openedFor: string | undefined;
  return () => {
    const assets = findAssets('docs/docs.ts');
    if (opened === undefined || openedFor !== assets?.script) {
      openedFor = assets?.script;
      // The libraries that make pages are loaded now, not by every start.
      opened = import('./site.ts').then(({ createSite }) =>
        createSite(() => app.swagger() as unknown as DescribedApi, assets),
      );
      opened.catch(() => {
        opened = undefined;
      });
    }
    return opened;
  };
}
