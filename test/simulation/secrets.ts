/** The root secret of every simulated deployment. */
import type { Secrets } from '../../src/core/secrets/secret.ts';

export const SECRETS: Secrets = { current: 'a secret of simulations', previous: [] };
