/** `/sandbox/*`: scenarios and resolutions for testers (contract chapter 32). */
import { refuse } from '../../../core/errors.ts';
import { resolvePosition } from '../../../sandbox/resolve-position.ts';
import { armScenario, disarmScenario, listScenarios, renderScenario } from '../../../sandbox/scenarios.ts';
import {
  resolution,
  resolutionInput,
  scenario,
  scenarioInput,
  scenarioList,
  scenarioListQuery,
  scenarioParams,
} from '../../../wire/sandbox.ts';
import type { Routes } from '../../http/api.ts';

const tags = ['Sandbox'];
const control = { auth: 'key', rateHeaders: false, sandboxOnly: true } as const;

export const sandboxRoutes: Routes = (app, { sql, relay }) => {
  app.route({
    method: 'POST',
    url: '/api/v1/sandbox/scenarios',
    config: { ...control, scopes: ['orders:write'], invalidBody: 'scenario_invalid' },
    schema: {
      tags,
      operationId: 'armScenario',
      summary: 'Arm a scenario',
      description: 'A partial fill for one order, or for the next one of this key. It applies once, within an hour.',
      body: scenarioInput,
      response: { 200: scenario },
    },
    handler: async ({ caller, body }) => renderScenario(await armScenario(sql, caller.operator.operatorId, body)),
  });

  app.route({
    method: 'GET',
    url: '/api/v1/sandbox/scenarios',
    config: { ...control, scopes: ['orders:read'], refuses: ['scenario_not_found'] },
    schema: {
      tags,
      operationId: 'listScenarios',
      summary: 'List armed scenarios',
      description: '`?disarm=` removes one first; prefer `DELETE` for that.',
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
      description: 'Answers with those that are still armed.',
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
