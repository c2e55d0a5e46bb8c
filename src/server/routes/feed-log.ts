/**
 * An operator's feed log as this service and as C2SP serve it: checkpoints, keys and proofs (contract 24.3, contract
 * 24.7), and the tiles of the same log.
 */
import { z } from 'zod';
import { refuse } from '../../core/errors.ts';
import { originOf } from '../../core/log-format/notes.ts';
import { listKeyChanges, readBundle, readTile } from '../../ledger/log/log-store.ts';
import { getHead, proveConsistency, proveInclusion } from '../../ledger/log/prove-log.ts';
import { feedCheckpoint, feedProof, feedProofQuery, logKeys } from '../../wire/feed.ts';
import type { Routes } from '../http/api.ts';

const config = { auth: 'key', scopes: ['ledger:read'], refuses: ['unknown_checkpoint'] } as const;
const tags = ['Reconciliation'];

/** Checkpoints, keys and proofs. */
export const feedLogRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation/checkpoint',
    config,
    schema: {
      tags,
      operationId: 'getFeedCheckpoint',
      summary: 'Get the newest checkpoint',
      description: 'Returns the newest signed checkpoint of the feed, which is at most 10 s behind the feed.',
      response: { 200: feedCheckpoint },
    },
    handler: async ({ caller }) => {
      const { operatorId } = caller.operator;
      const head = await getHead(reads, operatorId);
      return {
        origin: originOf(operatorId),
        size: head.size,
        root: base64(head.root),
        checkpoint: head.note,
        verifierKey: head.verifierKey,
        signedAt: head.sealedAt.toISOString(),
      };
    },
  });

  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation/log-keys',
    config: { ...config, refuses: [] },
    schema: {
      tags,
      operationId: 'listLogKeys',
      summary: 'List the keys of the log',
      description:
        'Lists the keys that have signed checkpoints of the feed. Each change is signed by the previous key and by the new one. The newest key signs now.',
      response: { 200: logKeys },
    },
    handler: async ({ caller }) => {
      const { operatorId } = caller.operator;
      return { origin: originOf(operatorId), keys: await listKeyChanges(reads, operatorId) };
    },
  });

  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation/proof',
    config,
    schema: {
      tags,
      operationId: 'getFeedProof',
      summary: 'Get a proof',
      description:
        'Returns, with `sequence`, a proof that an item is in the log. With `from`, it returns a proof that the log continues an earlier one.',
      querystring: feedProofQuery,
      response: { 200: feedProof },
    },
    handler: async ({ caller, query }) => {
      const { operatorId } = caller.operator;
      const origin = originOf(operatorId);
      if (query.sequence !== undefined) {
        const { sequence } = query;
        const { size, leafHash, root, hashes } = await proveInclusion(reads, operatorId, sequence, query.size);
        const proof = hashes.map(base64);
        return {
          origin,
          kind: 'inclusion' as const,
          sequence,
          leafHash: base64(leafHash),
          size,
          root: base64(root),
          proof,
        };
      }
      const from = query.from as number;
      const { size, fromRoot, root, hashes } = await proveConsistency(reads, operatorId, from, query.size);
      const proof = hashes.map(base64);
      return {
        origin,
        kind: 'consistency' as const,
        from,
        fromRoot: base64(fromRoot),
        size,
        root: base64(root),
        proof,
      };
    },
  });
};

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

const tileConfig = { auth: 'key', scopes: ['ledger:read'], refuses: ['unknown_checkpoint', 'not_found'] } as const;
/** A full tile never changes. It belongs to a tenant, so shared caches must not store it. */
const FULL_TILE_CACHING = 'private, max-age=31536000, immutable';

/** The same log as C2SP tlog-tiles. That specification describes these routes, so the OpenAPI document does not. */
export const feedLogTileRoutes: Routes = (app, { reads }) => {
  app.route({
    method: 'GET',
    url: '/api/v1/reconciliation/log/checkpoint',
    config: tileConfig,
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
    config: tileConfig,
    schema: { hide: true, params: z.object({ '*': z.string() }) },
    handler: async ({ caller, params }, reply) => {
      const name = readTileName(params['*']);
      const { operatorId } = caller.operator;
      const bytes =
        name.level === 'entries'
          ? await readBundle(reads, operatorId, name.index, name.width)
          : await readTile(reads, operatorId, { level: name.level, index: name.index }, name.width);
      return reply
        .header('content-type', 'application/octet-stream')
        .header('cache-control', name.width === undefined ? FULL_TILE_CACHING : 'no-store')
        .send(bytes as never);
    },
  });
};

const TILE_PATH = /^(entries|[0-6])\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

interface TileRequest {
  readonly level: number | 'entries';
  readonly index: number;
  /** The width of a partial tile. Undefined requests a full one. */
  readonly width: number | undefined;
}

/** @throws not_found for a path that tlog-tiles does not define */
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
