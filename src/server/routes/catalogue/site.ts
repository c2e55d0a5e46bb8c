/**
 * `/`: the public website. It shows the catalogue, which it reads without a key, and on a development machine the demo: the frame in
 * an operator's clothes beside the operator's ledger.
 */

import { refuse } from '../../../core/errors.ts';
import { CATEGORIES } from '../../../core/terms.ts';
import { prepareDemoPage } from '../../demo/demo-page.ts';
import { findAssets } from '../../frame/assets.ts';
import { renderDocument, renderNotice } from '../../frame/document.ts';
import { newNonce, pagePolicy } from '../../frame/policy.ts';
import type { Routes } from '../../http/api.ts';

export const siteRoutes: Routes = (app, context) => {
  app.route({
    method: 'GET',
    url: '/',
    config: { auth: 'none' },
    schema: { hide: true },
    handler: async (request, reply) => {
      // A client that asks for JSON expects an API here, and there is none.
      if (/^application\/json\b/.test(request.headers.accept ?? '')) {
        throw refuse('not_found');
      }
      const nonce = newNonce();
      const assets = findAssets('site/site.tsx');
      const demo = await prepareDemoPage(context, request);
      reply
        .header('content-security-policy', pagePolicy(nonce, demo === null ? [] : [demo.frame]))
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8');
      if (assets === undefined) {
        return reply
          .code(503)
          .send(
            renderNotice(nonce, 'The website is not available', 'The website has not been built. Run "npm run build".'),
          );
      }
      return reply.send(
        renderDocument({
          title: 'Inlay: prediction markets inside your own site',
          language: 'en',
          nonce,
          assets,
          data: { ...demo, categories: CATEGORIES },
          noScript: 'This page needs JavaScript. The documentation at /docs does not.',
        }),
      );
    },
  });
};
