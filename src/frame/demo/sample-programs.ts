/**
 * Whole programs: a page with the frame and the route that mints its sessions. They read the key that the first start stored, and
 * serve at port 3000 of this machine, which the demo registers for its tenant.
 */
import type { Theme } from './frame.tsx';

export interface SampleSubject {
  /** Origin of the service. */
  readonly service: string;
  readonly slug: string;
  readonly theme: Theme;
}

export function curlSample({ service, theme }: SampleSubject): string {
  return `INLAY_API_KEY=\${INLAY_API_KEY:-$(grep -o 'pk_test_[A-Za-z0-9_-]*' .inlay/demo-keys.json | head -n 1)}

curl -s ${service}/api/v1/embed-sessions \\
  -H "Authorization: Bearer $INLAY_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify({ externalUserId: 'player-1', theme })}'
`;
}

export function nodeSample({ service, slug, theme }: SampleSubject): string {
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

export function pythonSample({ service, slug, theme }: SampleSubject): string {
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
