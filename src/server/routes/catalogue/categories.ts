/** `GET /api/v1/categories`: the categories with events for this operator, in canonical order. */
import { categoryListShape } from '../../../wire/catalogue.ts';
import { audienceOfOperator } from '../../audience.ts';
import type { Routes } from '../../http/api.ts';
import { sendReady } from '../../ready/ready-json.ts';

export const categoriesRoutes: Routes = (app, { catalogue }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/categories',
    config: { auth: 'key', scopes: ['markets:read'], revalidates: true },
    schema: {
      tags: ['Catalogue'],
      operationId: 'listCategories',
      summary: 'List categories',
      description: 'With the number of events that are offered in each.',
      response: { 200: categoryListShape },
    },
    handler: (request, reply) =>
      sendReady(request, reply, catalogue.categories(audienceOfOperator(request.caller.operator))),
  });
};
