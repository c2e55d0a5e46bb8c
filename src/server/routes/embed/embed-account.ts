/** What the session's customer can stake, and how past positions ended. */
import { formatMinor } from '../../../money/usd.ts';
import { getCustomerJurisdiction, mayTrade } from '../../../risk/jurisdiction.ts';
import { findWallet } from '../../../sandbox/wallets.ts';
import { readLatestSettlements } from '../../../settlement/settlements.ts';
import { readLargestStake } from '../../../trading/refusals.ts';
import { frameAccount } from '../../../wire/embed.ts';
import { latestSettlements } from '../../../wire/reconciliation.ts';
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
      summary: 'Get the account',
      description: 'The fee rate, the simulated balance, the most that can be staked, and what the place permits.',
      response: { 200: frameAccount },
    },
    handler: async (request) => {
      const { operator } = request.caller;
      const { operatorId, externalUserId } = sessionOf(request);
      const wallet = operator.mode === 'sandbox' ? await findWallet(reads, operatorId, externalUserId) : undefined;
      const largest = await readLargestStake(reads, operator, externalUserId, wallet?.availableMinor ?? null);
      const { country } = await getCustomerJurisdiction(reads, operatorId, externalUserId);
      const policy = {
        mode: operator.jurisdictionMode,
        permittedCountries: operator.permittedCountries,
        allowExits: operator.jurisdictionAllowExits,
      };
      return {
        currency: 'USD' as const,
        platformFeeBps: operator.platformFeeBps,
        available: wallet === undefined ? null : formatMinor(wallet.availableMinor),
        largestStake: largest && { amount: formatMinor(largest.minor), limit: largest.limit },
        mayBuy: mayTrade(policy, country),
        maySell: mayTrade(policy, country, 'sell'),
      };
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
      summary: 'List settlements',
      description: 'The latest ones of the customer, newest first.',
      response: { 200: latestSettlements },
    },
    handler: (request) => {
      const { operatorId, externalUserId } = sessionOf(request);
      return readLatestSettlements(reads, operatorId, externalUserId, MOST_SETTLEMENTS);
    },
  });
};
