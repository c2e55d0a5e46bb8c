/** Two commands report an operator without an endpoint: it has no deliveries, and their list does not say why. */
import type { InlayClient } from '../../client/create-client.ts';
import { type Failure, notFound } from '../failure.ts';

const REASON = 'because this operator has no endpoint.';
const NEXT =
  'The service operator registers one ("inlay webhooks add"). "inlay webhooks listen" receives your events without one.';

/** Printed in place of an empty list. */
export const NO_DELIVERIES = `No webhook deliveries, ${REASON} ${NEXT}`;

/** @returns true also if the key may not list the endpoints */
export async function hasEndpoint(client: InlayClient): Promise<boolean> {
  return client.get('/api/v1/webhook-endpoints').then(
    ({ endpoints }) => endpoints.length > 0,
    () => true,
  );
}

/** @param missing the beginning of the sentence. @returns a failure with exit code 3 */
export function noEndpoint(missing: string): Failure {
  return notFound(`${missing}, ${REASON}`, 'unknown_delivery', NEXT);
}
