/** The feed log as C2SP tlog-tiles, which describes these routes; they are not in the OpenAPI document. */
import { z } from 'zod';
import { refuse } from '../../../core/errors.ts';
import { readBundle, readTile } from '../../../ledger/log/log-store.ts';
import { getHead } from '../../../ledger/log/prove-log.ts';
import type { Routes } from '../../http/api.ts';

const config = { auth: 'key', scopes: ['ledger:read'], refuses: ['unknown_checkpoint', 'not_found'] } as const;
/** A full tile never changes. It belongs to a tenant, so no shared cache may store it. */
const FULL = 'private, max-age=31536000, immutable';
const BYTES = 'application/octet-stream';

export const feedLogTileRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation/log/checkpoint',
    config,
    schema: { hide: true },
    handler: async ({ caller }, reply) => {
      const { note } = await getHead(reads, caller.operator.operatorId);
      return reply
        .header('content-type', 'text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .send(note as never);
    },
  });

  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation/log/tile/*',
    config,
    schema: { hide: true, params: z.object({ '*': z.string() }) },
    handler: async ({ caller, params }, reply) => {
      const name = readTileName(params['*']);
      const { operatorId } = caller.operator;
      const bytes =
        name.level === 'entries'
          ? await readBundle(reads, operatorId, name.index, name.width)
          : await readTile(reads, operatorId, { level: name.level, index: name.index }, name.width);
      return reply
        .header('content-type', BYTES)
        .header('cache-control', name.width === undefined ? FULL : 'no-store')
        .send(bytes as never);
    },
  });
};

const TILE_PATH = /^(entries|[0-6])\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

interface TileRequest {
  readonly level: number | 'entries';
  readonly index: number;
  /** The width of a partial tile; undefined requests a full one. */
  readonly width: number | undefined;
}

/** @throws not_found for a path that is not one of tlog-tiles */
function readTileName(path: string): TileRequest {
  const [, level = '', number = '', width] = TILE_PATH.exec(path) ?? [];
  if (level === '' || Number(width ?? 1) > 255) {
    throw refuse('not_found');
  }
  return {
    level: level === 'entries' ? level : Number(level),
    index: Number(number.replace(/[x/]/g, '')),
    width: width === undefined ? undefined : Number(width),
  };
}
