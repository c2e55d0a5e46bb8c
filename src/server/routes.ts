/** The table of contents of the API, one line per group of routes. Routes are added only here. */
import { demoPageRoutes, demoRoutes, demoTradingRoutes, demoWebhooksRoutes } from './demo/demo-routes.ts';
import type { Routes } from './http/api.ts';
import {
  categoriesRoutes,
  contractNamesRoutes,
  contractsRoutes,
  embedCourseRoutes,
  eventsRoutes,
  FRAME,
  historyRoutes,
  PARTNERS,
} from './routes/catalogue.ts';
import { jurisdictionRoutes, limitsRoutes } from './routes/customers.ts';
import { embedSessionRoutes, embedSessionsRoutes } from './routes/embed-sessions.ts';
import { embedAccountRoutes, embedHoldingsRoutes, embedTradingRoutes } from './routes/embed-trading.ts';
import { feedLogRoutes, feedLogTileRoutes } from './routes/feed-log.ts';
import { frameRoutes } from './routes/frame.ts';
import { imagesRoutes } from './routes/images.ts';
import { publicSiteRoutes, siteRoutes } from './routes/public.ts';
import {
  collateralRoutes,
  exportRoutes,
  feedRoutes,
  reconciliationRoutes,
  settlementsRoutes,
} from './routes/reconciliation.ts';
import { fundingRoutes, sandboxRoutes, walletRoutes } from './routes/sandbox.ts';
import { healthRoutes, securityTextRoutes, whoamiRoutes } from './routes/service.ts';
import { streamRoutes } from './routes/stream.ts';
import { ordersRoutes, positionsRoutes, quotesRoutes } from './routes/trading.ts';
import { webhookRoutes } from './routes/webhooks.ts';

export const ROUTES: readonly Routes[] = [
  healthRoutes,
  securityTextRoutes,
  eventsRoutes(PARTNERS),
  historyRoutes(PARTNERS),
  contractNamesRoutes,
  contractsRoutes(PARTNERS),
  categoriesRoutes(PARTNERS),
  imagesRoutes,
  streamRoutes,
  publicSiteRoutes,
  embedSessionRoutes,
  eventsRoutes(FRAME),
  categoriesRoutes(FRAME),
  embedAccountRoutes,
  embedHoldingsRoutes,
  historyRoutes(FRAME),
  embedCourseRoutes,
  contractsRoutes(FRAME),
  embedTradingRoutes,
  embedSessionsRoutes,
  jurisdictionRoutes,
  limitsRoutes,
  quotesRoutes,
  ordersRoutes,
  positionsRoutes,
  settlementsRoutes,
  feedRoutes,
  feedLogRoutes,
  feedLogTileRoutes,
  reconciliationRoutes,
  exportRoutes,
  collateralRoutes,
  webhookRoutes,
  fundingRoutes,
  sandboxRoutes,
  walletRoutes,
  whoamiRoutes,
  frameRoutes,
  siteRoutes,
  demoRoutes,
  demoPageRoutes,
  demoTradingRoutes,
  demoWebhooksRoutes,
];
