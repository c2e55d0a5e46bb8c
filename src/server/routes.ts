/** The table of contents of the API: one line a route file. Nothing else puts routes on it. */
import type { Routes } from './api.ts';
import { categoriesRoutes } from './routes/categories.ts';
import { collateralRoutes } from './routes/collateral.ts';
import { demoRoutes } from './routes/demo.ts';
import { demoPageRoutes } from './routes/demo-page.ts';
import { demoTradingRoutes } from './routes/demo-trading.ts';
import { demoWebhooksRoutes } from './routes/demo-webhooks.ts';
import { embedCatalogueRoutes } from './routes/embed-catalogue.ts';
import { embedHistoryRoutes } from './routes/embed-history.ts';
import { embedSessionRoutes } from './routes/embed-session.ts';
import { embedSessionsRoutes } from './routes/embed-sessions.ts';
import { embedTradingRoutes } from './routes/embed-trading.ts';
import { eventsRoutes } from './routes/events.ts';
import { exportRoutes } from './routes/export.ts';
import { feedRoutes } from './routes/feed.ts';
import { feedLogRoutes } from './routes/feed-log.ts';
import { frameRoutes } from './routes/frame.ts';
import { fundingRoutes } from './routes/funding.ts';
import { healthRoutes } from './routes/health.ts';
import { imagesRoutes } from './routes/images.ts';
import { jurisdictionRoutes } from './routes/jurisdiction.ts';
import { limitsRoutes } from './routes/limits.ts';
import { ordersRoutes } from './routes/orders.ts';
import { positionsRoutes } from './routes/positions.ts';
import { publicSiteRoutes } from './routes/public-site.ts';
import { quotesRoutes } from './routes/quotes.ts';
import { reconciliationRoutes } from './routes/reconciliation.ts';
import { sandboxRoutes } from './routes/sandbox.ts';
import { settlementsRoutes } from './routes/settlements.ts';
import { siteRoutes } from './routes/site.ts';
import { streamRoutes } from './routes/stream.ts';
import { walletRoutes } from './routes/wallet.ts';
import { whoamiRoutes } from './routes/whoami.ts';

export const ROUTES: readonly Routes[] = [
  healthRoutes,
  eventsRoutes,
  categoriesRoutes,
  imagesRoutes,
  streamRoutes,
  publicSiteRoutes,
  embedSessionRoutes,
  embedCatalogueRoutes,
  embedHistoryRoutes,
  embedTradingRoutes,
  embedSessionsRoutes,
  jurisdictionRoutes,
  limitsRoutes,
  ordersRoutes,
  positionsRoutes,
  quotesRoutes,
  settlementsRoutes,
  feedRoutes,
  feedLogRoutes,
  reconciliationRoutes,
  exportRoutes,
  collateralRoutes,
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
