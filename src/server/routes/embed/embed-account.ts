/** What the session's customer can stake, and how past positions ended. */
import { formatMinor } from '../../../money/usd.ts';
import { findWallet } from '../../../sandbox/wallets.ts';
import { readLatestSettlements } from '../../../settlement/settlement-pages.ts';
import { frameAccount } from '../../../wire/embed/frame-account.ts';
import { latestSettlements } from '../../../wire/reconciliation/settlement.ts';
import type { Routes } from '../../http/api.ts';
import { sessionOf } from '../../http/embed-auth.ts';
import { answerPreflight } from '../../http/embed-cors.ts';

const config = { auth: 'embed' } as const;
const tags = ['Embed frame'];
const MOST_SETTLEMENTS = 200;

export const embedAccountRoutes: Routes = (app, { reads }) => {
  answerPreflight(app, '/api/embed/account', ['GET']);
  app.route({
    method: 'GET',
    url: '/api/embed/account',
    config,
    schema: {
      tags,
      operationId: 'getFrameAccount',
      summary: 'Fee rate, and the simulated balance of a sandbox customer',
      response: { 200: frameAccount },
    },
    handler: async (request) => {
      const { mode, platformFeeBps } = request.caller.operator;
      const { operatorId, externalUserId } = sessionOf(request);
      const wallet = mode === 'sandbox' ? await findWallet(reads, operatorId, externalUserId) : undefined;
      const available = wallet === undefined ? null : formatMinor(wallet.availableMinor);
      return { currency: 'USD' as const, platformFeeBps, available };
    },
  });

  answerPreflight(app, '/api/embed/settlements', ['GET']);
  app.route({
    method: 'GET',
    url: '/api/embed/settlements',
    config,
    schema: {
      tags,
      operationId: 'listFrameSettlements',
      summary: 'The customer’s latest settlements, newest first',
      response: { 200: latestSettlements },
    },
    handler: (request) => {
      const { operatorId, externalUserId } = sessionOf(request);
      return readLatestSettlements(reads, operatorId, externalUserId, MOST_SETTLEMENTS);
    },
  });
};
