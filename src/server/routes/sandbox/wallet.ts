/** The sandbox balance reads: `users/{id}/balance` and `users/{id}/ledger` (contract chapter 32). */
import { pageWallet, readBalance } from '../../../sandbox/wallets.ts';
import { userParams } from '../../../wire/page.ts';
import { balance, balanceQuery, walletPage, walletQuery } from '../../../wire/sandbox.ts';
import type { Routes } from '../../http/api.ts';

const config = { auth: 'key', scopes: ['ledger:read'], sandboxOnly: true, refuses: ['unknown_user'] } as const;
const params = userParams;
const tags = ['Sandbox'];

export const walletRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/users/:id/balance',
    config,
    schema: {
      tags,
      operationId: 'getBalance',
      summary: 'Get a test wallet',
      description: 'The simulated money of a customer: available, held and total.',
      params,
      querystring: balanceQuery,
      response: { 200: balance },
    },
    handler: ({ caller, params, query }) => readBalance(reads, caller.operator.operatorId, params.id, query.currency),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/users/:id/ledger',
    config,
    schema: {
      tags,
      operationId: 'listWalletEntries',
      summary: 'List wallet movements',
      description: 'Of the simulated wallet, newest first.',
      params,
      querystring: walletQuery,
      response: { 200: walletPage },
    },
    handler: ({ caller, params, query }) => pageWallet(reads, caller.operator.operatorId, params.id, query),
  });
};
