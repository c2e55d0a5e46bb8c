/**
 * The code that an operator needs for the page that the demo shows. Each sample is a whole program: a page with the frame, and
 * the route that mints its sessions. It reads the key that the first start of the service stored, and listens on port 3000 of
 * this machine, which the demo registers for its tenant.
 */
import { signal } from '@preact/signals';
import { readBoot } from '../boot.ts';
import { worn } from './clothes.tsx';
import type { Theme } from './frame.tsx';
import './sample.css';

const LANGUAGES = ['Node', 'Python', 'curl'] as const;
type Language = (typeof LANGUAGES)[number];

const open = signal(false);
const language = signal<Language>('Node');
const copied = signal(false);
const { slug = 'YOUR-SLUG' } = readBoot<{ slug?: string }>();

const PROGRAMS: Readonly<Record<Language, (subject: SampleSubject) => string>> = {
  Node: nodeSample,
  Python: pythonSample,
  curl: curlSample,
};

/** How to run the program, and where its page appears. */
const RUN: Readonly<Record<Language, string>> = {
  Node: 'Save it as page.mjs in the folder where you ran npm start, run “node page.mjs”, and open http://127.0.0.1:3000.',
  Python:
    'Save it as page.py in the folder where you ran npm start, run “python3 page.py”, and open http://127.0.0.1:3000.',
  curl: 'Run it in the folder where you ran npm start. Your server does the same for the customer who is signed in.',
};

export function Sample() {
  const code = PROGRAMS[language.value]({ service: location.origin, slug, theme: worn.value.theme });
  return (
    <section class="sample">
      <div class="sample-head">
        <div>
          <h2>Put it into your page</h2>
          <p class="explain">One call from your server, one element and one message in your page. This is all of it.</p>
        </div>
        <p class="row">
          <button
            type="button"
            class="main"
            aria-expanded={open.value}
            onClick={() => {
              open.value = !open.value;
            }}
          >
            {open.value ? 'Hide the code' : 'Show the code'}
          </button>
          <a href="/docs/guides/embed">Guide</a>
        </p>
      </div>
      {open.value && (
        <>
          <div class="tabs">
            <div class="row" role="group" aria-label="Language of the sample">
              {LANGUAGES.map((one) => (
                <button
                  type="button"
                  key={one}
                  aria-pressed={language.value === one}
                  onClick={() => {
                    language.value = one;
                    copied.value = false;
                  }}
                >
                  {one}
                </button>
              ))}
            </div>
            <button type="button" class="copy" onClick={() => void copy(code)}>
              {copied.value ? 'Copied' : 'Copy'}
            </button>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it */}
          <pre tabIndex={0}>
            <code>{code}</code>
          </pre>
          <p class="explain">{RUN[language.value]}</p>
        </>
      )}
    </section>
  );
}

async function copy(code: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(code);
    copied.value = true;
  } catch {
    // The browser does not allow it. The reader can still select the code.
  }
}

interface SampleSubject {
  /** Origin of the service. */
  readonly service: string;
  readonly slug: string;
  readonly theme: Theme;
}

function curlSample({ service, theme }: SampleSubject): string {
  return `INLAY_API_KEY=\${INLAY_API_KEY:-$(grep -o 'pk_test_[A-Za-z0-9_-]*' .inlay/demo-keys.json | head -n 1)}

curl -s ${service}/api/v1/embed-sessions \\
  -H "Authorization: Bearer $INLAY_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ externalUserId: 'player-1', theme })}'
`;
}

function nodeSample({ service, slug, theme }: SampleSubject): string {
  return `import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { env } from 'node:process';

const key = env.INLAY_API_KEY ?? readFileSync('.inlay/demo-keys.json', 'utf8').match(/pk_test_[\\w-]+/)[0];

const page = \`${pageOf(service, slug)}\`;

createServer(async (request, response) => {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html');
    response.end(page);
    return;
  }
  // Your server knows who is signed in. The key never reaches the browser.
  const answer = await fetch('${service}/api/v1/embed-sessions', {
    method: 'POST',
    headers: { authorization: \`Bearer \${key}\`, 'content-type': 'application/json' },
    body: JSON.stringify({ externalUserId: 'player-1', theme: ${literal(theme)} }),
  });
  response.setHeader('content-type', 'application/json');
  response.end(await answer.text());
}).listen(env.PORT ?? 3000, '127.0.0.1');
`;
}

function pythonSample({ service, slug, theme }: SampleSubject): string {
  return `import json, os, re, urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = os.environ.get("INLAY_API_KEY") or re.search(r"pk_test_[\\w-]+", open(".inlay/demo-keys.json").read())[0]
THEME = ${JSON.stringify(theme).replaceAll('":', '": ').replaceAll(',"', ', "')}

PAGE = """${pageOf(service, slug)}"""


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        self.reply("text/html", PAGE.encode())

    # Your server knows who is signed in. The key never reaches the browser.
    def do_POST(self):
        request = urllib.request.Request(
            "${service}/api/v1/embed-sessions",
            json.dumps({"externalUserId": "player-1", "theme": THEME}).encode(),
            {"Authorization": "Bearer " + KEY, "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            self.reply("application/json", answer.read())

    def reply(self, kind, body):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", 3000))), Site).serve_forever()
`;
}

function pageOf(service: string, slug: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<title>My site</title>
<iframe id="markets" title="Prediction markets" style="width:100%;height:90vh;border:0"
  src="${service}/embed/predictions?operator=${slug}"></iframe>
<script>
  const frame = document.getElementById('markets');
  const service = new URL(frame.src).origin;
  addEventListener('message', async ({ origin, source, data }) => {
    if (origin !== service || source !== frame.contentWindow) return;
    if (data.type !== 'service.session.required') return;
    const { token } = await (await fetch('/session', { method: 'POST' })).json();
    frame.contentWindow.postMessage({ type: 'service.session', token }, service);
  });
</script>`;
}

function literal(value: unknown): string {
  return JSON.stringify(value)
    .replace(/"(\w+)":/g, ' $1: ')
    .replaceAll('"', "'")
    .replace(/\}$/, ' }');
}
