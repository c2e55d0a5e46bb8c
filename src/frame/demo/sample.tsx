/** The code that an operator needs for what the demo shows. */
import { signal } from '@preact/signals';

const open = signal(false);

const CODE = `<iframe id="markets" title="Prediction markets"
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

export function Sample() {
  return (
    <section>
      <h2>Put it into your page</h2>
      <p class="explain">One frame, one message, one call from your server.</p>
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
        <a href="/docs">API reference</a>
      </p>
      {open.value && (
        <pre>
          <code>{CODE}</code>
        </pre>
      )}
    </section>
  );
}
