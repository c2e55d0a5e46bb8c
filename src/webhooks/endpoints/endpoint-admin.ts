/** What managing endpoints needs, with the destination policy of the deployment and not of the current shell. */
import type { Environment } from '../../core/environment.ts';
import type { Secrets } from '../../core/secret.ts';
import type { Sql } from '../../db/client.ts';
import type { DestinationPolicy } from './destination.ts';
import { createSecretBox } from './endpoint-secret.ts';
import type { EndpointAdmin } from './manage-endpoints.ts';

const SETTING = 'webhooks';

interface Deployment {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly environment: Environment;
}

/**
 * Workers publish the policy under which they deliver, so that a command in another shell registers only destinations
 * that they accept.
 */
export async function publishPolicy(sql: Sql, policy: DestinationPolicy): Promise<void> {
  await sql`
    insert into settings (name, value) values (${SETTING}, jsonb_build_object('allowLoopback', ${policy.allowLoopback}::boolean))
    on conflict (name) do update set value = excluded.value, updated_at = now() where settings.value <> excluded.value`;
}

/**
 * INLAY_WEBHOOK_ALLOW_LOOPBACK if it is set here, otherwise the policy that the workers of this database last
 * published.
 */
export async function createEndpointAdmin({ sql, secrets, environment }: Deployment): Promise<EndpointAdmin> {
  let allowLoopback = environment.webhookAllowLoopback;
  if (allowLoopback === undefined) {
    const [row] = await sql<{ allow: boolean }[]>`
      select coalesce((value ->> 'allowLoopback')::boolean, false) as allow from settings where name = ${SETTING}`;
    allowLoopback = row?.allow ?? false;
  }
  return { sql, box: createSecretBox(secrets), policy: { allowLoopback } };
}
