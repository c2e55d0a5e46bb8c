/** Where embed tokens meet the door. The rules of embed sessions are in `embed/`. */
import type { ApiContext } from '../context.ts';
import { refuse } from '../core/errors.ts';
import type { AuthenticateEmbed } from './auth.ts';

export function authenticateEmbedWith(_context: ApiContext): AuthenticateEmbed {
  return async () => {
    throw refuse('embed_unavailable');
  };
}
