/** What a page needs to show the demo: the origin of its frame and the tenant, registered for the page that asks. */
import type { FastifyRequest } from 'fastify';
import type { ApiContext } from '../../context.ts';
import { findOperator } from '../../operators/operators.ts';
import { DEMO_SLUG, demoPages, hasDemo, registerDemoPages } from './demo-visitor.ts';
import { registerDemoWebhooks } from './demo-webhooks.ts';

export interface DemoPage {
  /** Origin of the frame. */
  readonly frame: string;
  readonly slug: string;
}

/** @returns null where there is no demo: in production, from another machine, or without the tenant `demo`. */
export async function prepareDemoPage(context: ApiContext, request: FastifyRequest): Promise<DemoPage | null> {
  const pages = hasDemo(context) ? demoPages(request) : null;
  if (pages === null) {
    return null;
  }
  const operator = await findOperator(context.sql, DEMO_SLUG);
  if (operator?.mode !== 'sandbox') {
    return null;
  }
  await registerDemoPages(context.sql, operator, pages);
  await registerDemoWebhooks(context, operator, pages);
  return { frame: pages.frame, slug: DEMO_SLUG };
}
