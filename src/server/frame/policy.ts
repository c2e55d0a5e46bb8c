/**
 * The content security policies of HTML pages. Nothing is loaded from other parties, no inline script or style runs
 * without the page's nonce, and only registered origins may frame the embed (contract 31.4).
 */
import { randomBytes } from 'node:crypto';

export function newNonce(): string {
  return randomBytes(16).toString('base64');
}

/** @param origins the operator's registered origins; without any the page cannot be framed */
export function framePolicy(nonce: string, origins: readonly string[]): string {
  return join([
    ...common(nonce),
    "connect-src 'self'",
    // The catalogue contains team marks as small data: pictures; the app uses no other data: addresses.
    "img-src 'self' data:",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
  ]);
}

/**
 * One of our own pages.
 * @param frames origins that it may frame
 */
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
    // A script that ours imports inherits the nonce.
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "object-src 'none'",
    // No text can become markup by mistake: the app has no sink for it.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
}

function join(directives: readonly string[]): string {
  return directives.join('; ');
}
