/** The table of contents of the API, one line for each route file. Routes are added here only. */

import { demoPageRoutes } from './demo/demo-page-route.ts';
import { demoRoutes } from './demo/demo-routes.ts';
import { demoTradingRoutes } from './demo/demo-trading-routes.ts';
import { demoWebhooksRoutes } from './demo/demo-webhook-routes.ts';
import type { Routes } from './http/api.ts';
import { categoriesRoutes } from './routes/catalogue/categories.ts';
import { contractsRoutes } from './routes/catalogue/contracts.ts';
import { eventsRoutes } from './routes/catalogue/events.ts';
import { historyRoutes } from './routes/catalogue/history.ts';
import { imagesRoutes } from './routes/catalogue/images.ts';
import { publicSiteRoutes } from './routes/catalogue/public-site.ts';
import { siteRoutes } from './routes/catalogue/site.ts';
import { streamRoutes } from './routes/catalogue/stream.ts';
import { jurisdictionRoutes } from './routes/customers/jurisdiction.ts';
import { limitsRoutes } from './routes/customers/limits.ts';
import { embedAccountRoutes } from './routes/embed/embed-account.ts';
import { embedCatalogueRoutes } from './routes/embed/embed-catalogue.ts';
import { embedContractsRoutes } from './routes/embed/embed-contracts.ts';
import { embedHistoryRoutes } from './routes/embed/embed-history.ts';
import { embedHoldingsRoutes } from './routes/embed/embed-holdings.ts';
import { embedSessionRoutes } from './routes/embed/embed-session.ts';
import { embedSessionsRoutes } from './routes/embed/embed-sessions.ts';
import { embedTradingRoutes } from './routes/embed/embed-trading.ts';
import { frameRoutes } from './routes/embed/frame.ts';
import { healthRoutes } from './routes/health.ts';
import { collateralRoutes } from './routes/reconciliation/collateral.ts';
import { exportRoutes } from './routes/reconciliation/export.ts';
import { feedRoutes } from './routes/reconciliation/feed.ts';
import { feedLogRoutes } from './routes/reconciliation/feed-log.ts';
import { feedLogTileRoutes } from './routes/reconciliation/feed-log-tiles.ts';
import { reconciliationRoutes } from './routes/reconciliation/report.ts';
import { settlementsRoutes } from './routes/reconciliation/settlements.ts';
import { fundingRoutes } from './routes/sandbox/funding.ts';
import { sandboxRoutes } from './routes/sandbox/sandbox.ts';
import { walletRoutes } from './routes/sandbox/wallet.ts';
import { securityTextRoutes } from './routes/security-text.ts';
import { ordersRoutes } from './routes/trading/orders.ts';
import { positionsRoutes } from './routes/trading/positions.ts';
import { quotesRoutes } from './routes/trading/quotes.ts';
import { whoamiRoutes } from './routes/whoami.ts';

export const ROUTES: readonly Routes[] = [
  healthRoutes,
  securityTextRoutes,
  eventsRoutes,
  historyRoutes,
  contractsRoutes,
  categoriesRoutes,
  imagesRoutes,
  streamRoutes,
  publicSiteRoutes,
  embedSessionRoutes,
  embedCatalogueRoutes,
  embedAccountRoutes,
  embedHoldingsRoutes,
  embedHistoryRoutes,
  embedContractsRoutes,
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
