/** `/docs`: the documentation. The build writes its pages (`tools/site`); they are served as they are. */
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
 * Runs before the first paint, so that nothing moves afterwards: the language of samples and the theme that this reader chose, and in
 * samples the address at which this reader found the service. An element that is still being read is left for the next call.
 */
export const EARLY_SCRIPT = `(()=>{
const d=document,r=d.documentElement.dataset;r.js='';r.language='curl';
try{r.language=localStorage.getItem('language')||'curl';const m=localStorage.getItem('mode');if(m)r.mode=m}catch{}
const o=d.getElementsByClassName('origin');let i=0;
const f=()=>{while(o[i]&&(o[i+1]||o[i].nextSibling||d.readyState!=='loading'))o[i++].textContent=location.origin};
new MutationObserver(f).observe(d,{childList:true,subtree:true});d.addEventListener('readystatechange',f)})()`;

const HASH = createHash('sha256').update(EARLY_SCRIPT).digest('base64');

/** Nothing from other parties; scripts and styles are files of this service, and one script that is named here. */
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

/** Whether a person with a browser asked, who is better served by a page than by JSON. The API always answers with JSON. */
export function wantsPage({ method, headers, url }: FastifyRequest): boolean {
  return method === 'GET' && !url.startsWith('/api/') && headers.accept?.startsWith('text/html') === true;
}

/** A page that says so and offers the search. @returns false if it was not built */
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
