/**
 * Responds to requests that match no route: 404 for an unknown path, as a page for a browser, and 405 with `Allow` for a known path with
 * another method.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../core/errors.ts';
import { sendMissingPage, wantsPage } from './docs.ts';
import type { Api } from './http/api.ts';
import { sendRefusal } from './http/errors.ts';

interface KnownRoute {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

export function answerUnknownRoutes(app: Api): void {
  const known = new Map<string, KnownRoute>();
  app.addHook('onRoute', ({ url, method }) => {
    const route = known.get(url) ?? { segments: splitPath(url), methods: new Set<string>() };
    known.set(url, route);
    for (const name of [method].flat()) {
      route.methods.add(name);
    }
  });
  // The body is not read, because it cannot make an unknown path known.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) {
      answer(request, reply);
    } else {
      done();
    }
  });
  app.setNotFoundHandler(answer);

  function answer(request: FastifyRequest, reply: FastifyReply): void {
    const path = splitPath((request.raw.url ?? '/').split('?', 1)[0] ?? '/');
    const allowed = new Set(
      known
        .values()
        .filter(({ segments }) => matches(segments, path))
        .flatMap(({ methods }) => methods),
    );
    // If a route accepts the method and the request still ended here, it has no resource of that name.
    if (allowed.size === 0 || allowed.has(request.method)) {
      if (wantsPage(request) && sendMissingPage(reply)) {
        return;
      }
      sendRefusal(request, reply, refuse('not_found'));
      return;
    }
    reply.header('allow', [...allowed].toSorted().join(', '));
    sendRefusal(request, reply, refuse('method_not_allowed'));
  }
}

function splitPath(path: string): string[] {
  return path.split('/').slice(1);
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  if (pattern.at(-1) === '*') {
    return path.length >= pattern.length && matches(pattern.slice(0, -1), path.slice(0, pattern.length - 1));
  }
  return (
    pattern.length === path.length &&
    pattern.every((segment, index) => segment.startsWith(':') || segment === path[index])
  );
}
