/** The table of contents of the API: one line a route file. Nothing else puts routes on it. */
import type { Routes } from './api.ts';
import { healthRoutes } from './routes/health.ts';

export const ROUTES: readonly Routes[] = [healthRoutes];
