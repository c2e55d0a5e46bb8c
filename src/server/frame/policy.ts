/**
 * The content security policies of the pages that draw something. Nothing comes from another party, no script or style
 * stands in a page without its nonce, and only registered origins may frame the embed (specification "Web-page security").
 */
import { randomBytes } from 'node:crypto';

export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** @param origins registered on the operator; none makes the page unframable. */
export function framePolicy(nonce: string, origins: readonly string[]): string {
  return join([
    ...common(nonce),
    "connect-src 'self'",
    // Marks of teams come as small data: pictures with the catalogue; the app lets no other data: through.
    "img-src 'self' data:",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
  ]);
}

/** A page of our own. @param frames origins that it may frame. */
export function pagePolicy(nonce: string, frames: readonly string[] = []): string {
  return join([
    ...common(nonce),
    "connect-src 'self'",
    "img-src 'self' data:",
    `frame-src ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
    "frame-ancestors 'none'",
  ]);
}

function common(nonce: string): string[] {
  return [
    "default-src 'none'",
    // What a script of ours imports inherits its nonce.
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    // No text becomes markup by accident: the app has no sink for it.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
}

function join(directives: readonly string[]): string {
  return directives.join('; ');
}
