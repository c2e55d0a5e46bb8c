/** A feed item as a leaf of its operator's log: the RFC 8785 form without `cursor` (contract 24.1). */
import canonicalize from 'canonicalize';
import type { JsonObject } from '../json.ts';
import { hashLeaf } from './merkle-tree.ts';

export type FeedItemJson = JsonObject;

/** The bytes of the leaf. */
export function leafText(item: FeedItemJson): string {
  const { cursor: _, ...fact } = item;
  return canonicalize(fact) as string;
}

export function hashItem(item: FeedItemJson): Buffer {
  return hashLeaf(leafText(item));
}
