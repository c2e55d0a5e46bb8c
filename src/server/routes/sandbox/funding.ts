/** `/funding/*`: test funds for sandbox customers through a simulated bridge (contract chapter 32). */
import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { listAssets, openDeposit, readDeposit } from '../../../sandbox/deposits.ts';
import {
  assets,
  assetsQuery,
  deposit,
  depositAddress,
  depositAddressInput,
  depositQuery,
} from '../../../wire/sandbox.ts';
import type { Routes } from '../../http/api.ts';

const tags = ['Sandbox'];
const config = { auth: 'key', scopes: ['funding:write'], rateHeaders: false, sandboxOnly: true } as const;
const params = z.object({ id: z.string() });

export const fundingRoutes: Routes = (app, { sql, clock }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/funding/supported-assets',
    config,
    schema: {
      tags,
      operationId: 'listSupportedAssets',
      summary: 'List test assets',
      description: 'What the test bridge accepts.',
      querystring: assetsQuery,
      response: { 200: assets },
    },
    handler: async ({ query }) => listAssets(query),
  });

  app.route({
    method: 'POST',
    url: '/api/v1/funding/deposit-address',
    config: { ...config, userHeader: true, refuses: ['unsupported_asset', 'user_suspended'] },
    schema: {
      tags,
      operationId: 'createDepositAddress',
      summary: 'Create a test address',
      description: 'For deposits of one customer. No real funds can be sent there.',
      body: depositAddressInput,
      response: { 201: depositAddress },
    },
    handler: async ({ caller, body }, reply) => {
      if (caller.externalUserId === null) {
        throw refuse('missing_user');
      }
      const { operatorId } = caller.operator;
      return reply.code(201).send(await openDeposit(sql, operatorId, caller.externalUserId, body, clock.now()));
    },
  });

  app.route({
    method: 'GET',
    url: '/api/v1/funding/deposits/:id',
    config: { ...config, refuses: ['deposit_not_found'] },
    schema: {
      tags,
      operationId: 'getDeposit',
      summary: 'Get a test deposit',
      description: 'A read asks the bridge, unless `sync=false`. The second read credits 1,000.00.',
      params,
      querystring: depositQuery,
      response: { 200: deposit },
    },
    handler: ({ caller, params, query }) =>
      readDeposit(sql, caller.operator.operatorId, params.id, query.sync !== 'false'),
  });
};
