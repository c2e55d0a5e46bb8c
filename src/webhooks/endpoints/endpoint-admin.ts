/** Opens what managing endpoints needs, with the destination policy of the deployment rather than of the shell one happens to be in. */
import type { Environment } from '../../core/environment.ts';
import type { Secrets } from '../../core/secrets/secret.ts';
import type { Sql } from '../../db/client.ts';
import type { DestinationPolicy } from './destination.ts';
import { openSecretBox } from './endpoint-secret.ts';
import type { EndpointDesk } from './manage-endpoints.ts';

const SETTING = 'webhooks';

interface Deployment {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly environment: Environment;
}

/** Workers say what they allow, so that a command in another shell registers what they will deliver to, and nothing else. */
export async function publishPolicy(sql: Sql, policy: DestinationPolicy): Promise<void> {
  await sql`
    insert into settings (name, value) values (${SETTING}, jsonb_build_object('allowLoopback', ${policy.allowLoopback}::boolean))
    on conflict (name) do update set value = excluded.value, updated_at = now() where settings.value <> excluded.value`;
}

/** INLAY_WEBHOOK_ALLOW_LOOPBACK where it is set here, otherwise what the workers of this database last said. */
export async function openEndpointDesk({ sql, secrets, environment }: Deployment): Promise<EndpointDesk> {
  let allowLoopback = environment.webhookAllowLoopback;
  if (allowLoopback === undefined) {
    const [row] = await sql<{ allow: boolean }[]>`
      select coalesce((value ->> 'allowLoopback')::boolean, false) as allow from settings where name = ${SETTING}`;
    allowLoopback = row?.allow ?? false;
  }
  return { sql, box: openSecretBox(secrets), policy: { allowLoopback } };
}
