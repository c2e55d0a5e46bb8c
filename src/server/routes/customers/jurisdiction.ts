/** `users/{id}/jurisdiction`: where the operator says that a customer is (specification "Jurisdiction assertion"). */
import { assertPlace, getCustomerPlace, readPlace } from '../../../risk/assertions.ts';
import { renderPlace } from '../../../risk/render-jurisdiction.ts';
import { jurisdictionAssertion, jurisdictionInput } from '../../../wire/jurisdiction.ts';
import { userParams } from '../../../wire/reference.ts';
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
    schema: { tags, operationId: 'getJurisdiction', summary: 'Where a customer is said to be', params, response },
    handler: async ({ caller: { operator }, params: { id } }) =>
      renderPlace(id, await getCustomerPlace(reads, operator.operatorId, id)),
  });

  app.route({
    method: 'PUT',
    url,
    config: { auth: 'key', scopes: ['orders:write'], invalidFields: { country: 'invalid_jurisdiction' } },
    schema: {
      tags,
      operationId: 'putJurisdiction',
      summary: 'Say where a customer is',
      params,
      body: jurisdictionInput,
      response,
    },
    handler: async ({ caller: { operator, keyId }, params: { id }, body }) =>
      renderPlace(id, await assertPlace(sql, operator.operatorId, id, readPlace(body), keyId)),
  });
};
