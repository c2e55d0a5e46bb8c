/** GET /api/v1/collateral: an addition to the partner interface, for operators that trade live. */
import { readCollateralStatement } from '../../../ledger/collateral.ts';
import { collateral, collateralQuery } from '../../../wire/reconciliation.ts';
import type { Routes } from '../../http/api.ts';

export const collateralRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/collateral',
    config: { auth: 'key', scopes: ['ledger:read'] },
    schema: {
      tags: ['Reconciliation'],
      operationId: 'getCollateral',
      summary: 'Get your collateral',
      description: 'What is available and committed, and the last movements.',
      querystring: collateralQuery,
      response: { 200: collateral },
    },
    handler: ({ caller, query }) => readCollateralStatement(reads, caller.operator.operatorId, query.limit),
  });
};
