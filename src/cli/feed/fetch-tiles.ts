/** Reads the tiles of a log over the API, up to a size. */
import { HASH_BYTES } from '../../core/log-format/merkle.ts';
import { TILE_WIDTH, type Tile } from '../../core/log-format/tiles.ts';
import { Failure } from '../failure.ts';
import type { ApiClient } from '../service/api-client.ts';

/** @param size of a checkpoint that the service has signed. */
export async function fetchTiles(api: ApiClient, size: number): Promise<Tile[]> {
  const tiles: Tile[] = [];
  for (let level = 0, hashes = size; hashes > 0; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    for (let index = 0; index * TILE_WIDTH < hashes; index += 1) {
      const width = Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH);
      const path = tilePath(level, index, width);
      const response = await api.open('GET', `/api/v1/reconciliation/log/tile/${path}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      if (!response.ok || bytes.length !== width * HASH_BYTES) {
        throw new Failure('unexpected_answer', `The service answered ${response.status} for tile ${path} of the log.`);
      }
      tiles.push({ level, index, hashes: bytes });
    }
  }
  return tiles;
}

/** `<L>/<N>[.p/<W>]`, N in groups of three digits, all but the last with a leading x (C2SP tlog-tiles). */
export function tilePath(level: number, index: number, width: number): string {
  const groups: string[] = [];
  let left = index;
  do {
    groups.unshift(String(left % 1000).padStart(3, '0'));
    left = Math.floor(left / 1000);
  } while (left > 0);
  const number = groups.map((group, n) => (n < groups.length - 1 ? `x${group}` : group)).join('/');
  return `${level}/${number}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}
