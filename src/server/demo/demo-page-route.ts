/**
 * `/demo`: a page that acts as an operator's site around the frame, on another loopback origin than the frame's.
 * Development only.
 */
import { findOperator } from '../../operators/operators.ts';
import { findAssets } from '../frame/assets.ts';
import { renderDocument, renderNotice } from '../frame/document.ts';
import { newNonce, pagePolicy } from '../frame/policy.ts';
import type { Routes } from '../http/api.ts';
import { DEMO_SLUG, demoPages, hasDemo, registerDemoPages } from './demo-visitor.ts';
import { registerDemoWebhooks } from './demo-webhooks.ts';

const UNAVAILABLE =
  'The demo needs the tenant "demo", the built frame and a page opened on this machine: http://127.0.0.1 or http://localhost. "npm start" makes all three.';

export const demoPageRoutes: Routes = (app, context) => {
  const { sql } = context;
  if (!hasDemo(context)) {
    return;
  }
  app.route({
    method: 'GET',
    url: '/demo',
    config: { auth: 'none' },
    schema: { hide: true },
    handler: async (request, reply) => {
      const nonce = newNonce();
      const assets = findAssets('demo/host.tsx');
      const operator = await findOperator(sql, DEMO_SLUG);
      const pages = demoPages(request);
      reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
      if (assets === undefined || operator?.mode !== 'sandbox' || pages === null) {
        return reply
          .code(503)
          .header('content-security-policy', pagePolicy(nonce))
          .send(renderNotice(nonce, 'The demo is not available', UNAVAILABLE));
      }
      await registerDemoPages(sql, operator, pages);
      await registerDemoWebhooks(context, operator, pages);
      return reply.header('content-security-policy', pagePolicy(nonce, [pages.frame])).send(
        renderDocument({
          title: 'Inlay demo: an operator’s page',
          language: 'en',
          nonce,
          assets,
          data: { frame: pages.frame, slug: DEMO_SLUG },
          noScript: 'This page needs JavaScript.',
        }),
      );
    },
  });
};
