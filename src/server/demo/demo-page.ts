/** What a page needs to show the demo: the origin of its frame and the tenants, registered for the page that asks. */
import type { FastifyRequest } from 'fastify';
import type { ApiContext } from '../../context.ts';
import { isNotPermitted } from '../../db/database-errors.ts';
import { DEMO_SLUG, demoPages, findDemoOperator, hasDemo, registerDemoPages } from './demo-visitor.ts';
import { registerDemoWebhooks } from './demo-webhooks.ts';

export interface DemoPage {
  /** Origin of the frame. */
  readonly frame: string;
  /** Slug of the tenant that the frame is of. */
  readonly operator: string;
  /** Slug of the tenant whose key the code sample uses. */
  readonly slug: string;
}

/**
 * @returns null where there is no demo: in production, from another machine, without a sandbox tenant for it, or on a port that `up` has
 *   not registered where the service's role may not.
 */
export async function prepareDemoPage(context: ApiContext, request: FastifyRequest): Promise<DemoPage | null> {
  const pages = hasDemo(context) ? demoPages(request) : null;
  if (pages === null) {
    return null;
  }
  const operator = await findDemoOperator(context.sql);
  if (operator === undefined) {
    return null;
  }
  try {
    await registerDemoPages(context.sql, operator, pages.port);
  } catch (error) {
    if (isNotPermitted(error)) {
      return null;
    }
    throw error;
  }
  await registerDemoWebhooks(context, operator, pages);
  return { frame: pages.frame, operator: operator.slug, slug: DEMO_SLUG };
}
