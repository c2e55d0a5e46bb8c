/** The root secret of every simulated deployment. */
import type { Secrets } from '../../src/core/secret.ts';

export const SECRETS: Secrets = { current: 'a secret of simulations', previous: [] };
