/**
 * `/demo`: a page that acts as an operator's site around the frame, on another loopback origin than the frame's.
 * Development only.
 */
import { findAssets } from '../frame/assets.ts';
import { renderDocument, renderNotice } from '../frame/document.ts';
import { newNonce, pagePolicy } from '../frame/policy.ts';
import type { Routes } from '../http/api.ts';
import { prepareDemoPage } from './demo-page.ts';
import { hasDemo } from './demo-visitor.ts';

const UNAVAILABLE =
  'The demo needs its tenants, the built frame and a page opened on this machine: http://127.0.0.1 or http://localhost. "npm start" makes all three.';

export const demoPageRoutes: Routes = (app, context) => {
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
      const demo = await prepareDemoPage(context, request);
      reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
      if (assets === undefined || demo === null) {
        return reply
          .code(503)
          .header('content-security-policy', pagePolicy(nonce))
          .send(renderNotice(nonce, 'The demo is not available', UNAVAILABLE));
      }
      return reply.header('content-security-policy', pagePolicy(nonce, [demo.frame])).send(
        renderDocument({
          title: 'Inlay demo: an operator’s page',
          language: 'en',
          nonce,
          assets,
          data: demo,
          noScript: 'This page needs JavaScript.',
        }),
      );
    },
  });
};
