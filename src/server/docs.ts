/**
 * `/docs` and `/llms.txt`: serves the documentation as the build wrote it (`tools/site`), fills in what only a running
 * service knows, and has a page for an address that does not exist.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Environment, projectRoot } from '../core/environment.ts';
import { escapeText } from '../core/markup.ts';
import type { Api } from './http/api.ts';
import { createOwnOrigins } from './http/embed-auth.ts';

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

/** The files that name settings in braces, which are filled in as they are sent. All others are sent as they were compressed. */
const FILLED = /^(?:[\w/-]+\.md|llms\.txt|guides\/production\.html)$/;
const SETTING = /\{(INLAY_[A-Z_]+)\}/g;
/** What the documentation says in place of a setting without a value. */
export const IF_UNSET = {
  INLAY_SUPPORT: 'the service operator that issued your key. It has published no address here',
  INLAY_SOURCE_ADDRESSES: 'addresses that the service operator names on request',
} as const;
const TYPES = [
  ['.html', 'text/html; charset=utf-8'],
  ['.md', 'text/markdown; charset=utf-8'],
  ['.txt', 'text/plain; charset=utf-8'],
] as const;

export function serveDocs(app: Api, environment: Environment): void {
  app.register(fastifyStatic, { root: FOLDER, serve: false, preCompressed: true, cacheControl: false });
  const settingOf = publishedSettings(environment, createOwnOrigins(app, environment));
  for (const url of [FIRST_PAGE, `${FIRST_PAGE}/*`, '/llms.txt']) {
    app.route({
      method: 'GET',
      url,
      config: { auth: 'none' },
      schema: { hide: true },
      handler: (request, reply) => {
        const file = fileOf(request.url);
        reply.header('content-security-policy', POLICY).header('cache-control', 'public, no-cache');
        return FILLED.test(file) ? sendFilled(reply, file, settingOf) : reply.sendFile(file);
      },
    });
  }
}

/** @returns name of a file below the folder of the site; it may not exist */
function fileOf(url: string): string {
  const [path = ''] = url.split('?');
  const name = path.replace(FIRST_PAGE, '').replace(/^\/|\/$/g, '') || 'index';
  return name.includes('.') ? name : `${name}.html`;
}

type SettingOf = (name: string) => string | undefined;

/** What the documentation shows of the settings; undefined for all others. */
function publishedSettings(
  { support, sourceAddresses, webhookAttemptDays }: Environment,
  ownOrigins: () => ReadonlySet<string>,
): SettingOf {
  const known: Readonly<Record<string, () => string | undefined>> = {
    INLAY_PUBLIC_URL: () => [...ownOrigins()][0],
    INLAY_SUPPORT: () => support ?? IF_UNSET.INLAY_SUPPORT,
    INLAY_SOURCE_ADDRESSES: () => sourceAddresses.join(', ') || IF_UNSET.INLAY_SOURCE_ADDRESSES,
    INLAY_WEBHOOK_ATTEMPT_DAYS: () => String(webhookAttemptDays),
  };
  return (name) => known[name]?.();
}

async function sendFilled(reply: FastifyReply, file: string, settingOf: SettingOf): Promise<FastifyReply> {
  let text: string;
  try {
    text = await readFile(join(FOLDER, file), 'utf8');
  } catch {
    reply.callNotFound();
    return reply;
  }
  const isPage = file.endsWith('.html');
  const filled = text.replace(SETTING, (braces, name: string) => {
    const value = settingOf(name) ?? braces;
    return isPage ? escapeText(value) : value;
  });
  const type = TYPES.find(([ending]) => file.endsWith(ending))?.[1] ?? 'text/plain';
  return reply.type(type).send(filled);
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
