/**
 * `users/{id}/jurisdiction`: where the operator asserts that a customer is (contract chapter 29).
 */
import {
  assertJurisdiction,
  getCustomerJurisdiction,
  readJurisdiction,
  renderJurisdiction,
} from '../../../risk/jurisdiction.ts';
import { jurisdictionAssertion, jurisdictionInput } from '../../../wire/customers.ts';
import { userParams } from '../../../wire/page.ts';
import type { Routes } from '../../http/api.ts';

const url = '/api/v1/users/:id/jurisdiction';
const params = userParams;
const tags = ['Customers'];
const response = { 200: jurisdictionAssertion };

export const jurisdictionRoutes: Routes = (app, { sql, reads }) => {
  app.route({
    method: 'GET',
    url,
    config: { auth: 'key', scopes: ['markets:read'] },
    schema: {
      tags,
      operationId: 'getJurisdiction',
      summary: "Get a customer's jurisdiction",
      description: 'Where you said that the customer is.',
      params,
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
      description: 'States where the customer is.',
      params,
      body: jurisdictionInput,
      response,
    },
    handler: async ({ caller: { operator, keyId }, params: { id }, body }) =>
      renderJurisdiction(id, await assertJurisdiction(sql, operator.operatorId, id, readJurisdiction(body), keyId)),
  });
};
