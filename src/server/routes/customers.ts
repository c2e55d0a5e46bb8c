/** The operator's statements about one customer: limits of stakes (contract chapter 28), and the customer's place (chapter 29). */
import {
  clearAccountLimits,
  getAccountLimits,
  NO_ACCOUNT_LIMITS,
  renderLimits,
  setAccountLimits,
} from '../../risk/customer-limits.ts';
import {
  assertJurisdiction,
  getCustomerJurisdiction,
  readJurisdiction,
  renderJurisdiction,
} from '../../risk/jurisdiction.ts';
import { customerLimits, customerLimitsInput, jurisdictionAssertion, jurisdictionInput } from '../../wire/customers.ts';
import { userParams } from '../../wire/page.ts';
import type { Routes } from '../http/api.ts';

const tags = ['Customers'];

/** `users/{id}/limits`: the maximum stakes of one customer. */
export const limitsRoutes: Routes = (app, { sql, reads }) => {
  const url = '/api/v1/users/:id/limits';
  const config = { auth: 'key', scopes: ['orders:write'] } as const;

  app.route({
    method: 'GET',
    url,
    config,
    schema: {
      tags,
      operationId: 'getCustomerLimits',
      summary: "Get a customer's limits",
      description: 'Returns the limits that you set, and the limits that apply.',
      params: userParams,
      response: { 200: customerLimits },
    },
    handler: async ({ caller: { operator }, params: { id } }) =>
      renderLimits(id, operator, await getAccountLimits(reads, operator.operatorId, id)),
  });

  app.route({
    method: 'PUT',
    url,
    config,
    schema: {
      tags,
      operationId: 'putCustomerLimits',
      summary: "Set a customer's limits",
      description: 'Replaces the limits that you set for the customer.',
      params: userParams,
      body: customerLimitsInput,
      response: { 200: customerLimits },
    },
    handler: async ({ caller: { operator, keyId }, params: { id }, body }) => {
      const limits = {
        maxWagerMinor: body.maxWagerMinor === null ? null : BigInt(body.maxWagerMinor),
        periodStakeMinor: body.periodStakeMinor === null ? null : BigInt(body.periodStakeMinor),
        periodHours: body.periodHours,
        note: body.note,
      };
      await setAccountLimits(sql, operator.operatorId, id, limits, keyId);
      return renderLimits(id, operator, limits);
    },
  });

  app.route({
    method: 'DELETE',
    url,
    config,
    schema: {
      tags,
      operationId: 'deleteCustomerLimits',
      summary: "Remove a customer's limits",
      description: 'Removes the limits that you set. `effective` has the limits that still apply.',
      params: userParams,
      response: { 200: customerLimits },
    },
    handler: async ({ caller: { operator, keyId }, params: { id } }) => {
      await clearAccountLimits(sql, operator.operatorId, id, keyId);
      return renderLimits(id, operator, NO_ACCOUNT_LIMITS);
    },
  });
};

/** `users/{id}/jurisdiction`: the place that the operator states for a customer. */
export const jurisdictionRoutes: Routes = (app, { sql, reads }) => {
  const url = '/api/v1/users/:id/jurisdiction';
  const response = { 200: jurisdictionAssertion };

  app.route({
    method: 'GET',
    url,
    config: { auth: 'key', scopes: ['markets:read'] },
    schema: {
      tags,
      operationId: 'getJurisdiction',
      summary: "Get a customer's jurisdiction",
      description: 'Returns the place of the customer that you stated.',
      params: userParams,
      response,
    },
    handler: async ({ caller: { operator }, params: { id } }) =>
      renderJurisdiction(id, await getCustomerJurisdiction(reads, operator.operatorId, id)),
  });

  app.route({
    method: 'PUT',
    url,
    config: {
      auth: 'key',
      scopes: ['orders:write'],
      invalidFields: { country: 'invalid_jurisdiction', subdivision: 'invalid_jurisdiction' },
    },
    schema: {
      tags,
      operationId: 'putJurisdiction',
      summary: "Set a customer's jurisdiction",
      description: 'States the place of the customer.',
      params: userParams,
      body: jurisdictionInput,
      response,
    },
    handler: async ({ caller: { operator, keyId }, params: { id }, body }) =>
      renderJurisdiction(id, await assertJurisdiction(sql, operator.operatorId, id, readJurisdiction(body), keyId)),
  });
};
