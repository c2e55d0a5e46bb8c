/** The code that an operator needs for what the demo shows: a call of its server, and one element with one message in its page. */
import { signal } from '@preact/signals';
import { worn } from './clothes.tsx';

type Language = 'curl' | 'TypeScript' | 'Python';

const LANGUAGES: readonly Language[] = ['curl', 'TypeScript', 'Python'];
const open = signal(false);
const language = signal<Language>('curl');

const PAGE = `<iframe id="markets" title="Prediction markets"
  src="https://YOUR-HOST/embed/predictions?operator=YOUR-SLUG"></iframe>
<script>
  const frame = document.getElementById('markets');
  const service = new URL(frame.src).origin;
  addEventListener('message', async ({ origin, source, data }) => {
    if (origin !== service || source !== frame.contentWindow) return;
    if (data.type !== 'service.session.required') return;
    const answer = await fetch('/your-route-that-mints', { method: 'POST' });
    const { token } = await answer.json();
    frame.contentWindow.postMessage({ type: 'service.session', token }, service);
  });
</script>`;

/** Mints a session whose frame looks like the one that is shown. */
function mintCode(wanted: Language): string {
  const body = { externalUserId: 'player-1', theme: worn.value.theme };
  switch (wanted) {
    case 'curl':
      return `curl https://YOUR-HOST/api/v1/embed-sessions \\
  -H "Authorization: Bearer $INLAY_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`;
    case 'TypeScript':
      return `const { token } = await client.post('/api/v1/embed-sessions', {
  body: ${JSON.stringify(body, null, 2)
    .replace(/"(\w+)":/g, '$1:')
    .replaceAll('"', "'")
    .replaceAll('\n', '\n  ')},
});`;
    case 'Python':
      return `request = urllib.request.Request(
    "https://YOUR-HOST/api/v1/embed-sessions",
    json.dumps(${JSON.stringify(body, null, 4).replaceAll('\n', '\n    ')}).encode(),
    {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
)
token = json.load(urllib.request.urlopen(request))["token"]`;
  }
}

export function Sample() {
  return (
    <section class="sample">
      <h2>Put it into your page</h2>
      <p class="explain">One call from your server, one frame and one message in your page.</p>
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
        <a href="/docs">Documentation</a>
      </p>
      {open.value && (
        <>
          <h3>On your server: a session for the customer who is signed in</h3>
          <div class="row" role="group" aria-label="Language of the sample">
            {LANGUAGES.map((one) => (
              <button
                type="button"
                key={one}
                aria-pressed={language.value === one}
                onClick={() => {
                  language.value = one;
                }}
              >
                {one}
              </button>
            ))}
          </div>
          <pre>
            <code>{mintCode(language.value)}</code>
          </pre>
          <h3>In your page</h3>
          <pre>
            <code>{PAGE}</code>
          </pre>
        </>
      )}
    </section>
  );
}
