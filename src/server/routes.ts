/** The table of contents of the API: one line a route file. Nothing else puts routes on it. */
import type { Routes } from './api.ts';
import { embedSessionRoutes } from './routes/embed-session.ts';
import { embedSessionsRoutes } from './routes/embed-sessions.ts';
import { healthRoutes } from './routes/health.ts';
import { jurisdictionRoutes } from './routes/jurisdiction.ts';
import { limitsRoutes } from './routes/limits.ts';

export const ROUTES: readonly Routes[] = [
  healthRoutes,
  embedSessionRoutes,
  embedSessionsRoutes,
  jurisdictionRoutes,
  limitsRoutes,
];
