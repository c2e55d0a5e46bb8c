/**
 * What runs before the first paint, so that nothing moves afterwards: the language of the samples and the mode that this reader
 * chose. The policy of the pages names it by its hash.
 */
import { createHash } from 'node:crypto';

export const EARLY_SCRIPT = `(()=>{const r=document.documentElement.dataset;r.js='';r.language='curl';try{r.language=localStorage.getItem('language')||'curl';const m=localStorage.getItem('mode');if(m)r.mode=m}catch{}})()`;

const HASH = createHash('sha256').update(EARLY_SCRIPT).digest('base64');

/** Nothing from other parties; scripts and styles are files of this service, and one script that is named here. */
export const DOCS_POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${HASH}'`,
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
