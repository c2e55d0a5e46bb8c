/**
 * `/docs`: serves the pages of the documentation as the build wrote them (`tools/site`), and its page for an address that
 * does not exist.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { projectRoot } from '../core/environment.ts';
import type { Api } from './http/api.ts';

const FOLDER = join(projectRoot, 'dist', 'site');
const FIRST_PAGE = '/docs';

/**
 * Runs before the first paint, so that nothing moves afterwards. It sets the reader's theme and language of samples, and
 * writes the address of this service into the samples. An element that the browser is still parsing waits for the next
 * call.
 */
export const EARLY_SCRIPT = `(()=>{
const d=document,r=d.documentElement.dataset;r.js='';r.language='curl';
try{r.language=localStorage.getItem('language')||'curl';const m=localStorage.getItem('mode');if(m)r.mode=m}catch{}
const o=d.getElementsByClassName('origin');let i=0;
const f=()=>{while(o[i]&&(o[i+1]||o[i].nextSibling||d.readyState!=='loading'))o[i++].textContent=location.origin};
new MutationObserver(f).observe(d,{childList:true,subtree:true});d.addEventListener('readystatechange',f)})()`;

const HASH = createHash('sha256').update(EARLY_SCRIPT).digest('base64');

/** Nothing is loaded from other parties. Scripts and styles are files of this service, except for the script above. */
const POLICY = [
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

export function serveDocs(app: Api): void {
  app.register(fastifyStatic, { root: FOLDER, serve: false, preCompressed: true, cacheControl: false });
  for (const url of [FIRST_PAGE, `${FIRST_PAGE}/*`]) {
    app.route({
      method: 'GET',
      url,
      config: { auth: 'none' },
      schema: { hide: true },
      handler: (request, reply) => {
        const [path = ''] = request.url.split('?');
        const name = path.slice(FIRST_PAGE.length + 1).replace(/\/$/, '') || 'index';
        return reply
          .header('content-security-policy', POLICY)
          .header('cache-control', 'public, no-cache')
          .sendFile(name.includes('.') ? name : `${name}.html`);
      },
    });
  }
}

/** Whether a browser requests a page. The API always responds with JSON. */
export function wantsPage({ method, headers, url }: FastifyRequest): boolean {
  return method === 'GET' && !url.startsWith('/api/') && headers.accept?.startsWith('text/html') === true;
}

/** Sends a 404 page that offers the search. @returns false, and sends nothing, if the pages were not built */
export function sendMissingPage(reply: FastifyReply): boolean {
  let page: Buffer;
  try {
    page = readFileSync(join(FOLDER, '404.html'));
  } catch {
    return false;
  }
  reply
    .code(404)
    .header('content-security-policy', POLICY)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(page);
  return true;
}
