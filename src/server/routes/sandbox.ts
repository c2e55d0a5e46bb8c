/** The sandbox (contract chapter 32): scenarios and resolutions for testers, test funds, and the simulated wallets. */
import { z } from 'zod';
import { refuse } from '../../core/errors.ts';
import { listAssets, openDeposit, readDeposit } from '../../sandbox/deposits.ts';
import { resolvePosition } from '../../sandbox/resolve-position.ts';
import { armScenario, disarmScenario, listScenarios, renderScenario } from '../../sandbox/scenarios.ts';
import { pageWallet, readBalance } from '../../sandbox/wallets.ts';
import { userParams } from '../../wire/page.ts';
import {
  assets,
  assetsQuery,
  balance,
  balanceQuery,
  deposit,
  depositAddress,
  depositAddressInput,
  depositQuery,
  resolution,
  resolutionInput,
  scenario,
  scenarioInput,
  scenarioList,
  scenarioListQuery,
  scenarioParams,
  walletPage,
  walletQuery,
} from '../../wire/sandbox.ts';
import type { Routes } from '../http/api.ts';

const tags = ['Sandbox'];
const control = { auth: 'key', rateHeaders: false, sandboxOnly: true } as const;

/** `/sandbox/*`: scripted fills and resolutions. */
export const sandboxRoutes: Routes = (app, { sql, relay }) => {
  app.route({
    method: 'POST',
    url: '/api/v1/sandbox/scenarios',
    config: { ...control, scopes: ['orders:write'], invalidBody: 'scenario_invalid' },
    schema: {
      tags,
      operationId: 'armScenario',
      summary: 'Arm a scenario',
      description:
        'Arms a partial fill for one order, or for the next order of this key. It applies once, within an hour.',
      body: scenarioInput,
      response: { 200: scenario },
    },
    handler: async ({ caller, body }) => renderScenario(await armScenario(sql, caller.operator.operatorId, body)),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/sandbox/scenarios',
    exposeHeadRoute: false,
    config: { ...control, scopes: ['orders:read'], refuses: ['scenario_not_found'] },
    schema: {
      tags,
      operationId: 'listScenarios',
      summary: 'List armed scenarios',
      description: 'Lists the armed scenarios. `?disarm=` removes one first, but `DELETE` is the better way.',
      querystring: scenarioListQuery,
      response: { 200: scenarioList },
    },
    handler: async ({ caller: { operator }, query: { disarm } }) => {
      if (disarm !== undefined && !(await disarmScenario(sql, operator.operatorId, disarm))) {
        throw refuse('scenario_not_found');
      }
      return { scenarios: (await listScenarios(sql, operator.operatorId)).map(renderScenario) };
    },
  });

  app.route({
    method: 'DELETE',
    url: '/api/v1/sandbox/scenarios/:id',
    config: { ...control, scopes: ['orders:write'], refuses: ['scenario_not_found'] },
    schema: {
      tags,
      operationId: 'disarmScenario',
      summary: 'Disarm a scenario',
      description: 'Disarms a scenario, and returns the scenarios that are still armed.',
      params: scenarioParams,
      response: { 200: scenarioList },
    },
    handler: async ({ caller: { operator }, params: { id } }) => {
      if (!(await disarmScenario(sql, operator.operatorId, id))) {
        throw refuse('scenario_not_found');
      }
      return { scenarios: (await listScenarios(sql, operator.operatorId)).map(renderScenario) };
    },
  });

  app.route({
    method: 'POST',
    url: '/api/v1/sandbox/resolutions',
    config: {
      ...control,
      scopes: ['settlements:read'],
      invalidBody: 'invalid_body',
      refuses: ['position_not_found', 'position_not_open', 'resolution_conflict'],
    },
    schema: {
      tags,
      operationId: 'resolvePosition',
      summary: 'Settle a position',
      description: 'Settles one open position as won, lost or void, and leaves its market alone.',
      body: resolutionInput,
      response: { 200: resolution },
    },
    handler: ({ caller, body }) =>
      resolvePosition({ sql, relay }, caller.operator.operatorId, body.positionId, body.resolution),
  });
};

const fundingConfig = { auth: 'key', scopes: ['funding:write'], rateHeaders: false, sandboxOnly: true } as const;

/** `/funding/*`: test funds for customers through a simulated bridge. */
export const fundingRoutes: Routes = (app, { sql, clock }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/funding/supported-assets',
    config: fundingConfig,
    schema: {
      tags,
      operationId: 'listSupportedAssets',
      summary: 'List test assets',
      description: 'Lists the assets that the test bridge accepts.',
      querystring: assetsQuery,
      response: { 200: assets },
    },
    handler: async ({ query }) => listAssets(query),
  });

  app.route({
    method: 'POST',
    url: '/api/v1/funding/deposit-address',
    config: { ...fundingConfig, userHeader: true, refuses: ['unsupported_asset', 'user_suspended'] },
    schema: {
      tags,
      operationId: 'createDepositAddress',
      summary: 'Create a test address',
      description: 'Creates an address for test deposits of one customer. No real funds can be sent there.',
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
    exposeHeadRoute: false,
    config: { ...fundingConfig, refuses: ['deposit_not_found'] },
    schema: {
      tags,
      operationId: 'getDeposit',
      summary: 'Get a test deposit',
      description:
        'Returns a test deposit. Each read polls the bridge, unless `sync=false`. The second poll credits 1,000.00.',
      params: z.object({ id: z.string() }),
      querystring: depositQuery,
      response: { 200: deposit },
    },
    handler: ({ caller, params, query }) =>
      readDeposit(sql, caller.operator.operatorId, params.id, query.sync !== 'false'),
  });
};

const walletConfig = { auth: 'key', scopes: ['ledger:read'], sandboxOnly: true, refuses: ['unknown_user'] } as const;

/** `users/{id}/balance` and `users/{id}/ledger`: the simulated wallet of a customer. */
export const walletRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/users/:id/balance',
    config: walletConfig,
    schema: {
      tags,
      operationId: 'getBalance',
      summary: 'Get a test wallet',
      description: 'Returns the simulated money of a customer: available, held and total.',
      params: userParams,
      querystring: balanceQuery,
      response: { 200: balance },
    },
    handler: ({ caller, params, query }) => readBalance(reads, caller.operator.operatorId, params.id, query.currency),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/users/:id/ledger',
    config: walletConfig,
    schema: {
      tags,
      operationId: 'listWalletEntries',
      summary: 'List wallet movements',
      description: 'Lists the movements of a simulated wallet, newest first.',
      params: userParams,
      querystring: walletQuery,
      response: { 200: walletPage },
    },
    handler: ({ caller, params, query }) => pageWallet(reads, caller.operator.operatorId, params.id, query),
  });
};
